package docx

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A listNumber says of which list a paragraph is an item.
type listNumber struct {
	id    string
	level int    // from 0, or levelOfStyle
	style string // that says so, if the paragraph does not
}

const (
	levels       = 9 // ECMA-376 part 1, 17.9.6
	levelOfStyle = -1
)

func readNumber(x *zipxml.Reader) listNumber {
	n := listNumber{level: levelOfStyle}
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "numId":
			n.id = e.Attr("val")
		case "ilvl":
			n.level = e.Number("val", 0)
		}
	}, nil)
	return n
}

// A numbering is the lists of a document (ECMA-376 part 1, 17.9).
type numbering struct {
	lists     map[string]*listDefinition // by the id of their definition
	instances map[string]*listInstance
}

type listDefinition struct {
	levels  [levels]listLevel
	counts  [levels]int
	counted [levels]bool
	link    string // the style in which the list is defined instead
	defines string // the style whose list this one is
}

type listLevel struct {
	start   int
	format  string
	pattern string // such as "%1.%2."
	style   string // of the paragraphs that are on this level
	keeps   bool   // does not begin again after an item of a higher level
	decimal bool   // shows all numbers as digits
}

// A listInstance is a use of a list, some of whose levels may begin anew or
// be other ones.
type listInstance struct {
	list     string
	restarts map[int]int
	levels   map[int]listLevel
}

func readNumbering(a *zipxml.Archive, part string) numbering {
	n := numbering{lists: make(map[string]*listDefinition), instances: make(map[string]*listInstance)}
	if part == "" {
		part = "word/numbering.xml"
	}
	a.Walk(part, func(x *zipxml.Reader) {
		x.Descend(func(e zipxml.Element) bool {
			switch {
			case e.Name == "abstractNum" && len(n.lists) < extract.MaxEntries:
				n.lists[e.Attr("abstractNumId")] = readList(x)
			case e.Name == "num" && len(n.instances) < extract.MaxEntries:
				n.instances[e.Attr("numId")] = readInstance(x)
			default:
				return false
			}
			return true
		})
	})
	n.link()
	return n
}

// link gives the lists that a style defines their levels.
func (n *numbering) link() {
	defined := make(map[string]*listDefinition)
	for _, l := range n.lists {
		if l.defines != "" {
			defined[l.defines] = l
		}
	}
	for _, l := range n.lists {
		if d := defined[l.link]; d != nil {
			l.levels = d.levels
		}
	}
}

func readList(x *zipxml.Reader) *listDefinition {
	l := &listDefinition{}
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "lvl":
			if i := e.Number("ilvl", 0); 0 <= i && i < levels {
				l.levels[i] = readLevel(x)
			}
		case "numStyleLink":
			l.link = e.Attr("val")
		case "styleLink":
			l.defines = e.Attr("val")
		}
	}, nil)
	return l
}

func readLevel(x *zipxml.Reader) listLevel {
	l := listLevel{format: "decimal"}
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "start":
			l.start = e.Number("val", 0)
		case "numFmt":
			l.format = e.Attr("val")
		case "lvlText":
			l.pattern = office.Affix(e.Attr("val"))
		case "pStyle":
			l.style = e.Attr("val")
		case "lvlRestart":
			l.keeps = e.Attr("val") == "0"
		case "isLgl":
			l.decimal = e.IsOn()
		case "AlternateContent": // a numFmt of Word 2010
			x.Descend(func(e zipxml.Element) bool {
				if e.Name == "numFmt" {
					l.format = e.Attr("val")
				}
				return false
			})
		}
	}, nil)
	return l
}

func readInstance(x *zipxml.Reader) *listInstance {
	n := &listInstance{restarts: make(map[int]int), levels: make(map[int]listLevel)}
	x.Children(func(e zipxml.Element) {
		switch e.Name {
		case "abstractNumId":
			n.list = e.Attr("val")
		case "lvlOverride":
			level := e.Number("ilvl", 0)
			x.Children(func(e zipxml.Element) {
				switch e.Name {
				case "startOverride":
					n.restarts[level] = e.Number("val", 1)
				case "lvl":
					n.levels[level] = readLevel(x)
				}
			}, nil)
		}
	}, nil)
	return n
}

// next counts an item, and returns its marker, or "" if it has none, and its
// level.
func (n *numbering) next(of listNumber) (marker string, level int) {
	instance := n.instances[of.id]
	if instance == nil || n.lists[instance.list] == nil {
		return "", 0
	}
	list := n.lists[instance.list]
	if level = of.level; level == levelOfStyle {
		level = list.levelOf(of.style)
	}
	level = min(max(level, 0), levels-1)
	list.count(instance, level)
	def := instance.level(list, level)
	switch {
	case def.format == "bullet":
		return markdown.Bullet, level
	case def.pattern == "":
		return "", level
	}
	for i := range level + 1 {
		l := instance.level(list, i)
		if def.decimal {
			l.format = "decimal"
		}
		def.pattern = strings.ReplaceAll(def.pattern, "%"+string(rune('1'+i)), office.Numeral(l.format, list.counts[i]))
	}
	return markdown.OneLine(def.pattern), level
}

func (n *listInstance) level(l *listDefinition, level int) listLevel {
	if def, ok := n.levels[level]; ok {
		return def
	}
	return l.levels[level]
}

// levelOf returns the level of the paragraphs of a style.
func (l *listDefinition) levelOf(style string) int {
	for i := range l.levels {
		if style != "" && l.levels[i].style == style {
			return i
		}
	}
	return 0
}

func (l *listDefinition) count(n *listInstance, level int) {
	start, restart := n.restarts[level]
	switch {
	case restart:
		delete(n.restarts, level) // only before its first item
		l.counts[level] = start
	case l.counted[level]:
		l.counts[level]++
	default:
		l.counts[level] = n.level(l, level).start
	}
	l.counted[level] = true
	for i := range level {
		if !l.counted[i] {
			l.counts[i], l.counted[i] = n.level(l, i).start, true
		}
	}
	for i := level + 1; i < levels; i++ {
		l.counted[i] = l.counted[i] && n.level(l, i).keeps
	}
}
