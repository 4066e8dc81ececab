package joplin

import (
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func id(n int) string { return fmt.Sprintf("%032x", n) }

func testItem(n, parent int, kind, text, more string) string {
	if text != "" {
		text += "\n\n"
	}
	return fmt.Sprintf("%sid: %s\nparent_id: %s\ncreated_time: 2024-03-05T17:20:00.000Z\nsource_url: \n%stype_: %s", text, id(n), id(parent), more, kind)
}

// testExport returns a tar archive of items, and of other files, given by their names and contents.
func testExport(t testing.TB, itemsAndFiles ...string) []byte {
	var all []string
	for i, content := range itemsAndFiles {
		name := fmt.Sprintf("resources/%s.pdf", id(i))
		if item, ok := parseItem([]byte(content)); ok {
			name = item.fields["id"] + ".md"
		}
		all = append(all, name, content)
	}
	return extracttest.Tar(t, all...)
}

var salt = testItem(3, 2, typeNote, "Salt\n\nKeep it [dry](:/"+id(9)+").\n\n# Kinds\n\n![flakes.jpg](:/"+id(8)+")", "markup_language: 1\n")

func TestExport(t *testing.T) {
	c, err := Read(testExport(t,
		salt, testItem(1, 0, typeNotebook, "Home", ""), testItem(2, 1, typeNotebook, "Kitchen", ""),
		testItem(4, 2, typeNote, "", "markup_language: 1\n"),
		testItem(5, 0, typeNote, "Page\n\n<h2>Page</h2><p>Of the <b>Web</b>", "markup_language: 2\n"),
		testItem(10, 7, typeNote, "Lost\n\n# Lost\n\nNotebook: gone\n\n", ""),
		testItem(6, 2, typeFile, "manual.pdf", "mime: application/pdf\n"), testItem(7, 0, "5", "spices", ""), testItem(8, 0, "6", "", ""), "%PDF-1.7"), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	want := "# Home/Kitchen/(no title)\n\n# Home/Kitchen/Salt\n\nKeep it [dry].\n\n## Kinds\n\n[flakes.jpg]\n\n# Lost\n\nNotebook: gone\n\n# Page\n\nOf the Web\n"
	if c.Text != want || c.ExtractionNote != "" || strings.Join(c.UnreadAttachments, " ") != "manual.pdf" {
		t.Errorf("note %q, attached %q, text\n%s\nwant\n%s", c.ExtractionNote, c.UnreadAttachments, c.Text, want)
	}
	if len(c.Parts) != 4 || c.Parts[1].Name != "Home/Kitchen/Salt" || c.Parts[1].Kind != extract.Chapter {
		t.Errorf("parts %v", c.Parts)
	}
}

// TestNote checks that a note in its own file keeps the lines of the file.
func TestNote(t *testing.T) {
	for raw, want := range map[string][2]string{
		salt:                                   {"Salt", "# Salt\n\nKeep it [dry].\n\n# Kinds\n\n[flakes.jpg]"},
		strings.ReplaceAll(salt, "\n", "\r\n"): {"Salt", "# Salt\n\nKeep it [dry].\n\n# Kinds\n\n[flakes.jpg]"},
		"\n\nKeep it dry.\n\n" + testItem(3, 2, typeNote, "", ""):              {"", "\n\nKeep it dry."},
		testItem(3, 2, typeNote, "Salt\n\n# Salt\n\nDry: yes\n\nRatio: 1", ""): {"Salt", "\n\n# Salt\n\nDry: yes\n\nRatio: 1"},
		testItem(3, 2, typeNote, "Salt\n\n<p>Dry", "markup_language: 2\n"):     {"Salt", "# Salt\nDry\n"},
	} {
		c, err := Read([]byte(raw), extract.NoProgress)
		if err != nil || c.Title != want[0] || c.Text != want[1] || c.MIME != "text/markdown" {
			t.Errorf("%q: title %q, text %q, %v", raw, c.Title, c.Text, err)
		}
	}
}

func TestIsItem(t *testing.T) {
	for name, want := range map[string]bool{"a/" + id(3) + ".md": true, id(4) + ".md": false, "notes.md": false} {
		if IsItem(name, []byte(salt)) != want {
			t.Errorf("%s is an item: %v", name, !want)
		}
	}
}

func TestNotebooks(t *testing.T) {
	files := map[string]string{id(2) + ".md": testItem(2, 1, typeNotebook, "Kitchen/Bath", ""), id(1) + ".md": testItem(1, 1, typeNotebook, "Home", "")}
	got := NotebookPath([]byte(salt), func(name string) []byte { return []byte(files[name]) })
	if !strings.HasSuffix(got, "Home/Home/Kitchen_Bath") || strings.Count(got, "/") != maxNotebooks-1 { // the notebooks form a cycle
		t.Errorf("%q", got)
	}
	if got := NotebookPath([]byte(salt), func(string) []byte { return nil }); got != "" {
		t.Errorf("%q without the others", got)
	}
}

func TestUnreadable(t *testing.T) {
	secret := testItem(3, 0, typeNote, "", "encryption_applied: 1\nencryption_cipher_text: JED01\n")
	for _, tt := range []struct {
		what string
		raw  []byte
		want error
	}{
		{"no export", []byte("# A note\n\nWords: none"), errDamaged},
		{"nothing", nil, errDamaged},
		{"a notebook", []byte(testItem(2, 1, typeNotebook, "Kitchen", "")), errNoNote},
		{"a secret note", []byte(secret), extract.ErrPasswordProtected},
		{"secret notes", testExport(t, secret), extract.ErrPasswordProtected},
		{"no notes", testExport(t, testItem(2, 1, typeNotebook, "Kitchen", "")), extract.ErrNoText},
		{"cut off in the first note", testExport(t, salt)[:600], errDamaged},
	} {
		t.Log(tt.what)
		_, err := Read(tt.raw, extract.NoProgress)
		extracttest.WantSkip(t, err, tt.want.Error())
	}
	whole := testExport(t, salt, secret, testItem(4, 0, typeNote, "Pepper", ""))
	c, err := Read(whole[:len(whole)-2000], extract.NoProgress)
	if want := "encrypted notes or notebooks, which are not read: 1; the rest could not be read: damaged Joplin export"; err != nil || c.ExtractionNote.String() != want {
		t.Errorf("note %q, %v", c.ExtractionNote, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(salt))
	f.Add(testExport(f, salt, testItem(2, 2, typeNotebook, "Kitchen", "")))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
