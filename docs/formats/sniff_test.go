package formats

import (
	"errors"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/dicom"
	"vademecum/docs/extract/extracttest"
)

func TestFormatFor(t *testing.T) {
	const (
		contentTypes = "[Content_Types].xml"
		html         = "<!DOCTYPE html><html><body><table><tr><td>1</td></tr></table></body></html>"
		mail         = "From: <Saved by a browser>\r\nSubject: A page\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\"\r\n\r\nbody\r\n"
		pdf          = "%PDF-1.4\n1 0 obj\n<<>>\nendobj\n"
		workbook     = "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\">"
		ole          = cfb.Signature + "\x00\x00\x00"
	)
	flat := func(kind string) string {
		return "<?xml version=\"1.0\"?>\n<office:document xmlns:office=\"x\" office:version=\"1.3\" office:mimetype=\"application/vnd.oasis.opendocument." + kind + "\">"
	}
	docx := string(extracttest.Zip(t, contentTypes, "x", "word/document.xml", "x"))
	xlsx := string(extracttest.Zip(t, contentTypes, "x", "xl/workbook.xml", "x"))
	both := string(extracttest.Zip(t, contentTypes, "x", "word/document.xml", "x", "xl/workbook.xml", "x", "ppt/presentation.xml", "x"))
	other := string(extracttest.Zip(t, "notes.txt", "x"))
	for _, test := range []struct {
		name, raw string
		want      string // an extension of the expected format, or the reason to skip the file
	}{
		{"a.pdf", pdf, ".pdf"},
		{"a.txt", pdf, ".pdf"},
		{"A", " \r\n" + pdf, ".pdf"},
		{"a.txt", "%PDF-1.7 is what a file begins with.", ""},
		{"a.md", "%PDF-1.7 is what a file begins with.", ".md"},
		{"a.pdf", "junk before it\n" + pdf, ".pdf"},
		{"paper.pdf", html, ".html"},
		{"paper.pdf", "a text, not PDF\n", ""},
		{"paper.pdf", "\x00\x01\x02\x03 nothing known", ".pdf"},

		{"a.rtf", `{\rtf1 text}`, ".rtf"},
		{"a.doc", `{\rtf1 text}`, ".rtf"},
		{"a.txt", "\xEF\xBB\xBF" + `{\rtf1 text}`, ".rtf"},
		{"a.rtf", "just text", ""},

		{"a.xls", workbook, ".xls"},
		{"export.xml", "\xEF\xBB\xBF" + workbook, ".xls"},
		{"a.xlsx", workbook, ".xls"},
		{"letter.doc", "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Word.Document\"?><w:wordDocument>", ".docx"},
		{"letter.xml", "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Word.Document\"?><w:wordDocument>", ".docx"},
		{"a.xls", html, ".html"},
		{"a.xls", "<table><tr><td>1</td></tr></table>", ".html"},
		{"a.xls", "<?xml version=\"1.0\"?><records/>", ".xml"},
		{"a.xls", "<?xml version=\"1.0\"?>\n<TABLE border=1><thead><TR><td>1</td></TR></thead></TABLE>", ".html"},
		{"a.xls", "<?xml version=\"1.0\"?><tables><tr/></tables>", ".xml"},
		{"a.xls", "<?xml version=\"1.0\"?><table><row/></table>", ".xml"},
		{"a.xls", "Report of May, 2024<br><table><tr><td>1</td></tr></table>", ".html"},
		{"a.xls", "Tag,Meaning\n<table>,a table\n", ".csv"},

		{"a.docx", docx, ".docx"},
		{"a.txt", docx, ".docx"},
		{"a.doc", docx, ".docx"},
		{"a.csv", xlsx, ".xlsx"},
		{"a.docx", xlsx, ".xlsx"},
		{"a", both, ".docx"},
		{"a.xlsx", both, ".xlsx"},
		{"a.pptx", both, ".pptx"},
		{"a.docx", both, ".docx"},
		{"a", string(extracttest.Zip(t, "mimetype", "application/epub+zip")), ".epub"},
		{"a", string(extracttest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.text\n")), ".odt"},
		{"a", string(extracttest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet")), ".ods"},
		{"a.odt", string(extracttest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.presentation-template")), ".odp"},
		{"a.fodt", flat("text"), ".odt"},
		{"a.xml", flat("spreadsheet"), ".ods"},
		{"a.fodp", flat("presentation"), ".odp"},
		{"a.fodt", `<?xml version="1.0"?><records/>`, ".xml"},
		{"app.pot", "# Translations\nmsgid \"\"\nmsgstr \"\"\n", ""},
		{"deck.pot", "\x00\x01\x02\x03", ".ppt"},
		{"a.ods", "name;dose\nA;1\n", ".csv"},
		{"Book.fb2.zip", string(extracttest.Zip(t, "Book.fb2", "x")), ".fb2"},
		{"a.fb2", `<?xml version="1.0"?><FictionBook/>`, ".fb2"},
		{"a.azw3", strings.Repeat("\x00", 60) + "BOOKMOBI\x00", ".mobi"},
		{"book", strings.Repeat("\x00", 60) + "BOOKMOBI\x00", ".mobi"},
		{"old.pdb", strings.Repeat("\x00", 60) + "TEXtREAd\x00", ".mobi"},
		{"old.prc", strings.Repeat("\x00", 60) + "TEXtREAd\x00", ".mobi"},
		{"raise.prc", "CREATE OR REPLACE PROCEDURE raise IS\n", ""},
		{"a.djvu", "AT&TFORM\x00\x00\x00\x04DJVU", ".djvu"},
		{"scan", "AT&TFORM\x00\x00\x00\x04DJVM", ".djvu"},
		{"a.djvu", "words", ".djvu"},
		{"manual.chm", "ITSF\x03\x00\x00\x00", ".chm"},
		{"manual", "ITSF\x03\x00\x00\x00", ".chm"},
		{"a.xmind", other, ".xmind"},
		{"a.xmind", "words", ""},
		{"a.mm", "<map version=\"1.0.1\">\n<node/></map>", ".mm"},
		{"a.xml", "<?xml version=\"1.0\"?><!-- a --><map version=\"freeplane 1.9\">", ".mm"},
		{"Controller.mm", "#import <Foundation/Foundation.h>\n", ""},
		{"a.opml", "<opml version=\"2.0\"/>", ".opml"},
		{"feeds.xml", "<?xml version=\"1.0\"?><opml version=\"1.0\">", ".opml"},
		{"a.xml", "<mapping/>", ".xml"},
		{"a.docx", other, ".docx"},
		{"a.txt", other, "a zip archive"},
		{"a.zip", other, ".zip"},
		{"a.zip", docx, ".docx"},
		{"a.zip", string(extracttest.Zip(t, "Tides.key/Index.zip", "x", "__MACOSX/Tides.key/._Index.zip", "x")), ".key"},
		{"a.zip", string(extracttest.Zip(t, "Tides.key/Index.zip", "x", "Log.key/Index.zip", "x")), ".zip"},
		{"a.zip", string(extracttest.Zip(t, "Tides.key/Index.zip", "x", "a.txt", "x")), ".zip"},
		{"a.zip", "PK\x05\x06" + strings.Repeat("\x00", 18), ".zip"},
		{"a.zip", "\x00\x01", extract.ErrDamagedZip.Error()},
		{"a.docx", docx[:len(docx)/2], extract.ErrDamagedZip.Error()},
		{"a.docx", "PK\x05\x06" + strings.Repeat("\x00", 18), extract.ErrDamagedZip.Error()},
		{"a.md", "PK is pharmacokinetics.", ".md"},

		{"a.doc", ole, ".doc"},
		{"a.ppt", ole, ".ppt"},
		{"a.dps", ole, ".ppt"},
		{"a.vsd", ole, "Visio drawing (.vsd): export it as PDF"},
		{"a.XLS", ole, ".xls"},
		{"a.et", ole, ".xls"},
		{"a.xls", ole + string(utf16Bytes("EncryptedPackage")), extract.ErrPasswordProtected.Error()},
		{"a.docx", ole, "old Office format: save it as .docx, .xlsx or .pptx"},
		{"a.docx", ole + string(utf16Bytes("WordDocument")), ".doc"},
		{"a.doc", ole + string(utf16Bytes("Workbook")), ".xls"},
		{"a.doc", ole + string(utf16Bytes("PowerPoint Document WordDocument")), ".doc"},
		{"a", ole + string(utf16Bytes("WordDocument PowerPoint Document")), ".ppt"},
		{"a.ppt", ole + string(utf16Bytes("PP40 Book WordDocument")), ".ppt"},
		{"a.docx", ole + string(utf16Bytes("EncryptedPackage")), extract.ErrPasswordProtected.Error()},
		{"a.msg", ole, ".msg"},
		{"a", ole + string(utf16Bytes("__properties_version1.0")), ".msg"},
		{"Pose.msg", "float64 x\nfloat64 y\n", ""}, // a message definition of robots, not an Outlook message
		{"a.msg", mail, ".eml"},
		{"a.doc", "\xDB\xA5-\x00\x00\x00\x01\x02\x03", ".doc"}, // its reader says that the format is too old

		{"ec.pem", "-----BEGIN EC PARAMETERS-----\nBggq\n-----END EC PARAMETERS-----\n-----BEGIN EC PRIVATE KEY-----\nMHc\n", "a private key"},
		{"bag.pem", "Bag Attributes\n    localKeyID: 01\n-----BEGIN PRIVATE KEY-----\nMIIE\n", "a private key"},
		{"server.key", "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n", "a private key"},
		{"id_ed25519", "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Bl\n", "a private key"},
		{"ca.pem", "-----BEGIN CERTIFICATE-----\nMIID\n", "a certificate"},
		{"a.asc", "-----BEGIN PGP PUBLIC KEY BLOCK-----\n", "a public key"},
		{"a.asc", "-----BEGIN PGP SIGNED MESSAGE-----\nWords.\n", ""},
		{"a.md", "-----BEGIN RSA PRIVATE KEY-----\nis how a key begins.", ".md"},
		{"license.key", "ABCD-EFGH\n", ""},
		{"talk.key", string(extracttest.Zip(t, "Index/Document.iwa", "x")), ".key"},
		{"talk.pages", other, ".pages"},
		{"Budget.numbers", other, ".numbers"},
		{"phone.numbers", "12 34 56\n", ""},
		{"server.key", "-----BEGIN PRIVATE KEY-----\nMII\n", "a private key"},
		{"server.key", "Bag Attributes\n-----BEGIN RSA PRIVATE KEY-----\nMII\n", "a private key"},
		{"answers.key", "1. b\n2. c\n", ""},
		{"license.key", "\x30\x82\x00\x01\x00\x00", ""},
		{"a.hwp", ole, "Hangul document (.hwp): save it as .docx or PDF"},
		{"a.vsd", ole, "Visio drawing (.vsd): export it as PDF"},
		{"a.one", "\xE4\x52\x5C\x7B\x8C\xD8\xA7\x4D\x00\x00", "OneNote section (.one): export its pages as PDF or .docx"},
		{"chapter.one", "It was a dark night.", ""},
		{"a.dbf", "\x03\x7C\x01\x02\x00\x00\x00\x00\x41\x00", "dBase table (.dbf): save it as .csv or .xlsx"},
		{"id_rsa.pub", "ssh-rsa AAAA me@here\n", ""},

		{"a.xls", html, ".html"},
		{"a.xls", "<table><tr><td>1</td></tr></table>", ".html"},
		{"a.xls", "\xFF\xFE" + string(utf16Bytes("<html xmlns:o=\"x\">")), ".html"},
		{"a.xls", `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>`, ".xls"},
		{"a.xls", "name\tdose\nA\t1\n", ".tsv"},
		{"a.xls", "\xFF\xFE" + string(utf16Bytes("name\tdose\n")), ".tsv"},
		{"a.xlsx", "name;dose\nA;1\n", ".csv"},
		{"a.xlsx", "one column\n", ""},
		{"a.doc", "a note, not Word\n", ""},
		{"a.doc", mail, ".eml"},
		{"graph.dot", "digraph { a -> b }", ""},

		{"a.xml", `<?xml version="1.0"?><!DOCTYPE en-export SYSTEM "x.dtd"><en-export version="10">`, ".enex"},
		{"a.md", `<en-export version="10">`, ".md"},

		{"a.txt", "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n", ".ics"},
		{"contacts", "\xEF\xBB\xBFBEGIN:VCARD\nVERSION:3.0\n", ".vcf"},
		{"a.txt", "WEBVTT\n\n00:01.000 --> 00:02.000\nText\n", ".vtt"},
		{"a.txt", "WEBVTT is a format.\n", ""},
		{"a.md", "BEGIN:VCARD\nVERSION:3.0\n", ".md"},

		{"a.html", mail, ".eml"},
		{"a.txt", mail, ".eml"},
		{"a", mail, ".eml"},
		{"a.md", mail, ".md"},
		{"Inbox", "From - Mon Nov 16 09:30:00 2026\r\nX-Mozilla-Status: 0001\r\nSubject: A letter\r\n\r\nText.\r\n", ".mbox"},
		{"a.txt", "From what I saw on Mon Nov 16 09:30 it works.\n", ""},
		{"a.txt", "From: Ann\nTo: Bob\n\nHow are you?\n", ""},
		{"a.txt", "Note: see below\nMIME-Version: 1.0 is a field\nof mail\n", ""},

		{"a.excalidraw.md", "# Text Elements\n", ".excalidraw.md"},
		{"Plan.md", "---\nexcalidraw-plugin: parsed\n---\n", ".excalidraw.md"},
		{"Plan.md", "---\ntags: [excalidraw]\n---\n", ".md"},
		{"v1.2.MD", "text", ".md"},
		{"a.b.drawio.SVG", "<svg/>", ".drawio"},
		{"a.txt", html, ".html"},
		{"a.json", html, ".html"},
		{"a.csv", "\n" + strings.ToLower(html), ".html"},
		{"a.txt", `<?xml version="1.0"?> <!-- saved --><html xmlns="x">`, ".html"},
		{"a.xml", `<?xml version="1.0"?><html xmlns="x">`, ".xml"},
		{"a.txt", "<htmlish>", ""},
		{"a.md", "<div align=\"center\">", ".md"},
		{"README", "text", ""},
		{"", "", ""},
	} {
		f, err := formatFor(test.name, []byte(test.raw))
		got := ""
		switch s := (*extract.SkipError)(nil); {
		case errors.As(err, &s):
			got = s.Error()
		case err != nil:
			t.Fatal(err)
		case f != textFormat:
			got = "." + strings.Fields(f.extensions)[0]
		}
		if got != test.want {
			t.Errorf("%s with %.40q: got %q, want %q", test.name, test.raw, got, test.want)
		}
	}
}

func TestSkipHead(t *testing.T) {
	for _, test := range []struct{ name, head, want string }{
		{"a.txt", "text", ""},
		{"a", "\x7FELF\x02\x00\x00\x00\x00", charset.ErrNotText.Error()},
		{"a.vsd", cfb.Signature + "\x00", "Visio drawing (.vsd): export it as PDF"},
		{"a.one", "\xE4\x52\x5C\x7B\x00\x00\x01", "OneNote section (.one): export its pages as PDF or .docx"},
		{"a.dcm", string(extracttest.DICOM("1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.1.2", "")), dicom.ErrNoReport.Error()},
		{"a.dcm", string(extracttest.DICOMReport()), ""},
		{"IM0001", string(extracttest.DICOMReport()), ""},
		{"a.dcm", "words", ""},
		{"a.key", zipSignature + "\x00", ""},   // the file may be something else
		{"a.docx", cfb.Signature + "\x00", ""}, // only the rest shows whether it has a password
		{"a.docx", zipSignature + "\x00", ""},
		{"a.pdf", "%PDF-1.7\n1 0 obj\x00", ""},
		{"a.zip", string(extracttest.Zip(t, "a.txt", "words")), ""},
	} {
		if got := SkipReasonByHead(test.name, []byte(test.head)).String(); got != test.want {
			t.Errorf("%s with %q: got %q, want %q", test.name, test.head, got, test.want)
		}
	}
}

func TestSkipReason(t *testing.T) {
	for _, test := range []struct {
		name string
		size int64
		want string
	}{
		{"a.md", 1, ""},
		{"a.md", 0, extract.ErrEmptyFile.Error()},
		{"a.md", extract.MaxFileBytes, ""},
		{"a.md", extract.MaxFileBytes + 1, extract.ErrTooLarge.Error()},
		{"folder.png/a", 1, ""},
		{"a.PNG", 1, "not a text format (.png)"},
		{"a.kfx", 1, "Kindle book (.kfx): convert it to EPUB"},
		{"a.svg", 1, "picture (.svg): export it as PDF to make its text searchable"},
		{"a.drawio.svg", 1, ""},
		{"a.pst", 1 << 40, "Outlook mailbox (.pst): save its mails as .eml files"},
		{"a.dcm", 500 << 20, dicom.ErrNoReport.Error()},
		{"a.dcm", extract.MaxFileBytes, ""},
		{"a.key", extract.MaxFileBytes + 1, extract.ErrTooLarge.Error()},
		{"a.key", 1, ""},
		{"a.doc", 1, ""}, // its content decides
		{"a.unknown", 1, ""},
		{"a.fb2.ZIP", 1, ""},
		{"a.zip", 1, ""},
		{"a.7z", 1, "not a text format (.7z)"},
	} {
		if got := SkipReason(test.name, test.size).String(); got != test.want {
			t.Errorf("%s of %d bytes: got %q, want %q", test.name, test.size, got, test.want)
		}
	}
}

func TestMayOpen(t *testing.T) {
	for name, want := range map[string]bool{
		"a.md": true, "A.PDF": true, "a.excalidraw.md": true, "a.docx": true, "a.docm": false, "a.sh": false, "a.desktop": false,
		"a.png": true, "a.JPG": true, "a.log": true, "a.svg": false, "a.eml": false, "a.py": false, "a.ini": false, "a.bat": false, "a": false, "md": false, "a.md.exe": false, "a.html": false, "a.js": false, "a.exe": false,
	} {
		if IsSafeToOpen(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

func TestIsProse(t *testing.T) {
	for name, want := range map[string]bool{"a.md": true, "A.TXT": true, "a.ipynb": true, "a.yaml": false, "a.json": false, "a.xml": false, "a.go": false, "Makefile": false} {
		if IsProse(name) != want {
			t.Errorf("%s: %t", name, !want)
		}
	}
}

// TestExtensionsAreListedOnce checks that no extension is in two lists: whether it were read would
// then be chance.
func TestExtensionsAreListedOnce(t *testing.T) {
	listed := make(map[string]int)
	for ext := range unreadFormats() {
		listed[ext]++
	}
	for ext := range oldFormats() {
		listed[ext]++
	}
	for _, f := range formats {
		for _, ext := range strings.Fields(f.extensions) {
			listed["."+ext]++
		}
		for _, ext := range strings.Fields(f.opened) {
			if byExtension["."+ext].extensions != f.extensions {
				t.Errorf("%s is opened as one of %s", ext, f.extensions)
			}
		}
		for _, ext := range strings.Fields(f.under) {
			if byExtension["."+ext] == nil || byExtension["."+ext].name() != "."+ext {
				t.Errorf("the signature of %s is under %s, the first extension of no format", f.extensions, ext)
			}
		}
	}
	for ext, n := range listed {
		if n > 1 || ext != strings.ToLower(ext) {
			t.Errorf("%s is listed %d times", ext, n)
		}
	}
}

func FuzzFormatFor(f *testing.F) {
	f.Add("a.xls", []byte("<?xml version=\"1.0\"?><!-- x --><html>"))
	f.Add("a.docx", []byte("PK\x03\x04"))
	f.Add("a.txt", []byte("%PDF-1.4\n1 0 obj"))
	f.Add("a.doc", []byte("\xFF\xFEM\x00I\x00M\x00E\x00-\x00V\x00e\x00r\x00s\x00i\x00o\x00n\x00:\x001\x00\n\x00"))
	f.Fuzz(func(t *testing.T, name string, raw []byte) {
		format, err := formatFor(name, raw)
		if err == nil && format == nil || err != nil && !errors.As(err, new(*extract.SkipError)) {
			t.Fatalf("got %v, %v", format, err)
		}
		SkipReasonByHead(name, raw)
	})
}
