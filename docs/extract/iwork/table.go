package iwork

import (
	"encoding/binary"
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/sheet"
)

// A table is the text of the cells of a table, and its name.
type table struct {
	name  string // name of the table; "" if it is hidden
	cells sheet.Table
}

// placeInSheet adds the table to the tables of a sheet. If sheet is nil, it returns the table as
// blocks instead.
func (t *table) placeInSheet(sheet *[]*table) []markdown.Block {
	switch {
	case len(t.cells.Rows) == 0:
		return nil
	case sheet != nil:
		*sheet = append(*sheet, t)
		return nil
	case t.name != "":
		return []markdown.Block{{Text: t.name}, t.toBlock()}
	}
	return []markdown.Block{t.toBlock()}
}

// toBlock returns the table as a single block.
func (t *table) toBlock() markdown.Block {
	t.cells.SortRows()
	columns := 0
	for _, r := range t.cells.Rows {
		columns = max(columns, r.Cells[len(r.Cells)-1].Column+1)
	}
	isSparse := columns*len(t.cells.Rows) > extract.MaxTextBytes/extract.CellOverheadBytes
	var rows [][]string
	for _, r := range t.cells.Rows {
		var line []string
		for _, c := range r.Cells {
			for !isSparse && len(line) < c.Column {
				line = append(line, "")
			}
			line = append(line, c.Text)
		}
		rows = append(rows, line)
	}
	return markdown.Block{Kind: markdown.Table, Rows: rows}
}

// tableBlocks reads a table (TST.TableInfoArchive, or the object of Pages that contains one) and
// returns it as blocks. On a sheet of Numbers, it adds the table to the tables of the sheet
// instead.
func (d *document) tableBlocks(o object, depth int) []markdown.Block {
	const modelOfTable = 2
	info := o.protobufMessage
	if o.kind == pagesTableInfoKind {
		info = info.bytes(1)
	}
	id := info.reference(modelOfTable)
	model := d.objects[id]
	if model.kind != tableModelKind || !d.enterObject(id, depth) {
		return nil
	}
	return d.readTable(model.protobufMessage, depth).placeInSheet(d.tables)
}

// A tableReader reads the cells of a table. They refer to texts and formats in lists, by keys.
type tableReader struct {
	*document
	depth      int
	texts      map[uint64]protobufMessage // texts, by key
	richTexts  map[uint64]protobufMessage
	formats    map[uint64]protobufMessage // number formats, by key
	oldFormats map[uint64]protobufMessage // number formats of cells written until 2017, by key
	menus      map[uint64]protobufMessage // menus of cells written until 2017, by key
	table      *table
}

// readTable reads the name and the cells of a table (TST.TableModelArchive).
func (d *document) readTable(model protobufMessage, depth int) *table {
	const store, name, nameIsShown = 4, 8, 22
	const tiles, texts, richTexts, formats, oldFormats, menus = 3, 4, 17, 22, 11, 16 // fields of the data store of the table
	t := new(table)
	if model.number(nameIsShown) != 0 {
		t.name = markdown.OneLine(string(model.bytes(name)))
		d.countText(len(t.name))
	}
	data := model.bytes(store)
	r := tableReader{
		document: d, depth: depth, table: t,
		texts: d.dataList(data.reference(texts)), richTexts: d.dataList(data.reference(richTexts)), formats: d.dataList(data.reference(formats)),
		oldFormats: d.dataList(data.reference(oldFormats)), menus: d.dataList(data.reference(menus)),
	}
	const size, defaultSize = 2, 256
	storage := data.bytes(tiles)
	height := storage.number(size)
	if height == 0 {
		height = defaultSize
	}
	for tile := range storage.eachMessage(1) {
		r.readTile(tile.reference(2), int(min(tile.number(1)*height, maxRows)))
	}
	t.cells.SortRows()
	return t
}

const maxRows = 1 << 20

