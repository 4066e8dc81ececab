package formats

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/extracttest/sqlitetest"
)

// samples are functions that return a small file of each format with a text of letters and spaces,
// by the first extension of the format. A sample of any other format is the text itself.
var samples = map[string]func(t *testing.T, text string) []byte{
	"tex": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "\\documentclass{article}\n\\begin{document}\n%s\n\\end{document}\n", text)
	},
	"bib":  func(_ *testing.T, text string) []byte { return fmt.Appendf(nil, "@misc{a, title = {%s}}\n", text) },
	"adoc": func(_ *testing.T, text string) []byte { return fmt.Appendf(nil, "= A page\n\n%s\n", text) },
	"xml":  func(_ *testing.T, text string) []byte { return fmt.Appendf(nil, "<a>%s</a>", text) },
	"json": func(_ *testing.T, text string) []byte { return fmt.Appendf(nil, `{"text": "%s"}`, text) },
	"ipynb": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `{"cells": [{"cell_type": "markdown", "source": ["%s"]}], "metadata": {}, "nbformat": 4}`, text)
	},
	"rtf": func(_ *testing.T, text string) []byte { return fmt.Appendf(nil, `{\rtf1\ansi %s\par}`, text) },
	"srt": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "1\n00:00:01,000 --> 00:00:02,000\n%s\n", text)
	},
	"vtt": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "WEBVTT\n\n00:01.000 --> 00:02.000\n%s\n", text)
	},
	"ass": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,%s\n", text)
	},
	"html": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "<title>A page</title><p>%s</p>", text)
	},
	"eml": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "From: ann@example.org\nSubject: A letter\nMIME-Version: 1.0\nContent-Type: text/plain\n\n%s\n", text)
	},
	"mbox": func(_ *testing.T, text string) []byte {
		const message = "From - Mon Nov 16 09:30:00 2026\nFrom: ann@example.org\nSubject: A letter\n\n%s\n\n"
		return fmt.Appendf(nil, message+message, "Text.", text)
	},
	"msg": func(_ *testing.T, text string) []byte {
		return extracttest.CompoundFile("__properties_version1.0", strings.Repeat("\x00", 32), "__substg1.0_0037001F", string(utf16Bytes("A letter")), "__substg1.0_1000001F", string(utf16Bytes(text)))
	},
	"enex": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "<en-export><note><title>A note</title><content><![CDATA[<en-note><div>%s</div></en-note>]]></content></note></en-export>", text)
	},
	"nxml": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `<article><front><article-meta><title-group><article-title>A page</article-title></title-group></article-meta></front><body><sec><p>%s</p></sec></body></article>`, text)
	},
	"sy": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `{"ID":"1","Type":"NodeDocument","Properties":{"id":"1","title":"A page"},"Children":[{"Type":"NodeParagraph","Children":[{"Type":"NodeText","Data":"%s"}]}]}`, text)
	},
	"text/x-zim-wiki": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "Content-Type: text/x-zim-wiki\nWiki-Format: zim 0.6\n\n====== A page ======\n\n%s\n", text)
	},
	"text/x-whatsapp": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "[05.03.24, 10:15:07] Ann: Hello\n[05.03.24, 10:16:07] Bo: %s\n", text)
	},
	"ics": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:A meeting\r\nDESCRIPTION:%s\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n", text)
	},
	"vcf": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nNOTE:%s\r\nEND:VCARD\r\n", text)
	},
	"epub": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "mimetype", "application/epub+zip",
			"META-INF/container.xml", `<container><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`,
			"book.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`,
			"a.xhtml", "<html><body><h1>One</h1><p>"+text+"</p></body></html>")
	},
	"jex": func(t *testing.T, text string) []byte {
		const id = "0123456789abcdef0123456789abcdef"
		return extracttest.Tar(t, id+".md", "A note\n\n"+text+"\n\nid: "+id+"\ntype_: 1")
	},
	"apkg": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "collection.anki2", string(sqlitetest.NewFile(t, `
			CREATE TABLE col (models text, decks text); CREATE TABLE cards (nid integer, did integer, ord integer, odid integer); CREATE TABLE notes (id integer, mid integer, flds text);
			INSERT INTO col VALUES ('{}', '{"1": {"name": "Default"}}'); INSERT INTO cards VALUES (1, 1, 0, 0); INSERT INTO notes VALUES (1, 1, '`+text+`')`)))
	},
	"htmlz":    func(t *testing.T, text string) []byte { return extracttest.Zip(t, "index.html", "<p>"+text) },
	"txtz":     func(t *testing.T, text string) []byte { return extracttest.Zip(t, "index.txt", text) },
	"textpack": func(t *testing.T, text string) []byte { return extracttest.Zip(t, "a.textbundle/text.md", text) },
	"mobi": func(_ *testing.T, text string) []byte {
		number := func(n int) string { return string([]byte{byte(n >> 24), byte(n >> 16), byte(n >> 8), byte(n)}) }
		header := strings.Repeat("\x00", 60) + "BOOKMOBI" + number(0) + number(0) + "\x00\x02"
		return []byte(header + number(94) + number(0) + number(110) + number(1) + number(1<<16) + number(0) + number(1<<16|4096) + number(0) + "<h1>One</h1><p>" + text + "</p>")
	},
	"chm": func(_ *testing.T, text string) []byte {
		return extracttest.CHM("/one.html", "<h1>One</h1><p>"+text+"</p>")
	},
	"docx": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "[Content_Types].xml", "", "word/document.xml", "<w:document><w:body><w:p><w:r><w:t>"+text+"</w:t></w:r></w:p></w:body></w:document>")
	},
	"pptx": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "[Content_Types].xml", "", "ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId r:id="s"/></p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="s" Type="x/slide" Target="slide.xml"/></Relationships>`,
			"ppt/slide.xml", "<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>"+text+"</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>")
	},
	"xlsx": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "[Content_Types].xml", "", "xl/workbook.xml", `<workbook><sheets><sheet name="One" sheetId="1" r:id="s"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="s" Type="x/worksheet" Target="sheet.xml"/></Relationships>`,
			"xl/sheet.xml", `<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>`+text+`</t></is></c></row></sheetData></worksheet>`)
	},
	"doc": func(_ *testing.T, text string) []byte {
		const start = 1 << 10
		number := func(n int) string { return string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) }
		pieces := "\x02" + number(16) + number(0) + number(len(text)) + "\x00\x00" + number(1<<30|2*start) + "\x00\x00"
		main := []byte(strings.Repeat("\x00", start) + text)
		copy(main, "\xEC\xA5\xC1\x00")
		copy(main[0x4C:], number(len(text)))
		copy(main[0x1A2:], number(0)+number(len(pieces)))
		return extracttest.CompoundFile("WordDocument", string(main), "0Table", pieces)
	},
	"ppt": func(_ *testing.T, text string) []byte {
		number := func(n int) string { return string([]byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}) }
		record := func(version, kind int, data string) string {
			return string([]byte{byte(version), 0, byte(kind), byte(kind >> 8)}) + number(len(data)) + data
		}
		slides := record(0xF, 0xFF0, record(0, 0x3F3, number(2)+strings.Repeat("\x00", 16))+record(0, 0xF9F, number(1))+record(0, 0xFA8, text))
		document := record(0xF, 0x3E8, slides)
		directory := record(0, 0x1772, number(1|1<<20)+number(0))
		edit := record(0, 0xFF5, strings.Repeat("\x00", 12)+number(len(document))+number(1))
		return extracttest.CompoundFile("Current User", record(0, 0xFF6, number(20)+number(0)+number(len(document)+len(directory))), "PowerPoint Document", document+directory+edit)
	},
	"xls": func(_ *testing.T, text string) []byte {
		record := func(kind, version byte, data string) string {
			return string([]byte{kind, version, byte(len(data)), byte(len(data) >> 8)}) + data
		}
		begin, end := record(9, 8, "\x00\x06\x05\x00"), record(10, 0, "")
		at := len(begin) + 4 + 11 + len(end)
		return extracttest.CompoundFile("Workbook", begin+record(0x85, 0, string([]byte{byte(at), 0, 0, 0, 0, 0})+"\x03\x00One")+end+
			begin+record(4, 2, "\x00\x00\x00\x00\x00\x00"+string([]byte{byte(len(text)), byte(len(text) >> 8)})+"\x00"+text)+end)
	},
	"odt": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.text",
			"content.xml", "<office:document-content><office:body><office:text><text:p>"+text+"</text:p></office:text></office:body></office:document-content>")
	},
	"fb2": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "<FictionBook><body><section><p>%s</p></section></body></FictionBook>", text)
	},
	"ods": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.spreadsheet",
			"content.xml", `<office:document-content><office:body><office:spreadsheet><table:table table:name="One"><table:table-row><table:table-cell><text:p>`+
				text+"</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>")
	},
	"odp": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "mimetype", "application/vnd.oasis.opendocument.presentation",
			"content.xml", "<office:document-content><office:body><office:presentation><draw:page><draw:frame><draw:text-box><text:p>"+
				text+"</text:p></draw:text-box></draw:frame></draw:page></office:presentation></office:body></office:document-content>")
	},
	"pages": func(t *testing.T, text string) []byte {
		return extracttest.IWork(t, extracttest.IWorkObject{ID: 1, Kind: 10000, Message: extracttest.ProtobufMessage(4, extracttest.ProtobufMessage(1, 2))},
			extracttest.IWorkObject{ID: 2, Kind: 2001, Message: extracttest.ProtobufMessage(3, text)})
	},
	"numbers": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "index.xml", `<ls:document><ls:workspace ls:workspace-name="One"><sf:tabular-model><sf:datasource><sf:t sf:ct="0"><sf:ct sfa:s="`+
			text+`"/></sf:t></sf:datasource></sf:tabular-model></ls:workspace></ls:document>`)
	},
	"key": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "index.apxl", "<key:presentation><key:slide-list><key:slide><key:title-placeholder><sf:p>One</sf:p></key:title-placeholder><key:page><sf:p>"+
			text+"</sf:p></key:page></key:slide></key:slide-list></key:presentation>")
	},
	"zip": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "notes/a.txt", text, "b.md", "# B\n")
	},
	"canvas": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `{"nodes": [{"id": "a", "type": "text", "text": "%s"}]}`, text)
	},
	"excalidraw": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `{"type": "excalidraw", "elements": [{"id": "a", "type": "text", "text": "%s"}]}`, text)
	},
	"excalidraw.md": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, "---\nexcalidraw-plugin: parsed\n---\n# Text Elements\n%s ^a1b2c3d4\n\n# Drawing\n```json\n{}\n```\n", text)
	},
	"drawio": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `<mxfile><diagram><mxGraphModel><root><mxCell id="a" vertex="1" value="%s"/></root></mxGraphModel></diagram></mxfile>`, text)
	},
	"xmind": func(t *testing.T, text string) []byte {
		return extracttest.Zip(t, "content.json", `[{"rootTopic": {"title": "A map", "children": {"attached": [{"title": "`+text+`"}]}}}]`)
	},
	"mm": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `<map version="1.0.1"><node TEXT="A map"><node TEXT="%s"/></node></map>`, text)
	},
	"opml": func(_ *testing.T, text string) []byte {
		return fmt.Appendf(nil, `<opml version="2.0"><head><title>An outline</title></head><body><outline text="%s"/></body></opml>`, text)
	},
	"djvu": func(_ *testing.T, text string) []byte {
		const longest = 8 << 20 // the size of a text layer has three bytes
		var pages []string
		for ; len(text) > longest; text = text[longest:] {
			pages = append(pages, text[:longest])
		}
		return extracttest.DjVu(append(pages, text)...)
	},
	"dcm": func(_ *testing.T, text string) []byte {
		return extracttest.DICOMReport(extracttest.DICOMSequence(0x0040A730, extracttest.DICOMItem("CONTAINS", "TEXT", "Finding", extracttest.DICOMElement(0x0040A160, "UT", text))))
	},
	"pdf": func(_ *testing.T, text string) []byte {
		return extracttest.PDF("", "BT /F1 10 Tf 50 700 Td (One) Tj ET", "BT /F1 10 Tf 50 700 Td ("+text+") Tj ET")
	},
}

