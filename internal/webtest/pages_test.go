package webtest

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/chromedp/chromedp"
)

// page is a page of the program.
type page struct{ name, path string }

// pages are all pages, with content from the samples.
var pages = []page{
	{"start", "/"},
	{"found", "/search?q=" + url.QueryEscape("高血压患者饮食要注意什么")},
	{"why", "/search?why=1&q=" + url.QueryEscape("blood pressure at home")},
	{"nothing", "/search?q=zyzzyva"},
	{"places", "/find?q=" + url.QueryEscape("blood pressure")},
	{"check", "/check"},
	{"document", "/doc?path=" + url.QueryEscape("notes/hypertension-home-monitoring.md") + "&at=" + url.QueryEscape("line=4,8")},
	{"found within", "/doc?find=blood&path=" + url.QueryEscape("notes/hypertension-home-monitoring.md")},
	{"as written", "/doc?as=written&path=" + url.QueryEscape("notes/hypertension-home-monitoring.md")},
	{"library", "/library"},
	{"named", "/library/documents?sort=size&name=a"},
	{"documents", "/library/documents"},
	{"skipped", "/library/skipped"},
	{"add", "/add"},
	{"help", "/help"},
	{"manual", "/help/hosts"},
	{"try", "/try?q=" + url.QueryEscape("blood pressure at home")},
}

// languages are the languages of the pages, with a value of Accept-Language for each.
var languages = map[string]string{"en": "en-GB,en", "zh": "zh-CN,zh"}

func hasHan(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Han, c) })
}

// TestPages checks each page in both languages, with and without scripts, and that it states its
// language.
func TestPages(t *testing.T) {
	t.Parallel()
	at := ofSamples(t)
	for language, accepted := range languages {
		for script, noScript := range map[string]bool{"with scripts": false, "without scripts": true} {
			t.Run(language+" "+script, func(t *testing.T) {
				t.Parallel()
				b := open(t, look{language: accepted, noScript: noScript})
				for _, p := range pages {
					if got := b.visit(at + p.path); got != http.StatusOK {
						t.Errorf("%s: %d\n%s", p.name, got, b.text())
						continue
					}
					if got := eval[string](b, "document.documentElement.lang"); !strings.HasPrefix(got, language) {
						t.Errorf("%s is in %q", p.name, got)
					}
					if n := eval[int](b, "document.querySelectorAll('h1').length"); n != 1 {
						t.Errorf("%s has %d main headings", p.name, n)
					}
					if title := eval[string](b, "document.title"); len(title) < 3 {
						t.Errorf("the title of %s is %q", p.name, title)
					}
					if nav := eval[string](b, "document.querySelector('nav').innerText"); hasHan(nav) != (language == "zh") {
						t.Errorf("%s leads on by %q", p.name, nav)
					}
				}
			})
		}
	}
}

// TestOtherLanguage checks that a user whose browser prefers another language has to choose one
// only once.
func TestOtherLanguage(t *testing.T) {
	at := ofSamples(t)
	t.Parallel()
	b := open(t, look{language: languages["en"]})
	b.visit(at + "/library")
	b.do(clickLink("lang=zh"))
	b.until("document.documentElement.lang.startsWith('zh')")
	b.visit(at + "/search")
	if got := eval[string](b, "document.documentElement.lang"); !strings.HasPrefix(got, "zh") {
		t.Errorf("the next page is in %q", got)
	}
}

// TestFront checks that the first page lists earlier questions and documents, which only the
// browser stores, and what is new since the last visit.
func TestFront(t *testing.T) {
	t.Parallel()
	n := newNotes(t, map[string]string{"old.md": "# Old\n\nAn axolotl.\n"})
	at := serve(t, n.dir)
	b := open(t, look{})
	b.find(at, "axolotl", "old.md")
	b.do(chromedp.Click(chromedp.CSS("#pin")))
	b.do(clickLink("old.md"))
	b.until("location.pathname == '/doc'")
	b.visit(at + "/")
	b.until("!!document.querySelector('.latest a[href*=\"old.md\"]')")
	const links = "Array.from(document.querySelectorAll('[data-kept] li')).map(l => l.className + ' ' + l.querySelector('a').textContent).join(', ')"
	if got := eval[string](b, links); got != "pinned axolotl,  Old" {
		t.Errorf("the first page leads back to %q", got)
	}
	b.until("document.getElementById('fresh')?.hidden") // nothing is new on the first visit
	b.do(chromedp.Evaluate[chromedp.Void]("for (const k of Object.keys(localStorage)) { const all = JSON.parse(localStorage[k]); all.seen -= 86400000; localStorage[k] = JSON.stringify(all) }"))
	n.write("new.md", "# New\n\nTwo axolotls.\n")
	b.find(at, "axolotl", "new.md")
	b.visit(at + "/")
	b.until("/New or changed since your last visit: [12]/.test(document.body.innerText)")
	b.do(chromedp.Click(chromedp.CSS("[data-kept=asked] button")))
	b.until("!document.querySelector('.pinned')")
	other := open(t, look{})
	other.visit(at + "/")
	if got := eval[string](other, links); got != "" {
		t.Errorf("another browser is led back to %q", got)
	}
}

// TestSince checks that a returning user sees what is new, changed and gone since the last visit,
// even after a restart of the server.
func TestSince(t *testing.T) {
	if browser == nil {
		t.Skip("there is no browser")
	}
	t.Parallel()
	n := newNotes(t, map[string]string{"stays.md": "# Stays\n", "changes.md": "# Changes\n", "goes.md": "# Goes\n"})
	visit := func() (b *tab, stop func()) {
		at, stop, err := start("MCP at ", "serve", "--http=127.0.0.1:0", n.dir)
		if err != nil {
			t.Fatal(err)
		}
		b = open(t, look{noScript: true})
		b.find(at, "stays", "stays.md")
		b.visit(at + "/")
		return b, stop
	}
	kept := func() []string {
		files, err := filepath.Glob(filepath.Join(cache, "vademecum", "visits", "*.now"))
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
	b, stop := visit()
	if eval[bool](b, "!!document.querySelector('.since')") {
		t.Error("something is said on the first visit")
	}
	if !poll(func() bool { return len(kept()) > 0 }) { // the state is saved while the page is shown
		t.Fatal("nothing is kept of the visit")
	}
	stop()
	then := time.Now().Add(-2 * time.Hour)
	for _, file := range kept() { // the server keeps newer states in memory
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	n.write("new.md", "# New\n")
	n.write("changes.md", "# Changed\n")
	if err := os.Remove(filepath.Join(n.dir, "goes.md")); err != nil {
		t.Fatal(err)
	}
	b, stop = visit()
	defer stop()
	says := func() bool { return strings.Contains(b.text(), "1 new, 1 changed, 1 gone") }
	if !poll(func() bool { // the documents may still be being compared
		if !says() {
			b.do(chromedp.Reload())
		}
		return says()
	}) {
		t.Fatalf("it does not say what has changed:\n%s", b.text())
	}
	for what, want := range map[string]string{"new": "new.md", "changed": "changes.md", "gone": "goes.md"} {
		b.do(clickLink("since?what=" + what))
		b.until("location.search == '?what=" + what + "'")
		b.wantText(want, "1 document")
		b.do(chromedp.Click(chromedp.CSS(".trail a")))
		b.until("location.pathname == '/'")
	}
}
