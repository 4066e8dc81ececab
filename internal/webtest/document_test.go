package webtest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// rich is a note with everything that rendering changes.
var rich = "---\ntags: [x]\n---\n# Rich\n\nA [[plain]] word with `code` and a picture ![](dot.svg).\n\n## Table\n\n| " + strings.Repeat("column | ", 30) + "\n|" + strings.Repeat(" --- |", 30) + "\n" +
	strings.Repeat("| "+strings.Repeat("zebra | ", 30)+"\n", 60) + "\n## Code\n\n```go\nfunc main() { " + strings.Repeat("zebra(); ", 60) + "} // end\n```\n\n> [!warning] Mind\n> the gap\n\n- [x] one\n  - two\n\n" + strings.Repeat("A unicorn stands here.\n\n", 80) + "## Last\n\nThe end of the unicorn.\n"

// TestDocumentLooks checks how a document looks, wide and narrow, by day and at night.
func TestDocumentLooks(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"rich.md": rich, "plain.md": "# Plain\n", "dot.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>`})
	at := serve(t, n.dir)
	for name, as := range map[string]look{"light": {width: 1280}, "dark": {width: 1280, dark: true}, "phone": {width: 320}, "without scripts": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			b := open(t, as)
			b.find(at, "unicorn", "rich.md")
			b.visit(at + "/doc?path=rich.md&q=word+picture&at=L6#passage")
			b.until("document.querySelector('.meant img').naturalWidth === 9")
			for what, is := range map[string]string{
				"the words of the question stand out in what is cited": `(() => { const m = document.querySelector('mark.in'), probe = document.createElement('i'); probe.style.background = 'var(--mark)'; document.body.append(probe); return getComputedStyle(m).backgroundColor === getComputedStyle(probe).backgroundColor && getComputedStyle(m.parentElement).backgroundColor !== getComputedStyle(m).backgroundColor })()`,
				"the page does not move sideways":                      `document.documentElement.scrollWidth <= innerWidth`,
				"the header of a table stays":                          `getComputedStyle(document.querySelector('.table th')).position === 'sticky'`,
				"code is in a font of its own":                         `getComputedStyle(document.querySelector('.code')).fontFamily.includes('monospace') && getComputedStyle(document.querySelector('.code .keyword')).color !== getComputedStyle(document.querySelector('.code')).color`,
				"a link leads to the other note":                       `document.querySelector('.meant p a[href]').getAttribute('href') === '/doc?path=plain.md'`,
				"the outline can be seen where there is room":          fmt.Sprintf(`(document.querySelector('.outline nav').checkVisibility({contentVisibilityAuto: true})) === %v`, as.width != 320),
				"numbers of lines stand where there is room":           fmt.Sprintf(`(getComputedStyle(document.querySelector('.meant p[data-n]'), '::before').display !== 'none') === %v`, as.width != 320),
			} {
				if strings.Contains(is, "probe") && as.noScript {
					continue
				}
				if !eval[bool](b, is) {
					t.Errorf("it is not so that %s:\n%s", what, eval[string](b, "document.querySelector('.document').outerHTML.slice(0, 6000)"))
				}
			}
			b.saveWindow("rich-" + name + ".png")
			b.visit(at + "/doc?path=rich.md&find=unicorn&hit=81#hit")
			b.wantText("81 of 81")
			b.until(`['mark.current', 'a[rel=next]', 'a[rel=prev]'].every(of => { const r = document.querySelector(of).getBoundingClientRect(); return r.top >= 0 && r.bottom < innerHeight })`)
		})
	}
}

