package e2e

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
)

var loadFor = flag.Duration("load", 0, "how long TestHTTPLoad asks a server that has 1,000 sessions, 200 at once; 0: for a second, 100 and 20")

// TestHTTPLoad: a server with many sessions that follow a note answers many at once
// while notes are edited, tells all of them of the last edit, and holds nothing of
// them when they are gone.
func TestHTTPLoad(t *testing.T) {
	skipUnderRace(t)
	sessions, atOnce, length := 100, 20, time.Second
	if *loadFor > 0 {
		sessions, atOnce, length = 1000, 200, *loadFor
	}
	dir, _ := httpFolder(t)
	for i := range 300 {
		writeText(t, filepath.Join(dir, fmt.Sprintf("%d.md", i)), note(i))
	}
	edited := filepath.Join(dir, "0.md")
	s := serveHTTP(t, "--max-sessions=2000", ownIndex(t), dir)
	through := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 3000}}
	warm := connectHTTP(t, s.url, "2025-11-25", through)
	warm.mustTool("retrieve_docs", map[string]any{"query": "warfarin"})
	before, err := usageOf(s.cmd.Process.Pid)
	if err != nil {
		t.Skip("this system does not tell what a process holds")
	}

	told := new(sync.WaitGroup)
	all := followers(t, s.url, through, docs.FileURI(edited), sessions, told)
	idle, err := usageOf(s.cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d sessions: %d kB each; %s, before %s", sessions, (idle.kilobytes-before.kilobytes)/sessions, idle, before)

	took := askMany(t, all, atOnce, length, func(i int) {
		writeText(t, filepath.Join(dir, "1.md"), note(i+1000))
	})
	t.Logf("%d at once for %s: %s", atOnce, length, quantiles(took))

	told.Add(sessions)
	writeText(t, edited, "# The last edit\n\nOf all of them.\n")
	awaitEnd(t, "telling all sessions", func() error { told.Wait(); return nil })

	for _, c := range all {
		_ = c.Close()
	}
	through.CloseIdleConnections()
	await(t, "all that was held given back", func() bool {
		now, err := usageOf(s.cmd.Process.Pid)
		return err == nil && now.handles <= before.handles+8 && now.threads <= before.threads*3/2+8
	})
}

// followers are sessions that follow a document, and say once that it was changed for
// the last time.
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

// askMany has sessions ask for a time, so many at once, while notes are edited, and
// returns how long each answer took.
func askMany(t *testing.T, all []*mcp.ClientSession, atOnce int, howLong time.Duration, edit func(i int)) (took []time.Duration) {
	t.Helper()
	end := time.Now().Add(howLong)
	var group sync.WaitGroup
	var mu sync.Mutex
	var edits atomic.Int64
	for worker := range atOnce {
		group.Go(func() {
			for i := worker; time.Now().Before(end); i += atOnce {
				start := time.Now()
				r, err := all[i%len(all)].CallTool(t.Context(), &mcp.CallToolParams{Name: "retrieve_docs", Arguments: map[string]any{"query": fmt.Sprint("warfarin note ", i%300)}})
				if err != nil || r.IsError {
					t.Errorf("call %d: %v, %+v", i, err, r)
					return
				}
				if text, ok := r.Content[0].(*mcp.TextContent); !ok || strings.Contains(text.Text, "Nothing in") {
					t.Errorf("call %d finds nothing", i)
				}
				mu.Lock()
				took = append(took, time.Since(start))
				mu.Unlock()
				if worker == 0 {
					edit(int(edits.Add(1)))
				}
			}
		})
	}
	group.Wait()
	return took
}
