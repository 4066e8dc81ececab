package index

import (
	"fmt"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestOverview: what is held is reported while it is in use, by kind, language and folder,
// and what is not by its reason.
func TestOverview(t *testing.T) {
	t.Parallel()
	n := indextest.NewNotesFolder(t, map[string]string{
		"a.md": "The spacer is what helps the children in the end.", "b/c/d.MD": "孩子们用储雾罐吸药比较容易，也比较安全。", "b/c/e.txt": "12", "b/x.pdf": "%PDF-1.4 harm",
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	o, err := ix.Overview(t.Context())
	indextest.Must(t, err)
	if o.Documents != 0 || len(o.Folders) != 1 {
		t.Errorf("before anything is indexed: %+v", o)
	}
	if documents, _ := ix.Size(); documents != 0 {
		t.Errorf("%d documents", documents)
	}
	mustSync(t, ix, sync.Scope{})
	if documents, _ := ix.Size(); documents != 3 {
		t.Errorf("%d documents", documents)
	}
	o, err = ix.Overview(t.Context())
	indextest.Must(t, err)
	got := fmt.Sprint(o.Documents, o.Chunks, o.Kinds, o.Languages, o.Directories)
	if want := "3 3 [{Markdown 2} {text 1}] [{ 1} {en 1} {zh 1}] [{b 2} {b/c 2}]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if len(o.LatestDocuments) != 3 || o.LatestDocuments[0].Modified.Before(o.LatestDocuments[2].Modified) {
		t.Errorf("changed last are %+v", o.LatestDocuments)
	}
	size := onDisk(ix.store.Follower(0)).Size() // also of what is not in its place yet
	n.Write("new.md", "four")
	mustSync(t, ix, sync.Scope{})
	if documents, passages := ix.Size(); documents != 4 || passages != 4 {
		t.Errorf("%d documents, %d passages", documents, passages)
	}
	if len(o.Skipped) != 1 || o.Skipped[0].Path != "b/x.pdf" || o.Folders[0].Model == "" || o.Folders[0].Bytes != size {
		t.Errorf("%+v", o)
	}
}