// trap is a note that tries to be more than text when it is rendered.
const trap = `---
x: </code></pre><script>hit('front')</script>
---
# Trap <script>hit('heading')</script>

[a](javascript:hit(1)) [b](data:text/html,<script>hit(2)</script>) [c](vbscript:hit) [d](//evil.example.com/x) <javascript:hit(3)> [e](&#106;avascript:hit(4)) [f](java
script:hit(5)) [[javascript:hit(6)]] [g](/sign-out) ![h](javascript:hit(7)) ![i](https://evil.example.com/i.png) ![j](data:image/svg+xml;base64,PHN2Zy8+) ![k](trap.svg) ![[trap.svg|9"onload="hit(8)]]

<img src=x onerror=hit(9)> <svg onload=hit(10)> <b onmouseover=hit(11) style="position:fixed">bold</b> <iframe src="https://evil.example.com"></iframe> <a href="javascript:hit(12)">m</a>

<div style="position:fixed;inset:0"><form action="https://evil.example.com"><input autofocus onfocus=hit(13)></form><object data="trap.svg"></object><link rel=stylesheet href="https://evil.example.com/x.css"><style>body{display:none}</style><base href="https://evil.example.com/"><meta http-equiv=refresh content="0;url=https://evil.example.com"></div>

<table><tr><td><math><mtext><table><mglyph><style><img src=x onerror=hit(14)>

| a"><script>hit(15)</script> | [b](javascript:hit(16)) |
| --- | --- |
| </td></table><script>hit(17)</script> | ` + "`</code><script>hit(18)</script>`" + ` |

` + "```\"><script>hit(19)</script>\n</code></pre><script>hit(20)</script>\n```" + `

> [!"><script>hit(21)</script>] x
`

// TestTrap checks that nothing of a rendered document runs, loads something from elsewhere, or
// covers the page.
func TestTrap(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{
		"trap.md": trap, "trap.svg": `<svg xmlns="http://www.w3.org/2000/svg" onload="hit(30)"><script>hit(31)</script><image href="https://evil.example.com/s.png"/><rect width="9" height="9"/></svg>`,
		"trap.csv": "<script>hit(40)</script>,\"<img src=x onerror=hit(41)>\"\n=cmd,javascript:hit(42)\n", "trap.go": "// </span><script>hit(43)</script>\n", "trap.mdown": "[a]\n\n[a]: javascript:hit(44)\n",
	})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "trap", "trap.md")
	for _, path := range []string{"trap.md", "trap.md&q=bold&at=L6", "trap.md&find=script", "trap.csv", "trap.go", "trap.mdown", "trap.svg"} {
		b.visit(at + "/doc?path=" + path)
		b.until("[...document.images].every(i => i.complete)")
		for what, is := range map[string]string{
			"no elements of its own":        `!document.querySelector('main script, iframe, object, svg, math, style, base, link:not(head link), main input:not([name]), form[action^=http]')`,
			"no handlers or styles":         `![...document.querySelectorAll('main *')].some(e => [...e.attributes].some(a => a.name.startsWith('on') || a.name === 'style'))`,
			"no link that runs":             `![...document.links].some(a => !/^(https?|mailto):$/.test(a.protocol))`,
			"nothing from elsewhere":        `!performance.getEntriesByType('resource').some(r => !r.name.startsWith(location.origin + '/'))`,
			"the page is as wide as it was": `document.documentElement.scrollWidth <= innerWidth && document.querySelector('header').checkVisibility()`,
		} {
			if !eval[bool](b, is) {
				t.Errorf("%s: %s is not so:\n%s", path, what, eval[string](b, "document.querySelector('main').innerHTML"))
			}
		}
	}
	if got := b.visit(at + "/file?path=trap.svg"); got != http.StatusOK {
		t.Errorf("the picture: %d", got)
	}
	b.allow("evil.example.com") // the policy of the picture blocks this, and the browser reports it
	b.allow("sandboxed")
	b.allow("Content Security Policy")
}

