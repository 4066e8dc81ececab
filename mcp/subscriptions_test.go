package mcp

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

// TestListChangedWhileFilling: a folder takes two minutes to index, and clients
// that list whenever they are told do so a few times, and once more at the end.
func TestListChangedWhileFilling(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ls, listed := newListeners(), listing{}
		here, _ := mcp.NewInMemoryTransports()
		sdk := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
		session, err := sdk.Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		ls.hasListed(session, 0)
		ls.mayTell(ls.sessions[session].direct)
		told := 0
		look := func(behind bool) (waiting bool) {
			listed.state++ // documents have come
			due, waiting := ls.news(nil, listed.state, listed.isQuiet(behind, time.Now()))
			told += len(due)
			return waiting
		}
		for start := time.Now(); time.Since(start) < 2*time.Minute; time.Sleep(batchBuilding) {
			look(true)
		}
		if told < 1 || told > 4 {
			t.Errorf("told %d times while the index was built", told)
		}
		if waiting := look(true); !waiting {
			t.Error("nothing waits to be told")
		}
		before := told
		if waiting := look(false); waiting || told != before+1 {
			t.Errorf("told %d times at the end, waiting %t", told-before, waiting)
		}
		if look(false); told != before+2 {
			t.Error("a change after the end is not told")
		}
	})
}

// TestKnownIsBounded: a client that reads everything does not fill the memory.
func TestKnownIsBounded(t *testing.T) {
	r := reader{known: make(map[string]version)}
	for i := range maxKnown + 10 {
		r.knows(fmt.Sprint(i), versionOf(index.Document{URI: "x"}))
	}
	r.knows("0", version{})
	if len(r.known) != maxKnown {
		t.Errorf("%d documents are known", len(r.known))
	}
}
