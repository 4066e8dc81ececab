package webtest

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// TestLive: what happens in the folder shows on an open page by itself, and a question
// that is asked again finds it.
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

// TestChangedWhileRead: a document that changes while it is read says so, with a link to what
// it says now, and one that goes does; what stands there stays until somebody follows.
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
	b.until("document.querySelector('.shown').innerText.includes('The second note.') && !document.querySelector('.changed .note')")
	if err := os.Remove(filepath.Join(n.dir, "a b.md")); err != nil {
		t.Fatal(err)
	}
	b.until("document.querySelector('.changed').innerText.includes('no longer in the folder')")
	b.wantText("The second note.")
	if got := b.visit(to); got != 404 {
		t.Errorf("what is gone has the status %d", got)
	}
}
