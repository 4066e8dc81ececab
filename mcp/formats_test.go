package mcp

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/docs"
	"vademecum/docs/extract/extracttest"
)

// TestDocumentsThatAreNoText checks that a document of another format has its own type in the list,
// and is read as text.
func TestDocumentsThatAreNoText(t *testing.T) {
	t.Parallel()
	pdf, err := os.ReadFile("../internal/e2e/testdata/formats/sleep.pdf")
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"sleep.pdf": string(pdf), "page.html": "<p>A page.</p>", "bad.txt": "中文内容\xff\xfe\xfd and a tail\n"})
	c := connect(t, serve(t, dir, Options{ResultsMode: ResultsResource}), "test")
	base := docs.FileURI(dir)
	c.call("index_docs", `{}`)
	types := make(map[string]string)
	for _, r := range c.resources() {
		types[r.Name] = r.MIMEType
	}
	if types["sleep.pdf"] != "application/pdf" || types["page.html"] != "text/html" {
		t.Errorf("listed as %v", types)
	}
	for uri, want := range map[string]mcp.ResourceContents{
		base + "/sleep.pdf#page=3":          {MIMEType: "text/plain", Text: "Snoring\nA pillow under the upper body helps those who snore."},
		base + "/sleep.pdf#page=2&line=0,1": {MIMEType: "text/plain", Text: "老年人睡眠"},
		base + "/page.html":                 {MIMEType: "text/markdown", Text: "A page.\n"},
	} {
		read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		if got := read.Contents[0]; got.MIMEType != want.MIMEType || got.Text != want.Text || got.Blob != nil {
			t.Errorf("%s reads %+v", uri, got)
		}
	}
	found := passages(c.call("retrieve_docs", `{"query": "喝浓茶", "top_k": 1}`))
	if len(found) != 1 || found[0].URI != base+"/sleep.pdf#page=2" || found[0].MIMEType != "text/plain" || found[0].Meta["place"] != "page 2" {
		t.Errorf("found %+v", found)
	}
	if text := firstText(c.call("read_doc", `{"path": "sleep.pdf#page=3"}`)); text != "sleep.pdf, page 3\n```\nSnoring\nA pillow under the upper body helps those who snore.\n```" {
		t.Errorf("a page is read by its path as %q", text)
	}
	for _, cited := range []string{"sleep.pdf, page 3", "sleep.pdf, pages 3-4", "sleep.pdf, page 3 — Sleep"} {
		if text := firstText(c.call("read_doc", fmt.Sprintf(`{"path": %q}`, cited))); !strings.HasPrefix(text, "sleep.pdf, page 3\n```\nSnoring") {
			t.Errorf("%s is read as %q", cited, text)
		}
	}
	for _, cited := range []string{"sleep.pdf, pages 2-3", "[1] sleep.pdf, pages 2–3", "sleep.pdf#page=2-3"} {
		if text := firstText(c.call("read_doc", fmt.Sprintf(`{"path": %q}`, cited))); !strings.HasPrefix(text, "sleep.pdf, pages 2-3\n```\n老年人睡眠") || !strings.Contains(text, "those who snore.\n```") {
			t.Errorf("%s is read as %q", cited, text)
		}
	}
	writeFile(t, dir, "lines.md", "one\ntwo\nthree\nfour\n")
	for _, cited := range []string{"lines.md, lines 2-3", "lines.md:2-3", "lines.md, lines 2–3", "[4] lines.md, lines 2-3 — Heading", "lines.md, lines 2-3 — Input/Output (2024-05-01, #work/lab)"} {
		if text := firstText(c.call("read_doc", fmt.Sprintf(`{"path": %q}`, cited))); text != "lines.md, lines 2-3\n```\ntwo\nthree\n```" {
			t.Errorf("%s is read as %q", cited, text)
		}
	}
	for cited, want := range map[string]string{
		"lines.md#char=1,3, line 1 — Heading": "lines.md, line 1\n```\nne\n```",
		"sleep.pdf#page=3&char=0,7, page 3":   "sleep.pdf, page 3\n```\nSnoring\n```",
	} {
		if text := firstText(c.call("read_doc", fmt.Sprintf(`{"path": %q}`, cited))); text != want {
			t.Errorf("%s is read as %q", cited, text)
		}
	}
	if r := c.call("read_doc", `{"path": "sleep.pdf#page=9"}`); !r.IsError || !strings.Contains(firstText(r), "no text on page 9") {
		t.Errorf("a page that there is none of: %s", firstText(r))
	}
	writeFile(t, dir, "note#page=3", "A file that is called so.")
	if text := firstText(c.call("read_doc", `{"path": "note#page=3"}`)); !strings.HasSuffix(text, "A file that is called so.\n```") {
		t.Errorf("a file whose name looks like a page: %s", text)
	}
	if text := firstText(c.call("list_docs", `{"path": "bad.txt"}`)); !strings.Contains(text, "cannot be decoded are shown as") {
		t.Errorf("listed as %s", text)
	}
}