// TestLeaf checks that the pages of a PDF can be turned and enlarged.
func TestLeaf(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"report.pdf": paper(t)})
	at := serve(t, n.dir)
	b := open(t, look{width: 1280})
	b.find(at, "axolotl", "report.pdf")
	b.visit(at + "/doc?path=report.pdf")
	b.do(clickLink("page=1"))
	const image = `document.querySelector('.paper img')`
	b.until("location.search.includes('page=1') && " + image + ".complete && " + image + ".naturalWidth > 500")
	b.do(chromedp.Click(chromedp.CSS("a[rel=next]")))
	b.until("location.search.includes('page=2') && " + image + ".complete && " + image + ".naturalWidth > 500")
	b.saveWindow("leaf.png")
	b.do(clickLink("zoom=200"))
	b.until(image + ".complete && " + image + ".naturalWidth > 1500")
	if !eval[bool](b, image+".clientWidth > 1.9 * document.querySelector('.paper').clientWidth && document.documentElement.scrollWidth <= innerWidth") {
		t.Error("it is not twice as large")
	}
	b.press(kb.ArrowLeft) // with the picture scrolled to its left edge
	b.until("location.search.includes('page=1') && " + image + ".complete && " + image + ".naturalWidth > 1500")
	b.press(kb.ArrowRight)
	b.until("document.querySelector('.paper').scrollLeft > 100")
	if !eval[bool](b, "location.search.includes('page=1')") {
		t.Error("it is left before its right edge was seen")
	}
	b.press(kb.ArrowRight)
	b.until("(p => p.scrollLeft + p.clientWidth > p.scrollWidth - 2)(document.querySelector('.paper'))")
	b.press(kb.ArrowRight)
	b.until("location.search.includes('page=2') && " + image + ".complete && " + image + ".naturalWidth > 1500")
	b.do(chromedp.Click(chromedp.CSS("a[rel=next]")))
	b.until("location.search.includes('page=3')")
	b.wantText("there is no page 3: it has 2")
	b.do(chromedp.Click(chromedp.CSS("a[rel=prev]")))
	b.until("location.search.includes('page=2') && location.search.includes('zoom=200')")
}

// TestNames checks that the list of documents follows a name while it is typed, and that its
// address can be bookmarked.
func TestNames(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"a/one.md": "# One\n", "a/two.md": "# Two\n", "b/three.md": "# Three\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "three", "b/three.md")
	b.visit(at + "/library/documents")
	b.do(chromedp.SendKeys(chromedp.CSS("#name"), "tw"))
	b.until("document.querySelectorAll('#listing tbody tr').length === 1 && document.getElementById('listing').getAttribute('aria-busy') === 'false'")
	b.wantText("a/two.md", "1 document")
	address := eval[string](b, "location.href")
	b.visit(address)
	b.wantText("a/two.md", "1 document")
	b = open(t, look{noScript: true})
	b.visit(at + "/library")
	b.do(chromedp.SendKeys(chromedp.CSS("#name"), "three\r"))
	b.until("location.pathname === '/library/documents'")
	b.wantText("b/three.md", "1 document")
	b.do(clickLink("in=a"))
	b.until("location.search.includes('in=a')")
}

// TestLongTable checks that a long table has all columns, and that a cited range in its middle is
// visible with its line numbers.
func TestLongTable(t *testing.T) {
	t.Parallel()
	rows := "name,legs\n"
	for n := 2; n <= 3000; n++ {
		rows += fmt.Sprintf("axolotl %d,four\n", n)
	}
	n := newNotes(t, map[string]string{"long.csv": rows})
	at := serve(t, n.dir)
	b := open(t, look{width: 1280})
	b.find(at, "axolotl", "long.csv")
	b.visit(at + "/doc?path=long.csv&at=L2499-2502#passage")
	b.until(`(() => { const r = document.getElementById('passage').getBoundingClientRect(); return r.top > 0 && r.bottom < innerHeight })()`)
	const beside = `[...document.querySelectorAll('.table tbody tr')].every(row => {
		const first = row.cells[0], number = getComputedStyle(first, '::before')
		return number.display !== 'none' && number.content === '"' + first.innerText.split(' ')[1] + '"' && ['relative', 'sticky'].includes(getComputedStyle(first).position) })`
	if !eval[bool](b, beside) {
		t.Error("the numbers of lines do not move with the rows")
	}
	if got := eval[int](b, "document.documentElement.scrollHeight"); got > 3000 {
		t.Errorf("the page is %d pixels high, for a box that scrolls", got)
	}
	b.saveWindow("long-table.png")
	b.wear(look{width: 390})
	b.visit(at + "/doc?path=long.csv&at=L2499-2502#passage")
	if !eval[bool](b, "[...document.querySelectorAll('.table tr > *')].every(cell => cell.offsetWidth > 0)") {
		t.Error("columns are hidden on a phone")
	}
}

