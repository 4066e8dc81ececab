package quote

import (
	"context"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/index/lexical/analysis"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/script"
)

// Texts are searched in folded form: without spacing, punctuation, quotation marks and markup of
// Markdown, and in one width. What distinguishes numbers and signs is kept: separators between
// digits, a minus sign, a leading decimal point, the "!" of code. What was removed is compared
// afterwards at places where a quotation may be (see gap).

// foldedChar is a character of a folded text, with its position in the original.
type foldedChar struct {
	// the character in lower case, without accents, and in simplified Chinese
	loose  rune
	strict rune // the character with its case and accents
	at     int  // offset of its first byte in the folded text
	start  int  // start of the original in the text
	end    int
}

// foldingOptions states which further characters are kept, because the quotation contains them.
type foldingOptions struct {
	times   bool // the time before a paragraph of subtitles
	targets bool // the invisible parts of links, footnotes and tags (see hiddenLength)
	numbers bool // numbers of list items
	dashes  bool // dashes before a number that may be bullets
	angles  bool // signs that may mark quoted lines
}

// quoteFolder folds a text for comparison with quotations.
type quoteFolder struct {
	foldingOptions
	text string
	at   int               // offset in the text
	prev rune              // last character kept; 0 at the start
	end  int               // end of that character in the text
	out  []byte            // folded text: the loose characters
	keep func(*foldedChar) // called with each character, unless nil
}

// foldedBetween is how many characters and gaps are folded between two checks of the context.
const foldedBetween = 1 << 12

// fold appends the loose characters of the rest of the text to out, without what comparisons ignore, and
// calls keep with each of them. It returns the error of ctx if that ends.
func (f *quoteFolder) fold(ctx context.Context) error {
	for n := 1; f.at < len(f.text); n++ {
		if n%foldedBetween == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if f.keep == nil {
			f.foldLetters()
		}
		if f.at == len(f.text) {
			return nil
		}
		r, size := runeAt(f.text, f.at)
		switch charClassOf(r) {
		case solid, sign:
			f.foldRune(r, size)
		default:
			f.foldGap()
		}
	}
	return nil
}

// foldLetters folds a run of ASCII letters and digits, the bulk of most texts.
func (f *quoteFolder) foldLetters() {
	at := f.at
	if at < len(f.text) && isDigit(rune(f.text[at])) && f.isLineStart() {
		return // this may be the number of a list item
	}
	for at < len(f.text) && f.text[at] < utf8.RuneSelf && asciiClasses[f.text[at]] == solid {
		f.out = append(f.out, asciiLower[f.text[at]])
		at++
	}
	if at > f.at && at < len(f.text) && f.text[at] >= 0xcc { // a combining mark may follow
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
		table[i] = byte(lowerRune(rune(i)))
	}
	return table
}()

// runeAt decodes the character at an offset, and returns it in normal width.
func runeAt(text string, at int) (r rune, size int) {
	if c := text[at]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(text[at:])
	if 0xff01 <= r && r <= 0xff5e {
		r -= 0xfee0
	}
	return r, size
}

// foldRune folds a character that is kept, unless it is invisible to readers.
func (f *quoteFolder) foldRune(r rune, size int) {
	start := f.at
	if n := f.hiddenLength(r); n > 0 {
		f.at += n
		if r == '<' && isDigit(f.prev) && f.at < len(f.text) && isDigit(rune(f.text[f.at])) {
			// an exponent in a tag
			f.putChar('^', '^', start)
		}
		return
	}
	if r < utf8.RuneSelf && (f.at+size == len(f.text) || f.text[f.at+size] < 0xcc) {
		// no combining mark follows
		f.at += size
		f.putChar(lowerRune(r), r, start)
		return
	}
	if digits, n := f.dateNumber(r); n > 0 {
		f.at += n
		for _, digit := range digits {
			f.putChar(digit, digit, start)
		}
		return
	}
	if script.IsUnifiedHan(r) {
		f.at += size
		plain := analysis.FoldRune(r)
		f.putChar(plain, plain, start)
		return
	}
	if isDigit(f.prev) && f.end == start && unicode.Is(unicode.No, r) {
		// an exponent or a fraction: 10⁵ is not 105
		f.at += size
		f.putChar(r, r, start)
		return
	}
	f.at += max(size, norm.NFKC.NextBoundaryInString(f.text[start:], true))
	for _, r := range norm.NFKC.String(f.text[start:f.at]) {
		switch class := charClassOf(r); {
		case class == dash:
			f.putChar('-', '-', start)
		case (class == solid || class == sign) && !analysis.IsAccent(r):
			f.putChar(analysis.FoldRune(r), r, start)
		}
	}
}

// dateNumber returns the number in Chinese characters of a year, month or day that begins with r, in digits, and its
// length: 二〇二六年 is 2026年.
func (f *quoteFolder) dateNumber(r rune) (digits string, length int) {
	if r != '〇' && r != '○' && !script.IsUnifiedHan(r) {
		return "", 0
	}
	return analysis.ChineseDateNumber(f.text[f.at:])
}

func lowerRune(r rune) rune {
	if 'A' <= r && r <= 'Z' {
		return r | 0x20
	}
	return r
}

func (f *quoteFolder) putChar(loose, strict rune, start int) {
	if f.keep != nil {
		f.keep(&foldedChar{loose: loose, strict: strict, at: len(f.out), start: start, end: f.at})
	}
	f.out = utf8.AppendRune(f.out, loose)
	f.prev, f.end = strict, f.at
}