// TestEveryFormat checks that the reader of each format fulfils the contract of extract.Reader.
func TestEveryFormat(t *testing.T) {
	if len(samples) != len(slices.DeleteFunc(slices.Clone(formats), func(f format) bool { return f.readerFor() == nil })) {
		t.Error("not every reader has a sample")
	}
	for i := range formats {
		f := &formats[i]
		extension := f.firstExtension()
		sample := samples[cmp.Or(extension, f.mime)]
		if extension == "" { // the files of this format have the extensions of another one
			extension = strings.Fields(f.under)[0]
		}
		if sample == nil {
			sample = func(_ *testing.T, text string) []byte { return []byte(text) }
		}
		t.Run(cmp.Or(f.firstExtension(), f.mime), func(t *testing.T) {
			t.Parallel()
			testText(t, f, "a."+extension, sample)
			testProgress(t, f, sample(t, "some words"))
			testDamage(t, f, sample(t, "some words"))
			testTooMuch(t, f, "a."+extension, sample)
		})
	}
}

// readHere reads a file in this process, so that a panic of the reader ends the test.
func (f *format) readHere(t *testing.T, raw []byte, p extract.ProgressReporter) (extract.Content, error) {
	t.Helper()
	read := f.readerFor()
	if read == nil {
		read = func(raw []byte, _ extract.ProgressReporter) (extract.Content, error) { return charset.Read(raw) }
	}
	c, err := read(raw, p)
	extracttest.CheckContent(t, c, err)
	return c, err
}

