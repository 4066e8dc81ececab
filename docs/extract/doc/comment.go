package doc

import (
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// A comment is a reviewer's comment on the document.
type comment struct {
	author     string
	start, end int // start and end of the text of the comment, relative to the comments part
	aboutFrom  int // start and end of the commented text; both 0 if unknown
	aboutTo    int
}

// readComments returns the comments of a document of Word 97 or later ([MS-DOC], PlcfandRef,
// PlcfandTxt and ATRDPre10).
func (d *document) readComments(table []byte) (all []comment) {
	const reference, author, tag = 30, 20, 26 // size of a reference without its position, and the offsets of its fields
	section := func(at int) []byte { return streamSection(table, d.main, at) }
	authors, about := readCommentAuthors(section(atAuthors)), readCommentedRanges(section(atTags), section(atBegins), section(atBegins+8))
	for c, r := range listedComments(section(atComments), section(atComments+8), reference) {
		if n := uint16At(r, author); n < len(authors) {
			c.author = authors[n]
		}
		if span, ok := about[int32At(r, tag)]; ok {
			c.aboutFrom, c.aboutTo = span[0], span[1]
		}
		all = append(all, c)
	}
	return all
}

// readWord6Comments returns the comments of a document of Word 6 or 95.
func (d *document) readWord6Comments() (all []comment) {
	const reference, author = 20, 10
	section := func(at int) []byte { return streamSection(d.main, d.main, at) }
	var authors []string
	for rest := section(w6Authors); len(rest) > 0; {
		size := min(1+int(rest[0]), len(rest))
		name, _ := charset.DecodeLabelled(rest[1:size], d.codeTable.label)
		authors, rest = append(authors, name), rest[size:]
	}
	for c, r := range listedComments(section(w6Comments), section(w6Comments+8), reference) {
		if n := uint16At(r, author); n < len(authors) {
			c.author = authors[n]
		}
		all = append(all, c)
	}
	return all
}

// listedComments yields each comment with the range of its text, and its reference without the
// position, which has size bytes.
func listedComments(references, texts []byte, size int) func(yield func(comment, []byte) bool) {
	return func(yield func(comment, []byte) bool) {
		count := (len(references) - 4) / (4 + size)
		for i := range max(0, min(count, len(texts)/4-1)) {
			c := comment{start: int32At(texts, 4*i), end: int32At(texts, 4*i+4)}
			if c.start >= c.end || !yield(c, references[4*(count+1)+size*i:][:size]) {
				return
			}
		}
	}
}

// readCommentAuthors returns the names of the authors of comments, by their index ([MS-DOC],
// GrpXstAtnOwners).
func readCommentAuthors(list []byte) (names []string) {
	for len(list) >= 2 {
		size := min(2+2*uint16At(list, 0), len(list))
		names, list = append(names, decodeUTF16(list[2:size])), list[size:]
	}
	return names
}

// readCommentedRanges returns the start and end of the commented texts, by the tags with which
// comments refer to them ([MS-DOC], SttbfAtnBkmk, PlcfAtnBkf and PlcfAtnBkl).
func readCommentedRanges(tags, begins, ends []byte) map[int][2]int {
	const head, entry, tag, begin = 6, 12, 4, 4 // size of the header and of an entry, offset of the tag in the entry, size of a start
	ranges := make(map[int][2]int)
	count := (len(begins) - 4) / (4 + begin)
	for i := range max(0, min(count, (len(tags)-head)/entry)) {
		end := uint16At(begins, 4*(count+1)+begin*i)
		ranges[int32At(tags, head+entry*i+tag)] = [2]int{int32At(begins, 4*i), int32At(ends, 4*end)}
	}
	return ranges
}

// writeComments writes the comments of a document. from has the start position of each part of the
// text.
func (d *document) writeComments(all []comment, from [parts + 1]int) {
	for _, c := range all {
		start, end := from[comments]+c.start, from[comments]+c.end
		if end > from[comments+1] {
			return
		}
		var said, about markdown.BlockLineBuilder
		d.eachBlock(start, end, said.AddBlock)
		if said.Len() == 0 {
			continue
		}
		d.eachBlock(c.aboutFrom, min(c.aboutTo, c.aboutFrom+office.MaxCommentedTextBytes/2, from[body+1]), func(b markdown.Block) {
			b.Marker = "" // the item was already counted when the text was read
			about.AddBlock(b)
		})
		d.w.WriteParagraph(office.FormatComment(c.author, about.String(), markdown.OneLine(said.String())))
	}
}
