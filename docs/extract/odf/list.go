package odf

import (
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/numberformat"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A paragraphStyle holds the relevant properties of a paragraph style.
type paragraphStyle struct {
	parent  string
	outline int // outline level, from 1; 0 means none
	format  textFormat
}

// A listCounter is a list style together with the current numbers of its levels (OpenDocument 1.3,
// part 3, 16.30).
type listCounter struct {
	levels [maxLevels + 1]listLevel // levels of the list style; index 0 is not used
	counts [maxLevels + 1]int
}

type listLevel struct {
	format, prefix, suffix string // number format, and the text before and after the number; format "" means that there is no number
	start, shown           int    // first number, and how many levels the marker shows
	bullet                 bool
}

const maxLevels = 10

// readStyles reads the styles of a part, and returns its headers and footers.
func (d *document) readStyles(x *zipxml.Reader) []string {
	var edges []string
	x.EachDescendant(func(e zipxml.Element) bool {
		switch e.Name {
		case "style":
			switch family := e.Attribute("family"); {
			case family == "paragraph" && len(d.styles) < extract.MaxArchiveEntries:
				d.styles[e.Attribute("name")] = paragraphStyle{e.Attribute("parent-style-name"), e.NumberAttribute("default-outline-level", 0), readTextFormat(x)}
			case family == "text" && len(d.textStyles) < extract.MaxArchiveEntries:
				d.textStyles[e.Attribute("name")] = textStyle{e.Attribute("parent-style-name"), readTextFormat(x)}
			case family == "table-cell" && len(d.cellStyles) < extract.MaxArchiveEntries:
				d.cellStyles[e.Attribute("name")] = textStyle{e.Attribute("parent-style-name"), readTextFormat(x)}
			case (family == "table" || family == "drawing-page") && len(d.hiddenStyles) < extract.MaxArchiveEntries && hidesPart(x):
				d.hiddenStyles[e.Attribute("name")] = true
			}
		case "list-style":
			if l := readListStyle(x); len(d.lists) < extract.MaxArchiveEntries {
				d.lists[e.Attribute("name")] = l
			}
		case "outline-style":
			d.outline = *readListStyle(x)
		case "master-styles":
			edges = d.readHeadersFooters(x)
		default:
			return false
		}
		return true
	})
	return edges
}

// headingLevel returns the level of a paragraph that is a heading only by its style, or 0 if it is
// none.
func (d *document) headingLevel(style string) int {
	for range office.MaxBaseStyles {
		name := strings.ReplaceAll(style, "_20_", " ")
		if n := office.StyleOutlineLevel(name); n != office.OutlineUnset {
			return int(n) + 1
		}
		s, ok := d.styles[style]
		if !ok || s.parent == "" {
			return 0
		}
		style = s.parent
	}
	return 0
}

func readListStyle(x *zipxml.Reader) *listCounter {
	var l listCounter
	x.EachChild(func(e zipxml.Element) {
		level := e.NumberAttribute("level", 0)
		if level < 1 || level > maxLevels {
			return
		}
		switch e.Name {
		case "list-level-style-number", "outline-level-style":
			l.levels[level] = listLevel{
				format: e.Attribute("num-format"), prefix: office.DropLongAffix(e.Attribute("num-prefix")), suffix: office.DropLongAffix(e.Attribute("num-suffix")),
				start: e.NumberAttribute("start-value", 1), shown: e.NumberAttribute("display-levels", 1),
			}
		case "list-level-style-bullet", "list-level-style-image":
			l.levels[level].bullet = true
		}
	}, nil)
	return &l
}

// nextMarker counts a list item on a level and returns its marker. Counting begins at start unless
// that is 0.
func (l *listCounter) nextMarker(level, start int) string {
	level = min(max(level, 1), maxLevels)
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
			numbers = append(numbers, numberformat.FormatListNumber(numeralFormat(f), max(l.counts[i], 1)))
		}
	}
	return markdown.OneLine(def.prefix + strings.Join(numbers, ".") + def.suffix)
}

// numeralFormat returns the Office name of a number format (OpenDocument 1.3, part 3, 19.502).
func numeralFormat(f string) string {
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

// readList reads a list. A list nested in an item inherits the style of the outer list unless it
// has its own.
func (d *document) readList(x *zipxml.Reader, e zipxml.Element, at blockPosition, emit func(markdown.Block)) {
	at.level++
	at.marker = ""
	if l := d.lists[e.Attribute("style-name")]; l != nil {
		at.list = l
	}
	if at.list == nil {
		at.list = &listCounter{}
		for i := range at.list.levels {
			at.list.levels[i].bullet = true
		}
	}
	if at.level == 1 && e.Attribute("continue-numbering") != "true" && e.Attribute("continue-list") == "" {
		clear(at.list.counts[:])
	}
	x.EachChild(func(e zipxml.Element) {
		item := at
		if e.Name == "list-item" {
			start, _ := strconv.Atoi(e.Attribute("start-value"))
			if item.marker = at.list.nextMarker(at.level, start); item.marker == "" {
				item.marker = markdown.Bullet
			}
		}
		d.readBlocks(x, item, emit)
	}, nil)
}
