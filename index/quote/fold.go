package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/lexical/analysis"
)

// Texts are compared folded: without spacing, sentence punctuation, quotation marks and the
// marks of Markdown, and in one width. Numbers keep what tells them apart: a point, a comma,
// a dash or a space between digits, a minus and a leading point. Hyphens between letters are
// left out, as it cannot be told which of them a line end has made.

// char is a character of a folded text.
type char struct {
	loose  rune // without case, accents, and the difference of traditional and simplified Chinese
	strict rune // with case and accents
	at     int  // of its first byte in the folded text
	start  int  // of what it is made of in the text
	end    int
}

// folder folds a text.
type folder struct {
	text    string
	targets bool        // what readers do not see of links and footnotes counts: see target
	at      int         // in the text
	prev    rune        // the last character kept, 0 at the start
	end     int         // of it, in the text
	out     []byte      // the folded text: its loose characters
	keep    func(*char) // unless nil, is given each character
}

func (f *folder) fold() {
	for f.at < len(f.text) {
		if f.keep == nil {
			f.letters()
		}
		if f.at == len(f.text) {
			return
		}
		r, size := f.peek(f.at)
		switch classOf(r) {
		case solid, sign:
			f.solid(r, size)
		default:
			f.gap()
		}
	}
}

// letters folds a run of letters and digits of ASCII, as most of most texts are.
func (f *folder) letters() {
	at := f.at
	for at < len(f.text) && f.text[at] < utf8.RuneSelf && asciiClasses[f.text[at]] == solid {
		f.out = append(f.out, asciiLower[f.text[at]])
		at++
	}
	if at > f.at && at < len(f.text) && f.text[at] >= 0xcc { // it may have a mark
		at--
		f.out = f.out[:len(f.out)-1]
	}
	if at > f.at {
		f.prev, f.end = rune(f.text[at-1]), at
		f.at = at
	}
}

var asciiLower = func() (table [utf8.RuneSelf]byte) {
	for i := range table {
		table[i] = byte(lower(rune(i)))
	}
	return table
}()

// peek decodes the character at a place, in plain width.
func (f *folder) peek(at int) (r rune, size int) {
	if c := f.text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(f.text[at:])
	if 0xff01 <= r && r <= 0xff5e {
		r -= 0xfee0
	}
	return r, size
}

// class is what a character is to a quotation.
type class byte

const (
	solid class = iota // a letter or a digit
	sign               // has a meaning of its own, as that of percent
	space
	dash
	mark // of a sentence, or a bracket: left out, but between digits
	none // a quotation mark, or one of Markdown: left out
)

var asciiClasses = func() (table [utf8.RuneSelf]class) {
	for i := range table {
		switch c := byte(i); {
		case '0' <= c && c <= '9', 'a' <= c|0x20 && c|0x20 <= 'z':
			table[i] = solid
		case c <= ' ' || c == 0x7f:
			table[i] = space
		case strings.IndexByte("\"'`*_|\\", c) >= 0:
			table[i] = none
		case strings.IndexByte(".,;:!?()[]{}", c) >= 0:
			table[i] = mark
		case c == '-':
			table[i] = dash
		default:
			table[i] = sign
		}
	}
	return table
}()

func classOf(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		return asciiClasses[r]
	case analysis.IsHan(r) || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		return solid
	case unicode.IsSpace(r) || unicode.Is(unicode.Cf, r):
		return space
	case unicode.Is(unicode.Pd, r) || r == '−':
		return dash
	case unicode.In(r, unicode.Pi, unicode.Pf) || r == '‚' || r == '„' || 0x300a <= r && r <= 0x300f || unicode.Is(unicode.Co, r) || 0x25a0 <= r && r <= 0x25ff || 0x2700 <= r && r <= 0x27bf:
		return none // bullets and ticks too
	case r == '′' || r == '″' || r == '‰' || r == '‱':
		return sign
	case unicode.IsPunct(r):
		return mark
	}
	return sign
}

func isDigit(r rune) bool { return '0' <= r && r <= '9' || r >= utf8.RuneSelf && unicode.IsDigit(r) }

