package e2e

import (
	"bytes"
	"flag"
	"fmt"
	"regexp"
	"runtime"
	"syscall"
	"testing"
	"time"
)

var soak = flag.Duration("soak", 3*time.Second, "how long TestSoak edits and asks")

// TestSoak edits a folder and sends all kinds of requests to one server, whose resources
// must be the same at the end as after a while.
func TestSoak(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("what a process holds is read from /proc")
	}
	const notes = 300
	dir, file := manyNotes(t, notes), indexFile(t)
	s, trace := startTraced(t, dir, file)
	e := newEditor(t, dir)
	pid := s.cmd.Process.Pid
	ask := []func() error{s.asksTools(e), s.asksResources(e), s.asksTheRest()}
	var warm usage
	start, asked, looks := time.Now(), 0, 0
	for now := start; now.Sub(start) < *soak; now = time.Now() {
		e.step(notes)
		for range 3 {
			e.check(ask[asked%len(ask)]())
			asked++
		}
		if now.Sub(start) < *soak/50*time.Duration(looks) {
			continue
		}
		e.past = e.past[max(0, len(e.past)-2*notes):]
		u, err := usageOf(pid)
		e.check(err)
		if looks < 15 {
			warm.raise(u)
		}
		if looks%10 == 9 {
			t.Logf("%4.0f s, %d changes, %d requests: %s, index %d MB", now.Sub(start).Seconds(), e.serial, asked, u, megabytes(file))
		}
		looks++
	}
	end, err := usageOf(pid)
	poll(longestWait, func() bool { // what is under way may end
		if err == nil && !end.isWithin(warm) {
			end, err = usageOf(pid)
		}
		return err != nil || end.isWithin(warm)
	})
	e.check(err)
	t.Logf("%d requests, %d changes; after the warm-up %s, at the end %s", asked, e.serial, warm, end)
	if !end.isWithin(warm) {
		t.Errorf("holds %s at the end, at most %s in the warm-up", end, warm)
	}
	had := trace()
	_, trace = startTraced(t, dir, file)
	begins := trace()
	t.Logf("%d goroutines at the end, %d in a new server", had, begins)
	if had > begins*3/2+5 || begins == 0 {
		t.Error("goroutines were left")
	}
}

// startTraced starts a server that is ready, and returns what ends it and
// counts its goroutines that wait.
func startTraced(t *testing.T, dir, file string) (s *client, trace func() int) {
	t.Helper()
	c := vademecum(t, "serve", dir, "--index", file)
	c.Env = append(c.Env, "GOTRACEBACK=all")
	var stderr bytes.Buffer
	c.Stderr = &stderr
	s = connect(t, c)
	ready := func() {
		t.Helper()
		if _, err := s.tool("index_docs", `{}`); err != nil {
			t.Fatal(err)
		}
	}
	ready()
	return s, func() int {
		t.Helper()
		ready()
		if err := c.Process.Signal(syscall.SIGQUIT); err != nil {
			t.Fatal(err)
		}
		<-s.ended
		_ = c.Wait() // an exit code of its own
		return len(blocked.FindAllIndex(stderr.Bytes(), -1))
	}
}

// blocked finds the goroutines in a dump that wait for something. Those that
// can run may be about to end: the database has one for each query.
var blocked = regexp.MustCompile(`(?m)^goroutine \d+ .*\[(chan|select|sync|semacquire|IO|sleep|syscall)`)

// cycle returns a function that calls one of the functions after the other.
func cycle(all ...func() error) func() error {
	n := 0
	return func() error {
		n++
		return all[n%len(all)]()
	}
}

func (s *client) asksTools(e *editor) func() error {
	tool := func(name string, arguments func() string) func() error {
		return func() error {
			_, err := s.tool(name, arguments())
			return err
		}
	}
	question := func() string { return questions[e.rng.IntN(len(questions))] }
	return cycle(
		tool("retrieve_docs", func() string { return fmt.Sprintf(`{"query":%q}`, question()) }),
		tool("retrieve_docs", func() string { return fmt.Sprintf(`{"query":%q,"also":[%q],"top_k":50}`, question(), question()) }),
		tool("retrieve_docs", func() string { return fmt.Sprintf(`{"query":%q,"path":"moved/**"}`, question()) }),
		tool("list_docs", func() string { return `{}` }),
		tool("index_docs", func() string { return `{}` }),
		tool("read_doc", func() string { return fmt.Sprintf(`{"path":%q}`, e.relative(e.files()[0])) }),
	)
}

func (s *client) asksResources(e *editor) func() error {
	call := func(method string, params func() string) func() error {
		return func() error {
			_, err := s.call(method, params())
			return err
		}
	}
	first := func() string { return fmt.Sprintf(`{"uri":"file://%s"}`, e.files()[0]) }
	return cycle(
		call("resources/list", func() string { return `{}` }),
		call("resources/read", first),
		call("resources/subscribe", first),
		call("resources/unsubscribe", first),
		call("resources/templates/list", func() string { return `{}` }),
	)
}

func (s *client) asksTheRest() func() error {
	call := func(method, params string) func() error {
		return func() error {
			_, err := s.call(method, params)
			return err
		}
	}
	return cycle(call("ping", `{}`), call("tools/list", `{}`), call("prompts/list", `{}`))
}
