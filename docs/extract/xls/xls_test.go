package xls

import (
	"encoding/binary"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/extracttest"
)

// TestRead reads a workbook that LibreOffice wrote.
func TestRead(t *testing.T) {
	raw, err := os.ReadFile("testdata/doses.xls")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	const want = `## Doses

| Drug | Dose | From | Share |
| --- | --- | --- | --- |
| Ramipril | 2.5 | 2024-11-05 | 12.5% |
| Jod 碘 | 10 | up to 2.5 | TRUE |
| #DIV/0! | 100000 | -7 | 0.333333333 |

A2: With food.
`
	if c.Text != want || c.Title != "Doses, 剂量" || c.ExtractionNote.String() != "hidden sheets are not read: Hidden" {
		t.Errorf("read %q\n%s\nwith the note %q, want\n%s", c.Title, c.Text, c.ExtractionNote, want)
	}
	if len(c.Parts) == 0 || c.Parts[0].Kind != extract.Sheet || c.Parts[0].Name != "Doses" {
		t.Errorf("parts %+v", c.Parts)
	}
}

// recordOf returns a record of the given values: an int has two bytes, other values have their own
// size.
func recordOf(kind uint16, values ...any) string {
	var data []byte
	for _, v := range values {
		switch v := v.(type) {
		case int:
			data = binary.LittleEndian.AppendUint16(data, uint16(v))
		case uint32:
			data = binary.LittleEndian.AppendUint32(data, v)
		case float64:
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		case string:
			data = append(data, v...)
		}
	}
	return string(binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, kind), uint16(len(data)))) + string(data)
}

// bookOf returns a workbook with one sheet.
func bookOf(version int, globals, cells string) string {
	begin, end := recordOf(recBegin, version, 5, 0, 0), recordOf(recEnd)
	name := "\x03One"
	if version == 0x0600 {
		name = "\x03\x00One"
	}
	at := len(begin) + len(globals) + len(recordOf(recSheet, uint32(0), 0, name)) + len(end)
	return begin + globals + recordOf(recSheet, uint32(at), 0, name) + end + recordOf(recBegin, version, 0x10, 0, 0) + cells + end
}

