package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sharingServers starts servers on a folder with the same settings, which share what is in one
// cache folder.
func sharingServers(t *testing.T, dir string, flags ...[]string) (servers []*client) {
	t.Helper()
	cache := t.TempDir()
	for _, f := range flags {
		c := vademecum(t, append([]string{"serve", dir}, f...)...)
		c.Env = append(c.Env, "XDG_CACHE_HOME="+cache, "LocalAppData="+cache, "HOME="+cache)
		s := connect(t, c)
		if _, err := s.retrieve("visit"); err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	return servers
}

// holdsIndex reports whether a process has the file of an index open.
func holdsIndex(t *testing.T, s *client) bool {
	t.Helper()
	files := fmt.Sprintf("/proc/%d/fd", s.cmd.Process.Pid)
	entries, err := os.ReadDir(files)
	if err != nil {
		t.Skip("this system does not tell which files a process has open")
	}
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
		to, _ := os.Readlink(filepath.Join(files, e.Name())) // it may be closed by now
		return strings.HasSuffix(to, ".db")
	})
}

// TestServersShareAnIndex: of several servers with the same settings one holds the index. The
// others answer as it does, follow changes, keep the texts of their hosts apart, and go on when
// it is killed.
func TestServersShareAnIndex(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 20)
	e := newEditor(t, dir)
	servers := sharingServers(t, dir, nil, []string{"--lang", "zh"}, nil, []string{"--results", "both"})
	for i, s := range servers {
		if holdsIndex(t, s) != (i == 0 || i == 3) {
			t.Errorf("server %d holds an index: %t", i+1, i != 0 && i != 3)
		}
	}
	for i, s := range servers {
		if _, err := s.tool("index_docs", fmt.Sprintf(`{"docs":["Zephyr %d blows over the moor."]}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	isApart := func(when string) {
		t.Helper()
		for i, s := range servers {
			f, err := s.retrieve("zephyr")
			if err != nil || !f.holds(fmt.Sprintf("Zephyr %d", i+4-len(servers))) || len(f.Passages) != 1 {
				t.Errorf("%s server %d finds of the texts of all %v, %v", when, i+1, f, err)
			}
		}
	}
	isApart("at first")
	isFollowed := func() {
		t.Helper()
		text, unique := e.text()
		e.save(e.fresh(), text)
		for _, s := range servers {
			if !poll(longestWait, func() bool { f, err := s.retrieve(unique); return err == nil && f.holds(unique) }) {
				t.Fatalf("process %d does not find a saved note", s.cmd.Process.Pid)
			}
		}
	}
	isFollowed()
	servers[0].kill()
	servers = servers[1:]
	isApart("after a kill")
	isFollowed()
	if a, b := holdsIndex(t, servers[0]), holdsIndex(t, servers[1]); a == b {
		t.Errorf("after a kill both hold an index, or none does: %t", a)
	}
}
