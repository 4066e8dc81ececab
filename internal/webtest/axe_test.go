package webtest

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAxe: axe-core, which looks for what keeps people from using a page, finds nothing
// on any, by day and at night.
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
	for name, as := range map[string]look{"light": {}, "dark in Chinese": {language: languages["zh"], dark: true}, "narrow": {width: 320}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t, as)
			for _, p := range pages {
				b.visit(at + p.path)
				eval[chromedp.Void](b, string(axe))
				const found = `axe.run().then(r => r.violations.map(v => v.id + ': ' + v.help + '\n' + v.nodes.map(n => '    ' + n.html + ' ' + n.failureSummary).join('\n')).join('\n'))`
				if got := get(b, chromedp.Evaluate[string](found, chromedp.EvalAwaitPromise)); got != "" {
					t.Errorf("%s:\n%s", p.name, got)
				}
			}
		})
	}
}