// TestDeepLevels checks that nested lists and quotations never make a page on a phone scroll
// sideways.
func TestDeepLevels(t *testing.T) {
	t.Parallel()
	list, quote, callout := "", "", ""
	for level := range 40 {
		list += strings.Repeat("  ", level) + "- an axolotl\n"
		quote += strings.Repeat("> ", level+1) + "an axolotl\n" + strings.Repeat("> ", level+1) + "\n"
		callout += strings.Repeat("> ", min(level, 20)+1) + "[!note] an axolotl\n" + strings.Repeat("> ", min(level, 20)+1) + "\n"
	}
	n := newNotes(t, map[string]string{"list.md": list, "quote.md": quote, "callout.md": callout})
	at := serve(t, n.dir)
	b := open(t, look{width: 390})
	b.find(at, "axolotl", "list.md")
	for _, name := range []string{"list.md", "quote.md", "callout.md"} {
		b.visit(at + "/doc?path=" + name)
		if got := eval[int](b, "document.documentElement.scrollWidth"); got > 390 {
			t.Errorf("%s takes %d pixels of 390", name, got)
		}
		b.saveWindow("deep-" + name + ".png")
	}
}

// TestInReach checks that at any place in a long document its title, the link back to the results,
// the search field with the present match, the outline and the copy button are visible, and cover
// no target of a link.
func TestInReach(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"rich.md": rich, "dot.svg": `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`})
	at := serve(t, n.dir)
	for name, as := range map[string]look{"desk": {width: 1280, height: 900}, "phone": {width: 390, height: 844}, "phone in Chinese": {width: 390, height: 844, language: languages["zh"], dark: true}, "without scripts": {width: 390, height: 844, noScript: true}} {
		t.Run(name, func(t *testing.T) {
			b := open(t, as)
			b.find(at, "unicorn", "rich.md")
			b.visit(at + "/doc?path=rich.md&q=unicorn&find=unicorn&hit=40#hit")
			wanted := "'a.back', '.bar .name', '#find', '.hits', '.bar a[data-copy]', " + map[bool]string{true: "'.outline a'", false: "'.bar .to-outline'"}[as.width > 1000]
			b.until(`scrollY > 500 && [` + wanted + `].every(of => { const e = document.querySelector(of), r = e.getBoundingClientRect(); return e.checkVisibility({visibilityProperty: true, contentVisibilityAuto: true}) && r.top >= 0 && r.bottom < innerHeight && r.left >= 0 && r.right <= innerWidth })`)
			b.saveWindow("reach-" + strings.ReplaceAll(name, " ", "-") + ".png")
			if height := eval[float64](b, "document.querySelector('.bar').getBoundingClientRect().height"); height > 100 {
				t.Errorf("the bar takes %.0f pixels", height)
			}
			if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > int(as.width) {
				t.Errorf("the page is %d pixels wide", wide)
			}
			b.visit(at + "/doc?path=rich.md#L12")
			b.visit(at + "/doc?path=rich.md&as=written#L77")
			b.until("scrollY > 100")
			const covered = "document.getElementById('L77').getBoundingClientRect().top - document.querySelector('.bar').getBoundingClientRect().bottom"
			if room := eval[float64](b, covered); room < 0 {
				t.Errorf("%.0f pixels of what a link leads to are covered", -room)
			}
			if as.width > 1000 {
				b.do(chromedp.Evaluate[chromedp.Void]("scrollTo(0, document.documentElement.scrollHeight)"))
				const covered = `[...document.querySelectorAll('.side a, .side button')].filter(e => { e.scrollIntoView({block: 'nearest'}); const r = e.getBoundingClientRect(), at = document.elementFromPoint(r.left + 4, r.top + r.height / 2); return at !== e && !e.contains(at) }).map(e => e.innerText).join()`
				if got := eval[string](b, covered); got != "" {
					t.Errorf("beside the text %s cannot be clicked", got)
				}
				const over = "document.querySelector('.outline').getBoundingClientRect().bottom - document.querySelector('aside').getBoundingClientRect().top"
				if got := eval[float64](b, over); got > 0 {
					t.Errorf("the outline covers %.0f pixels of what stands below it", got)
				}
				b.saveWindow("beside.png")
			}
			if as.width < 1000 {
				b.do(chromedp.Click(chromedp.CSS(".to-outline")))
				b.until(`(e => e.checkVisibility({contentVisibilityAuto: true}) && e.getBoundingClientRect().top < innerHeight && e.getBoundingClientRect().top >= document.querySelector('.bar').getBoundingClientRect().bottom)(document.querySelector('.outline a'))`)
			}
		})
	}
}

