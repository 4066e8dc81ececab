package webtest

import (
	"net/url"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAxe checks with axe-core that every page is accessible, by day and at night.
func TestAxe(t *testing.T) {
	file := os.Getenv("VADEMECUM_AXE")
	if file == "" {
		t.Skip("VADEMECUM_AXE names no axe.min.js")
	}
	axe, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := ofSamples(t)
	t.Parallel()
	looks := map[string]look{"light": {}, "dark": {dark: true}, "light in Chinese": {language: languages["zh"]}, "dark in Chinese": {language: languages["zh"], dark: true}, "narrow": {width: 320}}
	n := newNotes(t, map[string]string{"Written.md": written, "sheet.csv": "name,age\nAnn,7\nBo,8\n", "Plain.md": "# Plain\n\nMice.\n", "copy/Plain.md": "# Plain\n\nMice.\n"})
	for name := range looks {
		n.write(name+".md", "# "+name+"\n")
	}
	ofRendered := serve(t, n.dir)
	for name, as := range looks {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, as)
			for _, p := range pages {
				b.visit(at + p.path)
				b.wantUsable(string(axe), p.name)
			}
			b.find(ofRendered, "energy", "Written.md")
			b.visit(ofRendered + "/doc?path=Written.md&q=energy")
			b.wantUsable(string(axe), "rendered")
			eval[bool](b, "document.querySelectorAll('details').forEach(d => { d.open = !d.open }) || true")
			b.wantUsable(string(axe), "rendered and unfolded")
			for _, path := range []string{"/doc?path=sheet.csv&at=L3", "/search?q=mice"} {
				b.visit(ofRendered + path)
				b.wantUsable(string(axe), path)
			}
			b.find(ofRendered, name, name+".md")
			b.visit(ofRendered + "/doc?path=" + url.QueryEscape(name+".md"))
			n.write(name+".md", "# After\n")
			b.until("!!document.querySelector('.changed .note a')")
			b.wantUsable(string(axe), "changed while it is read")
		})
	}
}

// wantUsable fails unless axe-core finds no fault on the page.
func (b *tab) wantUsable(axe, name string) {
	b.t.Helper()
	eval[chromedp.Void](b, axe)
	const found = `axe.run().then(r => r.violations.map(v => v.id + ': ' + v.help + '\n' + v.nodes.map(n => '    ' + n.html + ' ' + n.failureSummary).join('\n')).join('\n'))`
	if got := get(b, chromedp.Evaluate[string](found, chromedp.EvalAwaitPromise)); got != "" {
		b.t.Errorf("%s:\n%s", name, got)
	}
}
