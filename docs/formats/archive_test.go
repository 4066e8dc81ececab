package formats

import (
	"errors"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/internal/base/message"
)

func TestArchive(t *testing.T) {
	slides := string(extracttest.Zip(t, "index.apxl", `<p><slide><title><p>Ebb</p></title></slide><slide><title><p>Flood</p></title></slide></p>`))
	raw := extracttest.Zip(t,
		"notes/knots.md", "---\ntags: [rope]\n---\n# Knots\n\nA bowline holds. <!-- unseen -->\n\n## Bends\n\nTwo ropes.",
		"notes/b.txt", "Plain words.\nMore.",
		"tides.key", slides,
		"dose.csv", "name,dose\nA,1\n",
		"tool.py", "# a comment\nprint(1)\n",
		"../up.txt", "From above.",
		"server.key", "-----BEGIN PRIVATE KEY-----\nMII\n",
		"photo.jpg", "\xFF\xD8",
		"empty.txt", "",
		"inner.zip", string(extracttest.Zip(t, "a.txt", "deep")),
		"broken.docx", "PK\x03\x04broken",
		"drawing.dwg", "AC1027",
	)
	c, err := Read(t.Context(), "box.zip", raw)
	extracttest.CheckContent(t, c, err)
	if err != nil {
		t.Fatal(err)
	}
	want := "# dose.csv\n\n```\nname,dose\nA,1\n```\n\n" +
		"# notes/b.txt\n\nPlain words.\nMore.\n\n" +
		"# notes/knots.md\n\n---\ntags: [rope]\n---\n## Knots\n\nA bowline holds. \n\n### Bends\n\nTwo ropes.\n\n" +
		"# tides.key\n\n## Ebb\n\n## Flood\n\n" +
		"# tool.py\n\n```\n# a comment\nprint(1)\n```\n\n" +
		"# up.txt\n\nFrom above.\n"
	if c.Text != want {
		t.Errorf("text\n%s\nwant\n%s", c.Text, want)
	}
	var names []string
	for i, p := range c.Parts {
		names = append(names, p.Name)
		if p.Kind != extract.Chapter || p.Number != i+1 {
			t.Errorf("part %+v", p)
		}
	}
	if got, want := strings.Join(names, " "), "dose.csv notes/b.txt notes/knots.md tides.key#slide=1 tides.key#slide=2 tool.py up.txt"; got != want {
		t.Errorf("parts %s, want %s", got, want)
	}
	if got, want := c.ExtractionNote.String(), "not read, or not completely: broken.docx (damaged zip); drawing.dwg (AutoCAD drawing (.dwg): export it as PDF); inner.zip (an archive within the archive); server.key (a private key); and 2 other files"; got != want {
		t.Errorf("note %q, want %q", got, want)
	}
	if c.MIME != "application/zip" {
		t.Errorf("media type %s", c.MIME)
	}
}

// TestNotionExport checks that an export of Notion can be read as it was downloaded.
func TestNotionExport(t *testing.T) {
	const id = " 0123456789abcdef0123456789abcdef"
	part := extracttest.Zip(t,
		"Kitchen"+id+".md", "# Kitchen\n\n[Salt](Kitchen"+strings.ReplaceAll(id, " ", "%20")+"/Salt"+strings.ReplaceAll(id, " ", "%20")+".md)\n",
		"Kitchen"+id+"/Salt"+id+".md", "# Salt\n\nKeep it dry.\n",
		"Kitchen"+id+"/List"+id+".csv", "Name\n", "Kitchen"+id+"/List"+id+"_all.csv", "Name\nSalt\n")
	c, err := Read(t.Context(), "0a1b_ExportBlock-0a1b.zip", extracttest.Zip(t, "ExportBlock-0a1b-Part-1.zip", string(part)))
	extracttest.CheckContent(t, c, err)
	want := "# Kitchen.md\n\n## Kitchen\n\n[Salt](Kitchen/Salt.md)\n\n# Kitchen/List_all.csv\n\n```\nName\nSalt\n```\n\n# Kitchen/Salt.md\n\n## Salt\n\nKeep it dry.\n"
	if c.Text != want || c.ExtractionNote != "" {
		t.Errorf("note %q, text\n%s\nwant\n%s", c.ExtractionNote, c.Text, want)
	}
}

// TestSlackExport checks that the messages of a Slack export, read as it was downloaded, show
// people by their names in users.json.
func TestSlackExport(t *testing.T) {
	c, err := Read(t.Context(), "crew.zip", extracttest.Zip(t, "users.json", `[{"id":"U2","team_id":"T1","profile":{"real_name":"Bo Quay"}}]`, "channels.json", `[{"id":"C1","name":"deck","created":1}]`,
		"deck/2024-03-05.json", `[{"type":"message","user":"U2","text":"Ahoy <@U1>, see <#C1>","ts":"1709633707.000100"}]`))
	extracttest.CheckContent(t, c, err)
	if want := "# deck/2024-03-05.json\n\n## 2024-03-05\n\nBo Quay (10:15 UTC): Ahoy @U1, see #deck\n\n# users.json\n\nBo Quay\n"; err != nil || !strings.HasSuffix(c.Text, want) {
		t.Errorf("%v, text\n%s\nwant\n%s", err, c.Text, want)
	}
}

