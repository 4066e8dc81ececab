package formats

import (
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
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
func (d *odt) readStyles(x *zipxml.Reader) []string {
	var edges []string
	x.Descend(func(e zipxml.Element) bool {
		switch e.Name {
		case "style":
			if family := e.Attr("family"); family == "paragraph" && len(d.styles) < extract.MaxEntries {
				d.styles[e.Attr("name")] = odtStyle{e.Attr("parent-style-name"), e.Number("default-outline-level", 0)}
			}
		case "list-style":
			if l := readODTList(x); len(d.lists) < extract.MaxEntries {
				d.lists[e.Attr("name")] = l
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
	for range office.MaxBases {
		name := strings.ReplaceAll(style, "_20_", " ")
		if n := office.HeadingOutline(name); n != office.OutlineUnset {
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

func readODTList(x *zipxml.Reader) *odtList {
	var l odtList
	x.Children(func(e zipxml.Element) {
		level := e.Number("level", 0)
		if level < 1 || level > odtLevels {
			return
		}
		switch e.Name {
		case "list-level-style-number", "outline-level-style":
			l.levels[level] = odtLevel{
				format: e.Attr("num-format"), prefix: office.Affix(e.Attr("num-prefix")), suffix: office.Affix(e.Attr("num-suffix")),
				start: e.Number("start-value", 1), shown: e.Number("display-levels", 1),
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
		return markdown.Bullet
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
			numbers = append(numbers, office.Numeral(odtFormat(f), max(l.counts[i], 1)))
		}
	}
	return markdown.OneLine(def.prefix + strings.Join(numbers, ".") + def.suffix)
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
func (d *odt) list(x *zipxml.Reader, e zipxml.Element, at odtPlace, emit func(markdown.Block)) {
	at.level++
	at.marker = ""
	if l := d.lists[e.Attr("style-name")]; l != nil {
		at.list = l
	}
	if at.list == nil {
		at.list = &odtList{}
		for i := range at.list.levels {
			at.list.levels[i].bullet = true
		}
	}
	if at.level == 1 && e.Attr("continue-numbering") != "true" && e.Attr("continue-list") == "" {
		clear(at.list.counts[:])
	}
	x.Children(func(e zipxml.Element) {
		item := at
		if e.Name == "list-item" {
			start, _ := strconv.Atoi(e.Attr("start-value"))
			if item.marker = at.list.next(at.level, start); item.marker == "" {
				item.marker = markdown.Bullet
			}
		}
		d.blocks(x, item, emit)
	}, nil)
}
