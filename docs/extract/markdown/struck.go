package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/lazyregexp"
)

// Strikethrough is the mark on both sides of struck-out text. What is struck out no longer holds:
// without marks, a dose that was withdrawn reads as one to be given.
const Strikethrough = "~~"

// An InlineText collects the text of a paragraph or a cell, and marks what is struck out in it.
// Parts that follow one another have one pair of marks, even if blanks that are not struck out
// separate them.
type InlineText struct {
	IsNextStruck bool // whether the text that is written next is struck out
	written      strings.Builder
	struck       strings.Builder // struck-out text after written, without its marks
	start        int             // offset in written at which the text begins, after the texts that FinishText has finished
}

// WriteString appends text that is not Markdown: its tildes are escaped, as they mark nothing.
func (t *InlineText) WriteString(text string) { t.WriteMarkdown(EscapeTildes(text)) }

// WriteMarkdown appends Markdown, in which struck-out text may be marked already.
func (t *InlineText) WriteMarkdown(text string) {
	switch {
	case text == "":
	case t.IsNextStruck, t.struck.Len() > 0 && strings.TrimSpace(text) == "":
		t.struck.WriteString(text)
	default:
		t.endStruck(text)
		t.written.WriteString(text)
	}
}

// endStruck appends the struck-out text with its marks. following is the text after it.
func (t *InlineText) endStruck(following string) {
	if t.struck.Len() > 0 {
		before, _ := utf8.DecodeLastRuneInString(t.written.String()[t.start:])
		t.written.WriteString(MarkStruck(before, t.struck.String(), following))
		t.struck.Reset()
	}
}

// EndsWithSpace reports whether the last character is a space.
func (t *InlineText) EndsWithSpace() bool {
	all := t.written.String()
	if t.struck.Len() > 0 {
		all = t.struck.String()
	}
	return strings.HasSuffix(all, " ")
}

// Len returns the length of the text in bytes, without marks that are not written yet.
func (t *InlineText) Len() int { return t.written.Len() + t.struck.Len() }

// FinishText ends the text, and returns the length in bytes of all texts written so far. What is
// written later is another text after it.
func (t *InlineText) FinishText() (endByte int) {
	t.endStruck("")
	t.IsNextStruck, t.start = false, t.written.Len()
	return t.start
}

// String returns the text written so far. Struck-out text at its end is closed by a mark, even if more
// is written later.
func (t *InlineText) String() string {
	t.endStruck("")
	return t.written.String()
}

// Reset makes the text empty.
func (t *InlineText) Reset() {
	t.written.Reset()
	t.struck.Reset()
	t.start = 0
}

// MarkStruck returns struck-out text with its marks, between which it has no blanks. before is the
// last character of the text before it, following the text after it. If following replaces the
// struck-out text, a space separates the two: "~~5 mg~~ 10 mg".
func MarkStruck(before rune, struck, following string) string {
	text := strings.TrimSpace(struck)
	if text == "" || isWithinWord(before, struck, following) {
		return struck
	}
	start := strings.Index(struck, text)
	leading, trailing := struck[:start], struck[start+len(text):]
	if IsReplacement(struck, following) && !IsWithinNumber(before, struck, following) {
		trailing = " "
	}
	open, closing := strikeMarks(text)
	if before == '~' && leading == "" {
		open = WordJoiner + open
	}
	if strings.HasPrefix(trailing+following, "~") {
		closing += WordJoiner
	}
	return leading + open + text + closing + trailing
}

// strikeMarks returns the marks to put around a struck-out text. A joiner separates them from a tilde at
// an end of the text, beside which they would not count as marks.
func strikeMarks(text string) (open, closing string) {
	open, closing = Strikethrough, Strikethrough
	if strings.HasPrefix(text, "~") {
		open += WordJoiner
	}
	if strings.HasSuffix(text, "~") {
		closing = WordJoiner + closing
	}
	return open, closing
}

// MarkStruckParts returns a text in another markup with the marks of Markdown around what is struck out:
// the first group of each match of pattern. The mark in that markup has one byte on each side of it.
func MarkStruckParts(text string, pattern *lazyregexp.Regexp) string {
	var out InlineText
	for {
		m := pattern.FindStringSubmatchIndex(text)
		out.IsNextStruck = false
		if m == nil {
			out.WriteString(text)
			return out.String()
		}
		out.WriteString(text[:m[2]-1])
		out.IsNextStruck = true
		out.WriteString(text[m[2]:m[3]])
		text = text[m[3]+1:]
	}
}

// AllInCellFont is the argument of MarkStruckCell for a text that is all in the font of its cell.
const AllInCellFont = -1

// MarkStruckCell returns the text of a cell whose font is struck out, with marks. Only the first
// cellFontBytes bytes have that font, and parts with fonts of their own, which are marked already,
// follow; AllInCellFont means that there are none.
func MarkStruckCell(text string, cellFontBytes int) string {
	if cellFontBytes == AllInCellFont {
		cellFontBytes = len(text)
	}
	cellFontBytes = min(cellFontBytes, len(text))
	return MarkStruck(0, EscapeTildes(text[:cellFontBytes]), text[cellFontBytes:]) + text[cellFontBytes:]
}

// isWithinWord reports whether struck-out letters are a part of a word of a script with spaces, as
// in "colo~~u~~r", which marks would split.
func isWithinWord(before rune, struck, following string) bool {
	after, _ := utf8.DecodeRuneInString(following)
	return isWordLetter(before) && isWordLetter(after) && !strings.ContainsFunc(struck, func(r rune) bool { return !isWordLetter(r) })
}

// IsWithinNumber reports whether struck-out digits are a part of a number, as in "1~~0~~5", which a space
// would divide.
func IsWithinNumber(before rune, struck, following string) bool {
	after, _ := utf8.DecodeRuneInString(following)
	return unicode.IsDigit(before) && unicode.IsDigit(after) && !strings.ContainsFunc(struck, func(r rune) bool { return !unicode.IsDigit(r) })
}

// isWordLetter reports whether r is a letter of a script that separates its words by spaces.
func isWordLetter(r rune) bool {
	return r != utf8.RuneError && unicode.IsLetter(r) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// IsReplacement reports whether replacement, the text after struck-out text, replaces it rather than
// continuing the same word: "colo~~u~~r" is one word.
func IsReplacement(struck, replacement string) bool {
	last, _ := utf8.DecodeLastRuneInString(struck)
	first, _ := utf8.DecodeRuneInString(replacement)
	return len(struck) <= 2*MaxHeadingCharacters && !unicode.IsSpace(last) && (unicode.IsLetter(first) || unicode.IsDigit(first)) && strings.ContainsAny(struck, " 0123456789")
}
