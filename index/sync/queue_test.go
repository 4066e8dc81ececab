package sync

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/ingest"
	"vademecum/index/memindex"
	"vademecum/index/store/catalog"
)

// TestBooksAreReadBesideTheOthers: one after the other from the beginning, and nobody
// waits for one while there is something else to read.
func TestBooksAreReadBesideTheOthers(t *testing.T) {
	a := newHeld(t)
	var files []docs.File
	for i, size := range []int64{1, hugeFile, 2, hugeFile + 1} {
		files = append(files, docs.File{Path: fmt.Sprintf("%d.html", i), Size: size})
	}
	a.enqueue(0, files, false)
	var taken []string
	var book *backgroundFile
	for {
		r, file := a.nextFile()
		if r == nil {
			break
		}
		taken = append(taken, file.Path)
		if r.isHuge() {
			book = r
		}
	}
	if got := strings.Join(taken, " "); got != "1.html 0.html 2.html" {
		t.Errorf("read %s", got)
	}
	if !a.isUpToDate(book, ingest.PreparedDocument{}, nil) {
		t.Fatal("the first book is not over")
	}
	if r, file := a.nextFile(); r == nil || file.Path != "3.html" {
		t.Errorf("after the first book read %q", file.Path)
	}
}

func TestBookThatChangesWhileItIsRead(t *testing.T) {
	a := newHeld(t)
	old := docs.File{Path: "book.html", Size: 1, ModTime: time.Unix(1, 0)}
	now := docs.File{Path: "book.html", Size: 2, ModTime: time.Unix(2, 0)}
	first := a.enqueue(0, []docs.File{old}, false)[0]
	r, file := a.nextFile()
	if r != first || file != old {
		t.Fatalf("read %+v", file)
	}
	if again := a.enqueue(0, []docs.File{now}, false); again[0] != r || len(a.queue) != 0 {
		t.Fatal("a file that is being read was queued twice")
	}
	if a.isUpToDate(r, ingest.PreparedDocument{RecordWithBody: catalog.RecordWithBody{Record: catalog.Record{Size: 1, Modified: time.Unix(1, 0)}}}, nil) {
		t.Error("over, though the file was seen to change")
	}
	if r, file = a.nextFile(); r != first || file != now {
		t.Fatalf("then read %+v", file)
	}
	if !a.isUpToDate(r, ingest.PreparedDocument{RecordWithBody: catalog.RecordWithBody{Record: catalog.Record{Size: 2, Modified: time.Unix(2, 0)}}}, nil) || len(a.at) != 0 {
		t.Error("not over, though the file is as it was seen last")
	}
}

// newHeld is the background of a Syncer without folders, which reads nothing by itself.
func newHeld(t *testing.T) *backgroundReader {
	a := New(nil, memindex.New(0, indextest.NewCountingModel(t)), 0, nil, slog.New(slog.DiscardHandler)).background
	a.hold()
	return a
}
