package webtest

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestLive checks that changes in the folder show on an open page, and that a question asked again
// finds them.
func TestLive(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"a.md": "# A\n\nThe first note.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.visit(at + "/library")
	b.until("/\\b1 documents?\\b/.test(document.querySelector('main').innerText)")
	n.write("b.md", "# B\n\nThe axolotl.\n")
	n.write("c.md", "# C\n\nAnother.\n")
	b.until("/\\b3 documents\\b/.test(document.querySelector('main').innerText)")
	b.find(at, "axolotl", "b.md")
	b.wantText("b.md")
}

// TestChangedWhileRead checks that an open document reports that it has changed, with a link to the
// current version, or that it is gone, and otherwise stays as it is.
func TestChangedWhileRead(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"a b.md": "# A\n\nThe first note.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.allow("status of 404")
	b.find(at, "first", "a b.md")
	to := at + "/doc?path=" + url.QueryEscape("a b.md")
	b.visit(to)
	n.write("a b.md", "# A\n\nThe second note.\n")
	b.until("document.querySelector('.changed').innerText.includes('has changed since')")
	b.wantText("The first note.")
	b.do(clickLink("/doc?path="))
	b.until("document.querySelector('.shown').innerText.includes('The second note.') && !document.querySelector('.changed .note') && document.querySelector('.hand-on').checkVisibility()")
	if err := os.Remove(filepath.Join(n.dir, "a b.md")); err != nil {
		t.Fatal(err)
	}
	b.until("document.querySelector('.changed').innerText.includes('no longer in the folder') && !document.querySelector('.hand-on').checkVisibility()")
	b.wantText("The second note.")
	if got := b.visit(to); got != 404 {
		t.Errorf("what is gone has the status %d", got)
	}
}

// TestChangedKeepsPlace checks that the link to the current version leads to the same place, with
// the words of the question and the passage marked.
func TestChangedKeepsPlace(t *testing.T) {
	t.Parallel()
	lines := "# Zoo\n\n"
	for i := range 200 {
		lines += fmt.Sprintf("The axolotl number %d eats worms.\n\n", i)
	}
	n := newNotes(t, map[string]string{"zoo.md": lines})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "zoo.md")
	b.visit(at + "/doc?path=zoo.md&q=axolotl&as=written&at=L21#passage")
	b.until("document.querySelector('mark.in') !== null && document.querySelector('.shown .within').innerText.includes('number 9 ')")
	b.do(chromedp.Evaluate[chromedp.Void]("document.getElementById('L301').scrollIntoView({block: 'center'})"))
	const place = "[...document.querySelectorAll('.line')].find(e => e.innerText.includes('number 149 ')).getBoundingClientRect().top"
	before := eval[float64](b, place)
	n.write("zoo.md", strings.Replace(lines, "# Zoo\n", "# Zoo\n"+strings.Repeat("\nAbove.\n", 30), 1))
	b.until("!!document.querySelector('.changed .note a')")
	b.do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.changed .note a').click()"))
	b.until("document.querySelector('.shown').innerText.includes('Above.') && !document.querySelector('.changed .note')")
	if after := eval[float64](b, place); after < before-3 || after > before+3 {
		t.Errorf("what was at %.0f is at %.0f", before, after)
	}
	if !eval[bool](b, "location.search.includes('q=axolotl') && location.search.includes('as=written') && document.querySelector('mark.in') !== null && document.querySelector('.shown .within').innerText.includes('number 9 ')") {
		t.Errorf("the question, the view or the passage is lost: %s", eval[string](b, "location.href"))
	}
}

// TestChangedAbove checks that a rendered document is shown at the same place after a change, even
// if its texts repeat and its address names no passage.
func TestChangedAbove(t *testing.T) {
	t.Parallel()
	paragraphs := ""
	for i := range 200 {
		paragraphs += fmt.Sprintf("## Number %d\n\nThe axolotl eats worms.\n\n", i)
	}
	n := newNotes(t, map[string]string{"zoo.md": "# Zoo\n\n" + paragraphs})
	at := serve(t, n.dir)
	b := open(t, look{width: 1280, height: 900})
	b.find(at, "axolotl", "zoo.md")
	for i, query := range []string{"", "&q=axolotl&at=L21#passage", "&find=axolotl&hit=3#hit"} {
		b.visit(at + "/doc?path=zoo.md" + query)
		const place = "[...document.querySelectorAll('.shown h2, .shown h3')].find(e => e.innerText.includes('Number 153')).getBoundingClientRect().top"
		n.write("zoo.md", "# Zoo\n\n"+strings.Repeat("Above.\n\n", 20*(i+1))+paragraphs)
		b.until("!!document.querySelector('.changed .note a')")
		b.do(chromedp.Evaluate[chromedp.Void]("scrollBy(0, document.querySelectorAll('.shown p')[150].getBoundingClientRect().top - document.querySelector('.bar').getBoundingClientRect().bottom)"))
		before := eval[float64](b, place)
		b.do(chromedp.Evaluate[chromedp.Void]("window.isOld = true; document.querySelector('.changed .note a').click()"))
		b.until("!window.isOld && !document.querySelector('.changed .note')")
		b.do(chromedp.Evaluate[chromedp.Void]("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))", chromedp.EvalAwaitPromise)) // after what the browser does by itself
		if after := eval[float64](b, place); after < before-3 || after > before+3 {
			t.Errorf("%s: what was at %.0f is at %.0f", query, before, after)
		}
	}
}