// TestEscape checks that Escape leaves the search field first, and then returns to the results at
// the same place.
func TestEscape(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{height: 400})
	b.visit(at + "/search?q=asthma&sort=date")
	b.do(chromedp.Evaluate[chromedp.Void]("scrollTo(0, 20)"))
	b.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.passage h2 a').click()"))
	b.until("location.pathname === '/doc'")
	b.do(chromedp.Focus(chromedp.CSS("#find")))
	b.press("spacer")
	b.press(kb.Escape)
	if got := eval[string](b, "document.activeElement.tagName + ' ' + document.getElementById('find').value + location.pathname"); got != "BODY spacer/doc" {
		t.Errorf("Escape in the field leads to %q", got)
	}
	b.press(kb.Escape)
	b.until("location.pathname === '/search' && location.search.includes('sort=date') && scrollY === 20")
	b.visit(at + "/doc?path=" + "notes/hypertension-home-monitoring.md")
	b.press(kb.Escape)
	if got := eval[string](b, "location.pathname"); got != "/doc" {
		t.Errorf("who has not come from results is led to %s", got)
	}
}

// TestSteps checks that keys lead to the next and previous match in a document, keep the focus, and
// add one entry to the history, and that back in the results the focus is on the one that was
// opened.
func TestSteps(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for _, name := range []string{"a", "b", "c", "d"} {
		files[name+".md"] = "# Note " + name + "\n\nAn axolotl of " + name + ".\n\n" + strings.Repeat("A zeppelin flies.\n\n", 5)
	}
	n := newNotes(t, files)
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "d.md")
	b.until("document.querySelectorAll('.passage').length === 4")
	b.do(chromedp.Evaluate[chromedp.Void]("document.querySelectorAll('.passage h2 a')[2].focus()"))
	third := eval[string](b, "document.activeElement.href")
	b.press("\r")
	b.until("location.pathname === '/doc' && document.querySelector('#find') !== null")
	entries := eval[int](b, "history.length")
	b.do(chromedp.Focus(chromedp.CSS("#find")))
	b.press("zeppelin")
	in := func(hit, focus string) {
		t.Helper()
		b.until("document.querySelector('.hits')?.innerText.startsWith('" + hit + " of 5') && document.activeElement.matches('" + focus + "')")
	}
	for _, hit := range []string{"1", "2", "3"} {
		b.press("\r")
		in(hit, "#find")
	}
	call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: "keyDown", Key: "Enter", Code: "Enter", Text: "\r", WindowsVirtualKeyCode: 13, Modifiers: 8}) // with Shift, and as one event: what is prevented types nothing
	in("2", "#find")
	b.do(chromedp.Focus(chromedp.CSS(".hits [rel=next]")))
	for _, hit := range []string{"3", "4"} {
		b.press("\r")
		in(hit, ".hits [rel=next]")
	}
	if got := eval[int](b, "history.length"); got != entries {
		t.Errorf("the places of one text are %d pages in the history", got-entries)
	}
	b.press(kb.Escape)
	b.until("location.pathname === '/search' && document.activeElement.href === '" + third + "'")
	b.press(kb.ArrowDown)
	b.until("document.activeElement === document.querySelectorAll('.passage h2 a')[3]")
	b.press("\r")
	b.until("location.pathname === '/doc'")
	fourth := eval[string](b, "location.href")
	b.do(chromedp.NavigateBack())
	b.until("location.pathname === '/search' && document.activeElement.href === '" + fourth + "'")
	b.press("?")
	b.until("location.pathname === '/help/page' && document.querySelector('.manual').innerText.includes('Shift+Enter')")
}

