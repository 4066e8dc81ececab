package mcp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

// TestListChangedWhileFilling checks that while a folder is being indexed for two minutes, clients
// that list the resources after each notification are notified a few times, and once at the end.
func TestListChangedWhileFilling(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ls, listed := newChangeNotifier(), knownResources{}
		here, _ := mcp.NewInMemoryTransports()
		sdk := mcp.NewServer(&mcp.Implementation{Name: "test"}, nil)
		session, err := sdk.Connect(t.Context(), here, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer session.Close()
		ls.noteListed(session, 0)
		ls.activate(ls.sessions[session].direct)
		told := 0
		look := func(behind bool) (waiting bool) {
			listed.state++ // documents were added
			due, waiting := ls.dueNotifications(nil, func(textsOwner) int { return listed.state }, listed.shouldWait(behind, time.Now()))
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

// TestKnownIsBounded checks that what is kept of a client that reads everything is limited.
func TestKnownIsBounded(t *testing.T) {
	t.Parallel()
	r := sessionState{known: make(map[string]version)}
	for i := range maxKnown + 10 {
		r.notesVersion(fmt.Sprint(i), versionOf(0))
	}
	r.notesVersion("0", noVersion)
	if len(r.known) != maxKnown {
		t.Errorf("%d documents are known", len(r.known))
	}
}

// TestSubscribedElsewhere checks that a client cannot subscribe to a URI that can never be a
// document.
func TestSubscribedElsewhere(t *testing.T) {
	t.Parallel()
	dir := folder(t, three)
	c := connectWith(t, serve(t, dir, Options{}), "test", "2025-11-25")
	c.call("index_docs", `{"docs": ["a text"]}`)
	var text string
	for _, r := range c.resources() {
		if strings.HasPrefix(r.URI, "vademecum:") {
			text = r.URI
		}
	}
	root := docs.FileURI(dir)
	for uri, want := range map[string]bool{
		root + "/notes/sugar.md": true, root + "/notes/sugar.md#line=0,1": true, root + "/later/new.md": true, text: true,
		"file:///etc/passwd": false, root + "/../other.md": false, root + "-beside/a.md": false, root + "/%2e%2e/other.md": false, dir: false,
		"https://example.org/a.md": false, "nonsense": false, "": false, "vademecum:text/0000": false,
	} {
		err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
		if (err == nil) != want || err != nil && !strings.Contains(err.Error(), "no document, nor in a folder of this server") {
			t.Errorf("%s is subscribed to: %v, want %t", uri, err, want)
		}
	}
}
