package pdf

import (
	"strings"

	"vademecum/internal/base/lazyregexp"
)

// A headerSearch searches upwards from the last row of a table for the rows with the column names.
// These differ in style from the rows below, or are the first rows and have no number in a numeric
// column.
type headerSearch struct {
	*tablePage
	grid
	bottom int // index of the last row of the table

	first, last int // indexes of the first and last row of the header
	names       string
	texts       []string
	style       *charStyle
}

// find searches for the header of the table and reports whether there is one.
func (h *headerSearch) find() bool {
	crossing, top := 0, h.bottom+1
	for i := h.bottom; i >= 0 && len(h.borders) < mostColumns; i-- {
		row := h.measure(i)
		left, ok := narrow(h.borders, row)
		if !ok {
			if i == top-1 && h.isNarrowHeader(i) {
				return true
			}
			if _, filled, fits := h.columns(row); fits && filled == len(h.borders)+1 {
				continue // the cells of the row are as close together as words
			}
			if crossing++; crossing > 1 {
				break
			}
			continue
		}
		crossing = 0
		h.borders = left
		if len(row.cells) > 1 {
			top = i
		}
		if i <= h.bottom-2 && h.isStyled(i) {
			return true
		}
	}
	return h.bottom > top+1 && h.takeRows(top, top)
}

// isNarrowHeader reports whether a row is the header of a table with such narrow columns that their
// names are as close together as words: it is no further from the next row than the rows are from
// each other, and the names are aligned with the columns.
func (h *headerSearch) isNarrowHeader(row int) bool {
	if row+3 > h.bottom || h.gapBelow(row) > 1.15*h.gapBelow(row+1) || !h.takeRows(row, row) {
		return false
	}
	names, _, _ := h.columns(h.measure(row))
	cells, _, ok := h.columns(h.measure(row + 1))
	inLine := 0
	for i := range names {
		if ok && shareInLine([]border{{names[i].left, names[i].right}}, []border{{cells[i].left, cells[i].right}}) > 0 {
			inLine++
		}
	}
	return inLine >= 2 && 2*inLine >= len(names)
}

// isStyled reports whether the header ends at a row: it and the rows above it differ in style from
// those below.
func (h *headerSearch) isStyled(row int) bool {
	style, ok := h.rowStyle(row)
	if !ok || !h.differsBelow(row, style) {
		return false
	}
	const most = 4 // maximum rows of a header
	first := row
	for first > 0 && row-first < most {
		above, ok := h.rowStyle(first - 1)
		if _, fits := narrow(h.borders, h.measure(first-1)); !ok || above != style || !fits {
			break
		}
		first--
	}
	h.style = &style
	for ; first <= row; first++ {
		if h.takeRows(first, row) {
			return true
		}
	}
	h.style = nil
	return false
}

// rowStyle returns the style of the text in a row. ok is false if the row has several styles.
func (h *headerSearch) rowStyle(row int) (style charStyle, ok bool) {
	for i, w := range h.measure(row).cells {
		s := h.charStyle(w.first)
		if i > 0 && s != style {
			return style, false
		}
		style = s
	}
	return style, true
}

// differsBelow reports whether most of the cells below a row have another style.
func (h *headerSearch) differsBelow(row int, style charStyle) bool {
	const looked = 3 // number of rows that are checked
	same, all := 0, 0
	for i := row + 1; i <= min(row+looked, h.bottom); i++ {
		for _, c := range h.measure(i).cells {
			all++
			if h.charStyle(c.first) == style {
				same++
			}
		}
	}
	return 2*same < all
}

// year matches a number that may be the name of a column.
var year = lazyregexp.New(`^(?:19|20)[0-9]{2}$`)

// takeRows takes the column names from the rows first to last. It reports whether each column has a
// name.
func (h *headerSearch) takeRows(first, last int) bool {
	names := make([]string, len(h.borders)+1)
	var texts []string
	for i := first; i <= last; i++ {
		cells, _, ok := h.columns(h.measure(i))
		if !ok {
			return false
		}
		for n, c := range cells {
			names[n] = strings.TrimSpace(names[n] + " " + c.text)
		}
		texts = append(texts, h.measure(i).text())
	}
	for n, name := range names {
		if isYear := h.style != nil && year.MatchString(name); !isName(name) && !isYear && !(n == 0 && name == "") {
			return false
		}
	}
	h.first, h.last, h.names, h.texts = first, last, strings.Join(names, " | "), texts
	return true
}
