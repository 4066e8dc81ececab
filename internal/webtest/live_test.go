package webtest

import "testing"

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
