package quote

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/lexical/analysis"
)

// Texts are looked through folded: without spacing, the punctuation of sentences, quotation
// marks and the marks of Markdown, and in one width. Kept is what tells numbers and signs
// apart: what stands between digits, a minus, a leading point, the "!" of code. What was left
// out is compared where a quotation may stand (see gap).

// char is a character of a folded text.
type char struct {
	loose  rune // without case, accents, and the difference of traditional and simplified Chinese
	strict rune // with case and accents
	at     int  // of its first byte in the folded text
	start  int  // of what it is made of in the text
	end    int
}

// folding says what counts, beside what always does: what a quotation has of it.
type folding struct {
	targets bool // what readers do not see of links, footnotes and tags (see hidden)
	numbers bool // those of the items of a list
	dashes  bool // those before a number that may be the marks of items
	angles  bool // those that may be the marks of lines that are quoted
}

// folder folds a text.
type folder struct {
	folding
	text string
	at   int         // in the text
	prev rune        // the last character kept, 0 at the start
	end  int         // of it, in the text
	out  []byte      // the folded text: its loose characters
	keep func(*char) // unless nil, is given each character
}

func (f *folder) fold() {
	for f.at < len(f.text) {
		if f.keep == nil {
			f.letters()
		}
		if f.at == len(f.text) {
			return
		}
		r, size := peek(f.text, f.at)
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
	if at < len(f.text) && isDigit(rune(f.text[at])) && f.isLineStart() {
		return // it may be the number of an item
	}
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
func peek(text string, at int) (r rune, size int) {
	if c := text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(text[at:])
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
	mark // of a sentence, or a bracket
	none // a quotation mark, or one of Markdown
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

// solid folds a character that is kept, unless readers do not see it.
func (f *folder) solid(r rune, size int) {
	start := f.at
	if n := f.hidden(r); n > 0 {
		f.at += n
		if r == '<' && isDigit(f.prev) && f.at < len(f.text) && isDigit(rune(f.text[f.at])) { // an exponent
			f.put('^', '^', start)
		}
		return
	}
	if r < utf8.RuneSelf && (f.at+size == len(f.text) || f.text[f.at+size] < 0xcc) { // no mark follows
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
		switch class := classOf(r); {
		case class == dash:
			f.put('-', '-', start)
		case (class == solid || class == sign) && !analysis.IsAccent(r):
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

func (f *folder) put(loose, strict rune, start int) {
	if f.keep != nil {
		f.keep(&char{loose: loose, strict: strict, at: len(f.out), start: start, end: f.at})
	}
	f.out = utf8.AppendRune(f.out, loose)
	f.prev, f.end = strict, f.at
}

// gap leaves out what stands before the next character that is kept, but for what has a
// meaning of its own.
func (f *folder) gap() {
	start, end := f.at, f.at
	next := rune(0)
	for end < len(f.text) {
		if n := target(f.text[end:]); n > 0 && !f.targets {
			end += n
			continue
		}
		r, size := peek(f.text, end)
		if class := classOf(r); class == solid || class == sign {
			next = r
			break
		}
		end += size
	}
	if isDigit(f.prev) && unicode.IsNumber(next) {
		f.at = end
		f.betweenDigits(start, end)
		return
	}
	for f.at < end {
		if n := target(f.text[f.at:]); n > 0 && !f.targets {
			f.at += n
			continue
		}
		r, size := peek(f.text, f.at)
		if classOf(r) == space {
			f.at += size
			continue
		}
		run := runLength(f.text[f.at:end], size)
		isKept := f.isKept(r, f.at+run)
		if classOf(r) == dash {
			r = '-'
		}
		for ; run > 0; run -= size {
			f.at += size
			if isKept {
				f.put(r, r, f.at-size)
			}
		}
	}
}

// runLength is how long a text has nothing but its first character, in bytes.
func runLength(text string, size int) int {
	n := size
	for n+size <= len(text) && text[n:n+size] == text[:size] {
		n += size
	}
	return n
}

// betweenDigits keeps what stands between two digits: the marks, and spaces where they
// count.
func (f *folder) betweenDigits(start, end int) {
	kept := false
	put := func(r rune) {
		f.put(r, r, start)
		kept = true
	}
	for i := start; i < end; {
		r, size := peek(f.text, i)
		i += size
		switch {
		case classOf(r) == dash:
			put('-')
		case r == '_' || r == '*':
			put(r)
		case classOf(r) == mark:
			put(r)
			if i < end && (r == '.' || r == ',') {
				if next, _ := peek(f.text, i); classOf(next) == space { // "2, 500" is not 2,500
					put(' ')
				}
			}
		}
	}
	if !kept {
		put(' ')
	}
}

// isKept tells whether a run of a mark, a dash or the like has a meaning of its own: a minus, a
// leading point, an option of a command, the "!" and "*" of code. The run begins where f is.
func (f *folder) isKept(r rune, end int) bool {
	var before, after rune
	if f.at > 0 {
		before, _ = utf8.DecodeLastRuneInString(f.text[:f.at])
	}
	if end < len(f.text) {
		after, _ = peek(f.text, end)
	}
	switch class := classOf(r); {
	case r == '−':
		return true
	case class == dash && r != '—' && r != '―':
		return f.isMinus(r, before, after)
	case r == '.' || r == ',':
		isOwn := before == 0 || classOf(before) == space || classOf(before) == dash || classOf(before) == sign
		return isOwn && (isDigit(after) || r == '.' && (isWord(after) || after == '/'))
	case r == '!':
		isOpen := before == 0 || classOf(before) == space || classOf(before) == sign || strings.ContainsRune("([{", before)
		return after == '=' || (isWord(after) || after == '(') && isOpen
	case r == '*' || r == '_':
		return isWord(before) && isWord(after)
	case r == '\\':
		return isWord(after)
	}
	return false
}

// isMinus tells whether a dash belongs to what follows it, or stands for itself.
func (f *folder) isMinus(r, before, after rune) bool {
	isApart := before == 0 || !isWord(before)
	switch {
	case before == '(' && after == ')':
		return true
	case isApart && (isDigit(after) || after == '.' || r == '-' && (isWord(after) || classOf(after) == sign)):
		return true
	case (before == 0 || classOf(before) == space) && classOf(after) == space: // "change: - 5 kg"
		return isDashOfNumber.MatchString(f.text[f.at:min(len(f.text), f.at+longestNumber)]) && (f.dashes || !f.isLineStart())
	}
	return false
}

// isDashOfNumber finds a dash before a number, which may be a minus and the mark of an item.
var isDashOfNumber = regexp.MustCompile(`^[-–]\s+\d`)

// isLineStart tells whether nothing but signs of Markdown stands before a place in its line.
func isLineStart(text string, at int) bool {
	before := strings.TrimRight(text[max(0, at-longestNumber):at], "#>=*- \t")
	if len(before) == 0 && at > longestNumber {
		before = strings.TrimRight(text[:at], "#>=*- \t")
	}
	return before == "" || before[len(before)-1] == '\n'
}

func (f *folder) isLineStart() bool { return isLineStart(f.text, f.at) }

// hidden is the length of what begins here and is not seen by readers, or a mark for them: a
// tag of HTML, the number of an item, the signs of Markdown at the beginning of a line.
func (f *folder) hidden(r rune) int {
	rest := f.text[f.at:]
	switch {
	case isDigit(r):
		if !f.numbers && f.isLineStart() {
			return len(itemNumber.FindString(rest[:min(len(rest), longestNumber)]))
		}
	case r == '<':
		if !f.targets {
			return len(tag.FindString(rest[:min(len(rest), longestTarget)]))
		}
	case r == '#' || r == '>' || r == '=':
		return f.lineMark(rest, r)
	case r == '~':
		before, after := neighbours(f.text, f.at)
		if isWord(before) || strings.HasPrefix(rest, "~~") || strings.HasSuffix(f.text[:f.at], "~") || !isDigit(after) && !isWord(after) {
			return 1
		}
	case r == '^':
		if _, after := neighbours(f.text, f.at); !isWord(after) && after != '-' && after != '−' {
			return 1
		}
	}
	return 0
}

// itemNumber is that of an item of a list.
var itemNumber = regexp.MustCompile(`^[0-9０-９]{1,3}[.)、．](?:\s|$|\p{Han})`)

const longestNumber = 16 // bytes

// hasItemNumber finds what may be such a number in a quotation, whose lines may have been
// joined.
var hasItemNumber = regexp.MustCompile(`(?:^|[^0-9０-９])[0-9０-９]{1,3}[.)、．](?:\s|$|\p{Han})`)

// hasDash finds what may be the mark of an item before a number.
var hasDash = regexp.MustCompile(`(?:^|\s)[-–]\s+\d`)

// tag is one of HTML.
var tag = regexp.MustCompile(`^</?(?i:a|b|big|blockquote|br|center|code|del|div|em|font|h[1-6]|hr|i|img|ins|kbd|li|mark|ol|p|pre|s|small|span|strong|sub|sup|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*=[^<>]*)?\s*/?>`)

// lineMark is the length of a sign that begins a line of Markdown, or underlines one: that of a
// heading or a quotation. That of a heading may stand in a line, as lines are joined.
func (f *folder) lineMark(rest string, r rune) int {
	before, after := neighbours(f.text, f.at)
	switch {
	case r == '=':
		if !strings.Contains(f.text[max(0, f.at-2):min(len(f.text), f.at+3)], "===") {
			return 0
		}
		return 1
	case r == '#' && (strings.HasPrefix(rest, "##") || f.at > 0 && f.text[f.at-1] == '#'):
		return 1
	case after != 0 && classOf(after) != space && after != '>' || r == '>' && f.angles:
		return 0
	case r == '#' && (before == 0 || classOf(before) == space) || f.isLineStart():
		return 1
	}
	return 0
}

// How long the target of a link is at most, in bytes.
const longestTarget = 500

// target is the length of what readers do not see of a link, or of a footnote, if a text
// begins with some: "](address)", "[^1]" and, of "[[note|words]]", the note.
func target(text string) int {
	if text[0] != ']' && text[0] != '[' || len(text) < 2 {
		return 0
	}
	text = text[:min(len(text), longestTarget)]
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

// hasTarget finds what may begin a target or a tag in a quotation, which may break off in it.
var hasTarget = regexp.MustCompile(`\]\(|\[\^|\[\[|</?[A-Za-z]`)

// hasAngle finds what may be the mark of a quoted line within a line.
var hasAngle = regexp.MustCompile(`(?m)[^ \t>\n].*\s>(\s|$)`)

// foldingOf is that for a quotation.
func foldingOf(text string) folding {
	return folding{targets: hasTarget.MatchString(text), numbers: hasItemNumber.MatchString(text), dashes: hasDash.MatchString(text), angles: hasAngle.MatchString(text)}
}

// neighbours are the characters before and after a run of the same one, 0 where there is none.
func neighbours(text string, at int) (before, after rune) {
	_, size := utf8.DecodeRuneInString(text[at:])
	start, end := at, at+runLength(text[at:], size)
	for start >= size && text[start-size:start] == text[at:at+size] {
		start -= size
	}
	if start > 0 {
		before, _ = utf8.DecodeLastRuneInString(text[:start])
	}
	if end < len(text) {
		after, _ = peek(text, end)
	}
	return before, after
}
