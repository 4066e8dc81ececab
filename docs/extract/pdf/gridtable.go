package pdf

import (
	"cmp"
	"slices"
)

// A table with empty cells loses its columns where its rows are read as text: "Metformin 1 1" may mean
// the morning and the noon. If its columns are certain, such a table is written as a table in Markdown.

const (
	sameBorder   = 4.0       // maximum distance between lines that are one border, in points: cells may have borders of their own
	coversBorder = 0.8       // minimum fraction of the side of a cell that its border covers
	maxCrossings = 4_000_000 // maximum number of pairs of lines that are compared on a page
)

// A tableBorder is a border that crosses a table, drawn as one or more lines side by side.
type tableBorder struct {
	low, high float64 // extent across
	rules     []rule
}

// covers reports whether the border is drawn along most of the way between two points.
func (b tableBorder) covers(from, to float64) bool {
	parts := slices.SortedFunc(slices.Values(b.rules), func(a, b rule) int { return cmp.Compare(a.from, b.from) })
	covered, end := 0.0, from
	for _, r := range parts {
		if start, stop := max(r.from, end), min(r.to, to); stop > start {
			covered, end = covered+stop-start, stop
		}
	}
	return covered >= coversBorder*(to-from)
}

// A drawnGrid is a table all of whose cells have borders: columns from left to right, rows from top to
// bottom.
type drawnGrid struct {
	columns []tableBorder // borders left of each column, and right of the last
	rows    []tableBorder // borders above each row, and below the last
}

// grids returns the tables whose borders are drawn on the page.
func (r pageRules) grids() (all []drawnGrid) {
	if len(r.vertical) < 3 || len(r.horizontal) < 3 || len(r.vertical)*len(r.horizontal) > maxCrossings {
		return nil
	}
	for _, group := range r.connected() {
		g := drawnGrid{bordersAt(group.vertical), bordersAt(group.horizontal)}
		slices.Reverse(g.rows)
		if g.trim(); len(g.columns) > 2 && len(g.rows) > 2 && len(g.columns) <= mostColumns {
			all = append(all, g)
		}
	}
	return all
}

// connected groups the lines that touch each other.
func (r pageRules) connected() map[int]*pageRules {
	parent := make([]int, len(r.vertical)+len(r.horizontal))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, v := range r.vertical {
		for k, h := range r.horizontal {
			if v.from-sameBorder <= h.at && h.at <= v.to+sameBorder && h.from-sameBorder <= v.at && v.at <= h.to+sameBorder {
				parent[root(len(r.vertical)+k)] = root(i)
			}
		}
	}
	groups := make(map[int]*pageRules)
	of := func(i int) *pageRules {
		if groups[root(i)] == nil {
			groups[root(i)] = &pageRules{}
		}
		return groups[root(i)]
	}
	for i, v := range r.vertical {
		of(i).vertical = append(of(i).vertical, v)
	}
	for k, h := range r.horizontal {
		of(len(r.vertical) + k).horizontal = append(of(len(r.vertical)+k).horizontal, h)
	}
	return groups
}

// bordersAt groups lines, in order, that are side by side.
func bordersAt(rules []rule) (all []tableBorder) {
	for _, r := range rules {
		if n := len(all) - 1; n >= 0 && r.at-all[n].high <= sameBorder {
			all[n].high, all[n].rules = r.at, append(all[n].rules, r)
		} else {
			all = append(all, tableBorder{r.at, r.at, []rule{r}})
		}
	}
	return all
}

// trim removes the rows at the top and at the bottom that have merged cells, such as a title or a sum. It
// removes all rows if others have such cells.
func (g *drawnGrid) trim() {
	for len(g.rows) > 1 && !g.isWhole(0) {
		g.rows = g.rows[1:]
	}
	for len(g.rows) > 1 && !g.isWhole(len(g.rows)-2) {
		g.rows = g.rows[:len(g.rows)-1]
	}
	for row := range len(g.rows) - 1 {
		if !g.isWhole(row) {
			g.rows = nil
			return
		}
	}
}

// isWhole reports whether a row has a border between all of its columns, and below and above all of its cells.
func (g *drawnGrid) isWhole(row int) bool {
	top, bottom := g.rows[row], g.rows[row+1]
	for i := 1; i < len(g.columns); i++ {
		left, right := g.columns[i-1], g.columns[i]
		if i+1 < len(g.columns) && !right.covers(bottom.high, top.low) || !top.covers(left.high, right.low) || !bottom.covers(left.high, right.low) {
			return false
		}
	}
	return true
}

// contains reports whether a point is within the outer borders.
func (g *drawnGrid) contains(at point) bool {
	return g.columns[0].low < at.x && at.x < g.columns[len(g.columns)-1].high && g.rows[len(g.rows)-1].low < at.y && at.y < g.rows[0].high
}

// cellOf returns the row and the column of a word. ok is false if it is not within one cell.
func (g *drawnGrid) cellOf(w placedWord) (row, column int, ok bool) {
	const overlap = 1.5 // maximum length of a word over the border, in points
	y := (w.bottom + w.top) / 2
	row = slices.IndexFunc(g.rows[1:], func(b tableBorder) bool { return y >= b.high })
	column = slices.IndexFunc(g.columns[1:], func(b tableBorder) bool { return w.right <= b.high+overlap })
	return row, column, row >= 0 && column >= 0 && w.left >= g.columns[column].low-overlap
}
