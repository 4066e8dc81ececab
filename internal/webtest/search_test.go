package webtest

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// field selects the input field for the question.
const field = `input[name="q"]`

// clickLink clicks the first link whose address contains some words.
func clickLink(words string) chromedp.Action[chromedp.Void] {
	return chromedp.Click(chromedp.CSS(`a[href*="` + words + `"]`))
}

// find repeats a question until it finds a document whose path contains some words, as the index
// may still be being built.
func (b *tab) find(at, question, document string) {
	b.t.Helper()
	isFound := poll(func() bool {
		b.visit(at + "/search?q=" + url.QueryEscape(question))
		return eval[bool](b, `!!document.querySelector('mark') && !!document.querySelector('a[href*="`+url.QueryEscape(document)+`"]')`)
	})
	if !isFound {
		b.t.Fatalf("%s is not found:\n%s", question, b.text())
	}
}

// answered is an expression that is true when a typed word has been asked as a question and
// answered.
func answered(word string) string {
	return "location.search == '?q=" + word + "' && document.getElementById('results').getAttribute('aria-busy') == 'false' && document.querySelectorAll('mark').length > 0"
}

// marked is an expression for the words that are marked on a page.
const marked = "Array.from(document.querySelectorAll('mark')).map(m => m.innerText).join(' ')"

// TestSearch checks that a question is answered with its words marked, by a form without scripts
// and while it is typed with scripts, and that its address can be bookmarked.
func TestSearch(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	t.Run("without scripts", func(t *testing.T) {
		b := open(t, look{noScript: true})
		b.visit(at + "/")
		b.do(chromedp.SendKeys(chromedp.CSS(field), "spacer asthma\r"))
		b.until("location.pathname == '/search'")
		b.wantText("asthma-action-plan.md")
		if got := eval[string](b, marked); !strings.Contains(strings.ToLower(got), "asthma") {
			t.Errorf("marked is %q", got)
		}
	})
	t.Run("with scripts", func(t *testing.T) {
		b := open(t, look{})
		b.visit(at + "/")
		b.do(chromedp.SendKeys(chromedp.CSS(field), "asthma"))
		b.until(answered("asthma")) // before, the first letters may have been asked
		b.wantText("asthma-action-plan.md")
		if got := eval[string](b, "document.activeElement.name"); got != "q" {
			t.Errorf("who types is now in %q", got)
		}
		b.do(chromedp.SendKeys(chromedp.CSS(field), " zyzzyva"))
		b.until("document.body.innerText.includes('zyzzyva')")
		kept := eval[string](b, "location.href")
		other := open(t, look{noScript: true})
		other.visit(kept)
		if got := eval[string](other, "document.querySelector('"+field+"').value"); !strings.HasPrefix(got, "asthma") {
			t.Errorf("the address %s asks %q", kept, got)
		}
	})
}

// TestComposition checks that text being composed with an input method is not asked, and that
// committed text is.
func TestComposition(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{language: languages["zh"]})
	b.visit(at + "/")
	b.do(chromedp.Focus(chromedp.CSS(field)))
	for i := 1; i <= len("gao xue ya"); i++ {
		call(b, input.ImeSetComposition, input.ImeSetCompositionParams{Text: "gao xue ya"[:i], SelectionStart: int64(i), SelectionEnd: int64(i)})
	}
	const asked = "performance.getEntriesByType('resource').filter(e => e.name.includes('/search')).map(e => e.name).join(' ')"
	eval[chromedp.Void](b, "null") // the events of the composition have been handled
	if got := get(b, chromedp.Evaluate[string]("new Promise(done => setTimeout(() => done("+asked+"), 700))", chromedp.EvalAwaitPromise)); got != "" {
		t.Errorf("while it is composed it is asked %s", got)
	}
	call(b, input.InsertText, input.InsertTextParams{Text: "高血压"})
	b.until("document.querySelectorAll('mark').length > 0")
	b.wantText("高血压.txt")
}

// TestKeyboard checks that a document can be reached with the keyboard alone, with a visible focus.
func TestKeyboard(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	b.visit(at + "/")
	b.tabTo(`document.activeElement.name == 'q'`)
	b.press("asthma")
	b.until(answered("asthma"))
	b.tabTo(`document.activeElement.matches('a[href*="/doc?"]')`)
	b.press("\r")
	b.until("location.pathname == '/doc'")
	b.wantText("spacer")
}

// TestArrows checks that arrow keys lead through the results, from the field and from the page of a
// question, and that Escape leaves the field without changing anything.
func TestArrows(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	b.visit(at + "/search?q=asthma")
	b.until("document.activeElement === document.body")
	const first = "document.activeElement === document.querySelector('.passage h2 a')"
	for _, begin := range []string{"0", "document.getElementById('q').focus()"} {
		b.do(chromedp.Evaluate[chromedp.Void](begin))
		b.press(kb.ArrowDown)
		b.until(first)
		b.press(kb.ArrowUp)
		b.until("document.activeElement.name === 'q'")
		b.press(kb.Escape)
		b.until("document.activeElement === document.body")
	}
	if !eval[bool](b, answered("asthma")+" && document.getElementById('q').value === 'asthma'") {
		t.Errorf("Escape takes the question away: %s", eval[string](b, "location.search + ' ' + document.getElementById('q').value"))
	}
}

