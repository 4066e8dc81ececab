package xls

import (
	"encoding/binary"
	"math"
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/sheet"
)

// A sheetReader holds the state while the records of a sheet are read ([MS-XLS] 2.1.7.20.5).
type sheetReader struct {
	*book
	table          sheet.Table
	row            sheet.Row
	headers        []string
	notes          map[int]string // texts of text boxes and comments, by object number
	textBoxes      []int          // numbers of the objects that have texts, in order
	lastObject     int            // number of the last object read
	comments       []comment
	pendingFormula address // cell of a formula whose result is the text in the next record
	hidden         sheet.HiddenRanges
	depth          int // nesting depth of charts within the sheet
	full           bool
}

type address struct{ row, column, style int }

type comment struct {
	cell   string
	object int    // in BIFF8, number of the object with the text of the comment
	text   []byte // in BIFF5, text of the comment
}

// read reads the records of a sheet, up to the first damage. whole is false if the sheet is
// damaged.
func (r *sheetReader) read(s recordStream) (whole bool) {
	first, ok := s.nextRecord()
	if !ok || first.kind != recBegin {
		return false
	}
	defer r.finishRow()
	for !r.full {
		before := len(s.rest)
		rec, ok := s.nextRecord()
		r.remainingBytes -= before - len(s.rest)
		switch {
		case !ok:
			return false
		case r.remainingBytes < 0:
			r.full = true
		case rec.kind == recEnd && r.depth == 0:
			return true
		case rec.kind == recEnd:
			r.depth--
		case rec.kind == recBegin:
			r.depth++
		case r.depth > 0: // a record of a chart in the sheet
		default:
			r.readRecord(&rec)
		}
	}
	r.table.IsTruncated = true
	return true
}

func (r *sheetReader) readRecord(rec *record) {
	at := address{rec.uint16At(0), rec.uint16At(2), rec.uint16At(4)}
	d := rec.data()
	switch rec.kind {
	case recSharedText:
		if len(d) >= 10 {
			if n := binary.LittleEndian.Uint32(d[6:]); uint64(n) < uint64(len(r.texts)) {
				r.addText(at, r.texts[n], r.plainLength(int(n)))
			}
		}
	case recLabel:
		r.addText(at, r.readLongText(rec, 6), markdown.AllInCellFont)
	case recRichLabel: // the fonts of its parts are not read
		r.addText(at, r.readLongText(rec, 6), 0)
	case recNumber:
		if len(d) >= 14 {
			r.addNumber(at, math.Float64frombits(binary.LittleEndian.Uint64(d[6:])))
		}
	case recRK:
		if len(d) >= 10 {
			r.addNumber(at, rkNumber(binary.LittleEndian.Uint32(d[6:])))
		}
	case recRKs:
		for i := 4; i+6 <= len(d)-2; i += 6 {
			r.addNumber(address{at.row, at.column + (i-4)/6, rec.uint16At(i)}, rkNumber(binary.LittleEndian.Uint32(d[i+2:])))
		}
	case recBool:
		if len(d) >= 8 {
			r.addValue(at, d[6], d[7] != 0)
		}
	case recFormula:
		if len(d) >= 14 {
			r.addResult(at, d[6:14])
		}
	case recString:
		r.addText(r.pendingFormula, r.readLongText(rec, 0), markdown.AllInCellFont)
	case recRow, recColumns, recFilterMode, recMergedCells:
		r.readLayoutRecord(rec)
	default:
		r.readDrawingRecord(rec)
	}
}

// readLayoutRecord reads which rows and columns are hidden, and which cells are merged, if the record
// says so ([MS-XLS] 2.4.221, 2.4.53, 2.4.132 and 2.4.168). What an outline or a filter hides does not
// count as hidden, as people can show it with a click.
func (r *sheetReader) readLayoutRecord(rec *record) {
	const rowLevel, rowHidden, columnHidden, columnLevel, lastRow = 0x07, 0x20, 0x01, 0x0700, 1 << 16
	switch rec.kind {
	case recRow:
		if options := rec.uint16At(12); len(rec.data()) >= 14 && options&rowHidden != 0 && options&rowLevel == 0 {
			r.hidden.AddRow(rec.uint16At(0) + 1)
		}
	case recColumns:
		if options := rec.uint16At(8); len(rec.data()) >= 10 && options&columnHidden != 0 && options&columnLevel == 0 {
			r.hidden.AddColumns(rec.uint16At(0), rec.uint16At(2))
		}
	case recFilterMode:
		r.hidden.ExemptFilteredRows(1, lastRow)
	case recMergedCells:
		for i := 2; i+8 <= len(rec.data()); i += 8 {
			r.hidden.AddMerge(sheet.Merge{FirstRow: rec.uint16At(i) + 1, LastRow: rec.uint16At(i+2) + 1, FirstColumn: rec.uint16At(i + 4), LastColumn: rec.uint16At(i + 6)})
		}
	}
}

// rkNumber decodes a number that is stored in four bytes ([MS-XLS] 2.5.217).
func rkNumber(rk uint32) float64 {
	v := float64(int32(rk) >> 2)
	if rk&2 == 0 {
		v = math.Float64frombits(uint64(rk&^3) << 32)
	}
	if rk&1 != 0 {
		v /= 100
	}
	return v
}