// TestGuessedEncodingIsListed checks that the list shows the encoding of a file, and that it was
// guessed.
func TestGuessedEncodingIsListed(t *testing.T) {
	t.Parallel()
	old := "\xb8\xdf\xd1\xaa\xd1\xb9\xbb\xbc\xd5\xdf\xc9\xd9\xb3\xd4\xd1\xce\xa3\xac\xb6\xe0\xd7\xdf\xc2\xb7\xa1\xa3"
	c := connect(t, serve(t, folder(t, map[string]string{"old.txt": old, "new.txt": "plain"}), Options{}), "test")
	list := firstText(c.call("list_docs", `{}`))
	if !strings.Contains(list, ", GB18030, guessed)") || strings.Count(list, "guessed") != 1 {
		t.Errorf("it lists\n%s", list)
	}
}

// TestMembersOfArchivesAreReadAsCited checks that chapters of an archive can be read by their
// citations and by their paths, and that the reason is given for one that is not indexed.
func TestMembersOfArchivesAreReadAsCited(t *testing.T) {
	t.Parallel()
	raw := extracttest.Zip(t, "a/ok.md", "The otter dives.", "protocols/snake bite.md", "Immobilise the limb.", "protocols/z (2, page 3)/wasp.md", "Cool the sting.",
		"scan.pdf", string(extracttest.PDF("", extracttest.PDFScan(0))))
	c := connect(t, serve(t, folder(t, map[string]string{"old/backup 2018.zip": string(raw)}), Options{}), "test")
	for _, tt := range []struct{ cited, place, text string }{
		{"old/backup 2018.zip, chapter 2 (protocols/snake bite.md)", "chapter 2 (protocols/snake bite.md)", "Immobilise the limb."},
		{"old/backup 2018.zip, chapter 3 (protocols/z (2, page 3)/wasp.md)", "chapter 3 (protocols/z (2, page 3)/wasp.md)", "Cool the sting."},
		{"[2] old/backup 2018.zip, chapter 2 (protocols/snake bite.md) — snakes", "chapter 2 (protocols/snake bite.md)", "Immobilise the limb."},
		{"old/backup 2018.zip, chapters 2-3", "chapters 2-3", "Cool the sting."},
	} {
		text := firstText(c.call("read_doc", fmt.Sprintf(`{"path": %q}`, tt.cited)))
		if !strings.HasPrefix(text, "old/backup 2018.zip, "+tt.place+"\n") || !strings.Contains(text, tt.text) {
			t.Errorf("%s is read as %q", tt.cited, text)
		}
	}
	text := firstText(c.call("read_doc", `{"path": "old/backup 2018.zip/protocols/snake bite.md"}`))
	if !strings.HasPrefix(text, "old/backup 2018.zip, chapter 2 (protocols/snake bite.md)\n") {
		t.Errorf("by its path it is read as %q", text)
	}
	r := c.call("read_doc", `{"path": "old/backup 2018.zip/scan.pdf"}`)
	if text := firstText(r); !r.IsError || !strings.HasPrefix(text, "old/backup 2018.zip/scan.pdf: it is in the archive and not indexed: ") || !strings.HasSuffix(text, "unpack it") {
		t.Errorf("one that is not read: %q", text)
	}
}

// TestRowsOfALargeSheetAreReadAsCited checks that rows far down in a large sheet can be read by
// their citations.
func TestRowsOfALargeSheetAreReadAsCited(t *testing.T) {
	t.Parallel()
	var book strings.Builder
	book.WriteString(`<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Herd, row 1"><Table>`)
	for row := range 3000 {
		fmt.Fprintf(&book, "<Row><Cell><Data ss:Type=\"String\">zebra%d</Data></Cell><Cell><Data ss:Type=\"String\">grazes at the waterhole</Data></Cell></Row>", row+1)
	}
	book.WriteString("</Table></Worksheet></Workbook>")
	c := connect(t, serve(t, folder(t, map[string]string{"herd.xls": book.String()}), Options{}), "test")
	found := firstText(c.call("retrieve_docs", `{"query": "zebra2719", "top_k": 1}`))
	citation := regexp.MustCompile(`herd\.xls, sheet 1 \(Herd, row 1\), rows? [\d-]+`).FindString(found)
	if citation == "" || !strings.Contains(found, "zebra2719") {
		t.Fatalf("found %s", found)
	}
	for _, cited := range []string{citation, "herd.xls, sheet 1 (Herd, row 1), row 2719", "herd.xls, sheet 1 (Herd, row 1), rows 2700–2730"} {
		if text := firstText(c.call("read_doc", fmt.Sprintf(`{"path": %q}`, cited))); !strings.Contains(text, "zebra2719 ") || strings.Contains(text, "zebra2 ") {
			t.Errorf("%s is read as %.300s", cited, text)
		}
	}
	if text := firstText(c.call("read_doc", `{"path": "herd.xls, sheet 1 (Herd, row 1)"}`)); !strings.Contains(text, "zebra2 ") || !strings.Contains(text, "read on with uri") {
		t.Errorf("the sheet is read as %.300s", text)
	}
}
