package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/progress"
	"vademecum/internal/app/hosts"
)

var update = flag.Bool("update", false, "write the golden files anew")

var quietLog = slog.New(slog.NewTextHandler(io.Discard, nil))

// folder creates a folder with files.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for p, text := range files {
		writeFile(t, dir, p, text)
	}
	return dir
}

func writeFile(t testing.TB, dir, p, text string) {
	t.Helper()
	full := filepath.Join(dir, filepath.FromSlash(p))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// serve runs a server for dir, and keeps its index up to date, until the test ends.
func serve(t testing.TB, dir string, o Options) *Server {
	t.Helper()
	e, err := embed.New("builtin")
	if err != nil {
		t.Fatal(err)
	}
	ix, err := index.New(index.Options{Folders: []string{dir}, IndexPaths: []string{filepath.Join(t.TempDir(), "x.db")}, Embedder: e, Logger: quietLog})
	if err != nil {
		t.Fatal(err)
	}
	o.Logger, o.Version, o.NewTextsLibrary, o.PassesResourcesToModel, o.ResultLimits = cmp.Or(o.Logger, quietLog), "test", textsOf(ix), hosts.ReadsResources, hosts.ResultLimit
	s := New(ix, o)
	ctx, cancel := context.WithCancel(t.Context())
	ran, followed := make(chan error), make(chan struct{})
	go func() { ran <- ix.Run(ctx) }()
	go func() { defer close(followed); s.watchResources(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-followed
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := ix.Close(); err != nil {
			t.Error(err)
		}
	})
	eventually(t, "the folder is indexed", func() bool {
		now := ix.State()
		return now.Phase == progress.Failed || now.Failure != "" || now.Phase == progress.Ready && !now.IsBehind()
	})
	return s
}

// textsOf returns a function that keeps texts in an index of their own.
func textsOf(ix *index.Index) func(context.Context) Library {
	return func(ctx context.Context) Library {
		texts := ix.NewForClientTexts()
		go func() { _ = texts.Run(ctx) }()
		return texts
	}
}

// client is a client of the Go SDK that records its notifications.
type client struct {
	*mcp.ClientSession
	t        testing.TB
	updated  chan string
	changed  chan struct{}
	progress chan mcp.ProgressNotificationParams
}

func connect(t testing.TB, s *Server, name string) *client {
	t.Helper()
	return connectWith(t, s, name, "2025-11-25")
}

func connectWith(t testing.TB, s *Server, name, protocol string) *client {
	t.Helper()
	return connectAs(t, s, name, protocol, nil)
}

// connectDrawing connects a client that can show the page of results.
func connectDrawing(t testing.TB, s *Server, name string) *client {
	t.Helper()
	var draws mcp.ClientCapabilities
	draws.AddExtension(appExtension, map[string]any{"mimeTypes": []string{appMIME}})
	return connectAs(t, s, name, "2025-11-25", &draws)
}

func connectAs(t testing.TB, s *Server, name, protocol string, can *mcp.ClientCapabilities) *client {
	t.Helper()
	c := &client{t: t, updated: make(chan string, 100), changed: make(chan struct{}, 100), progress: make(chan mcp.ProgressNotificationParams, 1000)}
	here, there := mcp.NewInMemoryTransports()
	if _, err := s.sdk.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	sdk := mcp.NewClient(&mcp.Implementation{Name: name, Version: "1"}, &mcp.ClientOptions{
		Capabilities: can,
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			c.updated <- r.Params.URI
		},
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { c.changed <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			c.progress <- *r.Params
		},
	})
	session, err := sdk.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	c.ClientSession = session
	return c
}

// through calls index_docs until its run has ended, which on a busy machine takes longer than one
// call, and returns the last result.
func (c *client) through(arguments string) string {
	c.t.Helper()
	for {
		if text := firstText(c.call("index_docs", arguments)); !strings.HasPrefix(text, "Still indexing") {
			return text
		}
	}
}

// call calls a tool with arguments as JSON.
func (c *client) call(tool, arguments string) *mcp.CallToolResult {
	c.t.Helper()
	r, err := c.CallTool(c.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		c.t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	return r
}

// firstText returns the text of the first block of a result.
func firstText(r *mcp.CallToolResult) string {
	if len(r.Content) == 0 {
		return ""
	}
	if block, ok := r.Content[0].(*mcp.TextContent); ok {
		return block.Text
	}
	return fmt.Sprintf("%T", r.Content[0])
}

// allText returns the text of all blocks of a result.
func allText(r *mcp.CallToolResult) string {
	var all []string
	for _, c := range r.Content {
		if block, ok := c.(*mcp.TextContent); ok {
			all = append(all, block.Text)
		}
	}
	return strings.Join(all, "\n")
}

func passages(r *mcp.CallToolResult) []*mcp.ResourceContents {
	var all []*mcp.ResourceContents
	for _, c := range r.Content {
		if e, ok := c.(*mcp.EmbeddedResource); ok {
			all = append(all, e.Resource)
		}
	}
	return all
}

func (c *client) readText(uri string) string {
	c.t.Helper()
	r, err := c.ReadResource(c.t.Context(), &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		c.t.Fatalf("read %s: %v", uri, err)
	}
	return r.Contents[0].Text
}

// resources returns all pages of the list of resources.
func (c *client) resources() []*mcp.Resource {
	c.t.Helper()
	var all []*mcp.Resource
	for r, err := range c.Resources(c.t.Context(), nil) {
		if err != nil {
			c.t.Fatal(err)
		}
		all = append(all, r)
	}
	return all
}

// longestWait is how long a test waits for something that takes no time on an idle machine.
const longestWait = time.Minute

// eventually polls until ok returns true. It is for goroutines that wait for a connection or the
// disk, whose progress nothing signals; tests of timeouts use synctest.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for start := time.Now(); !ok(); time.Sleep(min(max(time.Millisecond, time.Since(start)/8), 50*time.Millisecond)) {
		if time.Since(start) > longestWait {
			t.Fatalf("not within %s: %s", longestWait, what)
		}
	}
}

func (c *client) waitUpdated(uri string) {
	c.t.Helper()
	deadline := time.After(longestWait)
	for {
		select {
		case got := <-c.updated:
			if got == uri {
				return
			}
		case <-deadline:
			c.t.Fatalf("no update of %s", uri)
		}
	}
}

func (c *client) waitChanged() {
	c.t.Helper()
	select {
	case <-c.changed:
	case <-time.After(longestWait):
		c.t.Fatal("no change of the list was told")
	}
}

// golden compares a text with a file in testdata, or writes the file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if normal := strings.ReplaceAll(string(want), "\r\n", "\n"); got != normal {
		t.Errorf("%s differs; -update writes it anew. got:\n%s", file, got)
	}
}