// TestAtHand checks that every page has the search box, that / leads to it, and that the title of
// the tab is the question.
func TestAtHand(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	for _, p := range pages {
		b.visit(at + p.path)
		b.do(chromedp.Evaluate[chromedp.Void]("new Promise(done => requestAnimationFrame(() => setTimeout(() => done(document.activeElement.blur()))))", chromedp.EvalAwaitPromise)) // behind what the page does by itself
		b.press("/")
		if got := eval[string](b, "document.activeElement.name + document.querySelectorAll('[name=q]:focus').length"); got != "q1" {
			t.Errorf("/ on %s leads to %q", p.name, got)
		}
	}
	b.press("asthma")
	b.until("document.activeElement.value.endsWith('asthma')")
	b.visit(at + "/")
	b.do(chromedp.SendKeys(chromedp.CSS(field), "asthma"))
	b.until(answered("asthma"))
	if got := eval[string](b, "document.title"); got != "asthma · Vademecum" {
		t.Errorf("the tab is called %q", got)
	}
}

// TestBack checks that the back button restores the previous question with its results.
func TestBack(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	b.visit(at + "/")
	b.do(chromedp.SendKeys(chromedp.CSS(field), "asthma\r"))
	b.until("location.search == '?q=asthma' && document.querySelectorAll('mark').length > 0 && !!document.querySelector('header .box')")
	b.do(chromedp.Evaluate[chromedp.Void]("document.getElementById('q').select()"))
	b.press("spacer")
	b.until(answered("spacer"))
	b.do(chromedp.NavigateBack())
	b.until("location.search == '?q=asthma' && document.getElementById('q').value == 'asthma' && document.body.innerText.includes('asthma-action-plan.md')")
	b.do(chromedp.NavigateBack())
	b.until("location.pathname == '/' && document.getElementById('q').value == ''")
}

// TestAsked checks that a question is listed once among the earlier ones, in its latest form.
func TestAsked(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	for _, path := range []string{"q=asthma", "q=spacer", "q=asthma&sort=date", "q=asthma&why=1"} {
		b.visit(at + "/search?" + path)
		b.until("!!document.querySelector('.passage')")
	}
	b.visit(at + "/")
	const kept = "[...document.querySelectorAll('[data-kept=asked] li a')].map(a => a.getAttribute('href')).join(' ')"
	b.until(kept + " !== ''")
	if got := eval[string](b, kept); got != "/search?q=asthma&why=1 /search?q=spacer" {
		t.Errorf("the questions are %s", got)
	}
}

// TestAskedOneAfterAnother checks that questions typed one after another are stored with their own
// addresses, and that entries that an earlier version mixed up are dropped.
func TestAskedOneAfterAnother(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	b.visit(at + "/search?q=asthma")
	b.until("!!document.querySelector('.passage')")
	for _, word := range []string{"spacer", "salt"} {
		b.do(chromedp.Evaluate[chromedp.Void]("document.getElementById('q').select(); document.getElementById('q').focus()"))
		b.press(word)
		b.until(answered(word))
		b.press("\r")
		b.until("performance.getEntriesByType('navigation')[0].name.endsWith('/search?q=" + word + "') && " + answered(word))
	}
	const kept = "[...document.querySelectorAll('[data-kept=asked] li a')].map(a => a.textContent + ' ' + a.getAttribute('href')).join()"
	b.visit(at + "/")
	b.until(kept + " !== ''")
	const want = "salt /search?q=salt,spacer /search?q=spacer,asthma /search?q=asthma"
	if got := eval[string](b, kept); got != want {
		t.Errorf("the questions are %s", got)
	}
	b.do(chromedp.Evaluate[chromedp.Void](`Object.keys(localStorage).filter(k => k.startsWith('vademecum ')).forEach(k => { const all = JSON.parse(localStorage[k]); all.asked.unshift({name: 'fever', to: '/search?q=cough'}); localStorage[k] = JSON.stringify(all) })`))
	b.visit(at + "/")
	b.until(kept + " !== ''")
	if got := eval[string](b, kept); got != want {
		t.Errorf("with one that is mixed up, the questions are %s", got)
	}
}

// TestCompleted checks that a result from a part of the documents completes itself.
func TestCompleted(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"first.md": "# First\n\nAn axolotl.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "first.md")
	b.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.count').setAttribute('data-so-far', ''); document.dispatchEvent(new Event('visibilitychange'))"))
	n.write("second.md", "# Second\n\nTwo axolotls.\n")
	b.until(`!!document.querySelector('a[href*="second.md"]')`)
}

