package odf

import (
	"os"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// odsOf returns a spreadsheet with the given tables, and other files, given as alternating names
// and contents.
func odsOf(t testing.TB, tables string, files ...string) []byte {
	t.Helper()
	return extracttest.Zip(t, append([]string{
		"mimetype", "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml", `<?xml version="1.0"?><office:document-content><office:body><office:spreadsheet>` + tables + `</office:spreadsheet></office:body></office:document-content>`,
		"meta.xml", `<office:document-meta><office:meta><dc:title>A title</dc:title></office:meta></office:document-meta>`,
	}, files...)...)
}

func cellOf(text string) string {
	return "<table:table-cell><text:p>" + text + "</text:p></table:table-cell>"
}

func rowOf(cells ...string) string {
	return "<table:table-row>" + strings.Join(cells, "") + "</table:table-row>"
}

func TestODS(t *testing.T) {
	const (
		empty = `<table:table-cell table:number-columns-repeated="3"/>`
		rest  = `<table:table-row table:number-rows-repeated="1048570"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`
	)
	c, err := ReadSheets(odsOf(t, `<table:tracked-changes>`+rowOf(cellOf("gone"))+`</table:tracked-changes>`+
		`<table:table table:name="Costs"><table:shapes><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></table:shapes>`+
		rowOf(cellOf("A caption"))+
		`<table:table-header-rows>`+rowOf(cellOf("Name"), empty, cellOf("<text:span>Price</text:span>"))+`</table:table-header-rows>`+
		`<table:table-row-group>`+rowOf(cellOf("a|b"), `<table:covered-table-cell><text:p>hidden</text:p></table:covered-table-cell>`, `<table:table-cell table:number-columns-repeated="2"/>`,
		`<table:table-cell office:value-type="currency" office:value="3.5"><office:annotation><dc:creator>Ann</dc:creator><text:p>too much</text:p></office:annotation><text:p>€ 3,50</text:p></table:table-cell>`)+`</table:table-row-group>`+
		`<table:table-row table:number-rows-repeated="2">`+cellOf("same")+empty+`<table:table-cell office:value-type="date" office:date-value="2024-11-05"/></table:table-row>`+rest+`</table:table>`+
		`<table:table table:name="Blank">`+rest+`</table:table>`+
		`<table:table table:name="'file:///x.ods'#$Sheet1">`+rowOf(cellOf("kept of another file"))+`</table:table>`+
		`<table:table table:name="第二">`+`<table:table-row table:number-rows-repeated="9"/>`+rowOf(`<table:table-cell table:number-columns-repeated="2"><text:p>two</text:p><text:p>lines</text:p></table:table-cell>`)+`</table:table>`,
		"Object 1/content.xml", `<office:body><chart:title><text:p>Chart title</text:p></chart:title>`+`<table:table>`+rowOf(cellOf("1"), cellOf("2"))+`</table:table></office:body>`),
		extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = "## Costs\n\nA caption\n\n| Name | Price |\n| --- | --- |\n| a\\|b | € 3,50 |\n| same | 2024-11-05 |\n| same | 2024-11-05 |\n\n" +
		"Chart title\n\nE3: Ann: too much\n\n## 第二\n\n| two lines | two lines |\n| --- | --- |\n"
	if err != nil || c.Text != want || c.Title != "A title" || c.ExtractionNote.String() != "" {
		t.Errorf("title %q, note %q, %v\ngot\n%s", c.Title, c.ExtractionNote, err, c.Text)
	}
	rows := make(map[string]int) // row numbers by the beginning of the line
	for _, p := range c.Parts {
		if p.FirstRow > 0 {
			rows[c.Text[p.StartByte:p.StartByte+6]] = p.FirstRow
		}
	}
	if rows["| Name"] != 2 || rows["| a\\|b"] != 3 || rows["| two "] != 10 {
		t.Errorf("rows %v of %+v", rows, c.Parts)
	}
	if last := c.Parts[len(c.Parts)-1]; last.Number != 3 || last.Name != "第二" {
		t.Errorf("last part %+v", last)
	}
}

// TestODSStruckCells checks that the text of a cell has marks if its style, that of its row or that of
// its column strikes it out, and that its comment has none.
func TestODSStruckCells(t *testing.T) {
	const styles = `<office:document-styles><office:styles><style:style style:family="table-cell" style:name="Gone"><style:text-properties style:text-line-through-style="solid"/></style:style></office:styles></office:document-styles>`
	cell := func(attributes, content string) string {
		return `<table:table-cell ` + attributes + `>` + content + `</table:table-cell>`
	}
	c, err := ReadSheets(odsOf(t, `<table:table table:name="x"><table:table-column table:number-columns-repeated="2" table:default-cell-style-name="Default"/><table:table-column table:default-cell-style-name="Gone"/>`+
		rowOf(cellOf("a"), cell(`table:style-name="Gone"`, `<office:annotation><text:p>why</text:p></office:annotation><text:p>5 mg</text:p>`), cellOf("b"), cellOf("c"))+
		`<table:table-row table:default-cell-style-name="Gone">`+cell(`office:value="7"`, "")+cell(`table:style-name="Default"`, "<text:p>d</text:p>")+`</table:table-row></table:table>`, "styles.xml", styles), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = "## x\n\n| a | ~~5 mg~~ | ~~b~~ | c |\n| --- | --- | --- | --- |\n| ~~7~~ | d |\n\nB1: why\n"
	if c.Text != want {
		t.Errorf("%v\ngot  %q\nwant %q", err, c.Text, want)
	}
}

// TestODSHidden checks that only what is hidden by hand is left out.
func TestODSHidden(t *testing.T) {
	row := func(attributes, text string) string {
		return `<table:table-row ` + attributes + `>` + cellOf(text) + cellOf("b") + cellOf("c") + `</table:table-row>`
	}
	c, err := ReadSheets(odsOf(t, `<table:table table:name="x"><table:table-column/><table:table-column table:visibility="collapse"/><table:table-column-group><table:table-column table:visibility="collapse"/></table:table-column-group>`+
		row("", "1")+row(`table:visibility="collapse" table:number-rows-repeated="2"`, "2")+row(`table:visibility="filter"`, "4")+
		`<table:table-row-group table:display="false"><table:table-row-group>`+row(`table:visibility="collapse"`, "5")+`</table:table-row-group></table:table-row-group>`+row(`table:visibility="collapse"`, "6")+row("", "7")+`</table:table>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## x\n\n| 1 | c |\n| --- | --- |\n| 4 | c |\n| 5 | c |\n| 7 | c |\n"; c.Text != want || c.ExtractionNote.String() != "hidden rows or columns are not read, in: x" {
		t.Errorf("note %q, %v\ngot  %q\nwant %q", c.ExtractionNote, err, c.Text, want)
	}
	spanned := func(attributes, text string) string {
		return strings.Replace(cellOf(text), "<table:table-cell", "<table:table-cell "+attributes, 1)
	}
	const covered = `<table:covered-table-cell/>`
	c, err = ReadSheets(odsOf(t, `<table:table table:name="x"><table:table-column table:visibility="collapse"/>`+
		`<table:table-row table:visibility="collapse">`+cellOf("a")+cellOf("a")+cellOf("a")+spanned(`table:number-rows-spanned="3"`, "Dose")+`</table:table-row><table:table-row table:visibility="collapse"><table:table-cell table:number-columns-repeated="3"/>`+covered+`</table:table-row>`+
		`<table:table-row>`+spanned(`table:number-columns-spanned="3"`, "hidden")+covered+covered+covered+`</table:table-row><table:table-row>`+spanned(`table:number-columns-spanned="3"`, "5 mg")+covered+covered+`</table:table-row></table:table>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## x\n\n| hidden | Dose |\n| --- | --- |\n| 5 mg |\n"; c.Text != want || c.ExtractionNote.String() != "hidden rows or columns are not read, in: x" {
		t.Errorf("merged cells: note %q\ngot  %q\nwant %q", c.ExtractionNote, c.Text, want)
	}
	_, err = ReadSheets(odsOf(t, `<table:table>`+row(`table:visibility="collapse"`, "1")+`</table:table>`), extract.NoProgress)
	extracttest.WantSkip(t, err, "all text is in hidden sheets, rows or columns, which are not read")
}

// TestODSRepeats checks that rows and cells stored with a large repeat count are written a few
// times only, and that rows beyond the last one are left out.
func TestODSRepeats(t *testing.T) {
	c, err := ReadSheets(odsOf(t, `<table:table table:name="x"><table:table-row table:number-rows-repeated="9999999999"><table:table-cell table:number-columns-repeated="2000000000"><text:p>y</text:p></table:table-cell></table:table-row>`+
		rowOf(cellOf("beyond"))+`</table:table>`), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if n := strings.Count(c.Text, "y"); err != nil || n != maxRepeats*maxRepeats || c.ExtractionNote.String() != `sheet "x" is read only to row 64` {
		t.Errorf("%d cells, note %q, %v", n, c.ExtractionNote, err)
	}
	c, err = ReadSheets(odsOf(t, `<table:table table:name="x"><table:table-row table:number-rows-repeated="65">`+cellOf("y")+`</table:table-row></table:table>`), extract.NoProgress)
	if err != nil || c.ExtractionNote.String() != `sheet "x" has identical rows or cells, of which only 64 in a row are read` {
		t.Errorf("note %q, %v", c.ExtractionNote, err)
	}
	many := strings.Repeat(`<table:table-row table:number-rows-repeated="64"><table:table-cell table:number-columns-repeated="64"><text:p>`+strings.Repeat("z", 1000)+`</text:p></table:table-cell></table:table-row>`, 20)
	_, err = ReadSheets(odsOf(t, `<table:table>`+many+`</table:table>`), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
}

func TestODSDamaged(t *testing.T) {
	c, err := ReadSheets(odsOf(t, `<table:table table:name="x">`+rowOf(cellOf("kept"))+`<table:table-row <<`), extract.NoProgress)
	if err != nil || c.Text != "## x\n\n| kept |\n| --- |\n" || c.ExtractionNote.String() != "the rest could not be read: damaged XML" {
		t.Errorf("%q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	_, err = ReadSheets(odsOf(t, "", "META-INF/manifest.xml", `<manifest><encryption-data/></manifest>`), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrPasswordProtected.Error())
	_, err = ReadSheets(odsOf(t, `<table:table/>`), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
	_, err = ReadSheets(odsOf(t, strings.Repeat("<table:table-row-group>", 1000)), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNestedTooDeeply.Error())
}

func TestCellName(t *testing.T) {
	for column, want := range map[int]string{0: "A7", 25: "Z7", 26: "AA7", 701: "ZZ7", 702: "AAA7", lastColumn - 1: "XFD7"} {
		if got := cellName(column, 7); got != want {
			t.Errorf("column %d: %s, want %s", column, got, want)
		}
	}
}

func FuzzODS(f *testing.F) {
	f.Add(`<table:table table:name="a">` + rowOf(cellOf("x"), cellOf("y")) + `</table:table>`)
	f.Add(`<table:table><table:table-row table:number-rows-repeated="3"><table:table-cell table:number-columns-repeated="4" office:value="1"/></table:table-row></table:table>`)
	f.Add(`<table:table><table:table-row><table:table-cell><office:annotation><text:p>n</text:p></office:annotation><draw:frame/></table:table-cell></table:table-row>`)
	f.Fuzz(func(t *testing.T, tables string) {
		c, err := ReadSheets(odsOf(t, tables), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// TestHiddenFile reads a workbook that LibreOffice wrote, with rows and columns that are hidden by
// hand, by the outline and by a filter, and with hidden sheets.
func TestHiddenFile(t *testing.T) {
	raw, err := os.ReadFile("testdata/hidden.ods")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadSheets(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	extracttest.CheckHiddenSheets(t, c)
}
