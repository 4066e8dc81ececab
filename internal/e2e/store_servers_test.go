package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestServersOnDatabase lets four servers share a folder and a library in a database
// while the folder is edited and the one that indexes is killed again and again.
func TestServersOnDatabase(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	c := newCrew(t, manyNotes(t, notesOfCrew))
	c.library = []string{"notes", d.env()}
	for range 4 {
		c.add()
	}
	c.liveThrough()
}

// TestLibraryOfDatabaseWithoutFolder: a server without access to files answers from the database
// by the same URIs as one with access, passes index_docs on to that, and says when no server
// indexes any more. It does not see other libraries.
func TestLibraryOfDatabaseWithoutFolder(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	dir, other := manyNotes(t, 3), manyNotes(t, 3)
	e := newEditor(t, dir)
	text, unique := e.text()
	e.save(e.fresh(), text)
	path := e.relative(e.files()[0])
	if err := os.WriteFile(filepath.Join(other, "secret.md"), []byte("# Zugzwang\n\nNobody is to know."), 0o600); err != nil {
		t.Fatal(err)
	}
	serve := func(args ...string) *client {
		c := vademecum(t, append([]string{"serve"}, args...)...)
		c.Env = append(c.Env, d.env())
		return connect(t, c)
	}

	early := serve("--library", "notes")
	if _, err := early.retrieve(unique); err == nil || !strings.Contains(err.Error(), "there is no such library yet") {
		t.Errorf("before there is a library: %v", err)
	}
	sees := serve(dir, "--library", "notes")
	serve(other, "--library", "others")
	if _, err := early.await(time.Now(), unique, func(f found) bool { return f.holds(unique) }); err != nil {
		t.Fatal(err)
	}
	var theirs, mine []string
	var shown, same string
	areAlike := poll(longestWait, func() bool { // lists follow a moment later
		theirs, shown = sees.lists(t, path)
		mine, same = early.lists(t, path)
		return slices.Equal(theirs, mine)
	})
	if !areAlike || shown != same {
		t.Errorf("one has %s and shows %s, the other %s and %s", theirs, shown, mine, same)
	}
	if f, err := early.tool("retrieve_docs", `{"query":"zugzwang"}`); err != nil || strings.Contains(fmt.Sprint(f), "secret.md") {
		t.Errorf("it finds what is of another library: %v, %v", f, err)
	}

	again, err := early.tool("index_docs", `{"force":true}`)
	if err != nil || !strings.Contains(fmt.Sprint(again), "Indexed 4 documents; 4 in total.") {
		t.Errorf("index_docs: %v, %v", again, err)
	}
	sees.kill()
	said := ""
	says := poll(longestWait, func() bool {
		f, err := early.tool("retrieve_docs", fmt.Sprintf(`{"query":%q}`, unique))
		said = fmt.Sprint(f, err)
		return err == nil && strings.Contains(said, "no server with access to the files is running") && strings.Contains(said, unique)
	})
	if !says {
		t.Fatalf("nobody sees the files, and it says %s", said)
	}
}

// TestNobodyIndexesIsSaidOnce: a server of two libraries without an indexing process says
// so once, and which one it is if the other has one.
func TestNobodyIndexesIsSaidOnce(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	a, b := manyNotes(t, 2), manyNotes(t, 2)
	onStore(t, d, d.serving, "4 in total", "index", a, b, "--library", "a", "--library", "b")
	serve := func(args ...string) *client {
		c := vademecum(t, append([]string{"serve"}, args...)...)
		c.Env = append(c.Env, d.env())
		return connect(t, c)
	}
	both := serve("--library", "a", "--library", "b")
	until := func(want string) {
		t.Helper()
		const about = "no server with access to the files"
		said := ""
		says := poll(longestWait, func() bool {
			f, err := both.tool("list_docs", "{}")
			said = fmt.Sprint(f, err)
			return err == nil && strings.Contains(said, want) && strings.Count(said, about) == 1
		})
		if !says {
			t.Fatalf("it says %s, want %q once", said, want)
		}
	}
	until("no server with access to the files is running")
	serve(a, "--library", "a")
	until("no server with access to the files of library b is running")
}

// lists returns a server's resources, the content of the first, and of a document by its
// path.
func (s *client) lists(t *testing.T, path string) (uris []string, text string) {
	t.Helper()
	uris, err := s.resources()
	if err != nil || len(uris) == 0 {
		t.Fatalf("it lists %v, %v", uris, err)
	}
	var raw json.RawMessage
	isRead := poll(longestWait, func() bool { // clients are notified of a folder a moment after it is known
		raw, err = s.call("resources/read", fmt.Sprintf(`{"uri":%q}`, uris[0]))
		return err == nil
	})
	if !isRead {
		t.Fatal(err)
	}
	document, err := s.tool("read_doc", fmt.Sprintf(`{"path":%q}`, path))
	if err != nil {
		t.Fatal(err)
	}
	return uris, fmt.Sprint(string(raw), document)
}

// TestServersAskDatabase does so with servers that hold no passages, but query the
// database for them.
func TestServersAskDatabase(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	c := newCrew(t, manyNotes(t, notesOfCrew))
	c.model, c.library = nil, []string{"notes", d.env()}
	for range 4 {
		c.add()
	}
	c.liveThrough()
}