// TestUses checks that a passage can be copied with its citation, and judged without leaving the
// page.
func TestUses(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"zoo.md": "# Zoo\n\nAn axolotl.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "zoo.md")
	b.do(chromedp.Evaluate[chromedp.Void]("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }"))
	b.do(chromedp.Click(chromedp.CSS(".uses summary")))
	b.do(chromedp.Click(chromedp.CSS("button[data-citation]")))
	b.until("window.copied == 'An axolotl.\\n— Zoo, zoo.md, lines 1-3'")
	b.do(chromedp.Evaluate[chromedp.Void]("navigator.clipboard.writeText = () => Promise.reject(new DOMException('', 'NotAllowedError'))"))
	b.do(chromedp.Click(chromedp.CSS(".uses a[data-copy]")))
	b.until("document.querySelector('.uses a[data-copy]').textContent == 'Could not be copied'")
	const pressed = "Array.from(document.querySelectorAll('.judging button')).map(b => b.getAttribute('aria-pressed')).join()"
	for _, step := range [][2]string{{"right", "true,false"}, {"wrong", "false,true"}, {"wrong", "false,false"}} {
		b.do(chromedp.Click(chromedp.CSS(".judging [data-as=" + step[0] + "]")))
		b.until(pressed + " == '" + step[1] + "' && !!window.copied")
	}
}

// TestCopiedWhole checks that the whole passage is copied, even if only an excerpt is shown.
func TestCopiedWhole(t *testing.T) {
	t.Parallel()
	var passage strings.Builder
	for i := range 9 {
		fmt.Fprintf(&passage, "On day %d an axolotl that is kept in cold water eats worms, and it is seen to eat them in the evening rather than at noon. ", i)
	}
	n := newNotes(t, map[string]string{"food.md": "# Food\n\n" + passage.String()})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "food.md")
	b.do(chromedp.Evaluate[chromedp.Void]("navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve() }"))
	b.until("!!document.querySelector('.found > .further > details.whole:not([open])')")
	b.do(chromedp.Click(chromedp.CSS(".uses summary")))
	b.do(chromedp.Click(chromedp.CSS("button[data-citation]")))
	b.until(`window.copied && (() => { const whole = document.querySelector('details.whole .shown').textContent.trim()
		return whole.length > 150 && window.copied.startsWith(whole.slice(0, 4)) && window.copied.includes(whole.slice(-30) + '\n— Food, food.md, line') })()`)
	if !eval[bool](b, "!document.querySelector('.found > .further > details.whole').open") {
		t.Error("the passage stays open")
	}
}

// TestWayBack checks that a document has a link back to the results with their filters.
func TestWayBack(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"a/one.md": "# One\n\nAn axolotl.\n", "b/two.md": "# Two\n\nTwo axolotls.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "a/one.md")
	b.visit(at + "/search?q=axolotl&in=a&sort=date")
	b.do(clickLink("one.md"))
	b.until("location.pathname === '/doc'")
	b.do(chromedp.Click(chromedp.CSS("a.back")))
	b.until("location.pathname === '/search' && location.search.includes('in=a') && location.search.includes('sort=date')")
}

// TestSettles checks that a missing word is reported only when typing has ended.
func TestSettles(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	b.visit(at + "/")
	b.do(chromedp.Evaluate[chromedp.Void](`window.said = []; new MutationObserver(() => said.push([!!document.querySelector('[data-held]'), document.getElementById('results').innerText.includes('Not found anywhere')].join())).observe(document.getElementById('results'), {childList: true})`))
	b.do(chromedp.SendKeys(chromedp.CSS(field), "asthma hypertzz"))
	b.until("said.at(-1) === 'false,true'")
	if got := eval[string](b, "said.filter(s => s === 'true,true').length + ' ' + said.includes('true,false')"); got != "0 true" {
		t.Errorf("it was said %s", eval[string](b, "said.join(' ')"))
	}
}

// TestQuotationMarks checks that English quotation marks are no wider than letters if all fonts for
// text are Chinese.
func TestQuotationMarks(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{})
	b.visit(at + "/")
	const width = `['read', 'text'].map(name => {
		const e = document.createElement('span'); e.style.cssText = 'display: inline-block; font: 100px var(--' + name + ')'; e.textContent = '“’'
		document.querySelector('main').append(e); return e.getBoundingClientRect().width })`
	b.until("document.fonts.status === 'loaded' && " + width + ".every(wide => wide > 10 && wide < 120)")
}

// tabTo presses the tab key until an expression is true, and requires a visible focus at each
// place.
func (b *tab) tabTo(expression string) {
	b.t.Helper()
	for range 60 {
		if eval[bool](b, expression) {
			return
		}
		b.press("\t")
		const seen = `(() => { const e = document.activeElement; if (e === document.body) return true
			const s = getComputedStyle(e), r = e.getBoundingClientRect()
			return (s.outlineStyle != 'none' && parseFloat(s.outlineWidth) > 0 || s.boxShadow != 'none') && r.width > 0 && r.height > 0 })()`
		if !eval[bool](b, seen) {
			b.t.Errorf("one does not see that one is at %s", eval[string](b, "document.activeElement.outerHTML"))
		}
	}
	b.t.Fatalf("the tab key never comes to %s", expression)
}
