package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A unitOutline determines the groups of the units of a text, and the context above them.
type unitOutline struct {
	text  string
	units []PassageUnit
	group int
	lead  string     // introduction of the current list or table; "" if there is none
	items []listItem // items that may contain the next unit, outermost first

	inList bool // whether the previous unit belongs to a list
}

// A listItem is a list item with the column at which its line begins.
type listItem struct {
	column int
	marker rune // see markerOf
	title  string
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
			u.Context, u.IsItemRowOrCodeLine = o.contextAbove(u.columns), !u.IsIntroduction
		case o.startsItem(u):
			o.addItem(i)
			u.IsItemRowOrCodeLine = true
		case o.isInItem(u):
			u.Context = o.contextAbove("")
		default:
			o.addProse(i)
		}
		u.GroupNumber = o.group
		o.inList = len(o.items) > 0
	}
}

// beginGroup begins a new group of units, which has no introduction and no list items yet.
func (o *unitOutline) beginGroup() { o.group, o.lead, o.items = o.group+1, "", nil }

// addItem sets the context of unit i, which begins a list item, and adds the item to the context of
// the units in it.
func (o *unitOutline) addItem(i int) {
	u := &o.units[i]
	said := o.text[u.Start:u.End]
	next := listItem{column: o.columnOf(u), marker: markerOf(said), title: shortenTitle(said)}
	if !o.inList && !o.isIntroduced(i) || o.inList && o.beginsList(next) {
		o.beginGroup()
	}
	o.closeItems(next.column)
	u.Context = o.contextAbove("")
	o.items = append(o.items, next)
}

// beginsList reports whether an item begins a new list: a marker of another kind does, as in
// CommonMark.
func (o *unitOutline) beginsList(next listItem) bool {
	outermost := o.items[0]
	return next.column <= outermost.column && next.marker != outermost.marker
}

// markerOf returns the kind of a list item's marker: its sign, or 0 for a number.
func markerOf(item string) rune {
	r, _ := utf8.DecodeRuneInString(item)
	if r == '-' || r == '*' || r == '+' || strings.ContainsRune(bullets, r) {
		return r
	}
	return 0
}

// addProse records whether a unit outside a list introduces one.
func (o *unitOutline) addProse(i int) {
	u := &o.units[i]
	said := o.text[u.Start:u.End]
	isLast := i+1 == len(o.units)
	u.IsIntroduction = isIntroduction(said) && (isLast || o.units[i+1].block == rows || o.startsItem(&o.units[i+1]))
	if u.isFirst || u.IsIntroduction || o.inList {
		o.beginGroup()
	}
	if u.IsIntroduction {
		o.lead = lastSentenceOf(said)
	}
}

// isIntroduced reports whether the previous unit introduces a list.
func (o *unitOutline) isIntroduced(i int) bool {
	return i > 0 && o.units[i-1].IsIntroduction && o.units[i-1].block != rows
}

// contextAbove returns the context of a unit: the lead, the items that contain it, and the column
// names.
func (o *unitOutline) contextAbove(columns string) (all []string) {
	if o.lead != "" {
		all = append(all, o.lead)
	}
	for _, i := range o.items {
		all = append(all, i.title)
	}
	if columns != "" {
		all = append(all, columns)
	}
	return all
}

// startsItem reports whether a unit begins a list item.
func (o *unitOutline) startsItem(u *PassageUnit) bool {
	return u.block != rows && isBlank(o.text[o.lineStartOf(u):u.Start]) && startsListItem(o.text[u.Start:u.End])
}

// isInItem reports whether a unit continues an item, on the same line or further right. It closes
// the items that the unit does not continue.
func (o *unitOutline) isInItem(u *PassageUnit) bool {
	if !isBlank(o.text[o.lineStartOf(u):u.Start]) {
		return len(o.items) > 0
	}
	o.closeItems(o.columnOf(u))
	return len(o.items) > 0
}

// closeItems ends the open list items that begin at a column or further right.
func (o *unitOutline) closeItems(column int) {
	for len(o.items) > 0 && o.items[len(o.items)-1].column >= column {
		o.items = o.items[:len(o.items)-1]
	}
}

// columnOf returns the column at which the line of a unit begins.
func (o *unitOutline) columnOf(u *PassageUnit) int {
	column, _ := cutIndent(o.text[o.lineStartOf(u):u.End])
	return column
}

// lineStartOf returns the start of the line on which a unit begins.
func (o *unitOutline) lineStartOf(u *PassageUnit) int {
	return strings.LastIndexByte(o.text[:u.Start], '\n') + 1
}

// isIntroduction reports whether a text introduces what follows.
func isIntroduction(s string) bool { return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：") }

// lastSentenceOf returns the last sentence, on one line, of a text that introduces a list.
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
