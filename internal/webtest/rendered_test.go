package webtest

import (
	"net/url"
	"testing"
)

// written is a note with all syntax of Obsidian and GitHub that CommonMark lacks.
const written = `---
title: Written
up: "[[Plain]]"
source: https://example.org/article?a=1&b=2
---
# Written

Mass and energy: $E = mc^2$, and the sum $a_1 + a_2$ with ==a marked word== in it. 这是==重点==内容。From $5 to $6.

$$
\int_0^1 x^2 \, dx = \frac{1}{3}
$$

> [!tip]- Folded advice
> Shake the axolotl gently.
>
> - once
> - twice

> [!warning]+ Unfolded
> Mind it.

` + "```mermaid\ngraph TD\n  A[Ask] --> B[Answer]\n```\n"

// TestRendered checks that this syntax is rendered, and that a folded callout opens by the
// keyboard, and by itself if it contains a match.
func TestRendered(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"Written.md": written, "Plain.md": "# Plain\n\nMice.\n"})
	at := serve(t, n.dir)
	for name, as := range map[string]look{"light": {}, "dark": {dark: true}, "phone": {width: 390}} {
		b := open(t, as)
		b.find(at, "energy", "Written.md")
		b.visit(at + "/doc?path=Written.md")
		b.wantText("E = mc^2", "a_1 + a_2", `\int_0^1 x^2 \, dx = \frac{1}{3}`, "From $5 to $6.", "A diagram, as source text", "A[Ask] --> B[Answer]", "Folded advice", "Mind it.")
		if got := eval[string](b, "[...document.querySelectorAll('.front a')].map(a => a.getAttribute('href')).join(' ')"); got != "/doc?path=Plain.md https://example.org/article?a=1&b=2" {
			t.Errorf("front matter leads to %s", got)
		}
		const isShown = "document.querySelector('details.callout li').checkVisibility()"
		if eval[bool](b, isShown) {
			t.Error("a folded callout is open")
		}
		b.save("rendered-" + name + ".png")
		eval[bool](b, "document.querySelector('details.callout summary').focus() || true")
		b.press("\r")
		b.until(isShown)
		const ground = "(e => getComputedStyle(document.querySelector(e)).backgroundColor)"
		b.visit(at + "/doc?q=energy&path=Written.md")
		if eval[string](b, ground+"('mark.author')") == eval[string](b, ground+"('mark:not(.author)')") {
			t.Error("what the author has marked looks like what was asked for")
		}
		for _, query := range []string{"find=axolotl", "q=axolotl", "at=L18"} {
			b.visit(at + "/doc?" + query + "&path=Written.md")
			if !eval[bool](b, isShown) {
				t.Errorf("%s: what is marked is folded", query)
			}
		}
	}
}

// hostileRendered is a note that tries to be more than text through syntax that CommonMark lacks.
const hostileRendered = `---
up: "[[x\"><img src=x onerror=hit('wiki')>|y]]"
url: https://evil.example.com/"onmouseover="hit('url')
js: "[[javascript:hit('scheme')]]" javascript:hit('bare') data:text/html,<script>hit('data')</script>
---
# Trap

> [!note"><script>hit('kind')</script>]- x

> [!<svg/onload=hit('callout')>]+ y
> z

> [!note]- <script>hit('title')</script> <img src=x onerror=hit('title')> [t](javascript:hit('link'))
> <details open ontoggle=hit('toggle')><summary onclick=hit('summary')>s</summary></details>
> ==<b onclick=hit('mark')>m</b>== <mark onclick=hit('raw') class="x" style="position:fixed">r</mark>

$<img src=x onerror=hit('formula')>$ $$</code><script>hit('display')</script>$$ ==</mark><script>hit('marked')</script>==

$$
</code></pre><script>hit('block')</script>
\href{javascript:hit('tex')}{x} \includegraphics{https://evil.example.com/x.png}
$$

` + "```mermaid\"><script>hit('language')</script>\nclick A \"javascript:hit('mermaid')\"\n</code></pre><script>hit('diagram')</script>\n```\n\n```mermaid\nclick A call hit()\n</code><img src=x onerror=hit('code')>\n```\n"

// TestHostileRendered checks that such syntax runs nothing, loads nothing and leads nowhere else,
// in documents and results.
func TestHostileRendered(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"trap.md": hostileRendered})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "trap", "trap.md")
	for _, path := range []string{"/doc?path=trap.md", "/doc?path=trap.md&q=" + url.QueryEscape("hit mark"), "/doc?path=trap.md&find=hit", "/doc?path=trap.md&as=written", "/search?q=trap+hit"} {
		b.visit(at + path)
		eval[bool](b, "document.querySelectorAll('main details').forEach(d => { d.open = !d.open; d.open = true }) || true")
		eval[bool](b, "document.querySelectorAll('.shown *').forEach(e => { for (const type of ['mouseover', 'toggle', 'load', 'error']) e.dispatchEvent(new Event(type)); if (!e.closest('a')) e.click() }) || true")
		if eval[bool](b, "[...document.querySelectorAll('main *')].some(e => [...e.attributes].some(a => a.name.startsWith('on') || a.name == 'style') || /^(script|iframe|svg|object|embed|base|style)$/i.test(e.tagName) && !e.matches('.why svg'))") {
			t.Errorf("%s has elements that the note made:\n%s", path, eval[string](b, "document.querySelector('main').innerHTML"))
		}
		if got := eval[string](b, "[...document.querySelectorAll('.shown a')].filter(a => !/^https?:/.test(a.protocol)).map(a => a.href).join(' ')"); got != "" {
			t.Errorf("%s leads to %s", path, got)
		}
	}
}

// TestSheetOnAPhone checks that the first cell of each row of a wide sheet stays visible, and that
// a sheet that is cut says how much is missing.
func TestSheetOnAPhone(t *testing.T) {
	t.Parallel()
	header, row := "name", "Ann"
	for range 250 {
		header, row = header+",measurement", row+",12345"
	}
	n := newNotes(t, map[string]string{"wide.csv": header + "\n" + row + "\n", "a.md": "# Mice\n\nThe mice of the barn.\n", "b/a.md": "# Mice\n\nThe mice of the barn.\n"})
	at := serve(t, n.dir)
	b := open(t, look{width: 390, height: 844})
	b.find(at, "mice", "a.md")
	b.until("document.querySelector('.copies a').checkVisibility()") // a copy is visible without a click
	const edge = "(e => { const r = e.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth && r.top < innerHeight })"
	if !eval[bool](b, edge+"(document.getElementById('pin'))") {
		t.Error("the pin is out of sight")
	}
	b.visit(at + "/doc?path=wide.csv")
	eval[bool](b, "(document.querySelector('.sheet').scrollLeft = 9999) > 0")
	b.until("document.querySelector('.sheet').scrollLeft > 1000 && " + edge + "(document.querySelector('.sheet td'))")
	if got := eval[string](b, "[...document.querySelectorAll('.sheet th')].at(-1).innerText"); got != "… +51" {
		t.Errorf("of the columns that are not shown it says %q", got)
	}
}
