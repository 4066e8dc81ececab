package spreadsheetml

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// begin is the start of a file that Excel writes.
const begin = `<?xml version="1.0"?>
<?mso-application progid="Excel.Sheet"?>
<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">`

func cell(kind, value, attributes string) string {
	return "<Cell " + attributes + `><Data ss:Type="` + kind + `">` + value + "</Data></Cell>"
}

func text(value string) string { return cell("String", value, "") }

func row(cells ...string) string { return "<Row>" + strings.Join(cells, "") + "</Row>" }

// workbookOf returns a file with styles and one sheet.
func workbookOf(styles, table string) string {
	return begin + "<Styles>" + styles + `</Styles><Worksheet ss:Name="检验"><Table>` + table + "</Table></Worksheet></Workbook>"
}

func TestRead(t *testing.T) {
	styles := `<Style ss:ID="Default"><NumberFormat/></Style><Style ss:ID="d"><NumberFormat ss:Format="Short Date"/></Style><Style ss:ID="t"><NumberFormat ss:Format="[h]:mm"/></Style>` +
		`<Style ss:ID="p"><NumberFormat ss:Format="Percent"/></Style><Style ss:ID="q" ss:Parent="p"><Font/></Style><Style ss:ID="y"><NumberFormat ss:Format="Yes/No"/></Style><Style ss:ID="l" ss:Parent="l"/>`
	raw := begin + `<DocumentProperties><Title>化验单</Title></DocumentProperties><Styles>` + styles + `</Styles>` +
		`<Worksheet ss:Name="检验"><Table><Column ss:Index="2" ss:StyleID="p" ss:Span="1"/>` +
		row(cell("String", "2024 年化验结果", `ss:MergeAcross="3"`)) +
		row(text("姓名"), text("比例"), text("比"), text("日期"), text("合格")) +
		`<Row ss:Index="5" ss:Span="1">` + text("张三") + cell("Number", "0.125", "") + cell("Number", "1.5", `ss:StyleID="l"`) + cell("DateTime", "2024-11-05T00:00:00.000", `ss:StyleID="d"`) + cell("Number", "1", `ss:StyleID="y"`) + "</Row>" +
		`<Row ss:StyleID="q">` + cell("String", "李四&#10;&lt;复查&gt;", "") + cell("String", "宽", `ss:MergeAcross="1"`) + cell("DateTime", "2024-11-05T08:30:00.000", "") +
		`<Cell><ss:Data ss:Type="Boolean">1</ss:Data><Comment ss:Author="A"><ss:Data><B>A:</B> 请&#7;核对</ss:Data></Comment></Cell>` + cell("Number", "1", "") + "</Row>" +
		row(cell("DateTime", "1899-12-31T08:30:00.000", `ss:StyleID="t" ss:Index="3"`), cell("Error", "#DIV/0!", ""), cell("Number", "1e3", "")) +
		`</Table><WorksheetOptions><PageSetup><Header x:Data="&amp;C内科 &amp;P"/></PageSetup></WorksheetOptions></Worksheet>` +
		`<Worksheet ss:Name="空"><Table/></Worksheet><Worksheet ss:Name="B"><Table>` + row(text("only")) + `</Table></Worksheet></Workbook>`
	c, err := Read([]byte(raw), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	want := "## 检验\n\n2024 年化验结果\n\n| 姓名 | 比例 | 比 | 日期 | 合格 |  |\n| --- | --- | --- | --- | --- | --- |\n" +
		"| 张三 | 12.50% | 1.5 | 2024-11-05 | Yes |\n| 李四 <复查> | 宽 |  | 2024-11-05 08:30:00 | TRUE | 100.00% |\n|  |  | 8:30 | #DIV/0! | 1000 |\n\n内科\n\nE7: A: 请 核对\n\n## B\n\n| only |\n| --- |\n"
	if c.Text != want || c.Title != "化验单" || c.ExtractionNote != "" {
		t.Errorf("title %q, note %q\ngot  %q\nwant %q", c.Title, c.ExtractionNote, c.Text, want)
	}
	// The lines have the numbers of their rows, and empty sheets are counted.
	at := func(text string) extract.Part {
		i := strings.Index(c.Text, text)
		n := slices.IndexFunc(c.Parts, func(p extract.Part) bool { return p.StartByte == i })
		if n < 0 {
			t.Fatalf("no part begins at %q: %+v", text, c.Parts)
		}
		return c.Parts[n]
	}
	if p := at("| 姓名"); p.FirstRow != 2 || p.Kind != extract.Sheet || p.Name != "检验" {
		t.Errorf("%+v", p)
	}
	if p, q := at("| 张三"), at("| 李四"); p.FirstRow != 5 || q.FirstRow != 7 {
		t.Errorf("rows %d and %d", p.FirstRow, q.FirstRow)
	}
	if p := at("## B"); p.Number != 3 {
		t.Errorf("%+v", p)
	}
}

// TestFormattedText checks that a struck-out or raised number in a cell does not become one with
// the number beside it.
func TestFormattedText(t *testing.T) {
	formatted := func(value string) string {
		return `<Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">` + value + "</ss:Data></Cell>"
	}
	c, err := Read([]byte(workbookOf("", row(formatted(`<B><S>5 mg</S></B><Font html:Color="#000000">10 mg</Font>`), formatted("10<Sup>6</Sup>/l"), formatted("H<Sub>2</Sub>O")))), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| ~~5 mg~~ 10 mg | 10⁶/l | H2O |"; !strings.Contains(c.Text, want) {
		t.Errorf("%q, want %q in it", c.Text, want)
	}
}

// TestStruckCells checks that the text of a cell has marks if its font is struck out, but not parts
// with another font.
func TestStruckCells(t *testing.T) {
	styles := `<Style ss:ID="s"><Font ss:StrikeThrough="1"/></Style><Style ss:ID="t" ss:Parent="s"><NumberFormat ss:Format="Percent"/></Style><Style ss:ID="u" ss:Parent="s"><Font ss:Bold="1"/></Style>`
	rich := `<Cell ss:StyleID="s"><ss:Data ss:Type="String"><S>5 mg</S><Font>10 mg</Font></ss:Data></Cell>`
	c, err := Read([]byte(workbookOf(styles, row(cell("String", "5 mg", `ss:StyleID="s"`), cell("Number", "0.5", `ss:StyleID="t"`), cell("String", "a", `ss:StyleID="u"`), rich, text("b")))), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| ~~5 mg~~ | ~~50.00%~~ | a | ~~5 mg~~ 10 mg | b |"; !strings.Contains(c.Text, want) {
		t.Errorf("%q, want %q in it", c.Text, want)
	}
}

func TestDates(t *testing.T) {
	styles := `<Style ss:ID="d"><NumberFormat ss:Format="yyyy\-mm\-dd"/></Style>`
	dates := row(cell("DateTime", "2024-02-29T00:00:00.000", `ss:StyleID="d"`), cell("Number", "1", `ss:StyleID="d"`), cell("DateTime", "1900-01-01T00:00:00.000", `ss:StyleID="d"`), cell("DateTime", "5. Mai", ""))
	for _, tt := range []struct{ raw, want string }{
		{workbookOf(styles, dates), "2024-02-29 | 1900-01-01 | 1900-01-01 | 5. Mai"},
		{strings.Replace(workbookOf(styles, dates), "<Styles>", "<ExcelWorkbook><Date1904/></ExcelWorkbook><Styles>", 1), "2024-02-29 | 1904-01-02 | "},
	} {
		if c, err := Read([]byte(tt.raw), extract.NoProgress); err != nil || !strings.Contains(c.Text, tt.want) {
			t.Errorf("%q, %v, want %q", c.Text, err, tt.want)
		}
	}
}

func TestDamaged(t *testing.T) {
	c, err := Read([]byte(workbookOf("", row(text("kept"))+"<Row><<<")), extract.NoProgress)
	if err != nil || c.Text != "## 检验\n\n| kept |\n| --- |\n" || c.ExtractionNote.String() != `sheet "检验" is damaged: damaged XML` {
		t.Errorf("%q, %q, %v", c.Text, c.ExtractionNote, err)
	}
	c, err = Read([]byte(workbookOf("", row(text("kept"))+`<Row ss:Index="99999999">`+text("beyond")+"</Row>"+row(text("after")))), extract.NoProgress)
	if err != nil || c.Text != "## 检验\n\n| kept |\n| --- |\n" || c.ExtractionNote.String() != `sheet "检验" is read only to row 1` {
		t.Errorf("%q, %q, %v", c.Text, c.ExtractionNote, err)
	}
	c, err = Read([]byte(workbookOf("", row(text("kept"), cell("String", "beyond", `ss:Index="20000"`)))), extract.NoProgress)
	if err != nil || c.Text != "## 检验\n\n| kept |\n| --- |\n" || c.ExtractionNote == "" {
		t.Errorf("%q, %q, %v", c.Text, c.ExtractionNote, err)
	}
	for raw, want := range map[string]error{
		begin + "<": errDamaged, "<html>no workbook</html>": errDamaged, "": errDamaged, workbookOf("", ""): extract.ErrNoText,
		workbookOf("", row(text(strings.Repeat("<B>", 1000)))): extract.ErrNestedTooDeeply,
	} {
		_, err := Read([]byte(raw), extract.NoProgress)
		extracttest.WantSkip(t, err, want.Error())
	}
}

func TestTooMuch(t *testing.T) {
	_, err := Read([]byte(workbookOf("", strings.Repeat(row(text(strings.Repeat("a", 1<<20))), 40))), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
	small := workbookOf("", strings.Repeat(row(text("a"), `<Cell ss:MergeAcross="16383"/>`), 100))
	if c, err := Read([]byte(small), extract.NoProgress); err != nil || len(c.Text) > 1000 {
		t.Errorf("%d bytes of merged cells, %v", len(c.Text), err)
	}
}

// TestColumnsInOrder checks that the style of a column is left out if it goes back to an earlier
// column: to begin all columns again and again would take long.
func TestColumnsInOrder(t *testing.T) {
	percent := `<Style ss:ID="p"><NumberFormat ss:Format="Percent"/></Style>`
	c, err := Read([]byte(workbookOf(percent, `<Column/><Column ss:Index="1" ss:StyleID="p"/><Column ss:StyleID="p"/>`+row(cell("Number", "1", ""), cell("Number", "1", "")))), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if !strings.Contains(c.Text, "| 1 | 100.00% |") {
		t.Errorf("%q", c.Text)
	}
}

// TestHidden checks that only what is hidden by hand is left out.
func TestHidden(t *testing.T) {
	table := `<Table><Column/><Column ss:Hidden="1"/>` + row(text("a"), text("b"), text("c")) + `<Row ss:Hidden="1">` + cell("String", "2", "") + `<Cell><Data ss:Type="String">d</Data><Comment><Data>why</Data></Comment></Cell></Row>` + row(text("3")) + "</Table>"
	const filter = `<AutoFilter x:Range="R1C1:R3C3"><AutoFilterColumn x:Type="NonBlanks"/></AutoFilter>`
	tests := []struct{ sheets, want, note string }{
		{`<Worksheet ss:Name="A">` + table + "</Worksheet>", "## A\n\n| a | c |\n| --- | --- |\n| 3 |\n", "hidden rows or columns are not read, in: A"},
		{`<Worksheet ss:Name="A">` + table + filter + "</Worksheet>", "## A\n\n| a | c |\n| --- | --- |\n| 2 |\n| 3 |\n", "hidden rows or columns are not read, in: A"},
		{`<Worksheet ss:Name="A">` + table + strings.Replace(filter, "NonBlanks", "All", 1) + "</Worksheet>", "## A\n\n| a | c |\n| --- | --- |\n| 3 |\n", "hidden rows or columns are not read, in: A"},
		{`<Worksheet ss:Name="A">` + table + `<WorksheetOptions><Visible>SheetVeryHidden</Visible></WorksheetOptions></Worksheet><Worksheet ss:Name="B"><Table>` + row(text("x")) + "</Table></Worksheet>", "## B\n\n| x |\n| --- |\n", "hidden sheets are not read: A"},
	}
	merged := `<Worksheet ss:Name="A"><Table><Column ss:Hidden="1"/><Row ss:Hidden="1" ss:Span="1">` + cell("String", "1", "") + cell("String", "Dose", `ss:Index="3" ss:MergeDown="2"`) + "</Row>" + row(cell("String", "5 mg", `ss:MergeAcross="1"`)) + "</Table></Worksheet>"
	tests = append(tests, struct{ sheets, want, note string }{merged, "## A\n\n| 5 mg | Dose |\n| --- | --- |\n", "hidden rows or columns are not read, in: A"})
	for _, tt := range tests {
		c, err := Read([]byte(begin+tt.sheets+"</Workbook>"), extract.NoProgress)
		if err != nil || c.Text != tt.want || c.ExtractionNote.String() != tt.note {
			t.Errorf("%s:\n%v, note %q\ngot  %q\nwant %q", tt.sheets, err, c.ExtractionNote, c.Text, tt.want)
		}
	}
}

func TestIsWorkbook(t *testing.T) {
	for start, want := range map[string]bool{
		begin: true, `<ss:Workbook xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">`: true, "<?xml version='1.0'?><!-- of\na shop -->" + begin[strings.Index(begin, "<Workbook"):]: true,
		"<Workbook>": false, `<Workbooks xmlns="urn:schemas-microsoft-com:office:spreadsheet">`: false, "urn:schemas-microsoft-com:office:spreadsheet": false,
		`<xsl:stylesheet xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Workbook>`: false, "": false,
	} {
		if IsWorkbook([]byte(start)) != want {
			t.Errorf("%q: %v", start, !want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(workbookOf(`<Style ss:ID="a" ss:Parent="b"><NumberFormat ss:Format="Percent"/></Style><Style ss:ID="b" ss:Parent="a"/>`, `<Column ss:Index="2" ss:Span="3" ss:StyleID="b"/>`+row(cell("Number", "1", `ss:StyleID="a" ss:MergeAcross="2"`), text("b"))))
	f.Add(workbookOf("", `<Row ss:Index="7" ss:Span="9">`+cell("DateTime", "2024-11-05T00:00:00.000", `ss:Index="3"`)+"</Row>") + "<")
	f.Fuzz(func(t *testing.T, raw string) {
		c, err := Read([]byte(raw), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// TestRepeatedHiddenRows checks that rows which claim the same hidden rows again and again take no time for each.
func TestRepeatedHiddenRows(t *testing.T) {
	done := make(chan extract.Content)
	go func() {
		c, _ := Read([]byte(workbookOf("", row(text("a"))+strings.Repeat(`<Row ss:Index="2" ss:Span="1048570" ss:Hidden="1"/>`, 20_000))), extract.NoProgress)
		done <- c
	}()
	select {
	case c := <-done:
		if !strings.Contains(c.Text, "| a |") {
			t.Errorf("%q", c.Text)
		}
	case <-time.After(time.Minute):
		t.Fatal("it takes too long")
	}
}
