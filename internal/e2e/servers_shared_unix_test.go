//go:build unix

package e2e

import (
	"io/fs"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOwnerIsStopped checks that when the owner is stopped the other servers go on without it, and
// that all give the same answers when it continues.
func TestOwnerIsStopped(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 20)
	e := newEditor(t, dir)
	servers := sharingServers(t, dir, nil, nil, nil)
	stopped := servers[0]
	stopped.signal(t, syscall.SIGSTOP)
	text, unique := e.text()
	e.save(e.fresh(), text)
	find := func(s *client) {
		t.Helper()
		if !poll(longestWait, func() bool { f, err := s.retrieve(unique); return err == nil && f.holds(unique) && len(f.Notes) == 0 }) {
			t.Fatalf("process %d does not find a saved note", s.cmd.Process.Pid)
		}
	}
	find(servers[1])
	find(servers[2])
	stopped.signal(t, syscall.SIGCONT)
	text, unique = e.text()
	e.save(e.fresh(), text)
	for _, s := range servers {
		find(s)
	}
}

// TestOwnerIsStoppedInTransaction: when the server that holds the index for others is stopped in a
// transaction, so that nobody can write, the others answer, and say that a note just saved may be missing.
func TestOwnerIsStoppedInTransaction(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 20)
	e := newEditor(t, dir)
	servers := sharingServers(t, dir, nil, nil)
	stopped, other := servers[0], servers[1]
	release := holdWriteLock(t, cachedIndex(t, other))
	stopped.signal(t, syscall.SIGSTOP)
	text, unique := e.text()
	e.save(e.fresh(), text)
	for range 3 {
		f, err := other.retrieve(unique)
		if err != nil || f.holds(unique) || !f.says("The index may be") && !f.says("is still being scanned") && !f.says("being built") {
			t.Errorf("the answer is\n%s, %v", f, err)
		}
	}
	release()
	if !poll(longestWait, func() bool {
		f, err := other.retrieve(unique)
		return err == nil && f.holds(unique) && len(f.Notes) == 0
	}) {
		t.Error("a saved note is not found after that")
	}
	stopped.signal(t, syscall.SIGCONT)
}

// cachedIndex is the file of the only index in the cache folder of a server.
func cachedIndex(t *testing.T, s *client) string {
	t.Helper()
	var cache string
	for _, v := range s.cmd.Env {
		if value, is := strings.CutPrefix(v, "XDG_CACHE_HOME="); is {
			cache = value
		}
	}
	var files []string
	err := filepath.WalkDir(cache, func(p string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(p, ".db") {
			files = append(files, p)
		}
		return err
	})
	if err != nil || len(files) != 1 {
		t.Fatalf("indexes in the cache folder: %q, %v", files, err)
	}
	return files[0]
}
