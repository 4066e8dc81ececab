package office

import (
	"strings"

	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
)

// ListLevelCount is the number of levels of a Word list (ECMA-376 part 1, 17.9.6).
const ListLevelCount = 9

// A ListLevel defines how the items of a list level are numbered.
type ListLevel struct {
	Start            int
	NumberFormat     string // name of an Office Open XML number format, or "bullet"
	MarkerTemplate   string // marker, in which characters below ListLevelCount stand for the number of that level; "" for no marker
	AllLevelsDecimal bool   // whether the numbers of all levels are shown as digits
	NeverRestarts    bool   // whether the level does not restart after an item of a higher level
}

// A List is a Word list with the current numbers of its levels, which all uses of the list share.
type List struct {
	Levels [ListLevelCount]ListLevel

	numbers [ListLevelCount]int
	isBegun [ListLevelCount]bool // whether the next item of the level continues from its current number
}

// A ListInstance is a use of a list, to which paragraphs refer. It may restart the numbering of
// levels, or replace their definitions.
type ListInstance struct {
	RestartNumbers map[int]int // numbers at which levels restart, by level; each applies once
	Overrides      map[int]ListLevel
}

// NextMarker counts an item of a level, from 0 to ListLevelCount-1, in a use of the list. It returns
// the marker of the item, or "" if it has none.
func (l *List) NextMarker(instance *ListInstance, level int) string {
	l.countItem(instance, level)
	item := l.level(instance, level)
	if item.NumberFormat == "bullet" {
		if item.MarkerTemplate != "" && strings.TrimSpace(item.MarkerTemplate) == "" {
			return "" // a further paragraph of an item, as Pandoc writes it
		}
		return markdown.Bullet
	}
	var marker strings.Builder
	for _, c := range item.MarkerTemplate {
		if c >= ListLevelCount {
			marker.WriteRune(c)
			continue
		}
		format := "decimal"
		if !item.AllLevelsDecimal {
			format = l.level(instance, int(c)).NumberFormat
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
	start, restarts := instance.RestartNumbers[level]
	switch {
	case restarts:
		delete(instance.RestartNumbers, level) // applies only before the first item of the level
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
	for deeper := level + 1; deeper < ListLevelCount; deeper++ {
		l.isBegun[deeper] = l.isBegun[deeper] && l.level(instance, deeper).NeverRestarts
	}
}

// DropLongAffix returns affix, the text before or after the number of a list item, or "" if it
// is too long, as every item of the list repeats it.
func DropLongAffix(affix string) string {
	if len(affix) > maxAffix {
		return ""
	}
	return affix
}

const maxAffix = 200 // maximum length in bytes