// dataList returns the entries of a list (TST.TableDataList), including those in its segments, by
// key.
func (d *document) dataList(id uint64) map[uint64]protobufMessage {
	const key, entries, segments = 1, 3, 4
	all := make(map[uint64]protobufMessage)
	for _, id := range append([]uint64{id}, d.objects[id].references(segments)...) {
		for e := range d.objects[id].eachMessage(entries) {
			all[e.number(key)] = e
		}
	}
	return all
}

// readTile reads a group of rows (TST.Tile), whose first row has the index first, from 0.
func (r *tableReader) readTile(id uint64, first int) {
	const rows, index = 5, 1
	if !r.enterObject(id, r.depth) {
		return
	}
	for row := range r.objects[id].eachMessage(rows) {
		if r.readRow(row, first+int(min(row.number(index), maxRows))); r.err != nil {
			return
		}
	}
}

// readRow reads a row (TST.TileRowInfo): a buffer of cells, and the offset of each cell in it, in
// units of one or four bytes.
func (r *tableReader) readRow(info protobufMessage, number int) {
	const oldCells, oldOffsets, cells, offsets, isWide = 3, 4, 6, 7, 8
	buffer, starts, unit := info.bytes(cells), info.bytes(offsets), 1
	switch {
	case len(starts) == 0:
		buffer, starts = info.bytes(oldCells), info.bytes(oldOffsets)
	case info.number(isWide) != 0:
		unit = 4
	}
	row := sheet.Row{Number: number + 1}
	for column := range len(starts) / 2 {
		const none = 1<<16 - 1
		start := int(binary.LittleEndian.Uint16(starts[2*column:]))
		if start == none || start*unit >= len(buffer) {
			continue
		}
		text := markdown.OneLine(r.cellText(buffer[start*unit:]))
		if text == "" {
			continue
		}
		if r.countText(extract.CellOverheadBytes); !r.table.cells.CountTowardsLimit(text) {
			r.err = extract.ErrTooMuchText
		}
		if r.err != nil {
			return
		}
		row.Cells = append(row.Cells, sheet.Cell{Column: column, Text: text})
	}
	if len(row.Cells) > 0 {
		r.table.cells.Rows = append(r.table.cells.Rows, row)
	}
}

// writeSheets writes the sheets of a Numbers document (TN.DocumentArchive). It reports whether
// there are any sheets.
func (d *document) writeSheets(root protobufMessage) bool {
	const name, drawables, headers, footers, formSheet = 1, 2, 18, 19, 3
	all := root.references(1)
	for i, id := range all {
		o := d.objects[id]
		said := o.protobufMessage
		if o.kind == formSheet {
			said = said.bytes(1)
		}
		if !d.enterObject(id, 0) {
			continue
		}
		var s spreadsheet
		d.tables = &s.tables
		for _, drawn := range said.references(drawables) {
			s.otherBlocks = append(s.otherBlocks, d.drawableBlocks(drawn, 0)...)
		}
		for _, edge := range slices.Concat(said.references(headers), said.references(footers)) {
			s.otherBlocks = append(s.otherBlocks, d.unseenFooter(edge)...)
		}
		s.writeTo(&d.w, extract.Part{Kind: extract.Sheet, Number: i + 1, Name: markdown.OneLine(string(said.bytes(name)))})
	}
	return len(all) > 0
}

// A spreadsheet is a sheet of Numbers: its tables and its other blocks.
type spreadsheet struct {
	tables      []*table
	otherBlocks []markdown.Block
}

// writeTo writes the sheet as the part p of the text.
func (s *spreadsheet) writeTo(w *markdown.Writer, p extract.Part) {
	if len(s.tables) == 0 && len(s.otherBlocks) == 0 {
		return
	}
	w.BeginPart(p)
	w.WriteHeading(2, p.Name)
	for _, t := range s.tables {
		name := t.name
		if len(s.tables) == 1 {
			name = ""
		}
		t.cells.WriteNamed(w, p, name)
	}
	if len(s.otherBlocks) > 0 {
		w.BeginPart(p)
	}
	for _, b := range s.otherBlocks {
		b.Write(w)
	}
}
