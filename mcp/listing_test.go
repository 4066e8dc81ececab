package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/progress"
)

// TestListComesInPages checks that each document is on one page of the list.
func TestListComesInPages(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, three), Options{}), "test")
	const texts = resourcePage + 100
	var given []string
	for i := range texts {
		given = append(given, fmt.Sprintf("Text %d of many.", i))
	}
	arguments, err := json.Marshal(map[string]any{"docs": given})
	if err != nil {
		t.Fatal(err)
	}
	c.call("index_docs", string(arguments))
	seen, pages := make(map[string]bool), 0
	for cursor, more := "", true; more; pages++ {
		page, err := c.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Resources {
			if seen[r.URI] {
				t.Errorf("%s is listed twice", r.URI)
			}
			seen[r.URI] = true
		}
		cursor, more = page.NextCursor, page.NextCursor != ""
	}
	if want := texts + len(three); len(seen) != want || pages != 2 {
		t.Errorf("%d resources on %d pages, want %d on 2", len(seen), pages, want)
	}
	for _, none := range []string{"*", "abcd", "enp6enp6enp6", "zzzzzzzzzzzzzzzz"} {
		_, err = c.ListResources(t.Context(), &mcp.ListResourcesParams{Cursor: none})
		var wire *jsonrpc.Error
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams {
			t.Errorf("of the cursor %s, which is none: %v", none, err)
		}
	}
}

// states is a library whose documents have given versions, and which counts how often they are
// listed.
type states struct {
	Library
	all     []index.DocumentFingerprint
	written uint64
	dir     string
	asked   int
}

func (s *states) ChangeNumber() uint64  { return s.written }
func (s *states) Folders() []string     { return []string{s.dir} }
func (s *states) State() progress.State { return progress.State{} }

func (s *states) DocumentFingerprints(context.Context) ([]index.DocumentFingerprint, error) {
	s.asked++
	return append([]index.DocumentFingerprint{}, s.all...), nil
}

// TestListedOnce checks that the documents are listed once after each change, however many clients
// there are, and that the list changes only if documents are added or removed.
func TestListedOnce(t *testing.T) {
	t.Parallel()
	library := &states{}
	s := &Server{library: library, listeners: newChangeNotifier(), life: t.Context()}
	version := func(uri string, bytes uint64) index.DocumentFingerprint {
		return index.DocumentFingerprint{URIHash: index.HashURI(uri), ContentHash: bytes}
	}
	asked, state := 0, 0
	for _, step := range []struct {
		name    string
		all     []index.DocumentFingerprint
		changes bool
	}{
		{"nothing", nil, false},
		{"two", []index.DocumentFingerprint{version("file:///b", 2), version("file:///a", 0)}, true},
		{"one of them changed", []index.DocumentFingerprint{version("file:///a", 3), version("file:///b", 2)}, false},
		{"another in its place, in two folders", []index.DocumentFingerprint{version("file:///c", 3), version("file:///b", 2), version("file:///c", 3)}, true},
		{"one less", []index.DocumentFingerprint{version("file:///c", 3)}, true},
	} {
		library.all, library.written = step.all, library.written+1
		asked++
		if step.changes {
			state++
		}
		for range 3 {
			s.notifyResourceChanges(nil)
		}
		if library.asked != asked || s.listed.state != state {
			t.Errorf("%s: asked %d times, want %d, the list has changed %d times, want %d", step.name, library.asked, asked, s.listed.state, state)
		}
		for _, v := range step.all {
			for _, uri := range []string{"file:///a", "file:///b", "file:///c"} {
				if got := s.listed.versionOf(uri); index.HashURI(uri) == v.URIHash && got != versionOf(v.ContentHash) {
					t.Errorf("%s: %s is in state %d, want %d", step.name, uri, got, v.ContentHash)
				}
			}
		}
	}
	library.dir = "/elsewhere" // the URIs change although no document does
	library.all = []index.DocumentFingerprint{version("file:///elsewhere/c", 3)}
	s.notifyResourceChanges(nil)
	if s.listed.state != state+1 || s.listed.versionOf("file:///elsewhere/c") == noVersion {
		t.Error("that the folder is elsewhere is not noticed")
	}
	if v := s.listed.versionOf("file:///a"); v != noVersion {
		t.Errorf("what is gone is in state %d", v)
	}
}
