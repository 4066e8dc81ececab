package formats

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/struck"
)

// TestMain lets the test binary run as its own child process.
func TestMain(m *testing.M) {
	RunIfChild()
	os.Exit(m.Run())
}

func TestRead(t *testing.T) {
	const page = "<!DOCTYPE html><title>A page</title><p>Some <b>words</b>.</p>"
	for _, test := range []struct {
		name, raw      string
		text           string
		form           extract.TextForm
		mime, textMIME string
		note           string
	}{
		{"a.txt", "Words.\n", "Words.\n", extract.PlainText, "text/plain", "text/plain", ""},
		{"a", "\xEF\xBB\xBFWords.", "Words.", extract.PlainText, "text/plain", "text/plain", ""},
		{"a.md", "# Words\n", "# Words\n", extract.Markdown, "text/markdown", "text/markdown", ""},
		{"a.md", "a <!-- to\r\ndo -->\nb\n", "a \n\nb\n", extract.Markdown, "text/markdown", "text/markdown", ""},
		{"a.txt", "a <!-- b -->", "a <!-- b -->", extract.PlainText, "text/plain", "text/plain", ""},
		{"a.html", "<html><p>a &lt;!-- b --&gt;<!-- c --></p>", "a <!-- b -->\n", extract.Markdown, "text/html", "text/markdown", ""},
		{"a.csv", "a,b\n1,2\n", "a,b\n1,2\n", extract.Table, "text/csv", "text/csv", ""},
		{"a.xls", "a\tb\n1\t2\n", "a\tb\n1\t2\n", extract.Table, "text/tab-separated-values", "text/tab-separated-values", ""},
		{"a.xls", "\xFF\xFE" + string(utf16Bytes("a\tb\n")), "a\tb\n", extract.Table, "text/tab-separated-values", "text/tab-separated-values", ""},
		{"a.doc", "Words.\n", "Words.\n", extract.PlainText, "text/plain", "text/plain", ""},
		{"a.json", `{"a":"\u00e9"}`, `{"a":"é"}`, extract.LineRecords, "text/plain", "text/plain", ""},
		{"a.org", "* Words\n", "* Words\n", extract.Org, "text/plain", "text/plain", ""},
		{"a.html", page, "Some words.\n", extract.Markdown, "text/html", "text/markdown", ""},
		{"a.xls", page, "Some words.\n", extract.Markdown, "text/html", "text/markdown", ""},
		{"a.txt", "\xEF\xBB\xBF" + strings.Repeat("x", 40) + "\xFF\xFE", strings.Repeat("x", 40) + "\uFFFD", extract.PlainText, "text/plain", "text/plain",
			"1 bytes or characters that cannot be decoded are shown as \uFFFD"},
	} {
		c, err := Read(t.Context(), test.name, []byte(test.raw))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if c.Text != test.text || c.Form != test.form || c.MIME != test.mime || c.TextMIME() != test.textMIME || c.ExtractionNote.String() != test.note {
			t.Errorf("%s: got %q, form %v, %s as %s, note %q", test.name, c.Text, c.Form, c.MIME, c.TextMIME(), c.ExtractionNote)
		}
	}
}

func TestReadReasons(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"a.txt", " \n", extract.ErrEmptyFile.Error()},
		{"a.txt", "\x00\x01\x02\x03", charset.ErrNotText.Error()},
		{"a.txt", strings.Repeat("x", extract.MaxFileBytes+1), extract.ErrTooLarge.Error()},
		{"a.docx", "PK\x03\x04\x00", extract.ErrDamagedZip.Error()},
		{"a.md", "<!-- a -->\n", extract.ErrNoText.Error()},
		{"a.html", "<p></p>", extract.ErrNoText.Error()},
	} {
		_, err := Read(t.Context(), test.name, []byte(test.raw))
		if s := (*extract.SkipError)(nil); !errors.As(err, &s) || s.Error() != test.want {
			t.Errorf("%s with %.20q: got %v, want %q", test.name, test.raw, err, test.want)
		}
	}
	done, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Read(done, "a.html", []byte("<p>x</p>")); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

func TestTextOf(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
		form             extract.TextForm
	}{
		{"a.md", "\uFEFFa\xFFb", "a\uFFFDb", extract.Markdown},
		{"a.html", "<p>", "<p>", extract.PlainText},
		{"text:1", "words", "words", extract.PlainText},
	} {
		if c := ContentOfText(test.name, test.text); c.Text != test.want || c.Form != test.form {
			t.Errorf("%s: got %q, form %v", test.name, c.Text, c.Form)
		}
	}
}

