package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/index/lease"
)

// sharingServers starts servers on a folder with the same settings, which share what is in one
// cache folder.
func sharingServers(t *testing.T, dir string, flags ...[]string) (servers []*client) {
	t.Helper()
	cache := t.TempDir()
	for _, f := range flags {
		c := vademecum(t, append([]string{"serve", dir}, f...)...)
		c.Env = append(c.Env, cachedIn(cache)...)
		s := connect(t, c)
		if _, err := s.retrieve("visit"); err != nil {
			t.Fatal(err)
		}
		servers = append(servers, s)
	}
	return servers
}

// cachedIn are the variables by which programs share a cache folder.
func cachedIn(cache string) []string {
	return []string{"XDG_CACHE_HOME=" + cache, "LocalAppData=" + cache, "HOME=" + cache}
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

// servedBy is a process that serves a folder, in the JSON output of status.
type servedBy struct {
	PID       int
	Role      string
	Connected int
	Apart     bool
	Reason    string
}

// statusBeside runs status on a folder beside a server, with the same cache folder.
func statusBeside(t *testing.T, s *client, args ...string) string {
	t.Helper()
	c := vademecum(t, append([]string{"status"}, args...)...)
	c.Env = s.cmd.Env
	out, err := c.Output()
	if err != nil {
		t.Fatalf("status: %v", err)
	}
	return string(out)
}

// serversOf returns what status says of the servers of a folder, by their process IDs.
func serversOf(t *testing.T, s *client, dir string) map[int]servedBy {
	t.Helper()
	var status struct{ Servers []servedBy }
	if err := json.Unmarshal([]byte(statusBeside(t, s, "--json", dir)), &status); err != nil {
		t.Fatal(err)
	}
	all := make(map[int]servedBy)
	for _, one := range status.Servers {
		all[one.PID] = one
	}
	return all
}

// TestStatusNamesServers: status names the processes that serve a folder: the owner, how many are
// connected to it, and why others hold an index of their own.
func TestStatusNamesServers(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 5)
	servers := sharingServers(t, dir, nil, nil, nil, []string{"--results", "both"})
	pid := func(i int) int { return servers[i].cmd.Process.Pid }
	if len(serversOf(t, servers[3], dir)) == 0 {
		t.Fatal("status names no server")
	}
	text, chinese := statusBeside(t, servers[0], dir), statusBeside(t, servers[0], "--lang", "zh", dir)
	for _, want := range []string{fmt.Sprintf("served by:  process %d, since ", pid(0)), "; connected to it: 2\n", fmt.Sprintf("with different settings from process %d (--results)", pid(0))} {
		if !strings.Contains(text, want) {
			t.Errorf("status does not say %q:\n%s", want, text)
		}
	}
	if !strings.Contains(chinese, "接入的进程：2 个") {
		t.Errorf("status says in Chinese\n%s", chinese)
	}
	for i, want := range []servedBy{
		{PID: pid(0), Role: "owner", Connected: 2},
		{PID: pid(1), Role: "connected"},
		{PID: pid(2), Role: "connected"},
		{PID: pid(3), Role: "owner", Apart: true, Reason: "--results"},
	} {
		if got := serversOf(t, servers[0], dir)[want.PID]; got != want {
			t.Errorf("status says of server %d %+v, want %+v", i+1, got, want)
		}
	}
	servers[0].kill()
	servers = servers[1:]
	isTakenOver := func() bool {
		all := serversOf(t, servers[0], dir)
		a, b := all[pid(0)], all[pid(1)]
		return len(all) == 3 && a.Connected+b.Connected == 1 && (a.Role == "owner") != (b.Role == "owner")
	}
	if !poll(longestWait, isTakenOver) {
		t.Errorf("after a kill status says %+v", serversOf(t, servers[0], dir))
	}
}

// TestUnreachableOwner checks that a server that cannot connect to the owner serves alone, and that
// status says so.
func TestUnreachableOwner(t *testing.T) {
	t.Parallel()
	dir := manyNotes(t, 5)
	first := sharingServers(t, dir, nil)[0]
	c := vademecum(t, "serve", dir)
	c.Env = first.cmd.Env
	at := slices.IndexFunc(c.Env, func(v string) bool { return strings.HasPrefix(v, "LocalAppData=") })
	cache := strings.TrimPrefix(c.Env[at], "LocalAppData=")
	sockets, err := filepath.Glob(filepath.Join(cache, "vademecum", "servers", "*.socket"))
	if err != nil || len(sockets) != 1 {
		t.Skipf("the socket is elsewhere: %v, %v", sockets, err)
	}
	// The test takes the place of the owner, and does not answer.
	first.kill()
	held := lease.New(strings.TrimSuffix(sockets[0], ".socket") + ".lock")
	if !poll(longestWait, held.TryAcquireUnthrottled) {
		t.Fatal("the owner was killed, and still holds the lease")
	}
	defer held.Release()
	second := connect(t, c)
	if f, err := second.retrieve("visit"); err != nil || len(f.Passages) == 0 {
		t.Fatalf("it finds %v, %v", f, err)
	}
	got := serversOf(t, second, dir)[second.cmd.Process.Pid]
	if got.Role != "alone" || !strings.HasPrefix(got.Reason, "the process that holds the index cannot be reached: ") {
		t.Errorf("status says of it %+v", got)
	}
}
