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
	Format        string // name of an Office Open XML number format, or "bullet"
	Text          string // marker, in which characters below ListLevels stand for the number of that level; "" for no marker
	IsDecimal     bool   // whether the numbers of all levels are shown as digits
	NeverRestarts bool   // whether the level does not restart after an item of a higher level
}

// A List is a Word list with the current numbers of its levels, which all uses of the list share.
type List struct {
	Levels [ListLevels]ListLevel

	numbers [ListLevels]int
	isBegun [ListLevels]bool // whether the next item of the level continues from its current number
}

// A ListInstance is a use of a list, to which paragraphs refer. It may restart the numbering of
// levels, or replace their definitions.
type ListInstance struct {
	Restarts  map[int]int // numbers at which levels restart, by level; each applies once
	Overrides map[int]ListLevel
}

// NextMarker counts an item of a level, from 0 to ListLevels-1, in a use of the list. It returns
// the marker of the item, or "" if it has none.
func (l *List) NextMarker(instance *ListInstance, level int) string {
	l.countItem(instance, level)
	item := l.level(instance, level)
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
			format = l.level(instance, int(c)).Format
		}
		marker.WriteString(numberformat.FormatListNumber(format, l.numbers[c]))
	}
	return markdown.OneLine(marker.String())
}

// level returns the definition of a level in a use of the list.
func (l *List) level(instance *ListInstance, level int) ListLevel {
	if o, ok := instance.Overrides[level]; ok {
		return o
	}
	return l.Levels[level]
}

func (l *List) countItem(instance *ListInstance, level int) {
	start, restarts := instance.Restarts[level]
	switch {
	case restarts:
		delete(instance.Restarts, level) // applies only before the first item of the level
		l.numbers[level] = start
	case l.isBegun[level]:
		l.numbers[level]++
	default:
		l.numbers[level] = l.level(instance, level).Start
	}
	l.isBegun[level] = true
	for higher := range level {
		if !l.isBegun[higher] {
			l.numbers[higher], l.isBegun[higher] = l.level(instance, higher).Start, true
		}
	}
	for deeper := level + 1; deeper < ListLevels; deeper++ {
		l.isBegun[deeper] = l.isBegun[deeper] && l.level(instance, deeper).NeverRestarts
	}
}

// TrimLongLabelAffix returns affix, the text before or after the number of a list item, or "" if it
// is too long, as every item of the list repeats it.
func TrimLongLabelAffix(affix string) string {
	if len(affix) > maxAffix {
		return ""
	}
	return affix
}

const maxAffix = 200 // maximum length in bytes