func TestBIFF(t *testing.T) {
	for name, c := range map[string]struct {
		stream, content, want, note string
	}{
		"texts of BIFF5 in a code page":              {"Book", bookOf(0x0500, recordOf(recCodePage, 936), recordOf(recLabel, 0, 0, 0, 4, "\xbc\xc1\xc1\xbf")+recordOf(recNote, 0, 0, 3, "Why")), "| 剂量 |\n| --- |\n\nA1: Why\n", ""},
		"numbers":                                    {"Book", bookOf(0x0500, "", recordOf(recRKs, 0, 0, 0, uint32(25<<2|2), 0, uint32(25<<2|3), 1)+recordOf(recRK, 0, 2, 0, uint32(0x3FF80000))+recordOf(recNumber, 0, 3, 0, 1e21)), "| 25 | 0.25 | 1.5 | 1E+21 |\n| --- | --- | --- | --- |\n", ""},
		"a format of its own":                        {"Workbook", bookOf(0x0600, recordOf(recFormat, 200, 8, "\x000.00\" mg")+recordOf(recFormat, 201, 9, "\x00[h]\"h\" mm")+recordOf(recXF, 0, 0)+recordOf(recXF, 0, 201), recordOf(recNumber, 0, 0, 0, 2.5)+recordOf(recNumber, 0, 1, 1, 1.5)), "| 2.5 | 36h 00 |\n| --- | --- |\n", ""},
		"a currency of the system":                   {"Workbook", bookOf(0x0600, recordOf(recFormat, 44, 22, "\x00_ \"\xa5\"* #,##0.00_ ;_ @_ ")+recordOf(recFormat, 14, 6, "\x00m/d/yy")+recordOf(recXF, 0, 44)+recordOf(recXF, 0, 14), recordOf(recNumber, 0, 0, 0, 1234.5)+recordOf(recNumber, 0, 1, 1, 45000.0)), "| ¥1,234.50 | 2023-03-15 |\n| --- | --- |\n", ""},
		"shared texts that go on in the next record": {"Workbook", bookOf(0x0600, recordOf(recTexts, uint32(2), uint32(2), 4, "\x00Do")+recordOf(recContinue, "\x01s\x00e\x00", 2, "\x0c", 1, uint32(3), "mg", "runsext"), recordOf(recSharedText, 0, 0, 0, uint32(0))+recordOf(recSharedText, 0, 1, 0, uint32(1))+recordOf(recSharedText, 0, 2, 0, uint32(2))), "| Dose | mg |\n| --- | --- |\n", ""},
		"results of formulas":                        {"WORKBOOK", bookOf(0x0600, "", recordOf(recFormula, 0, 0, 0, "\x00\x00\x00\x00\x00\x00\xff\xff")+recordOf(recString, 2, "\x00ab")+recordOf(recFormula, 0, 1, 0, "\x01\x00\x01\x00\x00\x00\xff\xff")+recordOf(recFormula, 0, 2, 0, "\x02\x00\x2a\x00\x00\x00\xff\xff")+recordOf(recFormula, 0, 3, 0, 7.0)), "| ab | TRUE | #N/A | 7 |\n| --- | --- | --- | --- |\n", ""},
		"comments and boxes":                         {"Workbook", bookOf(0x0600, "", recordOf(recLabel, 0, 0, 0, 1, "\x00a")+recordOf(recObject, 0x15, 18, 0x19, 7)+recordOf(recTextObject, 0, 0, 0, 0, 0, 3)+recordOf(recContinue, "\x00Why")+recordOf(recContinue, "runs")+recordOf(recObject, 0x15, 18, 6, 8)+recordOf(recTextObject, 0, 0, 0, 0, 0, 3)+recordOf(recContinue, "\x00Box")+recordOf(recNote, 1, 27, 0, 7)), "| a |\n| --- |\n\nAB2: Why\n\nBox\n", ""},
		"merged cells of which the first is hidden":  {"Workbook", bookOf(0x0600, "", recordOf(recRow, 0, 0, 9, 255, 0, 0, 0x20, 0)+recordOf(recLabel, 0, 0, 0, 1, "\x00a")+recordOf(recLabel, 1, 1, 0, 1, "\x00b")+recordOf(recLabel, 0, 2, 0, 1, "\x00c")+recordOf(recMergedCells, 1, 0, 2, 0, 0)), "| a | b |\n| --- | --- |\n", "hidden rows or columns are not read, in: One"},
		"a sheet that is cut off":                    {"Workbook", strings.TrimSuffix(bookOf(0x0600, "", recordOf(recLabel, 0, 0, 0, 1, "\x00a")), recordOf(recEnd)), "| a |\n| --- |\n", `sheet "One" is damaged: unexpected EOF`},
	} {
		content, err := Read(extracttest.CompoundFile(c.stream, c.content), extract.NoProgress)
		extracttest.CheckContent(t, content, err)
		if want := "## One\n\n" + c.want; content.Text != want || content.ExtractionNote.String() != c.note {
			t.Errorf("%s: read\n%s\nwith the note %q, want\n%s", name, content.Text, content.ExtractionNote, want)
		}
	}
	for reason, content := range map[string]string{
		extract.ErrPasswordProtected.Error(): bookOf(0x0600, recordOf(recPassword, 0), ""), errDamaged.Error(): "no records", extract.ErrNoText.Error(): bookOf(0x0600, "", ""), extract.ErrOnlyPictures.Error(): bookOf(0x0600, recordOf(0xEB, "\xA0\x46\x1D\xF0"), ""),
	} {
		_, err := Read(extracttest.CompoundFile("Workbook", content), extract.NoProgress)
		extracttest.WantSkip(t, err, reason)
	}
	_, err := Read(extracttest.CompoundFile("WordDocument", "x"), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
	_, err = Read([]byte("\x09\x04\x06\x00\x00\x00\x10\x00"), extract.NoProgress)
	extracttest.WantSkip(t, err, errOld.Error())
	_, err = Read([]byte("\xD0\xCF\x11\xE0\x00"), extract.NoProgress)
	extracttest.WantSkip(t, err, errDamaged.Error())
}

// TestRichTexts checks that a struck-out or raised number in a cell does not become one with the
// number beside it.
func TestRichTexts(t *testing.T) {
	plain, struck, raised, lowered := recordOf(recFont, 200, 0, 0, 400, 0), recordOf(recFont, 200, 8, 0, 400, 0), recordOf(recFont, 200, 0, 0, 400, 1), recordOf(recFont, 200, 0, 0, 400, 2)
	fonts := plain + plain + plain + struck + raised + lowered                                                              // with the numbers 0, 1, 2, 3, 5 and 6
	texts := recordOf(recTexts, uint32(3), uint32(3), 9, "\x08", 2, "5 mg10 mg", 0, 3, 4, 0, 5, "\x08", 2, "106/l", 2, 5) + // the runs continue in the next record
		recordOf(recContinue, 3, 0, 5, "\x0d", 1, uint32(3), "H\x002\x00O\x00!\x00!\x00", 1, 6, "ext")
	cells := recordOf(recSharedText, 0, 0, 0, uint32(0)) + recordOf(recSharedText, 0, 1, 0, uint32(1)) + recordOf(recSharedText, 0, 2, 0, uint32(2))
	c, err := Read(extracttest.CompoundFile("Workbook", bookOf(0x0600, fonts+texts, cells)), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| ~~5 mg~~ 10 mg | 10⁶/l | H2O!! |"; !strings.Contains(c.Text, want) || c.ExtractionNote.String() != "" {
		t.Errorf("%q, note %q, want %q in it", c.Text, c.ExtractionNote, want)
	}
}

// TestStruckCells checks that the text of a cell has marks if its font is struck out, but not a part
// with another font.
func TestStruckCells(t *testing.T) {
	plain, struck := recordOf(recFont, 200, 0, 0, 400, 0), recordOf(recFont, 200, 8, 0, 400, 0)
	styles := plain + struck + recordOf(recXF, 0, 0) + recordOf(recXF, 1, 0)
	texts := recordOf(recTexts, uint32(2), uint32(2), 4, "\x00", "5 mg", 6, "\x08", 1, "4 mg 8", 5, 0)
	cells := recordOf(recSharedText, 0, 0, 1, uint32(0)) + recordOf(recSharedText, 0, 1, 1, uint32(1)) + recordOf(recSharedText, 0, 2, 0, uint32(0)) +
		recordOf(recRK, 0, 3, 1, uint32(7<<2|2)) + recordOf(recRK, 0, 4, 0, uint32(7<<2|2))
	c, err := Read(extracttest.CompoundFile("Workbook", bookOf(0x0600, styles+texts, cells)), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "| ~~5 mg~~ | ~~4 mg~~ 8 | 5 mg | ~~7~~ | 7 |"; !strings.Contains(c.Text, want) || c.ExtractionNote.String() != "" {
		t.Errorf("%q, note %q, want %q in it", c.Text, c.ExtractionNote, want)
	}
}

// TestRepeatedReferences checks that a text to which many comments or cells refer is not processed
// again for each.
func TestRepeatedReferences(t *testing.T) {
	const filler, fillers, sheets = 1 << 15, 64, 130
	globals := recordOf(recBegin, 0x0600, 5, 0, 0)
	at := len(globals) + sheets*len(recordOf(recSheet, uint32(0), 0, "\x03\x00One")) + len(recordOf(recEnd))
	globals += strings.Repeat(recordOf(recSheet, uint32(at), 0, "\x03\x00One"), sheets) + recordOf(recEnd)
	sheet := recordOf(recBegin, 0x0600, 0x10, 0, 0) + recordOf(recLabel, 0, 0, 0, 1, "\x00a") + strings.Repeat(recordOf(1, strings.Repeat("x", filler)), fillers) + recordOf(recEnd)
	if c, err := Read(extracttest.CompoundFile("Workbook", globals+sheet), extract.NoProgress); err != nil || !strings.Contains(c.ExtractionNote.String(), `sheet "One" is read only to row 1`) {
		t.Errorf("%d sheets that are one of %d bytes: %q, %v", sheets, len(sheet), c.ExtractionNote, err)
	}
	note := recordOf(recNote, 0, 0, 0, 7)
	box := recordOf(recObject, 0x15, 18, 0x19, 7) + recordOf(recTextObject, 0, 0, 0, 0, 0, 3) + recordOf(recContinue, "\x00Why")
	c, err := Read(extracttest.CompoundFile("Workbook", bookOf(0x0600, "", box+note+note)), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if want := "## One\n\nA1: Why\n"; c.Text != want {
		t.Errorf("%q, want %q", c.Text, want)
	}
	const pieces, piece = 2000, "abcdefghijklmnop"
	r := sheetReader{book: &book{encodingLabel: "windows-1252"}, comments: []comment{{}}}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range pieces {
		r.readDrawingRecord(&record{recNote, [][]byte{[]byte("\xff\xff\x00\x00\x00\x00" + piece)}})
	}
	runtime.ReadMemStats(&after)
	const most = uint64(100 * pieces * len(piece)) // appending to a string would allocate 1,000 times as much
	if allocated := after.TotalAlloc - before.TotalAlloc; allocated > most || len(r.comments[0].text) != pieces*len(piece) {
		t.Errorf("a comment of %d bytes in %d pieces allocates %d bytes, want %d at most", len(r.comments[0].text), pieces, allocated, most)
	}
	b := book{isBIFF8: true}
	b.readTexts(&record{recTexts, [][]byte{[]byte("\x01\x00\x00\x00\x01\x00\x00\x00\x09\x00\x00 a\n    b ")}})
	if len(b.texts) != 1 || b.texts[0] != "a b" {
		t.Errorf("the text of cells is %q", b.texts)
	}
}

// FuzzRead checks that the reader fulfils its contract for any stream.
func FuzzRead(f *testing.F) {
	f.Add(bookOf(0x0600, recordOf(recTexts, uint32(2), uint32(9), 4, "\x00Do")+recordOf(recContinue, "\x01s\x00e\x00"), recordOf(recSharedText, 0, 0, 0, uint32(0))))
	f.Add(bookOf(0x0500, recordOf(recFormat, 1, "\x030.0"), recordOf(recLabel, 0, 0, 0, 1, "a")+recordOf(recRKs, 0, 0, 0, uint32(5), 1)+recordOf(recNote, 0, 0, 3, "Why")))
	locked, err := os.ReadFile("testdata/locked.xls")
	if err != nil {
		f.Fatal(err)
	}
	file, err := cfb.Open(locked)
	if err != nil {
		f.Fatal(err)
	}
	workbook, err := file.Root.ReadStream("Workbook")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(workbook))
	f.Fuzz(func(t *testing.T, content string) {
		c, err := Read(extracttest.CompoundFile("Workbook", content), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// TestHiddenFile reads a workbook that LibreOffice wrote, with rows and columns that are hidden by
// hand, by the outline and by a filter, and with hidden sheets.
func TestHiddenFile(t *testing.T) {
	raw, err := os.ReadFile("testdata/hidden.xls")
	if err != nil {
		t.Fatal(err)
	}
	c, err := Read(raw, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	extracttest.CheckHiddenSheets(t, c)
}
