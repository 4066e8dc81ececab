package sync_test

import (
	"crypto/sha256"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

func TestPanicSkipsItsDocument(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"plain.md": "plain text", "accents.md": "café crème"})
	ix := syncertest.Open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	files, err := ix.Folders[0].Scan(t.Context(), ".")
	indextest.Must(t, err)
	reader := *ix.Reader
	var none []bool
	reader.IsMachineGenerated = func(*search.Document) bool { return none[0] }
	var batch []ingest.PreparedDocument
	for _, f := range files {
		var have *search.Document
		if f.Path == "accents.md" { // only of what is known is asked whether a machine has made it
			have = &search.Document{InternedFields: new(search.InternedFields), Hash: sha256.Sum256([]byte("café crème"))}
		}
		p, err := reader.Prepare(t.Context(), 0, reader.Fetch(t.Context(), 0, f), have, false)
		indextest.Must(t, err)
		batch = append(batch, p)
	}
	report, err := sync.Commit(t.Context(), ix, batch)
	indextest.Must(t, err)
	const reason = "internal error: runtime error: index out of range [0] with length 0"
	if r := report; r.Indexed != 1 || len(r.Skipped) != 1 || r.Skipped[0] != (notice.SkippedFile{Path: "accents.md", Reason: reason}) {
		t.Errorf("reported %+v", r)
	}
	if got := syncertest.BestPath(t, ix, "plain"); got != "plain.md" {
		t.Errorf("found %q", got)
	}
	if d, ok := ix.Store.Document(search.Location{Folder: 0, Path: "accents.md"}); !ok || d.SkipReason != reason {
		t.Errorf("it is kept as %+v", d)
	}
	syncertest.MustSync(t, ix, sync.Scope{Force: true})
	if got := syncertest.BestPath(t, ix, "cafe"); got != "accents.md" {
		t.Errorf("found %q when nothing panics", got)
	}
}