// foldGap omits what is between two characters that are kept, except for signs with a meaning of their
// own.
func (f *quoteFolder) foldGap() {
	start, end := f.at, f.at
	next := rune(0)
	for end < len(f.text) {
		if n := linkTargetLength(f.text[end:]); n > 0 && !f.targets {
			end += n
			continue
		}
		r, size := runeAt(f.text, end)
		if class := charClassOf(r); (class == solid || class == sign) && !f.isFootnoteAt(end, r) {
			next = r
			break
		}
		end += size
	}
	if isDigit(f.prev) && unicode.IsNumber(next) {
		f.at = end
		f.foldBetweenDigits(start, end)
		return
	}
	for f.at < end {
		if n := linkTargetLength(f.text[f.at:]); n > 0 && !f.targets {
			f.at += n
			continue
		}
		r, size := runeAt(f.text, f.at)
		if charClassOf(r) == space {
			f.at += size
			continue
		}
		run := runLength(f.text[f.at:end], size)
		isKept := f.hasOwnMeaning(r, f.at+run)
		if charClassOf(r) == dash {
			r = '-'
		}
		for ; run > 0; run -= size {
			f.at += size
			if isKept {
				f.putChar(r, r, f.at-size)
			}
		}
	}
}

// runLength returns the number of bytes at the start of the text that repeat its first character.
func runLength(text string, size int) int {
	n := size
	for n+size <= len(text) && text[n:n+size] == text[:size] {
		n += size
	}
	return n
}

// foldBetweenDigits keeps what separates two digits: punctuation, and spaces if they are
// significant.
func (f *quoteFolder) foldBetweenDigits(start, end int) {
	kept := false
	put := func(r rune) {
		f.putChar(r, r, start)
		kept = true
	}
	for i := start; i < end; {
		r, size := runeAt(f.text, i)
		i += size
		switch {
		case r == '、' || r == ',' && i-size == start && i == end && f.isInList(start, end): // as "0, 3, 7"
			put(',')
			put(' ')
		case charClassOf(r) == dash:
			put('-')
		case r == '_' || r == '*':
			put(r)
		case charClassOf(r) == mark:
			put(r)
			if i < end && (r == '.' || r == ',') {
				if next, _ := runeAt(f.text, i); charClassOf(next) == space { // "2, 500" is not 2,500
					put(' ')
				}
			}
		}
	}
	if !kept {
		put(' ')
	}
}

// longestList is how far the groups of digits around a comma are examined, in bytes.
const longestList = 24

// isInList reports whether the comma at text[start:end] separates two numbers of a list such as
// 0,3,7 instead of being part of a number such as 5,7 or 1,234,567 or 1,23,456.
func (f *quoteFolder) isInList(start, end int) bool {
	before := strings.ReplaceAll(f.text[max(0, start-longestList):start], "，", ",")
	after := strings.ReplaceAll(f.text[end:min(len(f.text), end+longestList)], "，", ",")
	isOther := func(r rune) bool { return !isDigit(r) && r != ',' }
	before = strings.TrimLeftFunc(before[strings.LastIndexFunc(before, isOther)+1:], isOther)
	if n := strings.IndexFunc(after, isOther); n >= 0 {
		after = after[:n]
	}
	groups := strings.Split(strings.Trim(before+","+after, ","), ",")
	if len(groups) < 3 {
		return false
	}
	last := len(groups) - 1
	isNumber := len(groups[0]) <= 3 && len(groups[last]) == 3
	for _, g := range groups[1:last] {
		isNumber = isNumber && (len(g) == 3 || len(g) == 2)
	}
	return !isNumber
}

// hasOwnMeaning reports whether the run of punctuation or dashes at f is significant: a minus sign,
// a leading decimal point, an option of a command, the "!" and "*" of code.
func (f *quoteFolder) hasOwnMeaning(r rune, end int) bool {
	var before, after rune
	if f.at > 0 {
		before, _ = utf8.DecodeLastRuneInString(f.text[:f.at])
	}
	if end < len(f.text) {
		after, _ = runeAt(f.text, end)
	}
	switch class := charClassOf(r); {
	case r == '−':
		return true
	case class == dash && r != '—' && r != '―':
		return f.isMinus(r, before, after)
	case r == '.' || r == ',':
		isOwn := before == 0 || charClassOf(before) == space || charClassOf(before) == dash || charClassOf(before) == sign
		return isOwn && (isDigit(after) || r == '.' && (isSpacedLetter(after) || after == '/'))
	case r == '!':
		isOpen := before == 0 || charClassOf(before) == space || charClassOf(before) == sign || strings.ContainsRune("([{", before)
		return after == '=' || (isSpacedLetter(after) || after == '(') && isOpen
	case r == '*' || r == '_':
		return isSpacedLetter(before) && isSpacedLetter(after)
	case r == '|':
		// the "or" of code
		return end-f.at == 2 && charClassOf(before) == space && charClassOf(after) == space
	case r == '\\':
		return isSpacedLetter(after)
	}
	return false
}

// isMinus reports whether a dash belongs to what follows it, or is significant by itself.
func (f *quoteFolder) isMinus(r, before, after rune) bool {
	isApart := before == 0 || !isSpacedLetter(before)
	switch {
	case before == '(' && after == ')':
		return true
	case isApart && (isDigit(after) || after == '.' || r == '-' && (isSpacedLetter(after) || charClassOf(after) == sign)):
		return true
	case (before == 0 || charClassOf(before) == space) && charClassOf(after) == space: // "change: - 5 kg"
		return dashOfNumber.MatchString(f.text[f.at:min(len(f.text), f.at+longestNumber)]) && (f.dashes || !f.isLineStart())
	}
	return false
}

// dashOfNumber matches a dash before a number, which may be a minus sign or a bullet.
var dashOfNumber = lazyregexp.New(`^[-–]\s+\d`)
