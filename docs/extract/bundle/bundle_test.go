package bundle

import (
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

const info = `{"version": 2, "type": "net.daringfireball.markdown", "net.shinyfrog.bear": {"uniqueIdentifier": "0B1C"}}`

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		what, title, text, chapters string
		raw                         []byte
	}{
		{"a note", "", "# Salt\n\nKeep it dry.\n", "", extracttest.Zip(t, "Salt.textbundle/", "", "Salt.textbundle/info.json", info,
			"Salt.textbundle/text.markdown", "# Salt\n\nKeep it dry.\n", "Salt.textbundle/assets/text.md", "no note", "__MACOSX/Salt.textbundle/text.md", "no note")},
		{"a note without a folder", "", "Keep it dry.", "", extracttest.Zip(t, "info.json", info, "text.txt", "Keep it dry.")},
		{"a page", "Salt", "# Salt\n", "", extracttest.Zip(t, "text.html", "<h1>Salt</h1>")},
		{"a backup", "", "# Pepper\n\nGrind it.\n\n# Salt\n\nKeep it dry. \n", "Pepper, Salt", extracttest.Zip(t, "Bear Notes.bear2bk/Salt.textbundle/text.md", "# Salt\n\nKeep it dry. <!-- unseen -->\n",
			"Bear Notes.bear2bk/Pepper.textbundle/text.md", "Grind it.", "Bear Notes.bear2bk/Pepper.textbundle/info.json", info, "Bear Notes.bear2bk/tags.json", "{}", "Bear Notes.bear2bk/Secret.textbundle/text.md", "")},
		{"a book in HTML", "On Salt", "# One\n\nDry.\n", "", extracttest.Zip(t, "index.html", "<title>Unknown</title><h1>One</h1><p>Dry.", "metadata.opf", `<package><metadata><dc:title>On Salt</dc:title></metadata></package>`, "style.css", "h1 {}", "images/text.png", "")},
		{"a book as text", "On Salt", "Keep it dry.", "", extracttest.Zip(t, "index.txt", "Keep it dry.", "metadata.opf", `<package><metadata><dc:Title>On Salt</dc:Title></metadata></package>`)},
	} {
		c, err := Read(tt.raw, extract.NoProgress)
		var chapters []string
		for _, p := range c.Parts {
			chapters = append(chapters, p.Name)
		}
		if got := strings.Join(chapters, ", "); err != nil || c.Text != tt.text || c.Title != tt.title || got != tt.chapters {
			t.Errorf("%s: title %q, chapters %q, text %q, %v", tt.what, c.Title, got, c.Text, err)
		}
	}
}

func TestUnreadable(t *testing.T) {
	_, err := Read(extracttest.Zip(t, "info.json", info), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	_, err = Read([]byte("PK\x03\x04"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrDamagedZip.Error())
	_, err = Read(extracttest.Zip(t, "text.md", strings.Repeat("a", extract.MaxTextBytes+1)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
	c, err := Read(extracttest.Zip(t, "a/text.md", "\x00\x01\x02\x03", "b/text.md", "words"), extract.NoProgress)
	if err != nil || c.ExtractionNote.String() != "note 1 could not be read completely" {
		t.Errorf("note %q, %v", c.ExtractionNote, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(extracttest.Zip(f, "a.textbundle/text.md", "# words", "b.textbundle/text.html", "<p>more"))
	f.Add(extracttest.Zip(f, "index.html", "<p>words", "metadata.opf", "<dc:title>A"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
