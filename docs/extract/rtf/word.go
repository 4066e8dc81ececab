package rtf

import "strings"

// destinations lists the destinations that are not the body.
var destinations = func() map[string]destination {
	m := map[string]destination{
		"fonttbl": fontsDest, "stylesheet": stylesDest, "title": titleDest, "listtext": markerDest, "pntext": markerDest,
		"sn": nameDest, "sv": valueDest,
	}
	for _, word := range strings.Fields(`
		colortbl info pict nonshppict shprslt filetbl revtbl fldinst sp upr nonesttables picprop private
		xe tc tcn rxe txe ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn mmathPict template objdata`) {
		m[word] = skipDest
	}
	return m
}()

// flowKinds lists the destinations that are a text of their own.
var flowKinds = map[string]flowKind{
	"footnote": footnoteFlow, "annotation": commentFlow, "shptxt": boxFlow, "dptxbxtext": boxFlow,
	"header": marginFlow, "headerl": marginFlow, "headerr": marginFlow, "headerf": marginFlow,
	"footer": marginFlow, "footerl": marginFlow, "footerr": marginFlow, "footerf": marginFlow,
}

// transparent lists the destinations that are read though newer than some
// readers, with \*.
var transparent = map[string]bool{
	"shpinst": true, "shppict": true, "do": true, "moMathPara": true, "moMath": true, "fldrslt": true,
}

var characters = map[string]string{
	"emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "tab": "\t",
	"line": "\n", "lbr": "\n", "softline": "\n", "nestcell": " ", "nestrow": " ",
}

// word obeys a control word, with its parameter if it has one.
func (r *reader) word(word string, n int, has bool) {
	star := r.state.star
	r.state.star = false
	dest, isDest := destinations[word]
	kind, isFlow := flowKinds[word]
	switch {
	case word == "ud":
		r.state.dest = r.state.outer
	case r.state.dest == skipDest && dest != nameDest && dest != valueDest && dest != titleDest:
	case isDest:
		r.enter(dest, word)
	case isFlow:
		if r.state.dest == bodyDest {
			r.begin(kind)
		}
	case star && !transparent[word]:
		r.state.dest = skipDest
	case r.state.dest == fontsDest:
		r.fontWord(word, n)
	case r.state.dest == stylesDest:
		r.styleWord(word, n)
	case word == "u":
		r.unicode(n)
	case characters[word] != "":
		r.put(characters[word])
	default:
		r.format(word, n, !has || n != 0)
	}
}

func (r *reader) enter(dest destination, word string) {
	if word == "upr" {
		r.state.outer = r.state.dest
	}
	r.state.dest = dest
	r.capture.Reset()
}

// captured takes the text of a destination that ended.
func (r *reader) captured(dest destination) {
	text := r.capture.String()
	switch dest {
	case titleDest:
		r.title = text
	case nameDest:
		r.shapeName = strings.TrimSpace(text)
	case valueDest:
		if r.shapeName == "wzDescription" && strings.TrimSpace(text) != "" {
			r.notes = append(r.notes, text)
		}
	case stylesDest:
		if level := headingLevel(strings.TrimSuffix(strings.TrimSpace(text), ";")); level >= 0 {
			r.headings[r.style] = level
		}
		r.style = 0
	default:
		return
	}
	r.capture.Reset()
}

// headingLevel returns the level, from 0, of a style by its name, or -1.
func headingLevel(name string) int {
	name = strings.ToLower(name)
	for _, heading := range []string{"heading ", "标题 ", "標題 ", "見出し "} {
		if rest, ok := strings.CutPrefix(name, heading); ok && len(rest) == 1 && '1' <= rest[0] && rest[0] <= '9' {
			return int(rest[0] - '1')
		}
	}
	if name == "title" {
		return 0
	}
	return -1
}

func (r *reader) fontWord(word string, n int) {
	switch word {
	case "f":
		r.state.font = n
		r.entry().name = ""
	case "fcharset":
		r.entry().charset = n
	case "cpg":
		r.entry().page = n
	case "u":
		r.unicode(n)
	}
}

func (r *reader) styleWord(word string, n int) {
	switch word {
	case "s":
		r.style = n
	case "outlinelevel":
		r.headings[r.style] = n
	case "u":
		r.unicode(n)
	}
}

// format obeys a control word of the document, a paragraph or characters; on
// tells whether a property is switched on.
func (r *reader) format(word string, n int, on bool) {
	s := &r.state
	switch word {
	case "par", "sect", "page":
		r.endParagraph()
	case "cell":
		r.endCell()
	case "row":
		r.endRow()
	case "pard":
		s.level, s.depth, s.cell = -1, 0, false
	case "s":
		if level, ok := r.headings[n]; ok {
			s.level = level
		}
	case "outlinelevel":
		s.level = n
	case "ilvl":
		s.depth = max(n, 0)
	case "intbl":
		s.cell = true
	case "plain":
		s.hidden, s.deleted, s.font = false, false, r.defaultFont
	case "v":
		s.hidden = on
	case "deleted":
		s.deleted = on
	case "f":
		s.font = n
	case "uc":
		s.uc = min(max(n, 0), maxStandIn)
	default:
		r.header(word, n)
	}
}

const maxStandIn = 16 // characters that stand for a \u

// header obeys a control word of the beginning of the document.
func (r *reader) header(word string, n int) {
	switch word {
	case "deff":
		r.defaultFont, r.state.font = n, n
	case "ansicpg":
		if codePages[n] != nil {
			r.ansi = n
		}
	case "mac":
		r.ansi = 10000
	case "pc":
		r.ansi = 437
	case "pca":
		r.ansi = 850
	}
}
