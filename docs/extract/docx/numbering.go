package docx

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A listReference says of which list, and on which level, a paragraph is an item.
type listReference struct {
	id    string
	level int    // from 0, or levelOfStyle
	style string // that says so, if the paragraph does not
}

const (
	levels       = 9 // ECMA-376 part 1, 17.9.6
	levelOfStyle = -1
)

func readListReference(x *zipxml.Reader) listReference {
	n := listReference{level: levelOfStyle}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "numId":
			n.id = e.Attribute("val")
		case "ilvl":
			n.level = e.NumberAttribute("val", 0)
		}
	}, nil)
	return n
}

// A numbering is the lists of a document (ECMA-376 part 1, 17.9).
type listNumbering struct {
	lists     map[string]*listDefinition // by the id of their definition
	instances map[string]*listInstance
}

type listDefinition struct {
	levels       [levels]listLevel
	counts       [levels]int
	counted      [levels]bool
	linkedStyle  string // the style in which the list is defined instead
	definedStyle string // the style whose list this one is
}

type listLevel struct {
	start         int
	format        string
	pattern       string // such as "%1.%2."
	style         string // of the paragraphs that are on this level
	neverRestarts bool   // does not begin again after an item of a higher level
	isDecimal     bool   // shows all numbers as digits
}

// A listInstance is a use of a list, some of whose levels may begin anew or
// be other ones.
type listInstance struct {
	list     string
	restarts map[int]int
	levels   map[int]listLevel
}

func readNumbering(a *zipxml.Archive, part string) listNumbering {
	n := listNumbering{lists: make(map[string]*listDefinition), instances: make(map[string]*listInstance)}
	if part == "" {
		part = "word/numbering.xml"
	}
	a.WalkFile(part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch {
			case e.Name == "abstractNum" && len(n.lists) < extract.MaxEntries:
				n.lists[e.Attribute("abstractNumId")] = readList(x)
			case e.Name == "num" && len(n.instances) < extract.MaxEntries:
				n.instances[e.Attribute("numId")] = readInstance(x)
			default:
				return false
			}
			return true
		})
	})
	n.linkStyles()
	return n
}

// linkStyles gives lists that a numbering style defines the levels of that style.
func (n *listNumbering) linkStyles() {
	defined := make(map[string]*listDefinition)
	for _, l := range n.lists {
		if l.definedStyle != "" {
			defined[l.definedStyle] = l
		}
	}
	for _, l := range n.lists {
		if d := defined[l.linkedStyle]; d != nil {
			l.levels = d.levels
		}
	}
}

func readList(x *zipxml.Reader) *listDefinition {
	l := &listDefinition{}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "lvl":
			if i := e.NumberAttribute("ilvl", 0); 0 <= i && i < levels {
				l.levels[i] = readLevel(x)
			}
		case "numStyleLink":
			l.linkedStyle = e.Attribute("val")
		case "styleLink":
			l.definedStyle = e.Attribute("val")
		}
	}, nil)
	return l
}

func readLevel(x *zipxml.Reader) listLevel {
	l := listLevel{format: "decimal"}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "start":
			l.start = e.NumberAttribute("val", 0)
		case "numFmt":
			l.format = e.Attribute("val")
		case "lvlText":
			l.pattern = office.LimitAffix(e.Attribute("val"))
		case "pStyle":
			l.style = e.Attribute("val")
		case "lvlRestart":
			l.neverRestarts = e.Attribute("val") == "0"
		case "isLgl":
			l.isDecimal = e.IsSwitchedOn()
		case "AlternateContent": // a numFmt of Word 2010
			x.EachDescendant(func(e zipxml.Element) bool {
				if e.Name == "numFmt" {
					l.format = e.Attribute("val")
				}
				return false
			})
		}
	}, nil)
	return l
}

func readInstance(x *zipxml.Reader) *listInstance {
	n := &listInstance{restarts: make(map[int]int), levels: make(map[int]listLevel)}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "abstractNumId":
			n.list = e.Attribute("val")
		case "lvlOverride":
			level := e.NumberAttribute("ilvl", 0)
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "startOverride":
					n.restarts[level] = e.NumberAttribute("val", 1)
				case "lvl":
					n.levels[level] = readLevel(x)
				}
			}, nil)
		}
	}, nil)
	return n
}

// nextMarker counts an item, and returns its marker, or "" if it has none, and its
// level.
func (n *listNumbering) nextMarker(of listReference) (marker string, level int) {
	instance := n.instances[of.id]
	if instance == nil || n.lists[instance.list] == nil {
		return "", 0
	}
	list := n.lists[instance.list]
	if level = of.level; level == levelOfStyle {
		level = list.styleLevel(of.style)
	}
	level = min(max(level, 0), levels-1)
	list.countItem(instance, level)
	def := instance.effectiveLevel(list, level)
	switch {
	case def.format == "bullet":
		return markdown.Bullet, level
	case def.pattern == "":
		return "", level
	}
	for i := range level + 1 {
		l := instance.effectiveLevel(list, i)
		if def.isDecimal {
			l.format = "decimal"
		}
		def.pattern = strings.ReplaceAll(def.pattern, "%"+string(rune('1'+i)), office.FormatNumeral(l.format, list.counts[i]))
	}
	return markdown.OneLine(def.pattern), level
}

func (n *listInstance) effectiveLevel(l *listDefinition, level int) listLevel {
	if def, ok := n.levels[level]; ok {
		return def
	}
	return l.levels[level]
}

// styleLevel returns the level of the paragraphs of a style.
func (l *listDefinition) styleLevel(style string) int {
	for i := range l.levels {
		if style != "" && l.levels[i].style == style {
			return i
		}
	}
	return 0
}

func (l *listDefinition) countItem(n *listInstance, level int) {
	start, restart := n.restarts[level]
	switch {
	case restart:
		delete(n.restarts, level) // only before its first item
		l.counts[level] = start
	case l.counted[level]:
		l.counts[level]++
	default:
		l.counts[level] = n.effectiveLevel(l, level).start
	}
	l.counted[level] = true
	for i := range level {
		if !l.counted[i] {
			l.counts[i], l.counted[i] = n.effectiveLevel(l, i).start, true
		}
	}
	for i := level + 1; i < levels; i++ {
		l.counted[i] = l.counted[i] && n.effectiveLevel(l, i).neverRestarts
	}
}
