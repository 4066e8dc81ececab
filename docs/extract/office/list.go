package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
)

// ListLevels is the number of levels of a Word list (ECMA-376 part 1, 17.9.6).
const ListLevels = 9

// A ListLevel defines how the items of a list level are numbered.
type ListLevel struct {
	Start         int
	Format        string // an Office Open XML number format, or "bullet"
	Text          string // characters below ListLevels stand for the number of that level; "" for no marker
	IsDecimal     bool   // whether the numbers of all levels are shown as digits
	NeverRestarts bool   // whether the level does not restart after an item of a higher level
}

// A List is a Word list with the current numbers of its levels, which are shared by all its uses.
type List struct {
	Levels [ListLevels]ListLevel

	numbers [ListLevels]int
	isBegun [ListLevels]bool // whether the level continues from its current number
}

// ListInstance is a use of a list, which paragraphs refer to. It may restart levels at other numbers,
// or replace them.
type ListInstance struct {
	Restarts  map[int]int // start numbers by level, each applied once
	Overrides map[int]ListLevel
}

// NextMarker counts an item of a level, from 0 to ListLevels-1, and returns its marker, or "" if it
// has none.
func (l *List) NextMarker(u *ListInstance, level int) string {
	l.countItem(u, level)
	item := l.level(u, level)
	if item.Format == "bullet" {
		if item.Text != "" && strings.TrimSpace(item.Text) == "" {
			return "" // a further paragraph of an item, as Pandoc writes it
		}
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

// level returns the definition of a level in a use of the list.
func (l *List) level(u *ListInstance, level int) ListLevel {
	if o, ok := u.Overrides[level]; ok {
		return o
	}
	return l.Levels[level]
}

func (l *List) countItem(u *ListInstance, level int) {
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

// TrimLongLabelAffix returns the text before or after a list number, or "" if it is too long, since
// every item of the list repeats it.
func TrimLongLabelAffix(s string) string {
	if len(s) > maxAffix {
		return ""
	}
	return s
}

const maxAffix = 200 // bytes
