package webtest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// newToken adds a token of a user to a file.
func newToken(t *testing.T, file, user string) string {
	t.Helper()
	if browser == nil {
		t.Skip("there is no browser")
	}
	out, err := exec.Command(program, "token", "new", user, "--tokens", file).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// signIn sends the sign-in form with a token.
func (b *tab) signIn(token string) {
	b.t.Helper()
	b.until("!!document.querySelector('input[name=token]')")
	b.do(chromedp.SendKeys(chromedp.CSS("input[name=token]"), token+"\r"))
}

const signOut = `form[action="/sign-out"] button`

// TestSignIn checks that a token signs a user in, with a cookie that is good for nothing else, and
// that after signing out nothing can be seen again.
func TestSignIn(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"secret.md": "# Secret\n\nThe password is axolotl.\n"})
	tokens := filepath.Join(t.TempDir(), "tokens")
	token := newToken(t, tokens, "alice")
	at := serve(t, n.dir, "--tokens", tokens)
	for script, noScript := range map[string]bool{"with scripts": false, "without scripts": true} {
		t.Run(script, func(t *testing.T) {
			b := open(t, look{noScript: noScript})
			b.allow("status of 40")
			b.visit(at + "/search?q=axolotl")
			b.signIn("wrong")
			b.until("!!document.getElementById('problem')")
			b.signIn(token)
			b.until("location.pathname == '/search'")
			b.find(at, "axolotl", "secret.md")
			b.wantText("password is axolotl")
			checkCookie(b)
			if got := b.visit(at + "/metrics"); got != http.StatusUnauthorized {
				t.Errorf("the session opens /metrics: %d", got)
			}
			b.visit(at + "/doc?path=secret.md")
			b.wantText("password is axolotl")
			b.do(chromedp.Click(chromedp.CSS(signOut)))
			b.until("!!document.querySelector('input[name=token]')")
			b.do(chromedp.NavigateBack())
			b.until("document.readyState == 'complete'")
			if text := b.text(); strings.Contains(text, "axolotl") {
				t.Errorf("who comes back sees:\n%s", text)
			}
			b.visit(at + "/doc?path=secret.md")
			b.until("!!document.querySelector('input[name=token]')")
		})
	}
}

// checkCookie checks the cookies of the browser.
func checkCookie(b *tab) {
	b.t.Helper()
	cookies := call(b, network.GetCookies, network.GetCookiesParams{}).Cookies
	if len(cookies) != 1 || !cookies[0].HTTPOnly || cookies[0].SameSite != network.CookieSameSiteStrict || cookies[0].Path != "/" {
		b.t.Errorf("the cookies are %+v", cookies)
	}
	if got := eval[string](b, "document.cookie"); got != "" {
		b.t.Errorf("scripts see %s", got)
	}
}

// TestOpen checks that the link of vademecum open signs in one browser, once.
func TestOpen(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"mine.md": "# Mine\n\nThe axolotl.\n"})
	if browser == nil {
		t.Skip("there is no browser")
	}
	link := started(t, "works once: ", "open", "--no-browser", n.dir)
	at, _, _ := strings.Cut(link, "/open?")
	b := open(t, look{})
	other := open(t, look{})
	other.allow("status of 40")
	for _, path := range []string{"/search?q=axolotl", "/sign-in", "/doc?path=mine.md", strings.TrimPrefix(link, at) + "x"} {
		if got := other.visit(at + path); got != http.StatusForbidden || strings.Contains(other.text(), "The axolotl") {
			t.Errorf("a stranger gets %d for %s:\n%s", got, path, other.text())
		}
	}
	b.visit(link)
	b.until("location.href == '" + at + "/'")
	b.find(at, "axolotl", "mine.md")
	checkCookie(b)
	if got := other.visit(link); got != http.StatusForbidden {
		t.Errorf("a second browser gets %d:\n%s", got, other.text())
	}
	b.visit(link) // a browser that has signed in may use the link again
	b.until("location.href == '" + at + "/'")
}

// TestOpenCookie checks that a browser that has signed in sends its cookie to no other program on
// this machine.
func TestOpenCookie(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"mine.md": "# Mine\n\nThe axolotl.\n"})
	if browser == nil {
		t.Skip("there is no browser")
	}
	sent := make(chan string, 100)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent <- r.Header.Get("Cookie") + r.Header.Get("Referer")
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><link rel="icon" href="data:,"><p>Other <a href="/next">next</a></p>`)
	}))
	defer other.Close()
	link := started(t, "works once: ", "open", "--no-browser", n.dir)
	b := open(t, look{agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/148.0.0.0 Safari/537.36"})
	b.visit(link)
	b.until("location.pathname == '/' && location.hostname.endsWith('.localhost') && !!document.querySelector('form.search')")
	at := eval[string](b, "location.origin")
	b.find(at, "axolotl", "mine.md")
	checkCookie(b)
	for range 2 {
		b.visit(link) // a browser that has signed in may use the link again
		b.until("location.href == '" + at + "/'")
		b.visit(other.URL)
		b.do(clickLink("/next"))
		b.until("location.pathname == '/next'")
	}
	for range 4 {
		if got := <-sent; strings.Contains(got, "vademecum") || strings.Contains(got, "localhost") {
			t.Errorf("another program gets %s", got)
		}
	}
}
