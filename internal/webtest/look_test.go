package webtest

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestNarrow checks that nothing has to be scrolled sideways on the narrowest screen.
func TestNarrow(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	for language, accepted := range languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			b := open(t, look{language: accepted, width: 320})
			for _, p := range pages {
				b.visit(at + p.path)
				const over = `Array.from(document.querySelectorAll('body *')).filter(e => e.getBoundingClientRect().right > 321 &&
					!e.closest('pre, .scroll')).map(e => e.outerHTML.slice(0, 200)).join('\n')`
				if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > 320 {
					t.Errorf("%s is %d pixels wide:\n%s", p.name, wide, eval[string](b, over))
				}
				b.save(p.name + "-" + language + "-narrow.png")
			}
		})
	}
}

// TestDark checks that pages are dark at night and light by day, also those that night or day comes
// over.
func TestDark(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	for language, accepted := range languages {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			b := open(t, look{language: accepted, dark: true})
			for i, p := range pages {
				b.visit(at + p.path)
				for _, dark := range []bool{i%2 == 0, i%2 != 0} { // loaded by the last look of the page before
					b.wear(look{language: accepted, dark: dark})
					b.save(p.name + "-" + language + map[bool]string{true: "-dark", false: "-light"}[dark] + ".png")
					const ground = "getComputedStyle(document.documentElement).backgroundColor + getComputedStyle(document.body).backgroundColor"
					if bright := brightness(eval[string](b, ground)); bright < 0.5 != dark {
						t.Errorf("the ground of %s has a brightness of %.2f where dark is %v", p.name, bright, dark)
					}
				}
			}
		})
	}
}

// colour matches a colour in a computed style.
var colour = regexp.MustCompile(`rgb\((\d+), (\d+), (\d+)\)`)

// brightness returns the brightness of the first colour in a text, from 0 to 1.
func brightness(text string) float64 {
	sum := 0.0
	for _, part := range append(colour.FindStringSubmatch(text), "0")[1:] {
		n, _ := strconv.Atoi(part)
		sum += float64(n) / (3 * 255)
	}
	return sum
}

// TestMarksAreSeen checks that the words of the question are visibly marked in the cited passage,
// too, and that pictures fit the width of a phone.
func TestMarksAreSeen(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{width: 390})
	b.find(at, "blood pressure at home", ".md")
	b.do(clickLink(".md"))
	b.until("location.pathname == '/doc' && !!document.querySelector('mark.in')")
	const painted = "getComputedStyle(document.querySelector('mark.in')).backgroundColor"
	probe := "(() => { const m = document.createElement('mark'); document.querySelector('main').append(m); const c = getComputedStyle(m).backgroundColor; m.remove(); return c })()"
	if got, want := eval[string](b, painted), eval[string](b, probe); got != want {
		t.Errorf("a word in the passage has the colour %s, and elsewhere %s", got, want)
	}
	const margin = "(() => { const f = document.createElement('figure'); f.className = 'picture'; document.querySelector('main').append(f); return getComputedStyle(f).marginLeft })()"
	if got := eval[string](b, margin); got != "0px" {
		t.Errorf("a picture stands %s from the edge", got)
	}
}

// TestResultsFit checks that five documents are visible at once on a desktop and three on a phone,
// each with a word of the question, and that a passage opens in place of its excerpt.
func TestResultsFit(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	for want, as := range map[int]look{5: {width: 1280, height: 900}, 3: {width: 390, height: 844}} {
		b := open(t, as)
		b.find(at, "blood pressure at home", ".md")
		const seen = "Array.from(document.querySelectorAll('.passage h2')).filter(e => e.getBoundingClientRect().bottom <= innerHeight).length"
		if got := eval[int](b, seen); got < want {
			t.Errorf("%d documents are seen at %d × %d, want %d", got, as.width, as.height, want)
		}
		const unmarked = `Array.from(document.querySelectorAll('#results .passage')).filter(p => {
			const text = p.querySelector('.excerpt').getBoundingClientRect(), word = p.querySelector('.excerpt mark')
			return !p.querySelector('h2 mark') && !!p.querySelector('mark') && !(word && word.getBoundingClientRect().bottom <= text.bottom + 1) }).map(p => p.innerText).join('\n---\n')`
		if got := eval[string](b, unmarked); got != "" {
			t.Errorf("at %d × %d no word is in sight of\n%s", as.width, as.height, got)
		}
		b.do(chromedp.Click(chromedp.CSS(".whole summary")))
		b.until("getComputedStyle(document.querySelector('.found:has(> .further > .whole[open]) > .excerpt')).display == 'none'")
	}
}

