package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
)

// ListLevels is how many levels a list of Word has (ECMA-376 part 1, 17.9.6).
const ListLevels = 9

// A ListLevel says how the items of a level of a list are numbered.
type ListLevel struct {
	Start         int
	Format        string // a number format of Office Open XML, "bullet" for a bullet
	Text          string // in which a character below ListLevels stands for the number of that level; "": there is no marker
	IsDecimal     bool   // shows the numbers of all levels as digits
	NeverRestarts bool   // does not begin again after an item of a higher level
}

// A List is a list of Word with the numbers that its levels have reached. Its uses share these.
type List struct {
	Levels [ListLevels]ListLevel

	numbers [ListLevels]int
	isBegun [ListLevels]bool // whether the level goes on from its number
}

// A ListUse is a use of a list, which paragraphs refer to: some levels may begin again with
// another number, or be replaced.
type ListUse struct {
	Restarts  map[int]int // the numbers with which levels begin again, once
	Overrides map[int]ListLevel
}

// NextMarker counts an item of a level from 0 to ListLevels-1 and returns its marker, "" if it has
// none.
func (l *List) NextMarker(u *ListUse, level int) string {
	l.countItem(u, level)
	item := l.level(u, level)
	if item.Format == "bullet" {
		return markdown.Bullet
	}
	var marker strings.Builder
	for _, c := range item.Text {
		if c >= ListLevels {
			marker.WriteRune(c)
			continue
		}
		format := "decimal"
		if !item.IsDecimal {
			format = l.level(u, int(c)).Format
		}
		marker.WriteString(numberformat.FormatListNumber(format, l.numbers[c]))
	}
	return markdown.OneLine(marker.String())
}

// level returns how a level is numbered in a use of the list.
func (l *List) level(u *ListUse, level int) ListLevel {
	if o, ok := u.Overrides[level]; ok {
		return o
	}
	return l.Levels[level]
}

func (l *List) countItem(u *ListUse, level int) {
	start, restarts := u.Restarts[level]
	switch {
	case restarts:
		delete(u.Restarts, level) // only before its first item
		l.numbers[level] = start
	case l.isBegun[level]:
		l.numbers[level]++
	default:
		l.numbers[level] = l.level(u, level).Start
	}
	l.isBegun[level] = true
	for higher := range level {
		if !l.isBegun[higher] {
			l.numbers[higher], l.isBegun[higher] = l.level(u, higher).Start, true
		}
	}
	for deeper := level + 1; deeper < ListLevels; deeper++ {
		l.isBegun[deeper] = l.isBegun[deeper] && l.level(u, deeper).NeverRestarts
	}
}

// LimitAffix returns what stands around numbers, unless it is too long to be that:
// every item of a list repeats it.
func LimitAffix(s string) string {
	if len(s) > maxAffix {
		return ""
	}
	return s
}

const maxAffix = 200 // bytes
