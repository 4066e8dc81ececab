package webtest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAway checks that a page reports that the server has ended, and does not leave the passages of
// an earlier question below another one.
func TestAway(t *testing.T) {
	t.Parallel()
	if browser == nil {
		t.Skip("there is no browser")
	}
	n := newNotes(t, map[string]string{"a.md": "# A\n\nThe ocelot.\n"})
	at, stop, err := start("MCP at ", "serve", "--http=127.0.0.1:0", n.dir)
	if err != nil {
		t.Fatal(err)
	}
	library, search := open(t, look{}), open(t, look{language: languages["zh"]})
	for _, b := range []*tab{library, search} {
		b.allow("net::ERR_")
	}
	search.find(at, "ocelot", "a.md")
	library.visit(at + "/library")
	library.until("performance.getEntriesByType('resource').some(e => e.name.endsWith('/page.js') || e.name.includes('/page.js?'))")
	stop()
	search.do(chromedp.SendKeys(chromedp.CSS(field), " margay"))
	search.until("!document.getElementById('away').hidden")
	search.wantText("服务器没有响应")
	if eval[bool](search, "!!document.querySelector('.passage')") {
		t.Errorf("passages stand below another question:\n%s", search.text())
	}
	library.until("!document.getElementById('away').hidden")
	library.wantText("The server does not answer.")
}
