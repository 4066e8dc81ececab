package webtest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBelow checks that scripts use the path prefix of a public URL, for requests while a question
// is typed, in the address, and for notifications.
func TestBelow(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"asthma.md": "# Asthma\n\nA spacer helps children.\n"})
	at := serve(t, n.dir, "--public-url", "http://localhost/kb") + "/kb"
	b := open(t, look{})
	b.find(at, "spacer", "asthma.md")
	b.visit(at + "/")
	b.do(chromedp.SendKeys(chromedp.CSS(field), "children"))
	b.until(answered("children") + " && location.pathname == '/kb/search'")
	b.visit(at + "/library")
	n.write("cough.md", "# Cough\n\nEight weeks.\n")
	b.until("document.body.innerText.includes('2 documents')")
}