// TestCopied checks that a cited passage is copied with its citation, and otherwise the selection.
func TestCopied(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"zoo.md": "# Zoo\n\nAn axolotl.\n\nTwo newts.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "zoo.md")
	b.visit(at + "/doc?path=zoo.md&at=L3-5")
	for _, step := range [][2]string{{"0", "An axolotl.\\nTwo newts.\\n— Zoo, zoo.md, lines 3-5"}, {"getSelection().selectAllChildren(document.getElementById('L5'))", "Two newts.\\n— Zoo, zoo.md, lines 3-5"}} {
		b.do(chromedp.Evaluate[chromedp.Void]("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }; window.copied = ''; " + step[0] + "; document.querySelector('.bar button[data-citation]').textContent = 'x'; document.querySelector('.bar button[data-citation]').click()"))
		b.until("window.copied == '" + step[1] + "'")
	}
}

// TestFoundBesideThePassage checks that searching in a document with a passage keeps the passage,
// what is copied, and the link to the visible place, and that without a passage the page says that
// all is copied.
func TestFoundBesideThePassage(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"zoo.md": "# Zoo\n\nAn axolotl.\n\nA zeppelin.\n\nTwo zeppelins.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "zoo.md")
	const copied = "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }; window.copied = ''; "
	const press, button = "document.querySelector('.bar button[data-citation]').click()", "document.querySelector('.bar button[data-citation]').textContent"
	b.visit(at + "/doc?path=zoo.md&q=axolotl&at=L3#passage")
	for _, hit := range []string{"1 of 2", "2 of 2"} {
		b.do(chromedp.SendKeys(chromedp.CSS("#find"), map[string]string{"1 of 2": "zeppelin\r", "2 of 2": "\r"}[hit]))
		b.until("document.querySelector('.hits')?.innerText.startsWith('" + hit + "') && document.querySelector('.shown .within').textContent === 'An axolotl.' && document.querySelectorAll('mark').length === 2")
		b.do(chromedp.Evaluate[chromedp.Void](copied + press))
		b.until("window.copied == 'An axolotl.\\n— Zoo, zoo.md, line 3' && " + button + " == 'Copied'")
	}
	link := eval[string](b, "document.querySelector('.bar a[data-copy]').href")
	b.visit(link)
	b.until("document.querySelector('.hits').innerText.startsWith('2 of 2') && document.querySelector('.shown .within').textContent === 'An axolotl.' && location.hash === '#hit'")
	b.do(chromedp.Evaluate[chromedp.Void]("window.copied = ''; " + copied + "getSelection().selectAllChildren(document.getElementById('L5')); " + press))
	b.until("window.copied.startsWith('A zeppelin.\\n') && " + button + " == 'Selection copied'")
	b.visit(at + "/doc?path=zoo.md&find=zeppelin")
	b.until(button + " == 'Copy all'")
	b.do(chromedp.Evaluate[chromedp.Void](copied + press))
	b.until("window.copied.startsWith('An axolotl') && window.copied.endsWith('zeppelins.\\n— Zoo, zoo.md')")
}
