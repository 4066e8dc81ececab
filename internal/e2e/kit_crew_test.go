package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"sync"
	"testing"
)

// crew is several servers of one folder and one index.
type crew struct {
	t          *testing.T
	dir, index string    // the index as a file
	library    []string  // or the flags and environment for a library in a database
	model      *provider // nil: the built-in embedding
	servers    []*client // in the order of their start
	started    int
	keys       map[int]string // API key of each process, as the model receives it
	dead       map[string]bool
}

func newCrew(t *testing.T, dir string) *crew {
	return &crew{t: t, dir: dir, index: indexFile(t), model: newProvider(t), keys: make(map[int]string), dead: make(map[string]bool)}
}

// vademecum returns a command of the program on the folder and the index.
func (c *crew) vademecum(name string, flags ...string) *exec.Cmd {
	c.t.Helper()
	flags = append([]string{name, c.dir}, flags...)
	if c.model != nil {
		flags = append(flags, "--embed", c.model.spec("model"))
	}
	if c.library == nil {
		return vademecum(c.t, append(flags, "--index", c.index)...)
	}
	cmd := vademecum(c.t, append(flags, "--library", c.library[0])...)
	cmd.Env = append(cmd.Env, c.library[1:]...)
	return cmd
}

// add starts another server.
func (c *crew) add() {
	c.t.Helper()
	c.started++
	key := fmt.Sprintf("server-%d", c.started)
	cmd := c.vademecum("serve")
	cmd.Env = append(cmd.Env, "VADEMECUM_API_KEY="+key)
	s := connect(c.t, cmd)
	c.servers = append(c.servers, s)
	c.keys[s.cmd.Process.Pid] = "Bearer " + key
}

// leader returns the position of the server that indexes; the first one while status names none.
func (c *crew) leader() (at int, named bool) {
	c.t.Helper()
	pid := 0
	isOver := poll(longestWait, func() bool {
		pid = c.indexer()
		at = slices.IndexFunc(c.servers, func(s *client) bool { return s.cmd.Process.Pid == pid })
		return pid == 0 || at >= 0
	})
	if !isOver {
		c.t.Fatalf("after %s status still says that process %d indexes, which was killed", longestWait, pid)
	}
	return max(0, at), pid != 0
}

func (c *crew) awaitLeader() {
	c.t.Helper()
	if !poll(longestWait, func() bool { _, named := c.leader(); return named }) {
		c.t.Fatalf("after %s nobody indexes", longestWait)
	}
}

// indexer returns the process ID of the indexer according to status; 0 if there is none.
func (c *crew) indexer() int {
	c.t.Helper()
	out, err := c.vademecum("status", "--json").Output()
	if err != nil {
		c.t.Fatalf("status: %v", err)
	}
	var status struct {
		Folders []struct {
			Indexer struct{ Pid int }
		}
	}
	if err := json.Unmarshal(out, &status); err != nil || len(status.Folders) != 1 {
		c.t.Fatalf("status says %s, %v", out, err)
	}
	return status.Folders[0].Indexer.Pid
}

// awaitLike waits until every server answers like a fresh index.
func (c *crew) awaitLike(fresh *client) {
	c.t.Helper()
	_, want, err := fresh.state()
	if err != nil || slices.ContainsFunc(want, func(f found) bool { return len(f.Passages) == 0 }) {
		c.t.Fatalf("a fresh index finds nothing for one of the questions: %s, %v", want, err)
	}
	failed := make([]error, len(c.servers))
	var group sync.WaitGroup
	for i, s := range c.servers {
		group.Go(func() {
			poll(longestWait, func() bool { failed[i] = differs(s, fresh); return failed[i] == nil })
		})
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		c.t.Fatalf("still after %s: %v", longestWait, err)
	}
}

// twoServers starts two servers of a folder with the same index, one after the other, and waits
// until both know all documents.
func twoServers(t *testing.T, dir string) []*client {
	t.Helper()
	file := indexFile(t)
	if out, err := vademecum(t, "index", dir, "--index", file).CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	var servers []*client
	for range 2 {
		s := connect(t, vademecum(t, "serve", dir, "--index", file))
		if _, err := s.retrieve("visit"); err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	return servers
}

// questions are the questions asked at the end.
var questions = []string{
	"warfarin visit", "insulin", "asthma and sleep", "sodium in the diet of the patient", "血压", "糖尿病 insulin", "心脏",
	"a sentence that says little", "number17", "later the word was added", "the visit of the patient", "notes on sleep",
}
