package extract

import "strings"

// A docxNumber says of which list a paragraph is an item.
type docxNumber struct {
	id    string
	level int    // from 0, or levelOfStyle
	style string // that says so, if the paragraph does not
}

const (
	levels       = 9 // ECMA-376 part 1, 17.9.6
	levelOfStyle = -1
)

func readNumber(x *xmlReader) docxNumber {
	n := docxNumber{level: levelOfStyle}
	x.children(func(e element) {
		switch e.name {
		case "numId":
			n.id = e.attr("val")
		case "ilvl":
			n.level = e.number("val", 0)
		}
	}, nil)
	return n
}

// A numbering is the lists of a document (ECMA-376 part 1, 17.9).
type numbering struct {
	lists     map[string]*numberList // by the id of their definition
	instances map[string]*numberInstance
}

type numberList struct {
	levels  [levels]numberLevel
	counts  [levels]int
	counted [levels]bool
	link    string // the style in which the list is defined instead
	defines string // the style whose list this one is
}

type numberLevel struct {
	start   int
	format  string
	pattern string // such as "%1.%2."
	style   string // of the paragraphs that are on this level
	keeps   bool   // does not begin again after an item of a higher level
	decimal bool   // shows all numbers as digits
}

// A numberInstance is a use of a list, some of whose levels may begin anew or
// be other ones.
type numberInstance struct {
	list     string
	restarts map[int]int
	levels   map[int]numberLevel
}

func readNumbering(a *archive, part string) numbering {
	n := numbering{lists: make(map[string]*numberList), instances: make(map[string]*numberInstance)}
	if part == "" {
		part = "word/numbering.xml"
	}
	a.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			switch {
			case e.name == "abstractNum" && len(n.lists) < maxEntries:
				n.lists[e.attr("abstractNumId")] = readList(x)
			case e.name == "num" && len(n.instances) < maxEntries:
				n.instances[e.attr("numId")] = readInstance(x)
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
	defined := make(map[string]*numberList)
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

func readList(x *xmlReader) *numberList {
	l := &numberList{}
	x.children(func(e element) {
		switch e.name {
		case "lvl":
			if i := e.number("ilvl", 0); 0 <= i && i < levels {
				l.levels[i] = readLevel(x)
			}
		case "numStyleLink":
			l.link = e.attr("val")
		case "styleLink":
			l.defines = e.attr("val")
		}
	}, nil)
	return l
}

func readLevel(x *xmlReader) numberLevel {
	l := numberLevel{format: "decimal"}
	x.children(func(e element) {
		switch e.name {
		case "start":
			l.start = e.number("val", 0)
		case "numFmt":
			l.format = e.attr("val")
		case "lvlText":
			l.pattern = affix(e.attr("val"))
		case "pStyle":
			l.style = e.attr("val")
		case "lvlRestart":
			l.keeps = e.attr("val") == "0"
		case "isLgl":
			l.decimal = e.isOn()
		case "AlternateContent": // a numFmt of Word 2010
			x.descend(func(e element) bool {
				if e.name == "numFmt" {
					l.format = e.attr("val")
				}
				return false
			})
		}
	}, nil)
	return l
}

func readInstance(x *xmlReader) *numberInstance {
	n := &numberInstance{restarts: make(map[int]int), levels: make(map[int]numberLevel)}
	x.children(func(e element) {
		switch e.name {
		case "abstractNumId":
			n.list = e.attr("val")
		case "lvlOverride":
			level := e.number("ilvl", 0)
			x.children(func(e element) {
				switch e.name {
				case "startOverride":
					n.restarts[level] = e.number("val", 1)
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
func (n *numbering) next(of docxNumber) (marker string, level int) {
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
		return bullet, level
	case def.pattern == "":
		return "", level
	}
	for i := range level + 1 {
		l := instance.level(list, i)
		if def.decimal {
			l.format = "decimal"
		}
		def.pattern = strings.ReplaceAll(def.pattern, "%"+string(rune('1'+i)), numeral(l.format, list.counts[i]))
	}
	return oneLine(def.pattern), level
}

func (n *numberInstance) level(l *numberList, level int) numberLevel {
	if def, ok := n.levels[level]; ok {
		return def
	}
	return l.levels[level]
}

// levelOf returns the level of the paragraphs of a style.
func (l *numberList) levelOf(style string) int {
	for i := range l.levels {
		if style != "" && l.levels[i].style == style {
			return i
		}
	}
	return 0
}

func (l *numberList) count(n *numberInstance, level int) {
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
