package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
)

// noCharacter is what PDFium returns for a glyph without a known character, and for the hyphen and
// line feed within a divided word.
const noCharacter = '\uFFFE'

// A glyph is a character of the text of a page, with its index there.
type glyph struct {
	char rune
	at   int // index in the text of the page as the engine returns it, in UTF-16 units; several glyphs may share one
}

// A textLine is a line of text on a page.
type textLine struct {
	text  string
	at    []int // index of each character of text in the text of the page, see glyph; not empty
	start point // position of the first character
	kind  lineKind
}

// A lineKind says what a line is, as far as that matters for the paragraphs.
type lineKind int

const (
	textLineKind    lineKind = iota
	printMarginLine          // what a browser has added to the page
	tableHeaderLine          // the first line of a table in Markdown
	tableRowLine             // a further line of it
)

func (l *textLine) first() int { return l.at[0] }
func (l *textLine) last() int  { return l.at[len(l.at)-1] }

// A repair corrects the characters of a page, in place or in a slice that it returns.
type repair func(*textPage, []glyph) []glyph

// repairs are applied to the characters of a page in this order. They are followed by
// measuredRepairs, which ask the engine for the positions of characters, but only for few, as each
// call takes as long as reading a character.
var repairs = []repair{
	(*textPage).decodeTeXFonts, // before soft hyphens are inserted, which are a letter of T1
	(*textPage).markHyphens,
	(*textPage).swapLigatureBytes,
	(*textPage).escapeTildes, // before struck-out text is marked
}

var measuredRepairs = []repair{
	(*textPage).composeAccents,
	(*textPage).turnLamAlef,
	(*textPage).dropShadows,
	(*textPage).closeLetterSpaces,
	(*textPage).insertSpaces,
	(*textPage).raiseDigits,
	(*textPage).markTicks,
	(*textPage).markAnnotatedStrikes,
}

// escapeTildes separates tildes side by side, which are no marks of struck-out text here.
func (p *textPage) escapeTildes(glyphs []glyph) []glyph {
	if !strings.Contains(p.text, "~~") {
		return glyphs
	}
	out := make([]glyph, 0, len(glyphs)+8)
	for _, g := range glyphs {
		if n := len(out); g.char == '~' && n > 0 && out[n-1].char == '~' {
			out = append(out, glyph{[]rune(markdown.WordJoiner)[0], g.at})
		}
		out = append(out, g)
	}
	return out
}

// lines returns the non-blank lines of the page in reading order, and whether they are readable,
// that is, most of their characters are known.
//
// A word that is divided between two lines has a soft hyphen at the end of the first, so that
// nothing is lost and a search can join the word.
func (p *textPage) lines() (lines []textLine, readable bool) {
	if p.file.openForm() != nil {
		p.findTicks()
	}
	p.findStrikes()
	lines, readable = p.parseLines()
	if readable && len(lines) > 0 {
		lines = p.leaveOutPrintMargins(p.orderLines(lines))
		if p.isComplete() {
			lines = p.readDrawnLines(lines)
		}
	}
	return lines, readable
}

// readDrawnLines marks text that is struck out, and writes tables with empty cells as such.
func (p *textPage) readDrawnLines(lines []textLine) []textLine {
	rules := p.rules()
	p.markDrawnStrikes(lines, rules)
	return p.writeGrids(lines, rules)
}

// parseLines returns the non-blank lines in the order in which PDFium returns them, and whether
// most of their characters are known.
func (p *textPage) parseLines() (lines []textLine, readable bool) {
	glyphs := p.glyphs()
	for _, repair := range repairs {
		glyphs = repair(p, glyphs)
	}
	if p.isComplete() {
		for _, repair := range measuredRepairs {
			glyphs = repair(p, glyphs)
		}
	}
	bad := p.replaceUnknown(glyphs) + max(0, p.chars-p.units) // the engine omits some control characters
	good := 0
	for len(glyphs) > 0 {
		n := slices.IndexFunc(glyphs, isLineFeed)
		if n < 0 {
			n = len(glyphs)
		}
		if line := trimSpace(glyphs[:n]); len(line) > 0 {
			lines = append(lines, newLine(line))
		}
		for _, g := range glyphs[:n] {
			if g.char != unicode.ReplacementChar && !unicode.IsSpace(g.char) {
				good++
			}
		}
		glyphs = glyphs[min(n+1, len(glyphs)):]
	}
	return lines, good >= bad
}

func isLineFeed(g glyph) bool { return g.char == '\n' }

// glyphs returns the characters of the page, with \n at line ends.
func (p *textPage) glyphs() []glyph {
	glyphs := make([]glyph, 0, p.units)
	at := 0
	for _, c := range p.text {
		if c == '\n' {
			if n := len(glyphs) - 1; n >= 0 && glyphs[n].char == '\r' {
				glyphs = glyphs[:n]
			} else {
				c = noCharacter // PDFium ends lines with \r\n, so that a lone \n is the code of a glyph
			}
		}
		glyphs = append(glyphs, glyph{c, at})
		at += utf16.RuneLen(c)
	}
	return glyphs
}

func trimSpace(line []glyph) []glyph {
	for len(line) > 0 && unicode.IsSpace(line[0].char) {
		line = line[1:]
	}
	for len(line) > 0 && unicode.IsSpace(line[len(line)-1].char) {
		line = line[:len(line)-1]
	}
	return line
}

func newLine(glyphs []glyph) textLine {
	var b strings.Builder
	at := make([]int, len(glyphs))
	for i, g := range glyphs {
		b.WriteRune(g.char)
		at[i] = g.at
	}
	return textLine{text: b.String(), at: at}
}

// replaceUnknown replaces invalid characters with those that a symbol font shows for them, if
// known. It returns how many remain unknown.
func (p *textPage) replaceUnknown(glyphs []glyph) (unknown int) {
	for i, g := range glyphs {
		if g.char == '\n' || charset.HasUnicodeMeaning(g.char) {
			continue
		}
		switch shown := p.symbolCharacter(g); {
		case shown != 0:
			glyphs[i].char = shown
		case isBullet(glyphs, i):
			glyphs[i].char = '•'
		default:
			glyphs[i].char = unicode.ReplacementChar
			unknown++
		}
	}
	return unknown
}

// bulletCodes are the codes of a bullet in TeX's symbol fonts (OMS and TS1) and in Symbol.
const bulletCodes = "\x0F\u0088\uF0B7"

// isBullet reports whether the code at index i stands for a bullet at the start of a line.
func isBullet(glyphs []glyph, i int) bool {
	return strings.ContainsRune(bulletCodes, glyphs[i].char) && (i == 0 || glyphs[i-1].char == '\n') && charAt(glyphs, i+1) == ' '
}

// charAt returns the character at index i, or a line feed before the first and after the last one.
func charAt(glyphs []glyph, i int) rune {
	if i < 0 || i >= len(glyphs) {
		return '\n'
	}
	return glyphs[i].char
}

// symbolCharacter returns the character for a code in a symbol font, or 0 if it is unknown.
func (p *textPage) symbolCharacter(g glyph) rune {
	if !charset.IsSymbolCode(g.char) {
		return 0
	}
	return charset.SymbolCharacter(p.fontName(g.at), byte(g.char))
}

// fontName returns the name of the font of a character; "" for a Type 3 font.
func (p *textPage) fontName(textIndex int) string {
	index, err := p.charIndex(textIndex)
	if err != nil {
		return ""
	}
	font, err := p.file.instance.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: p.ref, Index: index})
	if err != nil {
		return ""
	}
	return font.FontName
}