// TestUnreadMembers checks that the members of an archive that are not read are listed by name.
func TestUnreadMembers(t *testing.T) {
	const why = "scanned PDF: no text layer, and scans in an archive are not recognised: unpack it"
	scan := string(extracttest.PDF("", extracttest.PDFScan(0)))
	half := string(extracttest.PDF("", extracttest.PDFLines("A page with some text that can be read"), extracttest.PDFScan(0)))
	c, err := Read(t.Context(), "letters.zip", extracttest.Zip(t, "a.txt", "words", "findings/2024.pdf", scan, "half.pdf", half, "photo.jpg", "\xFF\xD8"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "not read, or not completely: findings/2024.pdf (" + why + "); half.pdf (1 of 2 pages has no text (scanned), and scans in an archive are not recognised: unpack it); and 1 other file"; c.ExtractionNote.String() != want {
		t.Errorf("note %q, want %q", c.ExtractionNote, want)
	}
	unread := UnreadMembers(c.ExtractionNote)
	if len(unread) != 1 || unread[0].Name != "findings/2024.pdf" || unread[0].Reason.String() != why || !strings.HasPrefix(unread[0].Reason.InLanguage(message.Chinese), "扫描的 PDF") {
		t.Errorf("unread are %q", unread)
	}
	_, err = Read(t.Context(), "letters.zip", extracttest.Zip(t, "scan.pdf", scan))
	extracttest.WantSkip(t, err, errNoMembers.Error()+": scan.pdf ("+why+")")
	skip := new(extract.SkipError)
	if unread := UnreadMembers(message.New("no archive")); !errors.As(err, &skip) || len(UnreadMembers(skip.Reason)) != 1 || unread != nil {
		t.Errorf("unread are %q, of another file %q", skip, unread)
	}
}

// TestOtherMembers checks that members that are no documents are counted.
func TestOtherMembers(t *testing.T) {
	for want, raw := range map[string][]byte{
		"1 file in it is not a document":  extracttest.Zip(t, "a.txt", "words", "b.jpg", "\xFF\xD8"),
		"2 files in it are not documents": extracttest.Zip(t, "a.txt", "words", "b.jpg", "\xFF\xD8", "c.dcm", "\x00"),
	} {
		if c, err := Read(t.Context(), "letters.zip", raw); err != nil || c.ExtractionNote.String() != want {
			t.Errorf("note %q, %v, want %q", c.ExtractionNote, err, want)
		}
	}
}

// TestManyUnreadMembers checks that the reason to skip an archive in which nothing can be read
// names three members and counts the others, and that UnreadMembers lists all.
func TestManyUnreadMembers(t *testing.T) {
	for count, end := range map[int]string{2: "b.docx (damaged zip)", 3: "c.docx (damaged zip)", 4: "c.docx (damaged zip); and 1 other file", 26: "c.docx (damaged zip); and 23 other files"} {
		var members []string
		for i := range count {
			members = append(members, string(rune('a'+i))+".docx", "PK\x03\x04 cut off")
		}
		_, err := Read(t.Context(), "letters.zip", extracttest.Zip(t, members...))
		var skip *extract.SkipError
		if !errors.As(err, &skip) {
			t.Fatal(err)
		}
		reason := skip.Reason.String()
		if !strings.HasPrefix(reason, errNoMembers.Error()+": a.docx (damaged zip)") || !strings.HasSuffix(reason, end) || len(UnreadMembers(skip.Reason)) != count {
			t.Errorf("%d members: %q, %d known", count, reason, len(UnreadMembers(skip.Reason)))
		}
	}
}

func TestArchiveWithoutDocuments(t *testing.T) {
	for _, tt := range []struct {
		what, want string
		raw        []byte
	}{
		{"pictures", errNoMembers.Error(), extracttest.Zip(t, "a.jpg", "\xFF\xD8", "b.png", "\x89PNG")},
		{"nothing", errNoMembers.Error(), extracttest.Zip(t)},
		{"a text", "", []byte("words that somebody called .zip\n")},
		{"cut off", extract.ErrDamagedZip.Error(), extracttest.Zip(t, "a.txt", "words")[:60]},
	} {
		_, err := Read(t.Context(), "a.zip", tt.raw)
		if t.Log(tt.what); tt.want != "" {
			extracttest.WantSkip(t, err, tt.want)
		} else if err != nil {
			t.Error(err)
		}
	}
}
