package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A unitOutline records the groups of the units of a text, and what precedes them.
type unitOutline struct {
	text  string
	units []Unit
	group int
	lead  string     // what introduces the list or table at hand; "": nothing does
	items []listItem // that the next unit may be below, outermost first

	inList bool // the unit before is of a list
}

// A listItem is one of a list, with the column at which its line begins.
type listItem struct {
	column int
	marker rune // see markerOf
	said   string
}

func (o *unitOutline) annotateUnits() {
	for i := range o.units {
		u := &o.units[i]
		switch {
		case u.IsHeading:
			o.beginGroup()
		case u.block == rows:
			if u.isFirst && !o.isIntroduced(i) {
				o.beginGroup()
			}
			u.Above = o.contextAbove(u.columns)
		case o.startsItem(u):
			o.addItem(i)
		case o.isInItem(u):
			u.Above = o.contextAbove("")
		default:
			o.addProse(i)
		}
		u.Group = o.group
		o.inList = len(o.items) > 0
	}
}

// beginGroup begins a group.
func (o *unitOutline) beginGroup() { o.group, o.lead, o.items = o.group+1, "", nil }

// addItem notes what an item is below, and that others may be below it.
func (o *unitOutline) addItem(i int) {
	u := &o.units[i]
	said := o.text[u.Start:u.End]
	next := listItem{column: o.columnOf(u), marker: markerOf(said), said: shortenTitle(said)}
	if !o.inList && !o.isIntroduced(i) || o.inList && o.beginsList(next) {
		o.beginGroup()
	}
	o.closeItems(next.column)
	u.Above = o.contextAbove("")
	o.items = append(o.items, next)
}

// beginsList reports whether an item begins another list: a marker of another kind does, as
// in CommonMark.
func (o *unitOutline) beginsList(next listItem) bool {
	outermost := o.items[0]
	return next.column <= outermost.column && next.marker != outermost.marker
}

// markerOf returns the kind of the mark that an item begins with: its sign, or 0 for a
// number.
func markerOf(item string) rune {
	r, _ := utf8.DecodeRuneInString(item)
	if r == '-' || r == '*' || r == '+' || strings.ContainsRune(bullets, r) {
		return r
	}
	return 0
}

// addProse notes whether a unit that is of no list introduces one.
func (o *unitOutline) addProse(i int) {
	u := &o.units[i]
	said := o.text[u.Start:u.End]
	isLast := i+1 == len(o.units)
	u.IsLead = isIntroduction(said) && (isLast || o.units[i+1].block == rows || o.startsItem(&o.units[i+1]))
	if u.isFirst || u.IsLead || o.inList {
		o.beginGroup()
	}
	if u.IsLead {
		o.lead = lastSentenceOf(said)
	}
}

// isIntroduced reports whether the unit before introduces one.
func (o *unitOutline) isIntroduced(i int) bool {
	return i > 0 && o.units[i-1].IsLead && o.units[i-1].block != rows
}

// contextAbove returns the context of a unit: the lead, the items above it, and the names of its
// columns.
func (o *unitOutline) contextAbove(columns string) (all []string) {
	if o.lead != "" {
		all = append(all, o.lead)
	}
	for _, i := range o.items {
		all = append(all, i.said)
	}
	if columns != "" {
		all = append(all, columns)
	}
	return all
}

// startsItem reports whether a unit begins an item of a list.
func (o *unitOutline) startsItem(u *Unit) bool {
	return u.block != rows && isBlank(o.text[o.lineStartOf(u):u.Start]) && startsListItem(o.text[u.Start:u.End])
}

// isInItem reports whether a unit continues an item, on its line or further right, and
// closes the items that it does not continue.
func (o *unitOutline) isInItem(u *Unit) bool {
	if !isBlank(o.text[o.lineStartOf(u):u.Start]) {
		return len(o.items) > 0
	}
	o.closeItems(o.columnOf(u))
	return len(o.items) > 0
}

// closeItems closes the items that begin at a column, or further right.
func (o *unitOutline) closeItems(column int) {
	for len(o.items) > 0 && o.items[len(o.items)-1].column >= column {
		o.items = o.items[:len(o.items)-1]
	}
}

// columnOf returns how far from the left the line of a unit begins.
func (o *unitOutline) columnOf(u *Unit) int {
	column, _ := cutIndent(o.text[o.lineStartOf(u):u.End])
	return column
}

// lineStartOf returns where the line begins on which a unit does.
func (o *unitOutline) lineStartOf(u *Unit) int {
	return strings.LastIndexByte(o.text[:u.Start], '\n') + 1
}

// isIntroduction reports whether a text introduces what follows.
func isIntroduction(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }

// lastSentenceOf returns the last sentence of a text that introduces a list, on one line.
func lastSentenceOf(s string) string {
	start, stop := 0, none
	for i, r := range s {
		if unicode.IsSpace(r) && stop.boundaryBeforeSpace(s, i) == betweenSentences || !unicode.IsSpace(r) && stop.boundaryBefore(r) == betweenSentences {
			start = i
		}
		if !unicode.IsSpace(r) {
			stop = stop.afterRune(s, i, r)
		}
	}
	return strings.TrimRight(shortenTitle(s[start:]), ":：")
}
