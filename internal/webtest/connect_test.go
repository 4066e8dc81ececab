package webtest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// webClient is an OAuth client on the web: a page with a link to the server, and one to which users
// are redirected.
type webClient struct {
	*httptest.Server
	page string // URL of the page with the link
	back chan *http.Request
	to   string // URL to which the link leads
}

func newWebClient(t *testing.T) *webClient {
	t.Helper()
	c := &webClient{back: make(chan *http.Request, 10)}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/callback" {
			c.back <- r
		}
		_, _ = fmt.Fprintf(w, `<!doctype html><link rel="icon" href="data:,"><title>%s</title><p><a id="connect" href="%s">Connect</a>`, r.URL.Path, html.EscapeString(c.to))
	}))
	t.Cleanup(c.Close)
	c.page = strings.Replace(c.URL, "127.0.0.1", foreignHost, 1) + "/"
	return c
}

// register registers the client at a server.
func (c *webClient) register(t *testing.T, at string) {
	t.Helper()
	about := fmt.Sprintf(`{"client_name":"Notes & <b>more</b>","redirect_uris":["%s/callback"]}`, c.URL)
	answer, err := http.Post(at+"/register", "application/json", strings.NewReader(about))
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var made struct {
		ID string `json:"client_id"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&made); err != nil || made.ID == "" {
		t.Fatalf("%s: %v", answer.Status, err)
	}
	c.to = at + "/authorize?" + url.Values{
		"response_type": {"code"}, "client_id": {made.ID}, "redirect_uri": {c.URL + "/callback"}, "state": {"s1"}, "resource": {at + "/mcp"},
		"code_challenge": {strings.Repeat("a", 43)}, "code_challenge_method": {"S256"},
	}.Encode()
}

// TestConnect checks that a user who follows the link of a client signs in, sees who requests what,
// and is redirected with a code or an error, that with a session cookie consent is asked for at
// once, and that the page cannot be framed.
func TestConnect(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"secret.md": "# Secret\n\nThe password is axolotl.\n"})
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	at := serve(t, n.dir, "--tokens", tokens, "--sign-in")
	const allow, refuse = `button[value="allow"]`, `button[value="refuse"]`
	for script, as := range map[string]look{"with scripts": {}, "without scripts": {noScript: true}, "in Chinese, narrow": {language: languages["zh"], width: 320}} {
		t.Run(script, func(t *testing.T) {
			c := newWebClient(t)
			c.register(t, at)
			b := open(t, as)
			for _, answer := range []string{allow, refuse} {
				b.visit(c.page)
				b.do(chromedp.Click(chromedp.CSS("#connect")))
				if answer == allow {
					b.signIn(token)
				}
				b.until("!!document.querySelector('" + allow + "')")
				b.wantText("Notes & <b>more</b>", "127.0.0.1", filepath.Base(n.dir), "alice")
				if hasHan(eval[string](b, "document.querySelector('main').innerText")) != (as.language != "") || eval[int](b, "document.scripts.length") != 0 {
					t.Errorf("the page has scripts, or is in another language:\n%s", b.text())
				}
				if width := eval[int](b, "document.documentElement.scrollWidth - innerWidth"); width > 0 {
					t.Errorf("the page is %d pixels too wide", width)
				}
				b.save("connect-" + strings.ReplaceAll(script, " ", "-") + ".png")
				b.do(chromedp.Click(chromedp.CSS(answer))) // a second click, for which the page is not ready
				b.until("getComputedStyle(document.querySelector('.consent:hover form') || document.body, '::after').visibility == 'hidden'")
				if len(c.back) > 0 {
					t.Error("a click that nobody has seen coming answers")
				}
				b.do(chromedp.Click(chromedp.CSS(answer)))
				b.until("document.title == '/callback'")
				back := <-c.back
				q := back.URL.Query()
				if (q.Get("code") != "") != (answer == allow) || (q.Get("error") == "access_denied") != (answer == refuse) || q.Get("state") != "s1" || q.Get("iss") != at || back.Header.Get("Referer") != "" {
					t.Errorf("the client is told %v, from %q", q, back.Header.Get("Referer"))
				}
			}
		})
	}
}
