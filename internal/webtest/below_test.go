package webtest

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestBelow: scripts, too, stay below the path of a public URL: they ask there while
// somebody types, keep the address there, and follow the server.
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
