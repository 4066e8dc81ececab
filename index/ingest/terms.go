package ingest

import (
	"path"
	"strings"

	"vademecum/index/lexical/analysis"
	"vademecum/index/store/catalog"
)

// TermsOfChunk returns the terms of a chunk, given its number and the text of the document: the
// words of the chunk, those of the titles and headings above it, and its names, see analysis.ChunkNames (only
// the first chunk has those of the document).
func TermsOfChunk(d *catalog.Record, text string, number int) analysis.TermCounts {
	c := d.Chunks[number]
	own := text[c.Span.StartByte:c.Span.EndByte]
	return analysis.CountTermsInLanguage(c.Traits.Language, namesOf(d, number), d.Title, NameWithoutExtension(d.Path), catalog.HeadingsAbove(own, c.Heading), own)
}

// namesOf returns the names of a chunk. Only the first chunk has the names of its document, which
// apply to all chunks.
func namesOf(d *catalog.Record, number int) analysis.ChunkNames {
	var n analysis.ChunkNames
	if heading := d.Chunks[number].Heading; len(heading) > 0 {
		n.Heading = heading[len(heading)-1]
	}
	if number > 0 {
		return n
	}
	n.FileName, n.Title, n.Aliases = NameWithoutExtension(d.Path), d.Title, d.Meta.Aliases()
	if dir := path.Dir(d.Path); dir != "." {
		n.Folders = strings.Split(dir, "/")
	}
	return n
}

// NameWithoutExtension returns the last element of a path without its extension.
func NameWithoutExtension(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, path.Ext(base))
}