// solid folds a character that is kept.
func (f *folder) solid(r rune, size int) {
	start := f.at
	if r < utf8.RuneSelf && (f.at+size == len(f.text) || f.text[f.at+size] < 0xcc) { // no mark follows
		if f.isLineMark(r) {
			f.at += size
			return
		}
		f.at += size
		f.put(lower(r), r, start)
		return
	}
	if analysis.IsHan(r) {
		f.at += size
		plain := analysis.FoldRune(r)
		f.put(plain, plain, start)
		return
	}
	if isDigit(f.prev) && f.end == start && unicode.Is(unicode.No, r) { // an exponent or a fraction: 10⁵ is not 105
		f.at += size
		f.put(r, r, start)
		return
	}
	f.at += max(size, norm.NFKC.NextBoundaryInString(f.text[start:], true))
	for _, r := range norm.NFKC.String(f.text[start:f.at]) {
		if class := classOf(r); (class == solid || class == sign) && !analysis.IsAccent(r) {
			f.put(analysis.FoldRune(r), r, start)
		}
	}
}

func lower(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r | 0x20
	}
	return r
}

// isLineMark tells a sign that begins a line of Markdown: that of a heading, a list or a
// quotation. That of a heading may stand in a line, as lines are joined.
func (f *folder) isLineMark(r rune) bool {
	if r != '#' && r != '>' && r != '+' && r != '=' {
		return false
	}
	after := strings.TrimLeft(f.text[f.at:], string(r))
	if strings.HasPrefix(f.text[f.at:], "##") {
		return true
	}
	if after != "" && !strings.ContainsRune(" \t\n>", rune(after[0])) {
		return false
	}
	before := strings.TrimRight(f.text[:f.at], "#>=")
	if r == '#' {
		return before == "" || isSpaceBefore(before)
	}
	before = strings.TrimRight(before, "#>= \t")
	return before == "" || before[len(before)-1] == '\n'
}

func (f *folder) put(loose, strict rune, start int) {
	if f.keep != nil {
		f.keep(&char{loose: loose, strict: strict, at: len(f.out), start: start, end: f.at})
	}
	f.out = utf8.AppendRune(f.out, loose)
	f.prev, f.end = strict, f.at
}

// gap leaves out what stands before the next character that is kept, but what numbers need.
func (f *folder) gap() {
	start := f.at
	next := rune(0)
	for f.at < len(f.text) {
		if n := target(f.text[f.at:]); n > 0 && !f.targets {
			f.at += n
			continue
		}
		r, size := f.peek(f.at)
		if class := classOf(r); class == solid || class == sign {
			next = r
			break
		}
		f.at += size
	}
	if !unicode.IsNumber(next) {
		return
	}
	if isDigit(f.prev) {
		f.betweenDigits(start, f.at)
		return
	}
	last, size := utf8.DecodeLastRuneInString(f.text[start:f.at])
	first := f.at - size
	isOwn := first > start || f.prev == 0 || classOf(f.prev) == sign // nothing but a gap is before it
	switch {
	case classOf(last) == dash && isOwn:
		f.put('-', '-', first)
	case (last == '.' || last == ',') && isOwn:
		if first == start || isSpaceBefore(f.text[:first]) {
			f.put('.', '.', first)
		}
	}
}

func isSpaceBefore(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(text)
	return classOf(r) == space
}

// betweenDigits keeps what stands between two digits: the marks, or one space.
func (f *folder) betweenDigits(start, end int) {
	kept := false
	for i := start; i < end; {
		r, size := f.peek(i)
		switch classOf(r) {
		case dash:
			f.put('-', '-', start)
			kept = true
		case mark:
			f.put(r, r, start)
			kept = true
		}
		i += size
	}
	if !kept {
		f.put(' ', ' ', start)
	}
}

// How long the target of a link is at most, in bytes.
const longestTarget = 500

// target is the length of what readers do not see of a link, or of a footnote, if a text
// begins with some: "](address)", "[^1]" and, of "[[note|words]]", the note.
func target(text string) int {
	text = text[:min(len(text), longestTarget)]
	if text[0] != ']' && text[0] != '[' || len(text) < 2 {
		return 0
	}
	until := func(end, without string) int {
		n := strings.Index(text, end)
		if n < 0 || strings.ContainsAny(text[:n], without) {
			return 0
		}
		return n + len(end)
	}
	switch text[:2] {
	case "](":
		return until(")", " \n")
	case "[^":
		return until("]", " \n")
	case "[[":
		return until("|", "]\n")
	}
	return 0
}

// hasTarget tells whether there is a target in a text.
func hasTarget(text string) bool {
	for at := range text {
		if target(text[at:]) > 0 {
			return true
		}
	}
	return false
}
