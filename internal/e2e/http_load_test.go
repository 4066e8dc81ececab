package e2e

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

var loadFor = flag.Duration("load", 0, "how long TestHTTPLoad asks a server that has 1,000 sessions, 200 at once, and others beside it; 0: for a second, 100 and 20")

// load is how many questions are asked, and for how long.
type load struct {
	sessions, atOnce int
	length           time.Duration
	notes            int
}

// TestHTTPLoad: a server with many sessions that follow a note answers many at once while
// notes are edited, notifies all of them of the last edit, and keeps nothing of them when
// they are gone. With -load the same questions go to a server over stdio too, and to
// another program's.
func TestHTTPLoad(t *testing.T) {
	skipUnderRace(t)
	l := load{100, 20, time.Second, 300}
	if *loadFor > 0 {
		l = load{1000, 200, *loadFor, 2000}
	}
	dir, _ := httpFolder(t)
	for i := range l.notes {
		writeText(t, filepath.Join(dir, fmt.Sprintf("%d.md", i)), note(i))
	}
	l.overHTTP(t, dir)
	if *loadFor > 0 {
		l.overStdio(t, dir)
		l.ofPeer(t, dir)
	}
}

func (l load) overHTTP(t *testing.T, dir string) {
	t.Helper()
	edited := filepath.Join(dir, "0.md")
	command := vademecum(t, "serve", "--http=127.0.0.1:0", "--max-sessions=2000", ownIndex(t), dir)
	held := counting(t, command)
	s := startHTTP(t, command)
	through := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 3000}}
	warm := connectHTTP(t, s.url, "2025-11-25", through)
	await(t, "an index of all", func() bool {
		return !strings.Contains(warm.mustTool("index_docs", map[string]any{}), "goes on by itself")
	})
	warm.mustTool("retrieve_docs", map[string]any{"query": "warfarin"})
	before := held()
	use, err := usageOf(s.cmd.Process.Pid)
	if err != nil {
		t.Skip("this system does not tell what a process holds")
	}

	told := new(sync.WaitGroup)
	all := followers(t, s.url, through, docs.FileURI(edited), l.sessions, told)
	idle := held()
	inUse, err := usageOf(s.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	each := (inUse.kilobytes - use.kilobytes) / l.sessions
	t.Logf("%d sessions that follow a note and are idle: %d kB each, %d kB of it heap and stacks; %s, %s, before %s, %s", l.sessions, each, (idle.Heap-before.Heap)>>10/l.sessions, inUse, idle, use, before)
	if *loadFor > 0 && each >= 100 {
		t.Errorf("a session that is idle holds %d kB", each)
	}

	l.measure(t, "over HTTP", dir, func(i int, question string) error {
		r, err := all[i%len(all)].CallTool(t.Context(), &mcp.CallToolParams{Name: "retrieve_docs", Arguments: map[string]any{"query": question, "top_k": 10}})
		if err != nil {
			return err
		}
		if text, ok := r.Content[0].(*mcp.TextContent); !ok || r.IsError || strings.Contains(text.Text, "Nothing in") {
			return fmt.Errorf("it finds %+v", r.Content[0])
		}
		return nil
	})
	told.Add(l.sessions)
	writeText(t, edited, "# The last edit\n\nOf all of them.\n")
	awaitEnd(t, "telling all sessions", func() error { told.Wait(); return nil })

	for _, c := range all {
		_ = c.Close()
	}
	through.CloseIdleConnections()
	var after counts
	await(t, "all that was held given back", func() bool {
		after = held()
		now, err := usageOf(s.cmd.Process.Pid)
		return err == nil && now.handles <= use.handles+8 && now.threads <= use.threads*3/2+8 && after.Goroutines <= before.Goroutines+4 && after.Heap <= before.Heap+8<<20
	})
	use, err = usageOf(s.cmd.Process.Pid)
	t.Logf("afterwards %s, %s, %v", use, after, err)
}

// overStdio queries a server over stdin and stdout, which has one client.
func (l load) overStdio(t *testing.T, dir string) {
	t.Helper()
	s := connect(t, vademecum(t, "serve", ownIndex(t), dir))
	await(t, "an index of all", func() bool {
		all, err := s.tool("index_docs", "{}")
		return err == nil && !strings.Contains(all[0].Text, "goes on by itself")
	})
	l.measure(t, "over stdio", dir, func(_ int, question string) error {
		f, err := s.retrieve(question)
		if err == nil && len(f.Passages) == 0 {
			err = errors.New("nothing is found")
		}
		return err
	})
}

