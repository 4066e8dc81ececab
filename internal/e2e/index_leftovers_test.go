package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoFilesLeft kills a server as soon as there is a file in the index's
// folder that an undisturbed server does not leave, and starts the next.
func TestNoFilesLeft(t *testing.T) {
	t.Parallel()
	const notes, kills = 400, 5
	dir := manyNotes(t, notes)
	undisturbed := indexFile(t)
	serveOnce(t, dir, undisturbed)
	file := indexFile(t)
	e, temporary := newEditor(t, dir), 0
	for range kills {
		for range 20 {
			e.step(notes)
		}
		s := connect(t, vademecum(t, "serve", dir, "--index", file))
		if extra := awaitExtra(s, file, undisturbed); len(extra) > 0 {
			temporary++
		}
		s.kill()
	}
	t.Logf("%d of %d kills came while there were temporary files", temporary, kills)
	left, mine := file+".snapshot.tmp-123", filepath.Join(filepath.Dir(file), "mine.tmp")
	for _, path := range []string{left, mine} {
		if err := os.WriteFile(path, []byte("not finished"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := extraFiles(file, undisturbed)
	serveOnce(t, dir, file)
	after := extraFiles(file, undisturbed)
	still := slices.DeleteFunc(before, func(name string) bool { return !slices.Contains(after, name) }) // files that it was writing when it was killed are removed by the next server
	if !slices.Equal(still, []string{"mine.tmp"}) {
		t.Errorf("of what was in the index's folder beside the index there is still %q, not only what another program put there", still)
	}
}

// serveOnce starts a server and ends it when it is up to date.
func serveOnce(t *testing.T, dir, file string) {
	t.Helper()
	s := connect(t, vademecum(t, "serve", dir, "--index", file))
	if _, err := s.tool("index_docs", `{}`); err != nil {
		t.Fatal(err)
	}
	_ = s.in.Close()
	awaitEnd(t, "stdin closed", s.wait)
}

// awaitExtra looks for a temporary file until the server is up to date.
func awaitExtra(s *client, file, undisturbed string) []string {
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = s.tool("index_docs", `{}`)
	}()
	for {
		if extra := extraFiles(file, undisturbed); len(extra) > 0 {
			return extra
		}
		select {
		case <-done:
			return nil
		default:
		}
	}
}

// mayBeThere are the suffixes of files that may be beside an index.
var mayBeThere = []string{".introduction", "-wal", "-shm", "-journal", ".snapshot", ".lock"}

// extraFiles returns the files beside the index that are not beside the undisturbed one, and so
// must not stay.
func extraFiles(file, undisturbed string) []string {
	names := func(file string) []string {
		matches, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*"))
		for i, m := range matches {
			matches[i] = filepath.Base(m)
		}
		return matches
	}
	usual := names(undisturbed)
	return slices.DeleteFunc(names(file), func(name string) bool {
		return slices.Contains(usual, name) || slices.ContainsFunc(mayBeThere, func(end string) bool { return strings.HasSuffix(name, end) })
	})
}
