//go:build unix

package e2e

import (
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
