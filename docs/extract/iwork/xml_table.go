package iwork

import (
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
)

// readTable reads a table and returns it as blocks. On a sheet of Numbers, it adds the table to the
// tables of the sheet instead.
func (x *xmlReader) readTable(e zipxml.Element) []markdown.Block {
	t := new(table)
	if e.Attribute("name-is-visible") == "true" {
		t.name = markdown.OneLine(e.Attribute("name"))
	}
	x.EachDescendant(func(e zipxml.Element) bool {
		if e.Name == "datasource" {
			x.readCells(&t.cells)
		}
		return e.Name == "datasource"
	})
	t.cells.SortRows()
	return t.placeInSheet(x.tables)
}

// readCells reads the cells of a table. A cell that is not adjacent to the previous one has its
// distance from it as an attribute, counted in rows of 256 columns.
func (x *xmlReader) readCells(t *sheet.Table) {
	const columns = 256
	position := 0
	x.EachChild(func(e zipxml.Element) {
		position += min(max(e.NumberAttribute("ct", 1), 0), columns*maxRows)
		text := markdown.OneLine(x.readCell(e))
		if x.CountBytes(extract.CellOverheadBytes); text == "" || position >= columns*maxRows {
			return
		}
		if !t.CountTowardsLimit(text) {
			x.StopWith(extract.ErrTooMuchText)
			return
		}
		row := sheet.Row{Number: position/columns + 1, Cells: []sheet.Cell{{Column: position % columns, Text: text}}}
		if n := len(t.Rows); n > 0 && t.Rows[n-1].Number == row.Number {
			t.Rows[n-1].Cells = append(t.Rows[n-1].Cells, row.Cells...)
			return
		}
		t.Rows = append(t.Rows, row)
	}, nil)
}

// readCell returns the text that a cell shows: its own value, the result of its formula, or the
// chosen entry of its menu.
func (x *xmlReader) readCell(e zipxml.Element) string {
	switch e.Name {
	case "n", "rn", "sl", "st":
		return xmlNumber(e.Attribute("v"))
	case "cb", "rb":
		return strings.ToUpper(strconv.FormatBool(e.NumberAttribute("v", 0) != 0))
	case "d", "rd":
		return xmlDate(e.Attribute("cell-date"))
	case "du", "rdu":
		if seconds, err := strconv.ParseFloat(e.Attribute("du"), 64); err == nil {
			return formatDuration(seconds)
		}
		return ""
	case "ct":
		if text := e.Attribute("s"); text != "" {
			x.CountBytes(len(text))
			return text
		}
		return oneLine(x.readBlocks())
	case "menu-choices":
		x.readMenu()
		return ""
	case "proxied-cell-ref":
		return x.menuChoices[e.Attribute("IDREF")]
	case "t", "rt", "f", "r", "pm":
		shown := ""
		x.EachChild(func(e zipxml.Element) {
			if text := x.readCell(e); text != "" {
				shown = text
			}
		}, nil)
		return shown
	}
	return ""
}

// readMenu records the entries of a menu, to which cells refer.
func (x *xmlReader) readMenu() {
	x.EachChild(func(e zipxml.Element) {
		text := x.readCell(e)
		x.CountBytes(extract.CellOverheadBytes)
		x.menuChoices[e.Attribute("ID")] = text
	}, nil)
}

func xmlNumber(s string) string {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return ""
	}
	var c cell
	if c.setNumber(f); c.number == nil {
		return ""
	}
	return formatPlainNumber(c.number, false)
}

func xmlDate(s string) string {
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return ""
	}
	return formatDate(seconds)
}