// TestNothingCut checks that on a phone all pages and tools can be reached without scrolling
// sideways, and that the end of a long path is visible.
func TestNothingCut(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"a folder with a rather long name/another one in it/The axolotl of the last summer.md": "# Axolotl\n\nIt eats worms.\n"})
	at := serve(t, n.dir)
	for language, accepted := range languages {
		b := open(t, look{language: accepted, width: 390, height: 844})
		b.find(at, "axolotl", "summer.md")
		const cut = `['header > nav a', '.count .tools', '.count .order > *', '#pin'].flatMap(of => [...document.querySelectorAll(of)]).filter(e => { const r = e.getBoundingClientRect(); return r.left < 0 || r.right > innerWidth || e.offsetWidth === 0 }).map(e => e.innerText).join()`
		b.until("!document.getElementById('pin').hidden")
		if got := eval[string](b, cut); got != "" {
			t.Errorf("in %s there is no room for %s", language, got)
		}
		b.do(chromedp.Click(chromedp.CSS(".tools summary")))
		b.until(`[...document.querySelectorAll('.tools a')].every(a => { const r = a.getBoundingClientRect(); return a.checkVisibility({contentVisibilityAuto: true}) && r.left >= 0 && r.right <= innerWidth })`)
		if !eval[bool](b, `(() => { const path = document.querySelector('#results .path'), box = path.getBoundingClientRect(), name = path.firstElementChild.getBoundingClientRect(); return name.width > box.width && name.right <= box.right + 1 })()`) {
			t.Errorf("in %s the end of a long path is not seen", language)
		}
	}
}

// TestMarksStandInLines checks that marked words, also those that replace words of the question,
// are within their line, in results and documents.
func TestMarksStandInLines(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{
		"brave.md":   "# Harbour\n\nA Brave lantern shines over the harbour.\n",
		"harbour.go": "package harbour\n\n// A Brave lantern shines over the harbour.\nfunc Lantern() {}\n",
		"brave.txt":  "The harbour\n\nA Brave lantern shines over the harbour.\n",
	})
	at := serve(t, n.dir)
	for _, width := range []int64{1280, 390} {
		b := open(t, look{width: width})
		addresses := []string{"/search?q=bravo+lantern"}
		for name := range map[string]bool{"brave.md": true, "harbour.go": true, "brave.txt": true} {
			b.find(at, "bravo lantern", name)
			addresses = append(addresses, "/doc?path="+name+"&q=bravo+lantern&beside=brave")
		}
		for _, address := range addresses {
			b.visit(at + address)
			b.until("!!document.querySelector('mark.beside')")
			const others = "[...document.querySelectorAll('mark')].filter(m => getComputedStyle(m).display !== 'inline').map(m => m.outerHTML + ' ' + getComputedStyle(m).display).join('\\n')"
			if got := eval[string](b, others); got != "" {
				t.Errorf("at %d pixels marks of %s are no part of their lines:\n%s", width, address, got)
			}
		}
	}
}

