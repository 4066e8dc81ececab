package docx

import (
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A listReference is the reference of a paragraph to a list and a level in it.
type listReference struct {
	id    string
	level int    // list level, from 0, or levelOfStyle
	style string // style that contains the reference, if the paragraph itself has none
}

const levelOfStyle = -1

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

// A listNumbering holds the lists of a document (ECMA-376 part 1, 17.9).
type listNumbering struct {
	lists     map[string]*listDefinition // list definitions by abstractNumId
	instances map[string]*listInstance   // uses of the lists by numId
}

type listDefinition struct {
	office.List
	styles       [office.ListLevelCount]string // ids of the paragraph styles linked to the levels
	linkedStyle  string                        // id of the numbering style that defines this list; "" if none does
	definedStyle string                        // id of the numbering style that this list defines; "" if it defines none
}

// A listInstance is a use of a list definition.
type listInstance struct {
	office.ListInstance
	list string // abstractNumId of the list definition
}

func readNumbering(a *zipxml.Archive, part string) listNumbering {
	n := listNumbering{lists: make(map[string]*listDefinition), instances: make(map[string]*listInstance)}
	if part == "" {
		part = "word/numbering.xml"
	}
	a.ReadXMLFile(part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch {
			case e.Name == "abstractNum" && len(n.lists) < extract.MaxArchiveEntries:
				n.lists[e.Attribute("abstractNumId")] = readList(x)
			case e.Name == "num" && len(n.instances) < extract.MaxArchiveEntries:
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

// linkStyles copies the levels of a list that defines a numbering style to the lists linked to that
// style.
func (n *listNumbering) linkStyles() {
	defined := make(map[string]*listDefinition)
	for _, l := range n.lists {
		if l.definedStyle != "" {
			defined[l.definedStyle] = l
		}
	}
	for _, l := range n.lists {
		if d := defined[l.linkedStyle]; d != nil {
			l.Levels, l.styles = d.Levels, d.styles
		}
	}
}

func readList(x *zipxml.Reader) *listDefinition {
	l := &listDefinition{}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "lvl":
			if i := e.NumberAttribute("ilvl", 0); 0 <= i && i < office.ListLevelCount {
				l.Levels[i], l.styles[i] = readLevel(x, i)
			}
		case "numStyleLink":
			l.linkedStyle = e.Attribute("val")
		case "styleLink":
			l.definedStyle = e.Attribute("val")
		}
	}, nil)
	return l
}

// readLevel reads the definition of a level, counted from 0, and the paragraph style linked to it.
func readLevel(x *zipxml.Reader, level int) (l office.ListLevel, style string) {
	l.NumberFormat = "decimal"
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "start":
			l.Start = e.NumberAttribute("val", 0)
		case "numFmt":
			l.NumberFormat = e.Attribute("val")
		case "lvlText":
			l.MarkerTemplate = levelText(office.DropLongAffix(e.Attribute("val")), level)
		case "pStyle":
			style = e.Attribute("val")
		case "lvlRestart":
			l.NeverRestarts = e.Attribute("val") == "0"
		case "isLgl":
			l.AllLevelsDecimal = e.IsSwitchedOn()
		case "AlternateContent": // contains a numFmt of Word 2010
			x.EachDescendant(func(e zipxml.Element) bool {
				if e.Name == "numFmt" {
					l.NumberFormat = e.Attribute("val")
				}
				return false
			})
		}
	}, nil)
	return l, style
}

// levelText converts marker text to the form of office.ListLevel: each of "%1" to "%9" that refers
// to this level or a higher one becomes a single character, the index of its level.
func levelText(text string, level int) string {
	for i := range min(level, office.ListLevelCount-1) + 1 {
		text = strings.ReplaceAll(text, "%"+string(rune('1'+i)), string(rune(i)))
	}
	return text
}

func readInstance(x *zipxml.Reader) *listInstance {
	n := &listInstance{ListInstance: office.ListInstance{RestartNumbers: make(map[int]int), Overrides: make(map[int]office.ListLevel)}}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "abstractNumId":
			n.list = e.Attribute("val")
		case "lvlOverride":
			level := e.NumberAttribute("ilvl", 0)
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "startOverride":
					n.RestartNumbers[level] = e.NumberAttribute("val", 1)
				case "lvl":
					n.Overrides[level], _ = readLevel(x, level)
				}
			}, nil)
		}
	}, nil)
	return n
}

// nextMarker counts a list item, and returns its marker, or "" if it has none, and its level.
func (n *listNumbering) nextMarker(of listReference) (marker string, level int) {
	instance := n.instances[of.id]
	if instance == nil || n.lists[instance.list] == nil {
		return "", 0
	}
	list := n.lists[instance.list]
	if level = of.level; level == levelOfStyle {
		level = list.styleLevel(of.style)
	}
	level = min(max(level, 0), office.ListLevelCount-1)
	return list.NextMarker(&instance.ListInstance, level), level
}

// styleLevel returns the level to which a paragraph style is linked, or 0.
func (l *listDefinition) styleLevel(style string) int {
	if style == "" {
		return 0
	}
	return max(0, slices.Index(l.styles[:], style))
}