// TestTidy checks that parts begin with the same words whatever line ends and control characters
// the text has.
func TestTidy(t *testing.T) {
	c := extract.Content{Text: "a\x1b[1m\r\nb\rc\u009b\nd\r\r\ne\f\r\n\r\nf\r"}
	for _, start := range []string{"a", "b", "d", "e", "f"} {
		c.Parts = append(c.Parts, extract.Part{Kind: extract.Page, StartByte: strings.Index(c.Text, start), Name: start})
	}
	cleanText(&c, nil)
	if want := "a\uFFFD[1m\nb\nc\uFFFD\nd\n\ne \n\nf\n"; c.Text != want {
		t.Errorf("the text is %q, want %q", c.Text, want)
	}
	for _, p := range c.Parts {
		if !strings.HasPrefix(c.Text[p.StartByte:], p.Name) {
			t.Errorf("part %s begins with %q", p.Name, c.Text[p.StartByte:])
		}
	}
	plain := extract.Content{Text: "nothing to do"}
	if cleanText(&plain, markdown.RemoveHidden); plain.Text != "nothing to do" {
		t.Errorf("a plain text is now %q", plain.Text)
	}
}

func TestReadPDF(t *testing.T) {
	raw := extracttest.PDF("Two Pages", "BT /F1 10 Tf 50 700 Td (One.) Tj ET", "BT /F1 10 Tf 50 700 Td (Two.) Tj ET")
	c, err := Read(t.Context(), "two.pdf", raw)
	if err != nil || c.Text != "One.\n\nTwo.\n" || len(c.Parts) != 2 || c.Parts[1] != (extract.Part{Kind: extract.Page, Number: 2, StartByte: 6}) || c.Title != "Two Pages" || c.MIME != "application/pdf" {
		t.Errorf("got %+v, %v", c, err)
	}
}

// attached returns a message with attachments: names, each followed by the content.
func attached(files ...string) []byte {
	var all strings.Builder
	all.WriteString("From: a@example.org\nSubject: files\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee the files.\n")
	for i := 0; i < len(files); i += 2 {
		fmt.Fprintf(&all, "--b\nContent-Type: application/octet-stream\nContent-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"%s\"\n\n%s\n", files[i], base64.StdEncoding.EncodeToString([]byte(files[i+1])))
	}
	all.WriteString("--b--\n")
	return []byte(all.String())
}

// TestAttached checks that documents attached to a message are read, and that a note names those that are
// not, and only the first of many.
func TestAttached(t *testing.T) {
	const damaged = "%PDF-1.4\n1 0 obj\n"
	scan := extracttest.PDF("", extracttest.PDFScan(200))
	nested := extracttest.Zip(t, "a.txt", "not opened")
	zip := extracttest.Zip(t, "costs/2027.md", "# Costs\n\nCleaning 39 EUR.\n", "in.zip", string(nested))
	inMail := attached("d.rtf", `{\rtf1 not read}`)
	inner := attached("offer.rtf", `{\rtf1 Cleaning contract}`, "in.pdf", damaged)
	many, names := []string(nil), []string(nil)
	for range maxNamed + 1 {
		many, names = append(many, "a.pdf", damaged), append(names, "a.pdf (damaged PDF)")
	}
	const head = "# files\n\nFrom: a@example.org\n\nSee the files.\n\n"
	for _, test := range []struct {
		mail       []byte
		text, note string
	}{
		{attached("offer.rtf", `{\rtf1 Notice: three months}`, "plan.pdf", string(extracttest.PDF("Plan", "BT /F1 10 Tf 50 700 Td (One.) Tj ET", "BT /F1 10 Tf 50 700 Td (Two.) Tj ET"))),
			head + "Attachments: offer.rtf, plan.pdf\n\n## offer.rtf\n\nNotice: three months\n\n## plan.pdf\n\nOne.\n\nTwo.\n", ""},
		{attached("photo.jpg", damaged, "code.bin", damaged), head + "Attachments: photo.jpg, code.bin\n", ""},
		{attached("a.pdf", damaged, "s.pdf", string(scan), "d.zip", string(zip[:40])), head + "Attachments: a.pdf, s.pdf, d.zip\n",
			"not read, or not completely: a.pdf (damaged PDF); s.pdf (scanned PDF: no text layer, and scans attached to mail are not recognised: save them as files); d.zip (damaged zip)"},
		{attached("d.zip", string(zip), "e.zip", string(extracttest.Zip(t, "m.eml", string(inMail)))),
			head + "Attachments: d.zip, e.zip\n\n## d.zip\n\n### costs/2027.md\n\n#### Costs\n\nCleaning 39 EUR.\n\n## e.zip\n\n### m.eml\n\n#### files\n\nFrom: a@example.org\n\nSee the files.\n\nAttachments: d.rtf\n",
			"not read, or not completely: d.zip (not read, or not completely: in.zip (an archive within the archive)); documents attached to it are not read: d.rtf"},
		{attached("f.eml", string(inner)), head + "## files\n\nFrom: a@example.org\n\nSee the files.\n\nAttachments: offer.rtf, in.pdf\n\n### offer.rtf\n\nCleaning contract\n", "not read, or not completely: in.pdf (damaged PDF)"},
		{attached(many...), head + "Attachments: " + strings.Repeat("a.pdf, ", maxNamed) + "a.pdf\n", "not read, or not completely: " + strings.Join(names[:maxNamed], "; ") + "; and 1 other file"},
	} {
		if c, err := Read(t.Context(), "a.eml", test.mail); err != nil || c.Text != test.text || c.ExtractionNote.String() != test.note || c.Title != "files" {
			t.Errorf("title %q, note %q, %v\n%s\nwant %q\n%s", c.Title, c.ExtractionNote, err, c.Text, test.note, test.text)
		}
	}
	mailbox := append([]byte("From a@example.org Mon Nov 30 23:00:00 2026\n"), attached("d.rtf", `{\rtf1 not read}`)...)
	if c, err := Read(t.Context(), "a.mbox", mailbox); err != nil || c.ExtractionNote.String() != "documents attached to it are not read: d.rtf" {
		t.Errorf("a mailbox: %q, %v", c.ExtractionNote, err)
	}
}

