//go:build unix

package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// signal sends a signal to the program, such as to stop or continue it.
func (s *client) signal(t testing.TB, what syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(what); err != nil {
		t.Fatal(err)
	}
}

// stopLeader stops the server that indexes.
func (c *crew) stopLeader() (stopped *client, others []*client) {
	c.t.Helper()
	c.awaitLeader()
	at, _ := c.leader()
	stopped = c.servers[at]
	stopped.signal(c.t, syscall.SIGSTOP)
	return stopped, slices.Delete(slices.Clone(c.servers), at, at+1)
}

// stopIdleLeader stops the server that indexes outside of a transaction: one that is stopped in a
// transaction keeps the others from writing.
func (c *crew) stopIdleLeader() (stopped *client, others []*client) {
	c.t.Helper()
	db := openBeside(c.t, c.index)
	defer db.Close()
	for {
		stopped, others = c.stopLeader()
		if tx, err := db.Begin(); err == nil {
			_ = tx.Rollback()
			return stopped, others
		}
		stopped.signal(c.t, syscall.SIGCONT)
	}
}

// saysBehind reports whether an answer says that the indexer may be stopped.
func (f found) saysBehind(pid int) bool {
	return strings.Contains(strings.Join(f.Notes, "\n"), fmt.Sprintf("process %d, which keeps it up to date, has not", pid))
}

// TestStoppedLeader: when the indexing process is stopped, saved files are found all the
// same, or answers say why they may not be. After it continues all agree, and no passage
// was embedded twice.
func TestStoppedLeader(t *testing.T) {
	t.Parallel()
	const notes = 20
	dir := manyNotes(t, notes)
	c, e := newCrew(t, dir), newEditor(t, dir)
	for range 3 {
		c.add()
	}
	first, unique := e.text()
	e.save(e.fresh(), first)
	awaitAll(t, time.Now(), c.servers, unique, func(f found) bool { return f.holds(unique) && len(f.Notes) == 0 })
	stopped, others := c.stopIdleLeader()
	pid := stopped.cmd.Process.Pid

	gone, old := e.fresh(), unique
	text, unique := e.text()
	e.save(gone, text)
	for _, s := range others {
		f, err := s.retrieve(unique)
		if err != nil || !f.holds(unique) && !f.saysBehind(pid) {
			t.Errorf("process %d finds\n%s\nwhile process %d is stopped, %v", s.cmd.Process.Pid, f, pid, err)
		}
	}
	awaitAll(t, time.Now(), others, unique, func(f found) bool { return f.holds(unique) && len(f.Notes) == 0 })
	for _, f := range e.files() { // files known to the stopped process are deleted, and others changed
		if strings.Contains(f, "new") {
			e.save(f, strings.ReplaceAll(text, unique, unique+"again"))
		}
	}
	awaitAll(t, time.Now(), others, unique+"again", func(f found) bool { return f.holds(unique + "again") })

	stopped.signal(t, syscall.SIGCONT)
	awaitAll(t, time.Now(), c.servers, unique+"again", func(f found) bool { return f.holds(unique+"again") && len(f.Notes) == 0 })
	awaitAll(t, time.Now(), c.servers, old, func(f found) bool { return !f.holds(old) })
	text, unique = e.text()
	e.save(e.fresh(), text)
	awaitAll(t, time.Now(), c.servers, unique, func(f found) bool { return f.holds(unique) })
	if at, named := c.leader(); named && c.servers[at] == stopped {
		t.Error("the one that was stopped still has the duty")
	}
	// The process that is continued may have sent one before it learns that it has lost the duty.
	if _, _, again := c.model.tally(nobody); len(again) > 1 {
		t.Errorf("%d passages were embedded twice, for example %q", len(again), again[0])
	}
}

// TestIndexBesideStopped: commands come to an end beside a server that is
// stopped.
func TestIndexBesideStopped(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 5)
	c, e := newCrew(t, dir), newEditor(t, dir)
	c.add()
	awaitAll(t, time.Now(), c.servers, "patient", func(f found) bool { return len(f.Passages) > 0 && len(f.Notes) == 0 })
	stopped, _ := c.stopIdleLeader()
	text, unique := e.text()
	e.save(e.fresh(), text)
	search := func() string { return c.command("search", dir, unique) }
	if out := search(); !strings.Contains(out, "Later the word") && !strings.Contains(out, fmt.Sprintf("process %d, which", stopped.cmd.Process.Pid)) {
		t.Errorf("search says\n%s", out)
	}
	if out := c.command("index", dir); !strings.Contains(out, "6 in total") { // search may have indexed it already
		t.Errorf("index says\n%s", out)
	}
	if out := search(); !strings.Contains(out, "Later the word") {
		t.Errorf("search says\n%s", out)
	}
	stopped.signal(t, syscall.SIGCONT)
	awaitAll(t, time.Now(), c.servers, unique, func(f found) bool { return f.holds(unique) })
	awaitAll(t, time.Now(), c.servers, "patient", func(f found) bool { return len(f.Notes) == 0 })
}

// command runs a command on the crew's index, which must end.
func (c *crew) command(name string, args ...string) string {
	c.t.Helper()
	cmd := vademecum(c.t, append(append([]string{name}, args...), "--index", c.index, "--embed", c.model.spec("model"))...)
	ctx, cancel := context.WithTimeout(c.t.Context(), longestCall)
	defer cancel()
	limited := exec.CommandContext(ctx, cmd.Path, cmd.Args[1:]...)
	limited.Env = append(cmd.Env, "VADEMECUM_API_KEY="+name)
	out, err := limited.CombinedOutput()
	if ctx.Err() != nil || err != nil {
		c.t.Fatalf("%s: %v, %v\n%s", name, ctx.Err(), err, out)
	}
	return string(out)
}

// TestStoppedInTransaction: a process that is stopped while it holds SQLite's write lock
// does not keep others from answering, with a note.
func TestStoppedInTransaction(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 5)
	c, e := newCrew(t, dir), newEditor(t, dir)
	c.add()
	c.add()
	awaitAll(t, time.Now(), c.servers, "patient", func(f found) bool { return len(f.Passages) > 0 && len(f.Notes) == 0 })
	release := holdWriteLock(t, c.index)
	_, others := c.stopLeader()
	text, unique := e.text()
	e.save(e.fresh(), text)
	for range 4 { // before one of them takes over, and after that
		for _, s := range others {
			f, err := s.retrieve(unique)
			if err != nil || f.holds(unique) || len(f.Notes) == 0 || strings.Contains(strings.Join(f.Notes, " "), "Not found anywhere in the documents") {
				t.Errorf("the answer is\n%s %v", f, err)
			}
		}
	}
	if out := c.command("search", dir, unique); !strings.Contains(out, "The index may be") {
		t.Errorf("search says\n%s", out)
	}
	release()
	awaitAll(t, time.Now(), others, unique, func(f found) bool { return f.holds(unique) })
}

// holdWriteLock begins a transaction on an index, as a process does that is
// stopped in one.
func holdWriteLock(t *testing.T, file string) (release func()) {
	t.Helper()
	db := openBeside(t, file)
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	release = sync.OnceFunc(func() { _, _ = tx.Rollback(), db.Close() })
	t.Cleanup(release)
	return release
}