// TestLongLinesOfCode checks that the words found in a long line of code are visible without
// scrolling sideways.
func TestLongLinesOfCode(t *testing.T) {
	t.Parallel()
	long := "description: " + strings.Repeat("many other words ", 30) + "axolotl " + strings.Repeat("and more ", 20) + strings.Repeat("x", 400) + "\n"
	n := newNotes(t, map[string]string{
		"long.yml": "name: pond\n" + strings.Repeat(long, 3) + "end: here\n",
		"long.md":  "# Pond\n\n```yaml\n" + long + "```\n",
	})
	at := serve(t, n.dir)
	for _, as := range []look{{width: 1280}, {width: 390, height: 844}} {
		b := open(t, as)
		for _, name := range []string{"long.yml", "long.md"} {
			b.find(at, "axolotl", name)
			for _, address := range []string{"&q=axolotl", "&find=axolotl&hit=1#hit"} {
				b.visit(at + "/doc?path=" + name + address)
				b.until(`(m => !!m && [...document.querySelectorAll('.code mark')].every(m => { const r = m.getBoundingClientRect(); return r.left >= 0 && r.right <= innerWidth }))(document.querySelector('.code mark'))`)
				const wide = "[...document.querySelectorAll('pre.code')].filter(e => e.scrollWidth > e.clientWidth).length + document.documentElement.scrollWidth - innerWidth"
				if got := eval[int](b, wide); got != 0 {
					t.Errorf("%s at %d pixels: code is moved sideways (%d)", address, as.width, got)
				}
			}
		}
		b.visit(at + "/doc?path=long.yml")
		b.saveWindow("long-code-" + strconv.Itoa(int(as.width)) + ".png")
	}
}

// TestNumbersAreSeen checks that there is one bar beside a passage, which does not cover the
// numbers of a list.
func TestNumbersAreSeen(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"steps.md": "# Steps\n\nFeed an axolotl.\n\n1. Worms\n2. Water\n   - cold\n   - clean\n\n10. Light\n\n    Not much of it.\n\nA pond:\n\n1. Mud\n   - deep\n2. Reed\n"})
	at := serve(t, n.dir)
	for _, width := range []int64{1280, 390} {
		b := open(t, look{width: width})
		b.find(at, "axolotl", "steps.md")
		b.visit(at + "/doc?path=steps.md&at=L3-18#passage")
		b.saveWindow("numbers-" + strconv.Itoa(int(width)) + ".png")
		const struck = `[...document.querySelectorAll('.meant li, .meant li > p')].filter(e => {
			const bars = [...getComputedStyle(e).boxShadow.matchAll(/(-?[\d.]+)px 0px 0px 0px/g)].map(m => e.getBoundingClientRect().left + Number(m[1]))
			return bars.some(left => left > e.closest('ol, ul').getBoundingClientRect().left - 4) }).map(e => e.innerText).join()`
		if got := eval[string](b, struck); got != "" {
			t.Errorf("at %d pixels a bar stands in the numbers of %s", width, got)
		}
		if got := eval[int](b, "[...document.querySelectorAll('.meant ol > li')].filter(e => getComputedStyle(e).boxShadow !== 'none' || [...e.children].some(c => getComputedStyle(c).boxShadow !== 'none')).length"); got != 5 {
			t.Errorf("at %d pixels %d of 5 steps have a bar", width, got)
		}
		if got := eval[string](b, "[...document.querySelectorAll('.within .within')].filter(e => getComputedStyle(e).boxShadow !== 'none').map(e => e.innerText).join()"); got != "" {
			t.Errorf("at %d pixels %s has two bars", width, got)
		}
		if got := eval[int](b, "document.documentElement.scrollWidth"); got > int(width) {
			t.Errorf("the page is %d pixels wide", got)
		}
	}
}

// TestLongQuestion checks that a very long question takes two lines of the first page, and can be
// removed.
func TestLongQuestion(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	for _, width := range []int64{1280, 390} {
		b := open(t, look{width: width})
		b.visit(at + "/search?q=asthma" + strings.Repeat("+and+what+else+is+said+of+it", 30))
		b.until("!!document.querySelector('.passage')")
		b.visit(at + "/")
		b.until("!!document.querySelector('[data-kept=asked] li button')")
		if !eval[bool](b, `(() => { const link = document.querySelector('[data-kept=asked] li a'), drop = document.querySelector('[data-kept=asked] li button').getBoundingClientRect(); return link.clientHeight < 3 * parseFloat(getComputedStyle(link).fontSize) * 1.6 && link.scrollHeight > link.clientHeight && drop.right <= innerWidth && drop.width > 0 })()`) {
			t.Errorf("at %d pixels it is not cut: %s", width, eval[string](b, "JSON.stringify(document.querySelector('[data-kept=asked] li a').getBoundingClientRect())"))
		}
		b.saveWindow("long-question-" + strconv.Itoa(int(width)) + ".png")
	}
}