// TestTildes checks that tildes of the author are no marks of struck-out text in formats other than Markdown,
// and that the text looks the same.
func TestTildes(t *testing.T) {
	const tone = "好呀~~明天见~~"
	for name, c := range map[string]struct {
		raw, want string
		isStruck  bool
	}{
		"note.md":      {"Take ~~40 mg~~ 20 mg", "Take ~~40 mg~~ 20 mg", true},
		"note.mdx":     {"药~~40 mg~~20 mg <s>a</s>", "药~~40 mg~~20 mg ~~a~~", true},
		"chat.txt":     {tone, tone, false},
		"marked.txt":   {"Take ~~40 mg~~ 20 mg", "Take ~~40 mg~~ 20 mg", true},
		"chat.csv":     {"a,b\n" + tone + ",c\n", "a,b\n" + tone + ",c\n", false},
		"chat.srt":     {"1\n00:00:01,000 --> 00:00:02,000\n" + tone + "\n", tone + "\n", false},
		"chat.html":    {"<p>" + tone + " ~~x~~</p>", tone + " ~~x~~\n", false},
		"chat.xml":     {"<a><b>" + tone + "</b></a>", tone, false},
		"a.eml":        {"From: a@example.org\nTo: b@example.org\nSubject: x\nContent-Type: text/plain; charset=utf-8\n\n" + tone + "\n", tone, false},
		"whatsapp.txt": {"[05.03.24, 10:15:07] Ann: " + tone + "\n[05.03.24, 10:15:08] Bo: ~40 mg~ 20 mg ~5~, H~2~O, ok~ bye~\n", "20 mg", true},
		"dose.org":     {"* Dose\n\nGive +70 mg+ 80 mg\n", "~~70 mg~~ 80 mg", true},
		"page.wiki":    {"* <s>40 mg</s> 20 mg\n", "* ~~40 mg~~ 20 mg", true},
		"page.textile": {"* -40 mg- 20 mg\n", "* ~~40 mg~~ 20 mg", true},
		"doku.txt":     {"Take <del>40 mg</del> 20 mg, see https://example.org/?" + strings.Repeat("a", 300) + "<!-- b -->\n", "Take ~~40 mg~~ 20 mg, see https://example.org/?" + strings.Repeat("a", 300) + "<!-- b -->", true},
		"page.vue":     {"<del>{{ old }}</del>\n", "<del>{{ old }}</del>\n", false},
		"program.js":   {"f(~~(a),~~(b))", "f(~~(a),~~(b))", true},
		"notes.adoc":   {"= Title\n\n" + tone + "\n", tone, false},
	} {
		content, err := Read(t.Context(), name, []byte(c.raw))
		shown := strings.ReplaceAll(content.Text, markdown.WordJoiner, "")
		if err != nil || !strings.Contains(shown, c.want) {
			t.Errorf("%s: %v, %q", name, err, shown)
		}
		if isStruck := len(struck.Find(content.Text)) > 0; isStruck != c.isStruck {
			t.Errorf("%s: struck out is %v in %q", name, isStruck, content.Text)
		}
	}
	content, err := Read(t.Context(), "whatsapp.txt", []byte("[05.03.24, 10:15:07] Ann: ~40 mg~ 20 mg (~5~), H~2~O, ok~ bye~ ~a~~\n[05.03.24, 10:15:08] Bo: a\n"))
	if want := "Ann (10:15:07): ~~40 mg~~ 20 mg (~~5~~), H~2~O, ok~ bye~ ~a~\u2060~\n"; err != nil || !strings.Contains(content.Text, want) {
		t.Errorf("%v: %q, want %q in it", err, content.Text, want)
	}
}
