package webtest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestSignInAtProvider checks that a sign-in at the provider returns to the passage, although
// browsers send no cookies when another site leads there, that a cancelled one can be tried again,
// and that nothing of it stays in the browser.
func TestSignInAtProvider(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"secret.md": "# Secret\n\nThe password is axolotl.\n"})
	p := newProvider(t)
	at := serve(t, n.dir, "--auth-issuer", p.url, "--auth-client-id", "page")
	const toProvider, atProvider = `a.button[href^="/sign-in/provider"]`, "document.title == 'Who are you?'"
	for script, noScript := range map[string]bool{"with scripts": false, "without scripts": true} {
		t.Run(script, func(t *testing.T) {
			b := open(t, look{noScript: noScript})
			b.allow("status of 403")
			b.visit(at + "/doc?path=secret.md&at=line%3D3,3#passage")
			b.save("sign-in-provider.png")
			b.do(chromedp.Click(chromedp.CSS(toProvider)))
			b.until(atProvider)
			b.do(chromedp.Click(chromedp.CSS("#no")))
			b.until("!!document.getElementById('problem')")
			b.wantText("cancelled or refused")
			if address := get(b, chromedp.Location()); strings.Contains(address, "state=") {
				t.Errorf("the address is %s", address)
			}
			b.do(chromedp.Click(chromedp.CSS(toProvider)))
			b.until(atProvider)
			b.do(chromedp.Click(chromedp.CSS("#yes")))
			b.until("location.pathname == '/doc' && location.hash == '#passage'")
			b.wantText("password is axolotl")
			if from := eval[string](b, "document.referrer"); strings.Contains(from, "code") {
				t.Errorf("the page comes from %s", from)
			}
			checkCookie(b)
			b.do(chromedp.Click(chromedp.CSS(signOut)))
			b.until("!!document.querySelector('" + toProvider + "')")
			b.do(chromedp.NavigateBack())
			b.until("document.readyState == 'complete'")
			if text := b.text(); strings.Contains(text, "axolotl") {
				t.Errorf("who comes back sees:\n%s", text)
			}
			if b.visit(at + "/doc?path=secret.md"); strings.Contains(b.text(), "axolotl") {
				t.Error("not signed out")
			}
		})
	}
	b := open(t, look{language: languages["zh"]})
	b.allow("status of 40")
	if got := b.visit(at + "/sign-in/callback?code=x&state=x"); got != http.StatusBadRequest || !hasHan(b.text()) {
		t.Errorf("a foreign answer: %d\n%s", got, b.text())
	}
	b.save("sign-in-failed.zh.png")
}
