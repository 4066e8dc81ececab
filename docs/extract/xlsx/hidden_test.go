package xlsx

import (
	"os"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// cellRow returns a row with two numbers: ten times that of the row, and a hundred times.
func cellRow(number, attributes string) string {
	return `<row r="` + number + `" ` + attributes + `><c r="A` + number + `"><v>` + number + `0</v></c><c r="B` + number + `"><v>` + number + `00</v></c></row>`
}

func TestHiddenCells(t *testing.T) {
	rows := cellRow("1", "") + cellRow("2", `hidden="1"`) + cellRow("3", "") + cellRow("4", `hidden="true"`)
	tests := []struct{ name, sheet, want, note string }{
		{"rows", "<worksheet><sheetData>" + rows + "</sheetData></worksheet>", "| 10 | 100 |\n| --- | --- |\n| 30 | 300 |\n", "hidden rows or columns are not read, in: Doses"},
		{"columns", `<worksheet><cols><col min="2" max="5" hidden="1"/></cols><sheetData>` + cellRow("1", "") + "</sheetData></worksheet>", "| 10 |\n| --- |\n", "hidden rows or columns are not read, in: Doses"},
		{"columns without cells", `<worksheet><cols><col min="3" max="16384" hidden="1"/></cols><sheetData>` + cellRow("1", "") + "</sheetData></worksheet>", "| 10 | 100 |\n| --- | --- |\n", ""},
		{"an outline", `<worksheet><cols><col min="2" max="2" hidden="1" outlineLevel="1"/></cols><sheetData>` + cellRow("1", "") + cellRow("2", `outlineLevel="1" hidden="1"`) + cellRow("3", `collapsed="1"`) + "</sheetData></worksheet>", "| 10 | 100 |\n| --- | --- |\n| 20 | 200 |\n| 30 | 300 |\n", ""},
		{"a filter", `<worksheet><sheetPr filterMode="1"/><sheetData>` + rows + `</sheetData><autoFilter ref="A1:B3"><filterColumn colId="0"/></autoFilter></worksheet>`, "| 10 | 100 |\n| --- | --- |\n| 20 | 200 |\n| 30 | 300 |\n", "hidden rows or columns are not read, in: Doses"},
		{"a filter without criteria", "<worksheet><sheetData>" + rows + `</sheetData><autoFilter ref="A1:B4"/></worksheet>`, "| 10 | 100 |\n| --- | --- |\n| 30 | 300 |\n", "hidden rows or columns are not read, in: Doses"},
		{"a filter of another view", "<worksheet><sheetData>" + rows + `</sheetData><customSheetViews><customSheetView><autoFilter ref="A1:B4"><filterColumn/></autoFilter></customSheetView></customSheetViews></worksheet>`, "| 10 | 100 |\n| --- | --- |\n| 30 | 300 |\n", "hidden rows or columns are not read, in: Doses"},
		{"merged cells", `<worksheet><cols><col min="1" max="1" hidden="1"/></cols><sheetData>` + rows + `<row r="5"><c r="D5"><v>7</v></c></row></sheetData><mergeCells count="4"><mergeCell ref="A1:C1"/><mergeCell ref="B2:B3"/><mergeCell ref="D5:D6"/><mergeCell ref="A4:B4"/></mergeCells></worksheet>`, "| 10 |  |\n| --- | --- |\n| 200 |\n|  | 7 |\n", "hidden rows or columns are not read, in: Doses"},
		{"merged cells only", `<worksheet><sheetData><row r="1" hidden="1"><c r="A1"><v>10</v></c></row></sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells></worksheet>`, "| 10 |\n| --- |\n", ""},
		{"a filter whose criteria are elsewhere", `<worksheet><sheetPr filterMode="1"/><sheetData>` + rows + "</sheetData></worksheet>", "| 10 | 100 |\n| --- | --- |\n| 20 | 200 |\n| 30 | 300 |\n| 40 | 400 |\n", ""},
	}
	for _, tt := range tests {
		c, err := Read(bookOf(t, "", "", "xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="Doses" r:id="a"/></sheets></workbook>`, "xl/worksheets/one.xml", tt.sheet), extract.NoProgress)
		if want := "## Doses\n\n" + tt.want; err != nil || c.Text != want || c.ExtractionNote.String() != tt.note {
			t.Errorf("%s: %v, note %q\ngot  %q\nwant %q", tt.name, err, c.ExtractionNote, c.Text, want)
		}
	}
}

func TestHiddenSheets(t *testing.T) {
	book := `<workbook xmlns:r="r"><sheets><sheet name="Old" state="hidden" r:id="a"/><sheet name="Doses" r:id="b"/></sheets></workbook>`
	c, err := Read(bookOf(t, cellRow("1", ""), cellRow("2", ""), "xl/workbook.xml", book), extract.NoProgress)
	if err != nil || strings.Contains(c.Text, "100") || !strings.Contains(c.Text, "200") || c.ExtractionNote.String() != "hidden sheets are not read: Old" {
		t.Errorf("%v, note %q: %q", err, c.ExtractionNote, c.Text)
	}
	c, err = Read(bookOf(t, "", cellRow("2", ""), "xl/workbook.xml", strings.ReplaceAll(book, "hidden", "veryHidden")), extract.NoProgress)
	if err != nil || c.ExtractionNote != "" {
		t.Errorf("an empty hidden sheet: %v, note %q", err, c.ExtractionNote)
	}
	_, err = Read(bookOf(t, cellRow("1", ""), "", "xl/workbook.xml", book), extract.NoProgress)
	extracttest.WantSkip(t, err, "all text is in hidden sheets, rows or columns, which are not read")
}

// TestHiddenTable checks that the filter of a table shows its rows, and that a comment on a hidden
// cell is not read.
func TestHiddenTable(t *testing.T) {
	c, err := Read(bookOf(t, cellRow("1", "")+cellRow("2", `hidden="1"`)+cellRow("7", `hidden="1"`), "",
		"xl/worksheets/_rels/one.xml.rels", `<Relationships><Relationship Id="t" Type="x/table" Target="../tables/t.xml"/><Relationship Id="c" Type="x/comments" Target="../comments1.xml"/></Relationships>`,
		"xl/tables/t.xml", `<table ref="A1:B3"><autoFilter ref="A1:B3"><filterColumn colId="1"><filters/></filterColumn></autoFilter></table>`,
		"xl/comments1.xml", `<comments><commentList><comment ref="B2"><text><t>seen</t></text></comment><comment ref="B7"><text><t>unseen</t></text></comment></commentList></comments>`), extract.NoProgress)
	if err != nil || !strings.Contains(c.Text, "200") || strings.Contains(c.Text, "700") || !strings.Contains(c.Text, "B2: seen") || strings.Contains(c.Text, "unseen") {
		t.Errorf("%v: %q", err, c.Text)
	}
}

// TestHiddenFile reads a workbook that openpyxl wrote, with rows and columns that are hidden by
// hand, by the outline and by a filter, and with hidden sheets.
func TestHiddenFile(t *testing.T) {
	raw, err := os.ReadFile("testdata/hidden.xlsx")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	extracttest.CheckHiddenSheets(t, c)
}
