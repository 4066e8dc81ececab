package extract

import (
	"strconv"
	"strings"
)

// An odtStyle is what matters of a paragraph style.
type odtStyle struct {
	parent  string
	outline int // level as a heading, from 1, or 0
}

// An odtList is a list style with the numbers it has reached (OpenDocument
// 1.3, part 3, 16.30).
type odtList struct {
	levels [odtLevels + 1]odtLevel // from 1
	counts [odtLevels + 1]int
}

type odtLevel struct {
	format, prefix, suffix string // no format: no number
	start, shown           int    // shown: of how many levels the number is shown
	bullet                 bool
}

const odtLevels = 10

// readStyles reads the styles of a part, and its headers and footers.
func (d *odt) readStyles(x *xmlReader) []string {
	var edges []string
	x.descend(func(e element) bool {
		switch e.name {
		case "style":
			if family := e.attr("family"); family == "paragraph" && len(d.styles) < maxEntries {
				d.styles[e.attr("name")] = odtStyle{e.attr("parent-style-name"), e.number("default-outline-level", 0)}
			}
		case "list-style":
			if l := readODTList(x); len(d.lists) < maxEntries {
				d.lists[e.attr("name")] = l
			}
		case "outline-style":
			d.outline = *readODTList(x)
		case "master-styles":
			edges = d.edges(x)
		default:
			return false
		}
		return true
	})
	return edges
}

// headingLevel returns the level of a paragraph that only its style makes a
// heading, or 0.
func (d *odt) headingLevel(style string) int {
	for range maxBases {
		name := strings.ReplaceAll(style, "_20_", " ")
		if n := headingOutline(name); n != outlineUnset {
			return n + 1
		}
		s, ok := d.styles[style]
		if !ok || s.parent == "" {
			return 0
		}
		style = s.parent
	}
	return 0
}

func readODTList(x *xmlReader) *odtList {
	var l odtList
	x.children(func(e element) {
		level := e.number("level", 0)
		if level < 1 || level > odtLevels {
			return
		}
		switch e.name {
		case "list-level-style-number", "outline-level-style":
			l.levels[level] = odtLevel{
				format: e.attr("num-format"), prefix: affix(e.attr("num-prefix")), suffix: affix(e.attr("num-suffix")),
				start: e.number("start-value", 1), shown: e.number("display-levels", 1),
			}
		case "list-level-style-bullet", "list-level-style-image":
			l.levels[level].bullet = true
		}
	}, nil)
	return &l
}

// next counts an item, from start unless that is 0, and returns its marker.
func (l *odtList) next(level, start int) string {
	level = min(max(level, 1), odtLevels)
	def := l.levels[level]
	if def.bullet {
		return bullet
	}
	switch {
	case start > 0:
		l.counts[level] = start
	case l.counts[level] == 0:
		l.counts[level] = max(def.start, 1)
	default:
		l.counts[level]++
	}
	clear(l.counts[level+1:])
	if def.format == "" {
		return ""
	}
	var numbers []string
	for i := max(level-def.shown+1, 1); i <= level; i++ {
		if f := l.levels[i].format; f != "" {
			numbers = append(numbers, numeral(odtFormat(f), max(l.counts[i], 1)))
		}
	}
	return oneLine(def.prefix + strings.Join(numbers, ".") + def.suffix)
}

// odtFormat returns the name that Office has for a number format (OpenDocument
// 1.3, part 3, 19.502).
func odtFormat(f string) string {
	switch {
	case f == "a":
		return "lowerLetter"
	case f == "A":
		return "upperLetter"
	case f == "i":
		return "lowerRoman"
	case f == "I":
		return "upperRoman"
	case strings.HasPrefix(f, "一"):
		return "chineseCounting"
	case strings.HasPrefix(f, "壹"):
		return "chineseLegalSimplified"
	case strings.HasPrefix(f, "甲"):
		return "ideographTraditional"
	case strings.HasPrefix(f, "子"):
		return "ideographZodiac"
	case strings.HasPrefix(f, "①"):
		return "decimalEnclosedCircle"
	case strings.HasPrefix(f, "ア"):
		return "aiueo"
	case strings.HasPrefix(f, "イ"):
		return "iroha"
	}
	return "decimal"
}

// list reads a list, or one in an item of another, whose style it then has
// unless it names its own.
func (d *odt) list(x *xmlReader, e element, at odtPlace, emit func(block)) {
	at.level++
	at.marker = ""
	if l := d.lists[e.attr("style-name")]; l != nil {
		at.list = l
	}
	if at.list == nil {
		at.list = &odtList{}
		for i := range at.list.levels {
			at.list.levels[i].bullet = true
		}
	}
	if at.level == 1 && e.attr("continue-numbering") != "true" && e.attr("continue-list") == "" {
		clear(at.list.counts[:])
	}
	x.children(func(e element) {
		item := at
		if e.name == "list-item" {
			start, _ := strconv.Atoi(e.attr("start-value"))
			if item.marker = at.list.next(at.level, start); item.marker == "" {
				item.marker = bullet
			}
		}
		d.blocks(x, item, emit)
	}, nil)
}