// testText checks that the text of an intact file is complete and clean.
func testText(t *testing.T, f *format, name string, sample func(*testing.T, string) []byte) {
	const text = "Whales sing below the ice"
	c, err := Read(t.Context(), name, sample(t, text))
	extracttest.CheckContent(t, c, err)
	if err != nil || !strings.Contains(c.Text, text) || c.ExtractionNote.String() != "" {
		t.Errorf("text %q, note %q, error %v", c.Text, c.ExtractionNote, err)
	}
	if strings.ContainsFunc(c.Text, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		t.Errorf("the text is not tidy: %q", c.Text)
	}
	if c.MIME != f.mime || f.form != extract.PlainText && c.Form != f.form {
		t.Errorf("media type %s, form %v", c.MIME, c.Form)
	}
}

// testProgress checks that a reader reports pages in order, each with all text so far.
func testProgress(t *testing.T, f *format, raw []byte) {
	var p pageLog
	c, err := f.readHere(t, raw, &p)
	if err != nil || p.fault != "" || p.preparing != 0 {
		t.Errorf("%s; %d preparations without an end; %v", p.fault, p.preparing, err)
	}
	if p.pages != p.of || !strings.HasPrefix(c.Text, p.text) {
		t.Errorf("%d of %d pages with %q are reported of %q", p.pages, p.of, p.text, c.Text)
	}
}

