package xlsx

import (
	"slices"

	"vademecum/docs/extract/sheet"
	"vademecum/docs/extract/zipxml"
)

// A filter is the filter of a sheet or of a table in it (ECMA-376 part 1, 18.3.1.2).
type filter struct {
	cells  string
	isUsed bool // whether it hides rows
}

// readLayout reads what an element of a sheet outside its cells says of hidden rows and columns, and of
// merged cells.
func (r *sheetReader) readLayout(e zipxml.Element) {
	switch e.Name {
	case "sheetPr":
		r.isFiltered = isOn(e.Attribute("filterMode"))
	case "col":
		first, last := e.NumberAttribute("min", 0)-1, e.NumberAttribute("max", 0)-1
		if isHiddenByHand(e) && 0 <= first && first <= last {
			r.hidden.AddColumns(first, last)
		}
	case "conditionalFormatting":
		r.conditional.ranges = e.Attribute("sqref")
	case "cfRule":
		r.conditional.rule, r.conditional.texts = e, nil
	case "formula":
		r.value, r.inValue = r.value[:0], true
	case "mergeCell":
		r.hidden.AddMergedCells(e.Attribute("ref"))
	case "autoFilter":
		r.filter = filter{cells: e.Attribute("ref")}
	case "filterColumn":
		if !r.filter.isUsed && !slices.Contains(r.openElements, "customSheetView") {
			r.filter.isUsed = true
			r.hidden.ExemptFilteredCells(r.filter.cells)
			r.isFiltered = false // explained by this filter, whose range is known
		}
	}
}

// isHiddenByHand reports whether a row or column is hidden, but not as a part of an outline, which a
// reader can open.
func isHiddenByHand(e zipxml.Element) bool {
	return isOn(e.Attribute("hidden")) && e.NumberAttribute("outlineLevel", 0) == 0
}

func isOn(value string) bool { return value == "1" || value == "true" }

// readTableFilters reads the filters of the tables in a sheet (ECMA-376 part 1, 18.5).
func (x *workbook) readTableFilters(part string, hidden *sheet.HiddenRanges) {
	for _, link := range x.ReadRelations(part).All {
		if link.Kind != "table" {
			continue
		}
		cells := ""
		_ = x.ReadXMLFile(link.Target, func(r *zipxml.Reader) { // on error, use what could be read
			r.EachDescendant(func(e zipxml.Element) bool {
				switch {
				case e.Name == "autoFilter":
					cells = e.Attribute("ref")
				case e.Name == "filterColumn" && cells != "":
					hidden.ExemptFilteredCells(cells)
					cells = ""
				}
				return false
			})
		})
	}
}
