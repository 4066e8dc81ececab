package docx

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// A paragraphStyle holds the relevant properties of a paragraph or character style (ECMA-376 part
// 1, 17.7).
type paragraphStyle struct {
	outline  office.OutlineLevel
	number   listReference
	isRaised bool                          // whether a character style is superscript
	isStruck bool                          // whether text in the style is struck out
	isHidden bool                          // whether text in the style is hidden
	isSet    struct{ struck, hidden bool } // whether the style, or one that it is based on, sets the property
	name     string
	base     string
}

func readStyles(a *zipxml.Archive, part string) map[string]paragraphStyle {
	styles := make(map[string]paragraphStyle)
	if part == "" {
		part = "word/styles.xml"
	}
	a.ReadXMLFile(part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "style" && len(styles) < extract.MaxArchiveEntries {
				styles[e.Attribute("styleId")] = readStyle(x)
			}
			return e.Name == "style"
		})
	})
	resolved := make(map[string]paragraphStyle, len(styles))
	for id := range styles {
		resolved[id] = resolveStyle(styles, id)
	}
	return resolved
}

func readStyle(x *zipxml.Reader) paragraphStyle {
	s := paragraphStyle{outline: office.OutlineUnset}
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "name":
			s.name = e.Attribute("val")
		case "basedOn":
			s.base = e.Attribute("val")
		case "pPr":
			x.EachChild(func(e zipxml.Element) {
				switch e.Name {
				case "outlineLvl":
					s.outline = office.OutlineLevel(e.NumberAttribute("val", int(office.OutlineUnset)))
				case "numPr":
					s.number = readListReference(x)
				}
			}, nil)
		case "rPr":
			s.readRunProperties(x)
		}
	}, nil)
	return s
}

func (s *paragraphStyle) readRunProperties(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "vertAlign":
			s.isRaised = s.isRaised || isRaised(e)
		case "strike", "dstrike":
			s.isStruck, s.isSet.struck = s.isStruck || e.IsSwitchedOn(), true
		case "vanish":
			s.isHidden, s.isSet.hidden = e.IsSwitchedOn(), true
		}
	}, nil)
}

// inheritFormat takes from a base style the properties that neither the style nor a nearer base style
// sets.
func (s *paragraphStyle) inheritFormat(base *paragraphStyle) {
	if !s.isSet.struck {
		s.isStruck, s.isSet.struck = base.isStruck, base.isSet.struck
	}
	if !s.isSet.hidden {
		s.isHidden, s.isSet.hidden = base.isHidden, base.isSet.hidden
	}
}

// resolveStyle returns a style with the properties inherited from its base styles.
func resolveStyle(styles map[string]paragraphStyle, id string) paragraphStyle {
	s := styles[id]
	s.number.style = id
	if s.outline == office.OutlineUnset {
		s.outline = office.StyleOutlineLevel(s.name)
	}
	for base, n := s.base, 0; base != "" && n < office.MaxBaseStyles; n++ {
		b, ok := styles[base]
		if !ok {
			break
		}
		if s.outline == office.OutlineUnset {
			s.outline = b.outline
		}
		if s.outline == office.OutlineUnset {
			s.outline = office.StyleOutlineLevel(b.name)
		}
		if s.number.id == "" && b.number.id != "" {
			s.number = b.number
			s.number.style = base
		}
		s.inheritFormat(&b)
		base = b.base
	}
	if s.outline == office.OutlineUnset {
		s.outline = publisherStyleOutline(s.name)
	}
	return s
}

// Names of heading styles used by publishers: for the chapter title and, below it, A-head, B-head
// and so on.
var (
	chapterTitle    = lazyregexp.New(`(?i)^(chapter|appendix|part|book|article|document|main)[ _-]?(title|heading|head)$`)
	letteredHeading = lazyregexp.New(`(?i)^(?:head(?:ing)?[ _-]?([a-f1-6])|([a-f])[ _-]?head(?:ing)?|h([1-6]))$`)
)

// publisherStyleOutline returns the outline level implied by the name of a style that is
// not based on one of Word's, or office.OutlineUnset.
func publisherStyleOutline(name string) office.OutlineLevel {
	name = strings.TrimSpace(name)
	if chapterTitle.MatchString(name) {
		return 0
	}
	m := letteredHeading.FindStringSubmatch(name)
	if m == nil {
		return office.OutlineUnset
	}
	switch level := strings.ToLower(m[1] + m[2] + m[3])[0]; {
	case level >= 'a':
		return office.OutlineLevel(level-'a') + 1
	default:
		return office.OutlineLevel(level - '1')
	}
}
