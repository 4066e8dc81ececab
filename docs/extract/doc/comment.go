package doc

import (
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// A comment is a comment of an editor of the document.
type comment struct {
	author     string
	start, end int // of its text, in the part of the comments
	aboutFrom  int // where the text that it is about begins and ends, both 0 if that is unknown
	aboutTo    int
}

// readComments returns the comments that a document of Word 97 or later lists ([MS-DOC],
// PlcfandRef, PlcfandTxt and ATRDPre10).
func (d *document) readComments(table []byte) (all []comment) {
	const reference, author, tag = 30, 20, 26 // bytes beside its position, and where they have the others
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

// readWord6Comments returns the comments that a document of Word 6 or 95 lists.
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

// listedComments yields comments with the ranges of their texts, and their references, of
// size bytes each beside the position.
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

// readCommentAuthors returns the names of the authors of comments, by their numbers ([MS-DOC],
// GrpXstAtnOwners).
func readCommentAuthors(list []byte) (names []string) {
	for len(list) >= 2 {
		size := min(2+2*uint16At(list, 0), len(list))
		names, list = append(names, decodeUTF16(list[2:size])), list[size:]
	}
	return names
}

// readCommentedRanges returns where the texts begin and end that comments are about, by the tags
// that comments refer to ([MS-DOC], SttbfAtnBkmk, PlcfAtnBkf and PlcfAtnBkl).
func readCommentedRanges(tags, begins, ends []byte) map[int][2]int {
	const head, entry, tag, begin = 6, 12, 4, 4 // sizes, where an entry has its tag, and bytes beside the position of a beginning
	ranges := make(map[int][2]int)
	count := (len(begins) - 4) / (4 + begin)
	for i := range max(0, min(count, (len(tags)-head)/entry)) {
		end := uint16At(begins, 4*(count+1)+begin*i)
		ranges[int32At(tags, head+entry*i+tag)] = [2]int{int32At(begins, 4*i), int32At(ends, 4*end)}
	}
	return ranges
}

// writeComments writes the comments of a document, whose parts begin at these positions.
func (d *document) writeComments(all []comment, from [parts + 1]int) {
	for _, c := range all {
		start, end := from[comments]+c.start, from[comments]+c.end
		if end > from[comments+1] {
			return
		}
		var said, about markdown.BlockLines
		d.eachBlock(start, end, said.AddBlock)
		if said.Len() == 0 {
			continue
		}
		d.eachBlock(c.aboutFrom, min(c.aboutTo, c.aboutFrom+office.MaxCommentedText/2, from[body+1]), func(b markdown.Block) {
			b.Marker = "" // it was counted before
			about.AddBlock(b)
		})
		d.w.WriteParagraph(office.FormatComment(c.author, about.String(), markdown.OneLine(said.String())))
	}
}