// addResult adds the result of a formula, given in eight bytes, to the cell at an address ([MS-XLS]
// 2.5.133). A text is not in these bytes but in the next record, so only its cell is remembered.
func (r *sheetReader) addResult(at address, result []byte) {
	if binary.LittleEndian.Uint16(result[6:]) != 0xFFFF {
		r.addNumber(at, math.Float64frombits(binary.LittleEndian.Uint64(result)))
		return
	}
	switch result[0] {
	case 0:
		r.pendingFormula = at
	case 1, 2:
		r.addValue(at, result[2], result[0] == 2)
	}
}

// errorNames are the texts that cells show for errors ([MS-XLS] 2.5.10).
var errorNames = map[byte]string{0x00: "#NULL!", 0x07: "#DIV/0!", 0x0F: "#VALUE!", 0x17: "#REF!", 0x1D: "#NAME?", 0x24: "#NUM!", 0x2A: "#N/A"}

func (r *sheetReader) addValue(at address, value byte, isError bool) {
	switch {
	case isError:
		r.addShown(at, errorNames[value])
	case value == 0:
		r.addShown(at, "FALSE")
	default:
		r.addShown(at, "TRUE")
	}
}

func (r *sheetReader) addNumber(at address, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return
	}
	if f := r.formatOfStyle(at.style); f != nil {
		r.addShown(at, f.FormatNumber(v, r.date1904))
		return
	}
	r.addShown(at, numberformat.FormatGeneral(v))
}

// addText adds a text, of which plain bytes at the start have the font of the cell.
func (r *sheetReader) addText(at address, text string, plain int) {
	if r.isStruck(at.style) {
		text = markdown.MarkStruckCell(text, plain)
	}
	if f := r.formatOfStyle(at.style); f != nil {
		text = f.FormatText(text)
	}
	r.add(at, text)
}

// addShown adds the displayed form of a value that is not a text.
func (r *sheetReader) addShown(at address, text string) {
	if r.isStruck(at.style) {
		text = markdown.MarkStruckCell(text, markdown.AllInCellFont)
	}
	r.add(at, text)
}

func (r *sheetReader) add(at address, text string) {
	if text = markdown.OneLine(text); text == "" {
		return
	}
	if r.row.Number != at.row+1 {
		r.finishRow()
		r.row.Number = at.row + 1
	}
	r.row.Cells = append(r.row.Cells, sheet.Cell{Column: at.column, Text: text})
	r.full = !r.table.CountTowardsLimit(text)
}

// finishRow adds the current row to the table.
func (r *sheetReader) finishRow() {
	if len(r.row.Cells) > 0 {
		r.table.Rows = append(r.table.Rows, r.row)
	}
	r.row = sheet.Row{}
}

// readDrawingRecord reads a record of the drawings on a sheet, or of a header, footer or comment.
func (r *sheetReader) readDrawingRecord(rec *record) {
	d := rec.data()
	switch rec.kind {
	case recHeader, recFooter:
		r.addHeader(rec)
	case recObject:
		const common, number = 0x15, 6
		if rec.uint16At(0) == common {
			r.lastObject = rec.uint16At(number)
		}
	case recTextObject:
		if len(rec.parts) > 1 && r.isBIFF8 && len(r.textBoxes) < maxStyles {
			c := partReader{parts: slices.Clone(rec.parts[1:])}
			r.notes[r.lastObject] = markdown.OneLine(c.readCharacters(rec.uint16At(10), c.readNumber(1)))
			r.textBoxes = append(r.textBoxes, r.lastObject)
		}
	case recNote:
		cell := sheet.CellName(rec.uint16At(0), rec.uint16At(2))
		switch n := len(r.comments); {
		case r.isBIFF8:
			r.comments = append(r.comments, comment{cell: cell, object: rec.uint16At(6)})
		case len(d) < 6:
		case rec.uint16At(0) == 0xFFFF && n > 0:
			r.comments[n-1].text = append(r.comments[n-1].text, r.decodeText(d[6:], len(d))...)
		default:
			r.comments = append(r.comments, comment{cell: cell, text: []byte(r.decodeText(d[6:], len(d)))})
		}
	}
}

// addHeader adds the text of a header or footer.
func (r *sheetReader) addHeader(rec *record) {
	text := r.readLongText(rec, 0)
	if !r.isBIFF8 {
		text = r.readShortText(rec, 0)
	}
	text = sheet.StripHeaderFooterCodes(text)
	if text != "" && !slices.Contains(r.headers, text) && len(r.headers) < extract.MaxNestingDepth {
		r.headers = append(r.headers, text)
	}
}

// textsBesideCells returns the headers and footers, the comments with the names of their cells, and
// the texts of text boxes, each once.
func (r *sheetReader) textsBesideCells() []string {
	texts := slices.Clone(r.headers)
	for _, c := range r.comments {
		text := markdown.OneLine(string(c.text))
		if r.isBIFF8 {
			text = r.takeBoxText(c.object)
		}
		if text != "" && !r.hidden.IsTextOfHiddenCell(c.cell) {
			texts = append(texts, c.cell+": "+text)
		}
	}
	for _, object := range r.textBoxes {
		if text := r.takeBoxText(object); text != "" {
			texts = append(texts, text)
		}
	}
	return texts
}

// takeBoxText returns the text of the object with that number, and "" the next time.
func (r *sheetReader) takeBoxText(object int) string {
	text := r.notes[object]
	delete(r.notes, object)
	return text
}
