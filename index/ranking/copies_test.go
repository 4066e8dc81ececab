package ranking

import (
	"testing"

	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestWrittenAgainIsNoCopy: a document that is written again between the search and the
// look for copies does not stand beside itself.
func TestWrittenAgainIsNoCopy(t *testing.T) {
	document := func(path string, id int64) *search.Document {
		return search.NewDocument(&catalog.Record{Path: path, ID: id}, 0)
	}
	of := document("one.md", 1)
	chunk := func(d *search.Document, number int) search.Chunk {
		return search.Chunk{Document: d, Number: number, ContentHash: rank.ChunkTextHashOf("a spacer helps")}
	}
	o := &Passage{Candidate: search.Candidate{Chunk: chunk(of, 3)}, first: 3, last: 3, chunks: []search.Chunk{{Number: 3, ContentHash: rank.ChunkTextHashOf("a spacer helps")}}}
	for name, c := range map[string]struct {
		d      *search.Document
		number int
		want   int
	}{
		"itself":                     {of, 3, 0},
		"another part of it":         {of, 5, 1},
		"with another time":          {document("one.md", 1), 3, 0},
		"another part, another time": {document("one.md", 1), 5, 1},
		"written again":              {document("one.md", 2), 3, 0},
		"written again, with more":   {document("one.md", 2), 4, 0},
		"another document":           {document("two.md", 3), 3, 1},
	} {
		if whole, parts := o.copiesOfPassage([]search.Chunk{chunk(c.d, c.number)}); len(whole) != c.want || len(parts) > 0 {
			t.Errorf("%s: %d copies, %d of parts", name, len(whole), len(parts))
		}
	}
}
