package xlsx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/internal/base/message"
)

const (
	bookRelations = `<Relationships><Relationship Id="a" Type="x/worksheet" Target="worksheets/one.xml"/>` +
		`<Relationship Id="b" Type="x/worksheet" Target="/xl/worksheets/two.xml"/>` +
		`<Relationship Id="s" Type="x/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="f" Type="x/styles" Target="styles.xml"/></Relationships>`
	bookStyles = `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
		`<numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;"/></numFmts>` +
		`<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="10"/><xf numFmtId="164"/><xf numFmtId="31"/></cellXfs></styleSheet>`
	bookTexts = `<sst><si><t>Name</t></si><si><r><t>rich </t></r><r><t>text</t></r><rPh><t>no</t></rPh></si><si><t>a|b_x000D_
c</t></si></sst>`
)

// bookOf returns a spreadsheet of two sheets with the given rows. others are alternating names and
// contents of parts that are added to the usual ones or replace them.
func bookOf(t testing.TB, one, two string, others ...string) []byte {
	t.Helper()
	parts := append(others, []string{
		"[Content_Types].xml", "<Types/>",
		"_rels/.rels", `<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml", `<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="A name of more than the allowed characters?" r:id="a"/>` +
			`<sheet name="第二" state="visible" r:id="b"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", bookRelations,
		"xl/styles.xml", bookStyles,
		"xl/sharedStrings.xml", bookTexts,
		"xl/worksheets/one.xml", "<worksheet><sheetData>" + one + "</sheetData><headerFooter><oddHeader>&amp;L&amp;\"Arial\"Top &amp;P</oddHeader></headerFooter></worksheet>",
		"xl/worksheets/two.xml", "<worksheet><sheetData>" + two + "</sheetData></worksheet>",
	}...)
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	written := make(map[string]bool)
	for i := 0; i < len(parts); i += 2 {
		if written[parts[i]] {
			continue
		}
		written[parts[i]] = true
		w, err := z.Create(parts[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(parts[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

const rowsOne = `<row r="2"><c r="B2" t="inlineStr"><is><t>A caption</t></is></c></row>` +
	`<row r="4"><c r="B4" t="s"><v>0</v></c><c r="D4" t='s'><v>1</v></c><c r="XFD4" s="1"/></row>` +
	`<row r="5"><c r="B5" t="s"><v>2</v></c><c r="D5" s="1"><v>39347</v></c></row>` +
	`<row r="6"><c r="B6" s="2"><v>0.025</v></c><c r="D6" s="3"><v>39347</v></c></row>` +
	`<row r="9"><c r="B9" t="b"><v>1</v></c><c r="D9" t="str"><f>A1</f><v>cached_x000D_</v></c></row>` +
	`<row r="10"><c r="B10" s="4"><v>39347</v></c></row>`

func TestReadXLSX(t *testing.T) {
	c, err := Read(bookOf(t, rowsOne, `<row><c><v>1.5</v></c></row>`,
		"docProps/core.xml", `<cp:coreProperties><dc:title>Of ranks</dc:title></cp:coreProperties>`,
		"xl/worksheets/_rels/one.xml.rels", `<Relationships><Relationship Id="c" Type="x/comments" Target="../comments1.xml"/>`+
			`<Relationship Id="d" Type="x/drawing" Target="../drawings/drawing1.xml"/></Relationships>`,
		"xl/comments1.xml", `<comments><authors><author>me</author></authors><commentList><comment ref="B5"><text><r><t>look </t></r><r><t>here</t></r></text></comment></commentList></comments>`,
		"xl/drawings/drawing1.xml", `<d><cNvPr descr="A cat"/><Choice><a:p><a:r><a:t>in </a:t></a:r><a:r><a:t>box</a:t></a:r></a:p></Choice><Fallback><a:p><a:t>in box</a:t></a:p></Fallback></d>`,
		"xl/drawings/_rels/drawing1.xml.rels", `<Relationships><Relationship Id="c" Type="x/chart" Target="../charts/chart1.xml"/></Relationships>`,
		"xl/charts/chart1.xml", `<c:chart><c:title><a:p><a:t>Chart title</a:t></a:p></c:title></c:chart>`), extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	extracttest.CheckContent(t, c, err)
	const want = "## A name of more than the allowed characters?\n\nA caption\n\n| Name | rich text |\n| --- | --- |\n" +
		"| a\\|b c | 2007-09-22 |\n| 2.50% | 2007年9月 |\n| TRUE | cached |\n| 2007年9月22日 |\n\n" +
		"Top\n\nB5: look here\n\nA cat\n\nin box\n\nChart title\n\n## 第二\n\n| 1.5 |\n| --- |\n"
	if c.Text != want {
		t.Errorf("got\n%s", c.Text)
	}
	if c.Title != "Of ranks" || c.ExtractionNote.String() != "" || c.Form != extract.Markdown {
		t.Errorf("title %q, note %q, form %d", c.Title, c.ExtractionNote, c.Form)
	}
	var parts strings.Builder
	for _, p := range c.Parts {
		line, _, _ := strings.Cut(c.Text[p.StartByte:], "\n")
		fmt.Fprintf(&parts, "%s %d %d: %.9s\n", p.Kind, p.Number, p.FirstRow, line)
	}
	const wantParts = "sheet 1 0: ## A name\nsheet 1 2: A caption\nsheet 1 4: | Name | \nsheet 1 0: | --- | -\nsheet 1 5: | a\\|b c \nsheet 1 9: | TRUE | \n" +
		"sheet 1 0: \nsheet 2 0: ## 第二\nsheet 2 1: | 1.5 |\nsheet 2 0: | --- |\n"
	if parts.String() != wantParts {
		t.Errorf("parts\n%s", parts.String())
	}
}

// TestReadXLSXThreads reads a sheet with threaded comments with replies, and old comments. Excel
// copies the former into the latter; if another program saved the file, only the copies are left.
func TestReadXLSXThreads(t *testing.T) {
	const comments = `<comments><authors><author>tc={A}</author><author>Ann</author></authors><commentList><comment ref="A1" authorId="0"><text><t>[Threaded comment] Why?</t></text></comment>` +
		`<comment ref="B2" authorId="1"><text><r><t>an old note</t></r></text></comment></commentList></comments>`
	const threads = `<ThreadedComments><threadedComment ref="A1" id="{A}"><text>Why?</text></threadedComment><threadedComment ref="A1" parentId="{A}"><text>Because.</text></threadedComment></ThreadedComments>`
	for _, test := range []struct{ threads, want string }{
		{threads, "A1: Why?\n\nA1: Because.\n\nB2: an old note\n"},
		{"<ThreadedComments/>", "A1: [Threaded comment] Why?\n\nB2: an old note\n"},
	} {
		c, err := Read(bookOf(t, "", "", "xl/worksheets/_rels/one.xml.rels", `<Relationships><Relationship Id="c" Type="x/comments" Target="../comments1.xml"/>`+
			`<Relationship Id="t" Type="x/threadedComment" Target="../threads1.xml"/></Relationships>`, "xl/comments1.xml", comments, "xl/threads1.xml", test.threads), extract.NoProgress)
		if err != nil || !strings.HasSuffix(c.Text, "\n\n"+test.want) {
			t.Errorf("%q, %v", c.Text, err)
		}
	}
}

func TestReadXLSXPrefixed(t *testing.T) {
	c, err := Read(bookOf(t, "", "", "xl/worksheets/two.xml", `<x:worksheet xmlns:x="y"><x:sheetData><x:row>`+
		`<x:c t="s" s="1"><x:v>1</x:v></x:c><x:c s="1"/><x:c t="s"><x:v>0</x:v></x:c></x:row></x:sheetData></x:worksheet>`), extract.NoProgress)
	if err != nil || !strings.Contains(c.Text, "| rich text | Name |") {
		t.Errorf("%q, %v", c.Text, err)
	}
}

func TestReadXLSXIndented(t *testing.T) {
	c, err := Read(bookOf(t, `
  <row r="1">
    <c
      r="A1" t="s">
      <v>0</v>
    </c>
    <c r="B1" t="s"><f>A1&lt;2</f><v xml:space="preserve"> 1 </v></c>
    <c r="C1" t="s"></c>
    <c r="D1"><v>7</v></c>
  </row>`, ""), extract.NoProgress)
	if err != nil || !strings.Contains(c.Text, "| Name | rich text | 7 |") {
		t.Errorf("%q, %v", c.Text, err)
	}
}

func TestReadXLSXPictures(t *testing.T) {
	empty := "<worksheet><sheetData/></worksheet>"
	_, err := Read(bookOf(t, "", "", "xl/worksheets/one.xml", empty, "xl/media/image1.png", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrOnlyPictures.Error())
	_, err = Read(bookOf(t, "", "", "xl/worksheets/one.xml", empty), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
}

func TestReadXLSXDamaged(t *testing.T) {
	whole := bookOf(t, rowsOne, "")
	for _, c := range []struct {
		name string
		raw  []byte
		text string // text that is kept
		note string // note, or reason to skip the file
	}{
		{"truncated zip", whole[:len(whole)/2], "", extract.ErrDamagedZip.Error()},
		{"nothing inside", bookOf(t, "", ""), "Top", ""},
		{"truncated sheet", bookOf(t, "", "", "xl/worksheets/one.xml", `<worksheet><sheetData><row r="1"><c r="A1"><v>7</v></c></row><row><c r="A2"><v>8</v></c></row><row><c `), "| 8 |", `read only to row 2`},
		{"damaged texts", bookOf(t, `<row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c></row>`, "", "xl/sharedStrings.xml", `<sst><si><t>Name</t></si><si><t`), "| Name |", "the text of some cells"},
		{"damaged styles", bookOf(t, rowsOne, "", "xl/styles.xml", `<styleSheet><cellXfs`), "| Name |", "number formats"},
		{"no sheets", bookOf(t, "", "", "xl/workbook.xml", `<workbook/>`), "", errDamaged.Error()},
		{"a sheet missing", bookOf(t, rowsOne, "", "xl/_rels/workbook.xml.rels", strings.ReplaceAll(bookRelations, "two", "2")), "| Name |", "第二"},
		{"old format", bookOf(t, "", "", "xl/workbook.bin", ""), "", ".xlsb"},
		{"a defect within", bookOf(t, `<row r="1"><c r="A1"><v>7</v></c></row><row r="2"></zz></row><row r="9"><c r="A9"><v>8</v></c></row>`, ""), "| 7 |", `read only to row 1`},
		{"a bad cell name", bookOf(t, `<row r="1"><c r="A1"><v>7</v></c><c r="?"><v>1</v></c></row><row r="2"><c r="A2"><v>8</v></c></row>`, ""), "| 8 |", `read only to`},
		{"control characters", bookOf(t, "<row r=\"1\"><c r=\"A1\" t=\"inlineStr\"><is><t>a\x01\x0bb</t></is></c></row>", ""), "| a b |", ""},
		{"far corner", bookOf(t, `<row r="1048576"><c r="XFD1048576"><v>7</v></c></row>`, ""), "| 7 |", ""},
		{"a row beyond all", bookOf(t, `<row r="1"><c r="A1"><v>7</v></c></row><row r="99999999"><c r="A9"><v>8</v></c></row>`, ""), "| 7 |", "read only to"},
		{"rows of one number", bookOf(t, strings.Repeat(`<row r="1"><c r="A1"><v>7</v></c></row>`, 3), ""), "| 7 |", ""},
	} {
		got, err := Read(c.raw, extract.NoProgress)
		extracttest.CheckContent(t, got, err)
		note := got.ExtractionNote
		if err != nil {
			note = message.Message(err.Error())
		}
		if !strings.Contains(got.Text, c.text) || !strings.Contains(note.String(), c.note) || c.note == "" && note != "" {
			t.Errorf("%s: %q, note %q, want %q, %q", c.name, got.Text, note, c.text, c.note)
		}
	}
}

func TestReadXLSXWide(t *testing.T) {
	var rows strings.Builder
	for r := range 3000 {
		fmt.Fprintf(&rows, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, r+1, r+1)
	}
	c, err := Read(bookOf(t, rows.String(), ""), extract.NoProgress)
	if err != nil || c.ExtractionNote.String() != "" || strings.Count(c.Text, "| 1 |") != 3000 || len(c.Text) > 1<<20 {
		t.Errorf("%d bytes, %q, %v", len(c.Text), c.ExtractionNote, err)
	}
}

func TestReadXLSXCells(t *testing.T) {
	for _, c := range []struct{ name, rows, want string }{
		{"cells out of order", `<row><c r="C1"><v>3</v></c><c r="A1"><v>1</v></c></row>`, "| 1 | 3 |"},
		{"cells of one name", `<row><c r="A1"><v>1</v></c><c r="A1"><v>2</v></c></row>`, "| 1 | 2 |"},
		{"rows out of order", `<row r="2"><c><v>2</v></c></row><row r="1"><c><v>1</v></c></row>`, "| 1 |\n| --- |\n| 2 |"},
		{"rows of one number", strings.Repeat(`<row r="1"><c r="A1"><v>7</v></c></row>`, 2), "| 7 | 7 |"},
		{"styles only", `<row><c r="A1" s="1"/><c s="1"/><c><v>3</v></c></row><row><c r="B2"><v>2</v></c></row>`, "|  | 3 |\n| --- | --- |\n| 2 |"},
		{"dates", `<row><c t="d" s="1"><v>2020-02-03T00:00:00Z</v></c><c t="d"><v>2020-02-03</v></c></row>`, "| 2020-02-03 | 2020-02-03 |"},
		{"errors", `<row><c t="e" s="2"><v>#N/A</v></c><c t="b"><v>0</v></c></row>`, "| #N/A | FALSE |"},
		{"no number", `<row><c s="2"><v>0x1p4</v></c><c s="99"><v>1e3</v></c></row>`, "| 0x1p4 | 1000 |"},
		{"struck out", `<row><c t="inlineStr"><is><r><rPr><strike/></rPr><t>5 mg</t></r><r><t>10 mg</t></r></is></c></row>`, "| ~~5 mg~~ 10 mg |"},
		{"not struck out", `<row><c t="inlineStr"><is><r><rPr><strike val="0"/></rPr><t>5 m</t></r><r><t>g</t></r></is></c></row>`, "| 5 mg |"},
		{"raised", `<row><c t="inlineStr"><is><r><t>10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r><r><t>2</t></r></is></c></row>`, "| 10⁶2 |"},
		{"phonetic", `<row><c t="inlineStr"><is><r><t>a</t></r><rPh><t>x</t></rPh><r><t>b</t></r></is></c></row>`, "| ab |"},
	} {
		got, err := Read(bookOf(t, c.rows, ""), extract.NoProgress)
		extracttest.CheckContent(t, got, err)
		if !strings.Contains(got.Text, c.want) || got.ExtractionNote.String() != "" {
			t.Errorf("%s: %q, note %q, want %q", c.name, got.Text, got.ExtractionNote, c.want)
		}
	}
}

// TestReadXLSXRichText checks that a struck-out or raised number in a shared text does not become
// one with the number beside it.
func TestReadXLSXRichText(t *testing.T) {
	const texts = `<sst><si><r><rPr><strike/></rPr><t>5 mg</t></r></si><si><r><t>10 mg, 10</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>6</t></r></si>` +
		`<si><r><rPr><strike/></rPr><t>5 mg</t></r><r><t>10 mg, H</t></r><r><rPr><vertAlign val="subscript"/></rPr><t>2</t></r><r><t>O</t></r></si></sst>`
	rows := `<row><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>2</v></c></row>`
	c, err := Read(bookOf(t, rows, "", "xl/sharedStrings.xml", texts), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| ~~5 mg~~ | 10 mg, 10⁶ | ~~5 mg~~ 10 mg, H2O |"; !strings.Contains(c.Text, want) {
		t.Errorf("%q, want %q in it", c.Text, want)
	}
}

// TestReadXLSXStruckCells checks that the text of a cell has marks if its font is struck out, but not
// a part with another font.
func TestReadXLSXStruckCells(t *testing.T) {
	const styles = `<styleSheet><fonts><font><b/></font><font><strike/></font><font><strike val="0"/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1" numFmtId="10"/><xf fontId="2"/></cellXfs>` +
		`<dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>`
	const texts = `<sst><si><t>5 mg</t></si><si><r><t>5 mg </t></r><r><rPr><b/></rPr><t>10 mg</t></r></si><si><r><rPr><strike/></rPr><t>a</t></r><r><rPr/><t> b</t></r></si></sst>`
	rows := `<row><c s="1" t="s"><v>0</v></c><c s="1" t="s"><v>1</v></c><c s="1" t="s"><v>2</v></c><c s="1"><v>0.5</v></c><c t="s"><v>0</v></c><c s="2" t="s"><v>0</v></c></row>` +
		`<row><c s="1" t="inlineStr"><is><t>one</t></is></c><c s="1" t="inlineStr"><is><r><t>two</t></r><r><rPr><b/></rPr><t>, three</t></r></is></c></row>`
	c, err := Read(bookOf(t, rows, "", "xl/sharedStrings.xml", texts, "xl/styles.xml", styles), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| ~~5 mg~~ | ~~5 mg~~ 10 mg | ~~a~~ b | ~~50.00%~~ | 5 mg | 5 mg |\n| --- | --- | --- | --- | --- | --- |\n| ~~one~~ | ~~two~~, three |"; !strings.Contains(c.Text, want) {
		t.Errorf("%q, want %q in it", c.Text, want)
	}
}

// TestReadXLSXConditionalStrikes checks that cells have marks that a rule on constants strikes out, but not
// where the rule does not hold, cannot be evaluated, or may be prevented by another one.
func TestReadXLSXConditionalStrikes(t *testing.T) {
	const styles = `<styleSheet><dxfs><dxf><font><b/></font></dxf><dxf><font><strike/></font></dxf></dxfs></styleSheet>`
	const rows = `<row r="1"><c t="inlineStr"><is><t>Drug</t></is></c><c t="inlineStr"><is><t>Status</t></is></c><c t="inlineStr"><is><t>Dose</t></is></c></row>` +
		`<row r="2"><c t="inlineStr"><is><t>Warfarin</t></is></c><c t="inlineStr"><is><t>Stopped</t></is></c><c><v>5</v></c></row>` +
		`<row r="3"><c t="inlineStr"><is><t>Ramipril</t></is></c><c t="b"><v>1</v></c><c><v>10</v></c></row>` +
		`<row r="4"><c t="inlineStr"><is><t>Codeine</t></is></c><c r="C4"><v>30</v></c></row>`
	rule := func(ranges, attributes string, formulas ...string) string {
		s := `<conditionalFormatting sqref="` + ranges + `"><cfRule dxfId="1" priority="2" ` + attributes + `>`
		for _, f := range formulas {
			s += "<formula>" + strings.ReplaceAll(strings.ReplaceAll(f, "<", "&lt;"), ">", "&gt;") + "</formula>"
		}
		return s + "</cfRule></conditionalFormatting>"
	}
	for _, test := range []struct{ name, rules, want string }{
		{"another cell of the row", rule("A2:C4", `type="expression"`, `$B2="stopped"`), "~~Warfarin~~ | ~~Stopped~~ | ~~5~~"},
		{"a relative cell", rule("A2:A4", `type="expression"`, `C2 >= 30`), "~~Codeine~~ |  | 30"},
		{"a check box", rule("A2:A4 C2:C3", `type="expression"`, `$B2`), "~~Ramipril~~ | TRUE | ~~10~~"},
		{"an empty cell", rule("C2:C4", `type="expression"`, `$B2=""`), "Codeine |  | ~~30~~"},
		{"the cell itself", rule("C1:C9", `type="cellIs" operator="greaterThan"`, "20"), "Codeine |  | ~~30~~"},
		{"a range", rule("C1:C9", `type="cellIs" operator="between"`, "6", "20"), "Ramipril | TRUE | ~~10~~"},
		{"outside a range", rule("C2:C3", `type="cellIs" operator="notBetween"`, "6", "20"), "Warfarin | Stopped | ~~5~~"},
		{"a text in quotation marks", rule("B1:B9", `type="cellIs" operator="equal"`, `"STOPPED"`), "Warfarin | ~~Stopped~~ | 5"},
		{"another format", strings.Replace(rule("C1:C9", `type="cellIs" operator="lessThan"`, "50"), `dxfId="1"`, `dxfId="0"`, 1), ""},
		{"another row", rule("A2:C4", `type="expression"`, `$B1="stopped"`), ""},
		{"a fixed row", rule("A2:C4", `type="expression"`, `$B$2="stopped"`), ""},
		{"a function", rule("A2:C4", `type="expression"`, `AND($B2="stopped",$C2>1)`), ""},
		{"a second comparison", rule("A2:C4", `type="expression"`, `$B2="stopped"&"x"`), ""},
		{"a name", rule("C1:C9", `type="cellIs" operator="greaterThan"`, "limit"), ""},
		{"one of two limits", rule("C1:C9", `type="cellIs" operator="between"`, "6"), ""},
		{"prevented", strings.ReplaceAll(rule("C2:C9", `type="cellIs" operator="greaterThan" stopIfTrue="1"`, "20"), `dxfId="1" priority="2"`, `dxfId="0" priority="1"`) +
			rule("C1:C9", `type="cellIs" operator="greaterThan"`, "20"), ""},
	} {
		c, err := Read(bookOf(t, "", "", "xl/styles.xml", styles, "xl/worksheets/one.xml", "<worksheet><sheetData>"+rows+"</sheetData>"+test.rules+"</worksheet>"), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if got := strings.Count(c.Text, "~~"); test.want == "" && got > 0 || test.want != "" && (!strings.Contains(c.Text, "| "+test.want+" |\n") || got != strings.Count(test.want, "~~")) {
			t.Errorf("%s: %s\nwant %q", test.name, c.Text, test.want)
		}
	}
}

func TestReadXLSXHeaders(t *testing.T) {
	c, err := Read(bookOf(t, "", "", "xl/worksheets/one.xml", `<worksheet><sheetData><row><c><v>1</v></c></zz></row></sheetData>`+
		`<customSheetViews><customSheetView><headerFooter><oddHeader>view</oddHeader></headerFooter></customSheetView></customSheetViews>`+
		`<headerFooter><oddHeader>Top &amp;&amp; all</oddHeader><oddFooter>&amp;CBelow</oddFooter></headerFooter><f>A1</f></worksheet>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| 1 |\n| --- |\n\nTop & all\n\nBelow\n"; !strings.HasSuffix(c.Text, want) {
		t.Errorf("%q, want %q at the end", c.Text, want)
	}
}

func TestUnescapeOffice(t *testing.T) {
	for in, want := range map[string]string{
		"a_x000D_b": "a b", "_x4E2D_": "中", "_x005F_x000D_": "_x000D_", "a_xb": "a_xb", "_x12": "_x12",
	} {
		if got := unescapeOffice(in); got != want {
			t.Errorf("unescapeOffice(%q) = %q, want %q", in, got, want)
		}
	}
}

// BenchmarkReadXLSX reads cells of the usual kinds.
func BenchmarkReadXLSX(b *testing.B) {
	const rows = 10_000
	var s strings.Builder
	for r := 1; r <= rows; r++ {
		fmt.Fprintf(&s, `<row r="%d"><c r="A%d" t="s"><v>0</v></c><c r="B%d"><v>%d.5</v></c><c r="C%d" s="1"><v>39347</v></c><c r="D%d" s="2"><v>0.025</v></c><c r="E%d" s="3"><v>39347</v></c></row>`,
			r, r, r, r, r, r, r)
	}
	raw := bookOf(b, s.String(), "")
	for b.Loop() {
		if _, err := Read(raw, extract.NoProgress); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(5*rows*b.N)/b.Elapsed().Seconds(), "cells/s")
}

func FuzzReadXLSX(f *testing.F) {
	f.Add([]byte(rowsOne), []byte(bookTexts), []byte(bookStyles))
	f.Add([]byte(`</sheetData></worksheet>`), []byte(`<sst><si><t>&x`), []byte(`<styleSheet`))
	f.Fuzz(func(t *testing.T, rows, texts, styles []byte) {
		sheet := "<worksheet><sheetData>" + string(rows) + "</sheetData></worksheet>"
		c, err := Read(bookOf(t, "", "", "xl/worksheets/one.xml", sheet, "xl/sharedStrings.xml", string(texts), "xl/styles.xml", string(styles)), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
