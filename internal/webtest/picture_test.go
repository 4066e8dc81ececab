package webtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// printed returns a PDF that a browser has printed from HTML.
func printed(t *testing.T, html string) string {
	t.Helper()
	b := open(t, look{})
	b.visit("about:blank")
	b.do(chromedp.Evaluate[chromedp.Void]("document.write(" + fmt.Sprintf("%q", html) + ")"))
	return string(get(b, chromedp.PrintToPDF()))
}

// paper returns a PDF whose second page has several passages, some of them in Chinese.
func paper(t *testing.T) string {
	var b strings.Builder
	b.WriteString("<title>Report</title><style>p { font: 9pt sans-serif }</style><h1>Report</h1><p>The first page.</p><p style='break-before: page'>")
	for i := range 16 {
		fmt.Fprintf(&b, "Sentence %d of the second page tells of the pressure of the blood, and at some length. ", i)
	}
	b.WriteString("</p><p>Nowhere else is the axolotl.</p>")
	for _, first := range []string{"", "只有这里说到蝾螈。", ""} {
		b.WriteString("<p>" + first + strings.Repeat("高血压患者应当限制食盐摄入，每日不超过五克。", 16) + "</p>")
	}
	return printed(t, b.String())
}

// TestPicture checks that a page of a PDF is shown as an image with the passage, and only that,
// marked.
func TestPicture(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"report.pdf": paper(t), "broken.pdf": "%PDF-1.7\n", "a.md": "# A\n"})
	at := serve(t, n.dir)
	for _, question := range []string{"axolotl", "蝾螈"} {
		t.Run(question, func(t *testing.T) {
			b := open(t, look{})
			b.find(at, question, "report.pdf")
			b.do(clickLink("/doc?"))
			b.until("location.pathname == '/doc'")
			const image = `document.querySelector('img[src*="/picture?page=2"]')`
			b.until(image + " && " + image + ".complete && " + image + ".naturalWidth > 500")
			b.save("picture-" + question + ".png")
			d := differing(b, eval[string](b, image+".src"), at+"/picture?page=2&ref=report.pdf")
			if share := d.Differ / d.All; !(share > 0.001 && share < 0.3) || d.Yellow < d.Differ/2 {
				t.Errorf("of %v pixels %v differ, %v of them by the mark", d.All, d.Differ, d.Yellow)
			}
		})
	}
	b := open(t, look{})
	b.allow("status of 404")
	for _, path := range []string{"ref=a.md", "ref=broken.pdf", "ref=report.pdf&page=9", "ref=report.pdf&page=-1", "ref=report.pdf&page=x", "ref=nowhere.pdf", "ref=" + url.QueryEscape("../../../../etc/passwd"), "", "ref=" + url.QueryEscape("file:///etc/passwd")} {
		if got := b.visit(at + "/picture?" + path); got != http.StatusNotFound {
			t.Errorf("/picture?%s: %d\n%s", path, got, b.text())
		}
	}
}

// difference is how many pixels two pictures have, how many differ, and how many of these are
// yellow in the first.
type difference struct{ All, Differ, Yellow float64 }

// differing compares two pictures in the browser. If their sizes differ, all pixels do.
func differing(b *tab, one, other string) difference {
	b.t.Helper()
	const compare = `(async () => {
		const [a, b] = await Promise.all([%q, %q].map(async (src) => {
			const p = await createImageBitmap(await (await fetch(src)).blob())
			const c = new OffscreenCanvas(p.width, p.height).getContext('2d')
			c.drawImage(p, 0, 0)
			return c.getImageData(0, 0, p.width, p.height).data
		}))
		const d = {All: a.length / 4, Differ: 0, Yellow: 0}
		for (let i = 0; i < a.length; i += 4) {
			if (a[i] == b[i] && a[i+1] == b[i+1] && a[i+2] == b[i+2]) continue
			d.Differ++
			if (a[i] - a[i+2] > 100) d.Yellow++
		}
		return d
	})()`
	return get(b, chromedp.Evaluate[difference](fmt.Sprintf(compare, one, other), chromedp.EvalAwaitPromise))
}
