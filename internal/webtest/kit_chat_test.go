package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// chatHosts are hosts that show results, by the name of their script. Both are made of the
// libraries of real hosts, see .ci/browser/hosts.
var chatHosts = map[string]string{"AppBridge": "bridge.js", "AppRenderer": "renderer.js"}

// chat is a host in a tab that has called a tool and shows the result.
type chat struct {
	*tab
	page runtime.ExecutionContextID // the page of results, in a JavaScript world of the test's own
}

// asked is a call of a tool by a host with a locale and a look.
type asked struct {
	host, tool, arguments string
	locale                string
	look
}

// serveIndexed serves a folder, and waits until it is indexed.
func serveIndexed(t testing.TB, dir string) string {
	t.Helper()
	c := exec.Command(program, "index", dir)
	c.Env = append(os.Environ(), "XDG_CACHE_HOME="+cache, "XDG_CONFIG_HOME="+cache, "HOME="+cache)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("index: %v\n%s", err, out)
	}
	return serve(t, dir)
}

// chatPage is the page of a host, and sandboxPage the page of another origin in which hosts embed the
// page of results.
const (
	chatPage    = `<!DOCTYPE html><html lang="en"><title>Chat</title><style>body { margin: 0 } iframe { display: block; border: 0; width: 100%% }</style><main id="app"></main><script src="/host/%s"></script>`
	sandboxPage = `<!DOCTYPE html><html lang="en"><title>Sandbox</title><style>html, body { margin: 0; height: 100%%; overflow: hidden } iframe { display: block; border: 0; width: 100%%; height: 100%% }</style><script type="module">%s</script>`
	// sandboxPolicy is what the extension wants of hosts for a page that asks for nothing.
	sandboxPolicy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; connect-src 'none'; img-src 'self' data:; font-src 'self'; media-src 'self' data:; frame-src 'self'; object-src 'none'; base-uri 'self'"
)

// chatWith opens a host that calls a tool of the server at a URL, and waits until it shows the
// result.
func chatWith(t testing.TB, at string, a asked) *chat {
	t.Helper()
	scripts := os.Getenv("VADEMECUM_HOSTS")
	if scripts == "" {
		t.Skip("VADEMECUM_HOSTS names no folder with the scripts of hosts")
	}
	relay, err := os.ReadFile(filepath.Join(scripts, "sandbox.js"))
	if err != nil {
		t.Fatal(err)
	}
	sandbox := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy", sandboxPolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, sandboxPage, relay)
	}))
	t.Cleanup(sandbox.Close)
	server, err := url.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	pages := http.NewServeMux()
	pages.Handle("/mcp", &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(server) // with the server's host name: a host sends requests from its own program, not from a page
		r.Out.Header.Del("Origin")
		r.Out.Header.Del("Sec-Fetch-Site")
		body, err := io.ReadAll(r.In.Body) // if the body is still being read when a stream begins, the end of the stream may be lost
		if err != nil {
			t.Error(err)
		}
		r.Out.Body = io.NopCloser(bytes.NewReader(body))
	}})
	pages.Handle("/host/", http.StripPrefix("/host/", http.FileServer(http.Dir(scripts))))
	pages.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, chatPage, r.FormValue("host"))
	})
	pages.HandleFunc("/favicon.ico", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	host := httptest.NewServer(pages)
	t.Cleanup(host.Close)
	q := url.Values{"host": {chatHosts[a.host]}, "tool": {a.tool}, "arguments": {a.arguments}, "sandbox": {sandbox.URL + "/"}, "theme": {"light"}, "locale": {"en-GB"}}
	if a.dark {
		q.Set("theme", "dark")
	}
	if a.locale != "" {
		q.Set("locale", a.locale)
	}
	light := a.look
	light.dark = false // the colours of a host may differ from those of the system
	c := &chat{tab: open(t, light)}
	if a.host == "AppRenderer" {
		c.allow("Not connected") // @mcp-ui/client 7.1.1 sends its colours once before the page is connected, and once after
	}
	c.visit(host.URL + "/?" + q.Encode())
	c.await("#results > h1 ~ :not([role=status])")
	return c
}

// await waits until the page of results has an element.
func (c *chat) await(selector string) {
	c.t.Helper()
	found := poll(func() bool {
		c.find()
		return c.page != 0 && in[bool](c, fmt.Sprintf("!!document.querySelector(%q)", selector))
	})
	if !found {
		c.t.Fatalf("there is no %s; the host tells of %s, and the page is:\n%s", selector, eval[string](c.tab, "JSON.stringify(window.told)"), c.shown())
	}
}

// find looks for the page of results among the frames.
func (c *chat) find() {
	c.t.Helper()
	frames := call(c.tab, cdp.GetFrameTree, struct{}{}).FrameTree
	depth := 0
	for ; len(frames.ChildFrames) > 0; depth++ {
		frames = frames.ChildFrames[0]
	}
	if c.page = 0; depth == 2 {
		c.page = call(c.tab, cdp.CreateIsolatedWorld, cdp.CreateIsolatedWorldParams{FrameID: frames.Frame.ID, WorldName: "test"}).ExecutionContextID
	}
}

// in evaluates an expression in the page of results.
func in[T any](c *chat, expression string) (value T) {
	c.t.Helper()
	yes := true
	result := call(c.tab, runtime.Evaluate, runtime.EvaluateParams{Expression: expression, ContextID: c.page, ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes})
	if e := result.ExceptionDetails; e != nil {
		c.t.Fatalf("%s: %s %s", expression, e.Text, e.Exception.Description)
	}
	if len(result.Result.Value) > 0 {
		if err := json.Unmarshal(result.Result.Value, &value); err != nil {
			c.t.Fatalf("%s: %v", expression, err)
		}
	}
	return value
}

// shown returns the visible text of the page of results.
func (c *chat) shown() string {
	if c.page == 0 {
		return ""
	}
	return in[string](c, "document.body.innerText")
}

// wantShown fails unless the page of results shows some words.
func (c *chat) wantShown(words ...string) {
	c.t.Helper()
	text := c.shown()
	for _, w := range words {
		if !strings.Contains(text, w) {
			c.t.Errorf("%q is not in the chat:\n%s", w, text)
		}
	}
}

// push presses the first button with a label by the keyboard.
func (c *chat) push(label string) {
	c.t.Helper()
	if !in[bool](c, fmt.Sprintf("(() => { const b = [...document.querySelectorAll('button')].find(b => b.textContent == %q && b.checkVisibility()); b?.focus(); return !!b && document.activeElement == b })()", label)) {
		c.t.Fatalf("no button %q can be reached:\n%s", label, c.shown())
	}
	c.press("\r")
}