// ofPeer queries another program's server, with words only, as it has no model here.
func (l load) ofPeer(t *testing.T, dir string) {
	t.Helper()
	if peerProgram == "" {
		return
	}
	at := beginPeer(t, dir)
	through := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 3000}}
	defer through.CloseIdleConnections()
	l.measure(t, "of "+filepath.Base(peerProgram), dir, func(_ int, question string) error {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query","arguments":{"searches":[{"type":"lex","query":%q}],"rerank":false,"limit":10}}}`, question)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at, strings.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		answer, err := through.Do(r)
		if err != nil {
			return err
		}
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		if err == nil && (answer.StatusCode != http.StatusOK || !bytes.Contains(text, []byte(".md"))) {
			err = fmt.Errorf("%s %.300s", answer.Status, text)
		}
		return err
	})
}

// beginPeer starts the other program over a folder and returns its URL.
func beginPeer(t *testing.T, dir string) (at string) {
	t.Helper()
	home := t.TempDir()
	command := func(args ...string) *exec.Cmd {
		c := exec.CommandContext(t.Context(), peerProgram, args...)
		c.Env = append(os.Environ(), "HOME="+home, "XDG_CACHE_HOME="+home, "XDG_CONFIG_HOME="+home, "NO_COLOR=1")
		return c
	}
	if said, err := command("collection", "add", dir, "--name", "notes").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	on, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := on.Addr().(*net.TCPAddr).Port
	_ = on.Close()
	server := command("mcp", "--http", "--port", fmt.Sprint(port))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = server.Process.Kill(); _ = server.Wait() })
	at = fmt.Sprintf("http://localhost:%d/mcp", port)
	await(t, "the other server", func() bool {
		answer, err := http.Post(at, "application/json", strings.NewReader("{}"))
		if err == nil {
			_ = answer.Body.Close()
		}
		return err == nil
	})
	return at
}

// measure sends questions one at a time and then many at once, while notes are edited,
// and logs how long answers took.
func (l load) measure(t *testing.T, what, dir string, ask func(i int, question string) error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	edited := make(chan int, 1)
	go func() { edited <- editNotes(ctx, t, dir) }()
	alone := l.ask(t, 1, min(l.length, 10*time.Second), ask)
	many := l.ask(t, l.atOnce, l.length, ask)
	cancel()
	t.Logf("%s, while %d edits were made: one at a time %s; %d at once for %s %s", what, <-edited, quantiles(alone), l.atOnce, l.length, quantiles(many))
}

// editNotes edits twenty notes a second until ctx ends.
func editNotes(ctx context.Context, t *testing.T, dir string) (edits int) {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for ; ; edits++ {
		select {
		case <-ctx.Done():
			return edits
		case <-tick.C:
			writeText(t, filepath.Join(dir, fmt.Sprintf("%d.md", 1+edits%100)), note(1+edits%100)+fmt.Sprintf("\n\nEdit %d.\n", edits))
		}
	}
}

// ask lets a number of clients ask for a time, each one question after the other, and returns how
// long each answer took.
func (l load) ask(t *testing.T, atOnce int, howLong time.Duration, ask func(i int, question string) error) (took []time.Duration) {
	t.Helper()
	end := time.Now().Add(howLong)
	var group sync.WaitGroup
	var mu sync.Mutex
	for worker := range atOnce {
		group.Go(func() {
			for i := worker; time.Now().Before(end); i += atOnce {
				start := time.Now()
				if t.Failed() {
					return
				}
				if err := ask(i, fmt.Sprintf("patient number%d", 1+i%(l.notes-1))); err != nil {
					t.Errorf("question %d: %v", i, err)
					return
				}
				mu.Lock()
				took = append(took, time.Since(start))
				mu.Unlock()
			}
		})
	}
	group.Wait()
	return took
}

// followers are sessions that follow a document, and report once that they saw its last
// change.
func followers(t *testing.T, url string, through *http.Client, uri string, n int, told *sync.WaitGroup) []*mcp.ClientSession {
	t.Helper()
	all := make([]*mcp.ClientSession, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			var once sync.Once
			sdk := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) { once.Do(told.Done) },
			})
			transport := &mcp.StreamableClientTransport{Endpoint: url + "/mcp", HTTPClient: through}
			session, err := sdk.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err == nil {
				err = session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri})
			}
			if err != nil {
				t.Error(err)
				return
			}
			all[i] = session
		})
	}
	group.Wait()
	if t.Failed() {
		t.FailNow()
	}
	return all
}