// A pageLog is a Progress that records errors in what is reported.
type pageLog struct {
	preparing int // number of preparations that have not finished
	pages, of int
	text      string
	fault     string
}

func (p *pageLog) ReportPreparation() (finished func()) {
	p.preparing++
	return func() { p.preparing-- }
}

func (p *pageLog) ReportPage(c *extract.Content, page, pages int) {
	if page != p.pages+1 || page > pages || !strings.HasPrefix(c.Text, p.text) {
		p.fault = fmt.Sprintf("page %d of %d with %q after page %d with %q", page, pages, c.Text, p.pages, p.text)
	}
	p.pages, p.of, p.text = page, pages, c.Text
}

// testDamage checks that a reader fulfils its contract for every truncated file, and blames an
// empty file.
func testDamage(t *testing.T, f *format, raw []byte) {
	if _, err := f.readHere(t, nil, extract.NoProgress); err == nil {
		t.Error("a file without a byte has a content")
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		_, _ = f.readHere(t, raw[:random.IntN(len(raw))], extract.NoProgress)
		flipped := bytes.Clone(raw)
		for range 1 + random.IntN(8) {
			flipped[random.IntN(len(flipped))] ^= byte(1 + random.IntN(255))
		}
		_, _ = f.readHere(t, flipped, extract.NoProgress)
		noise := make([]byte, random.IntN(1000))
		for i := range noise {
			noise[i] = byte(random.Uint32())
		}
		_, _ = f.readHere(t, noise, extract.NoProgress)
		_, _ = f.readHere(t, append(bytes.Clone(raw[:len(raw)/2]), noise...), extract.NoProgress)
	}
}

// testTooMuch checks that a document with more text than the limit is skipped, or cut off with a
// note.
func testTooMuch(t *testing.T, f *format, name string, sample func(*testing.T, string) []byte) {
	if f.readerFor() == nil || strings.HasPrefix(f.extensions, "json") || f.extensions == "xml" || f.extensions == "bib" || f.extensions == "excalidraw.md" || testing.Short() {
		return // a text file is limited only by the size of the file
	}
	c, err := Read(t.Context(), name, sample(t, strings.Repeat("too many words ", extract.MaxTextBytes/15+1000)))
	switch {
	case errors.As(err, new(*extract.SkipError)):
	case err != nil:
		t.Error(err)
	case len(c.Text) > extract.MaxTextBytes || c.ExtractionNote.String() == "":
		t.Errorf("%d bytes of text, note %q", len(c.Text), c.ExtractionNote)
	}
}
