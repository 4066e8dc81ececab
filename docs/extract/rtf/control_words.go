package rtf

import (
	"strings"

	"vademecum/docs/extract/markdown"
)

// destinations maps control words to the destinations that they begin, except the body.
var destinations = func() map[string]destination {
	m := map[string]destination{
		"fonttbl": fontsDest, "stylesheet": stylesDest, "title": titleDest, "listtext": markerDest, "pntext": markerDest,
		"sn": nameDest, "sv": valueDest, "atnauthor": authorDest, "fldinst": instructionDest, "formfield": formDest, "ffl": entryDest,
	}
	for _, word := range strings.Fields(`
		colortbl info pict nonshppict shprslt filetbl revtbl sp upr nonesttables picprop private
		xe tc tcn rxe txe ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn mmathPict template objdata`) {
		m[word] = skipDest
	}
	return m
}()

// flowKinds maps control words that begin a separate text, such as a footnote, to the kind of that
// text.
var flowKinds = map[string]flowKind{
	"footnote": footnoteFlow, "annotation": commentFlow, "shptxt": boxFlow, "dptxbxtext": boxFlow,
	"header": marginFlow, "headerl": marginFlow, "headerr": marginFlow, "headerf": marginFlow,
	"footer": marginFlow, "footerl": marginFlow, "footerr": marginFlow, "footerf": marginFlow,
}

// extensionDestinations lists the control words of destinations that are read although \* allows
// older readers to ignore them.
var extensionDestinations = map[string]bool{
	"shpinst": true, "shppict": true, "do": true, "moMathPara": true, "moMath": true, "fldrslt": true,
}

var characterWords = map[string]string{
	"emdash": "—", "endash": "–", "emspace": "\u2003", "enspace": "\u2002", "qmspace": "\u2005", "bullet": "•",
	"lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”", "tab": "\t",
	"line": "\n", "lbr": "\n", "softline": "\n", "nestcell": " ", "nestrow": " ",
}

// handleWord executes a control word. Its parameter is n if has is set.
func (r *reader) handleWord(word string, n int, has bool) {
	star := r.state.hasStar
	r.state.hasStar = false
	dest, isDest := destinations[word]
	kind, isFlow := flowKinds[word]
	switch {
	case word == "ud":
		r.state.dest = r.state.outer
	case r.state.dest == skipDest && dest != nameDest && dest != valueDest && dest != titleDest:
	case r.state.dest == instructionDest && dest != formDest, r.state.dest == entryDest && word != "u":
	case r.state.dest == formDest && dest != entryDest:
		r.form.handleWord(word, n)
		if star {
			r.state.dest = skipDest
		}
	case isDest:
		r.enterDestination(dest, word)
	case isFlow:
		if r.state.dest == bodyDest {
			r.beginFlow(kind)
		}
	case star && !extensionDestinations[word]:
		r.state.dest = skipDest
	case r.state.dest == fontsDest:
		r.handleFontWord(word, n)
	case r.state.dest == stylesDest:
		r.handleStyleWord(word, n)
	case word == "u":
		r.addUnicode(n)
	case characterWords[word] != "":
		r.writeToDestination(characterWords[word])
	default:
		r.handleFormatWord(word, n, !has || n != 0)
	}
}

func (r *reader) enterDestination(dest destination, word string) {
	if word == "upr" {
		r.state.outer = r.state.dest
	}
	r.hasPicture = r.hasPicture || word == "pict"
	if dest == formDest {
		r.form = formField{result: resultUnset}
	}
	r.state.dest = dest
	r.capture.Reset()
}

// endCapture uses the text of the destination dest, which has ended.
func (r *reader) endCapture(dest destination) {
	text := r.capture.String()
	switch dest {
	case titleDest:
		r.title = text
	case authorDest:
		r.commentAuthor = markdown.OneLine(text)
	case formDest:
		if !r.state.hidden && !r.state.deleted {
			r.flow.write(r.form.text(), false, r.state.struck)
		}
	case entryDest:
		r.form.addEntry(text)
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

// headingLevel returns the level, from 0, of a heading style with that name, or -1 for other
// styles.
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

func (r *reader) handleFontWord(word string, n int) {
	switch word {
	case "f":
		r.state.font = n
		r.fontEntry().name = ""
	case "fcharset":
		r.fontEntry().charset = n
	case "cpg":
		r.fontEntry().codePage = n
	case "u":
		r.addUnicode(n)
	}
}

func (r *reader) handleStyleWord(word string, n int) {
	switch word {
	case "s":
		r.style = n
	case "outlinelevel":
		r.headings[r.style] = n
	case "u":
		r.addUnicode(n)
	}
}

// handleFormatWord executes a control word that formats the document, a paragraph or characters. on
// reports whether the property is switched on.
func (r *reader) handleFormatWord(word string, n int, on bool) {
	s := &r.state
	switch word {
	case "par", "sect", "page":
		r.endParagraph()
	case "cell":
		r.endCell()
	case "row":
		r.endRow()
	case "pard":
		s.level, s.depth, s.inCell = -1, 0, false
	case "s":
		if level, ok := r.headings[n]; ok {
			s.level = level
		}
	case "outlinelevel":
		s.level = n
	case "ilvl":
		s.depth = max(n, 0)
	case "intbl":
		s.inCell = true
	case "plain":
		s.hidden, s.deleted, s.raised, s.struck, s.font = false, false, false, false, r.defaultFont
	case "v":
		s.hidden = on
	case "super", "up":
		s.raised = on
	case "sub", "nosupersub", "dn":
		s.raised = false
	case "strike", "striked":
		s.struck = on
	case "deleted":
		s.deleted = on
	case "f":
		s.font = n
	case "uc":
		s.uc = min(max(n, 0), maxStandIn)
	default:
		r.handleHeaderWord(word, n)
	}
}

const maxStandIn = 16 // maximum characters that older programs show instead of a \u

// handleHeaderWord executes a control word of the document header.
func (r *reader) handleHeaderWord(word string, n int) {
	switch word {
	case "deff":
		r.defaultFont, r.state.font = n, n
	case "ansicpg":
		if codePages[n] != nil {
			r.ansiCodePage = n
		}
	case "mac":
		r.ansiCodePage = 10000
	case "pc":
		r.ansiCodePage = 437
	case "pca":
		r.ansiCodePage = 850
	}
}
