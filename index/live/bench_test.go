package live_test

import (
	"fmt"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/memindex"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// BenchmarkLinking asks which documents link to one of 20,000 that are called alike,
// each in a folder of its own, of 200 that have links to the name.
func BenchmarkLinking(b *testing.B) {
	const namesakes = 20_000
	st := memindex.New(0, indextest.NewCountingModel(b))
	put := func(p string, links ...string) {
		indextest.Must(b, st.PutClientText(b.Context(), catalog.RecordWithBody{Record: catalog.Record{Path: p, Meta: meta.Data{LinkTargets: links}}}))
	}
	for i := range namesakes {
		put(fmt.Sprintf("projects/%d/Note.md", i))
	}
	for i := range 200 {
		put(fmt.Sprintf("projects/%d/log.md", i), "Note", "17/note", fmt.Sprintf("%d/Note", i), fmt.Sprintf("/projects/%d/Note", i))
	}
	for _, p := range []string{"projects/17/Note.md", "projects/0/Note.md", "projects/19999/Note.md"} {
		b.Run(p, func(b *testing.B) {
			d, _ := st.Document(search.Location{Folder: search.NoFolder, Path: p})
			for b.Loop() {
				st.LinkingTo(d, 0)
			}
		})
	}
}
