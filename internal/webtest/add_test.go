package webtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// TestAdd checks that documents can be added to an AI program with one click, with and without
// scripts, and removed with another; that the change is shown before; and that the file is the same
// afterwards as before.
func TestAdd(t *testing.T) {
	n := newNotes(t, map[string]string{"a.md": "# A\n\nA spacer helps.\n"})
	file := filepath.Join(cache, ".cursor", "mcp.json")
	const before = "{\n  // mine\n}\n"
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(filepath.Dir(file)) })
	at := serve(t, n.dir)
	const button, undo = `#host-cursor button[aria-label="Add to Cursor"]`, `#host-cursor button[aria-label="Undo for Cursor"]`
	for name, as := range map[string]look{"with scripts": {}, "without scripts": {noScript: true}} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
			holds := func(want bool) {
				t.Helper()
				text, err := os.ReadFile(file)
				if err != nil || strings.Contains(string(text), n.dir) != want || !want && string(text) != before {
					t.Errorf("the file holds %s, %v", text, err)
				}
			}
			b := open(t, as)
			b.visit(at + "/add")
			b.wantText(file, "does not have them yet", n.dir)
			b.save("add-" + strings.ReplaceAll(name, " ", "-") + ".png")
			holds(false)
			b.do(chromedp.Click(chromedp.CSS(button)))
			b.until("location.search.includes('did=add')")
			b.wantText("Cursor has these documents now.", "Next: ")
			holds(true)
			b.do(chromedp.Click(chromedp.CSS("#host-cursor details.others:has(form) > summary")))
			b.do(chromedp.Click(chromedp.CSS(undo)))
			b.until("location.search.includes('did=undo')")
			b.wantText("Cursor is as it was")
			holds(false)
		})
	}
}
