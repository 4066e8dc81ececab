package indexer

import (
	"crypto/sha256"
	"sync"
	"testing"

	"vademecum/index/compare"
	"vademecum/index/indextest"
	"vademecum/index/say"
	"vademecum/index/search"
)

func TestPanicSkipsItsDocument(t *testing.T) {
	n := indextest.NewNotes(t, map[string]string{"plain.md": "plain text", "accents.md": "café crème"})
	ix := open(t, t.TempDir(), indextest.NewCounting(t), n.Dir)
	files, err := ix.Folders[0].Scan(t.Context(), ".")
	indextest.Must(t, err)
	w := &worker{Run: ix.NewRun(compare.Comparison{}), mu: new(sync.Mutex)}
	for _, f := range files {
		var have *search.Document
		if f.Path == "accents.md" { // the folder of what is known of it is none: who looks it up panics
			have = &search.Document{Common: &search.Common{Folder: len(ix.Folders)}, Hash: sha256.Sum256([]byte("café crème"))}
		}
		p, err := ix.Reader.Prepare(t.Context(), 0, ix.Reader.Fetch(t.Context(), 0, f), have, false)
		indextest.Must(t, err)
		w.batch = append(w.batch, p)
	}
	indextest.Must(t, w.flush(t.Context()))
	const reason = "internal error: runtime error: index out of range [1] with length 1"
	if r := w.Report; r.Indexed != 1 || len(r.Skipped) != 1 || r.Skipped[0] != (say.Skip{Path: "accents.md", Reason: reason}) {
		t.Errorf("reported %+v", r)
	}
	if got := found(t, ix, "plain"); got != "plain.md" {
		t.Errorf("found %q", got)
	}
	if d, ok := ix.Store.Document(search.Location{Folder: 0, Path: "accents.md"}); !ok || d.Skip != reason {
		t.Errorf("it is kept as %+v", d)
	}
	mustSync(t, ix, scope{force: true})
	if got := found(t, ix, "cafe"); got != "accents.md" {
		t.Errorf("found %q when nothing panics", got)
	}
}
