package extract

// A docxStyle is what matters of a paragraph style (ECMA-376 part 1, 17.7).
type docxStyle struct {
	outline int // level as a heading, from 0; outlineUnset or outlineBody
	number  docxNumber
	name    string
	base    string
}

func readStyles(a *archive, part string) map[string]docxStyle {
	styles := make(map[string]docxStyle)
	if part == "" {
		part = "word/styles.xml"
	}
	a.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name == "style" && len(styles) < maxEntries {
				styles[e.attr("styleId")] = readStyle(x)
			}
			return e.name == "style"
		})
	})
	resolved := make(map[string]docxStyle, len(styles))
	for id := range styles {
		resolved[id] = resolveStyle(styles, id)
	}
	return resolved
}

func readStyle(x *xmlReader) docxStyle {
	s := docxStyle{outline: outlineUnset}
	x.children(func(e element) {
		switch e.name {
		case "name":
			s.name = e.attr("val")
		case "basedOn":
			s.base = e.attr("val")
		case "pPr":
			x.children(func(e element) {
				switch e.name {
				case "outlineLvl":
					s.outline = e.number("val", outlineUnset)
				case "numPr":
					s.number = readNumber(x)
				}
			}, nil)
		}
	}, nil)
	return s
}

// resolveStyle returns a style with what it has of those that it is based on.
func resolveStyle(styles map[string]docxStyle, id string) docxStyle {
	s := styles[id]
	s.number.style = id
	if s.outline == outlineUnset {
		s.outline = headingOutline(s.name)
	}
	for base, n := s.base, 0; base != "" && n < maxBases; n++ {
		b, ok := styles[base]
		if !ok {
			break
		}
		if s.outline == outlineUnset {
			s.outline = b.outline
		}
		if s.outline == outlineUnset {
			s.outline = headingOutline(b.name)
		}
		if s.number.id == "" && b.number.id != "" {
			s.number = b.number
			s.number.style = base
		}
		base = b.base
	}
	return s
}
