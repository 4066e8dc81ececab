package quote

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/struck"
	"vademecum/index/match"
)

// DiffRun is a piece of the document beside the corresponding piece of the quotation. If they agree,
// QuotedText is empty.
type DiffRun struct {
	DocumentText string `json:"written,omitempty"` // text of the document
	QuotedText   string `json:"quoted,omitempty"`  // text of the quotation that corresponds to DocumentText
	Differs      bool   `json:"differs,omitempty"`
}

// diffRuns returns both texts side by side.
func (c *wordingComparison) diffRuns() (all []DiffRun) {
	atQuoted, atWritten := -1, -1 // end of the previous run
	for i := 0; i < len(c.pairs); {
		end := i
		for end < len(c.pairs) && c.differs[end] == c.differs[i] {
			end++
		}
		quoted, written := match.Range{Start: -1}, match.Range{Start: -1}
		for _, p := range c.pairs[i:end] {
			if p.quoted >= 0 {
				quoted = extendTo(quoted, c.chars[p.quoted])
			}
			if p.written >= 0 {
				written = extendTo(written, c.written[p.written])
			}
		}
		if c.isTail && end == len(c.pairs) {
			quoted, written = withMarks(c.quotedPart.text, quoted), withMarks(c.text, written)
		}
		r := DiffRun{Differs: c.differs[i]}
		if r.DocumentText = oneLine(c.text, c.stretches, written); r.Differs {
			r.QuotedText = oneLine(c.quotedPart.text, c.quotedPart.struck, quoted)
		}
		if gap := c.gapBefore(atWritten, written, atQuoted, quoted); gap != "" && len(all) > 0 {
			all = append(all, DiffRun{DocumentText: gap})
		}
		all = append(all, r)
		if quoted.Start >= 0 {
			atQuoted = quoted.End
		}
		if written.Start >= 0 {
			atWritten = written.End
		}
		i = end
	}
	return all
}

// withMarks returns the range extended by the punctuation that follows it.
func withMarks(text string, r match.Range) match.Range {
	for r.Start >= 0 && r.End < len(text) {
		c, size := utf8.DecodeRuneInString(text[r.End:])
		if charClassOf(c) != mark {
			break
		}
		r.End += size
	}
	return r
}

// extendTo extends a range to the end of a character.
func extendTo(r match.Range, c foldedChar) match.Range {
	if r.Start < 0 {
		r.Start = c.start
	}
	r.End = c.end
	return r
}

// gapBefore returns the text between the previous run and this one in the document or, if this run is
// not in the document after the previous one, in the quotation.
func (c *wordingComparison) gapBefore(at int, r match.Range, atQuoted int, quoted match.Range) string {
	switch {
	case at >= 0 && r.Start >= at:
		return oneLine(c.text, c.stretches, match.Range{Start: at, End: r.Start})
	case atQuoted >= 0 && quoted.Start >= atQuoted:
		return oneLine(c.quotedPart.text, c.quotedPart.struck, match.Range{Start: atQuoted, End: quoted.Start})
	}
	return ""
}

// oneLine returns a range of a text with single spaces, and with marks around all that is struck out; "" if
// the range is empty.
func oneLine(text string, stretches []struck.Stretch, r match.Range) string {
	if r.Start < 0 {
		return ""
	}
	var out strings.Builder
	inSpace := false
	for _, c := range struck.Excerpt(text, stretches, r.Start, r.End) {
		if unicode.IsSpace(c) {
			if !inSpace {
				out.WriteByte(' ')
			}
			inSpace = true
			continue
		}
		inSpace = false
		out.WriteRune(c)
	}
	return out.String()
}

// FormatDifferences formats runs as one line. Each difference, the text of the document and that of the
// quotation, is enclosed in ⟦ and ⟧.
func FormatDifferences(runs []DiffRun) string {
	var out strings.Builder
	for _, r := range runs {
		switch {
		case !r.Differs:
			out.WriteString(r.DocumentText)
		case r.DocumentText == "":
			out.WriteString("⟦quotation: " + r.QuotedText + "⟧")
		case r.QuotedText == "":
			out.WriteString("⟦document: " + r.DocumentText + "⟧")
		default:
			out.WriteString("⟦quotation: " + r.QuotedText + " | document: " + r.DocumentText + "⟧")
		}
	}
	return out.String()
}

// longestSame is how many characters of the common text are shown on either side of a difference.
const longestSame = 60

// ElideEqualRuns shortens the runs in which both texts agree: it cuts out the middle of long ones.
func ElideEqualRuns(runs []DiffRun) []DiffRun {
	short := slices.Clone(runs)
	for i, r := range runs {
		text := []rune(r.DocumentText)
		if r.Differs || len(text) <= 2*longestSame {
			continue
		}
		before, after := text[:longestSame], text[len(text)-longestSame:]
		switch i {
		case 0:
			short[i].DocumentText = "… " + string(after)
		case len(runs) - 1:
			short[i].DocumentText = string(before) + " …"
		default:
			short[i].DocumentText = string(before) + " … " + string(after)
		}
	}
	return short
}

// longestLeftOut is the maximum number of characters that an exact quotation may omit by an
// ellipsis.
const longestLeftOut = 500

// OmittedTexts returns the texts between the places of the parts of a quotation, each as one line.
// mayChangeMeaning reports whether omitting them may change the meaning, because they contain a negation,
// a condition or an exception, or are long.
func OmittedTexts(text string, places []match.Range) (omitted []string, mayChangeMeaning bool) {
	for i := 1; i < len(places); i++ {
		between := match.Range{Start: places[i-1].End, End: places[i].Start}
		left := strings.TrimFunc(oneLine(text, struck.Find(text), between), func(r rune) bool { return charClassOf(r) == space || charClassOf(r) == mark || charClassOf(r) == none })
		omitted = append(omitted, left)
		mayChangeMeaning = mayChangeMeaning || len(left) > 3*longestLeftOut || utf8.RuneCountInString(left) > longestLeftOut || mayReverseMeaning(left) || joinsSentences(text, between)
	}
	return omitted, mayChangeMeaning
}

// joinsSentences reports whether the omitted text ends one sentence or list item and begins
// another, so that the parts form a sentence that does not exist.
func joinsSentences(text string, left match.Range) bool {
	isEnd := func(r rune) bool { return strings.ContainsRune(".!?。！？；", r) }
	trim := func(s string) string {
		return strings.TrimRightFunc(s, func(r rune) bool {
			return charClassOf(r) == space || charClassOf(r) == none || charClassOf(r) == dash || r == '#'
		})
	}
	between := text[left.Start:left.End]
	if _, ok := sentenceEndIn(text, left.Start, left.End); !ok && !strings.Contains(strings.TrimSpace(between), "\n") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(between, func(r rune) bool { return charClassOf(r) == none || r == ')' || r == ']' }))
	last, _ := utf8.DecodeLastRuneInString(trim(text[:left.End]))
	return !isEnd(next) && !strings.HasPrefix(strings.TrimLeft(between, " \t"), "\n") && !isEnd(last) && !strings.HasSuffix(strings.TrimRight(between, " \t-*#>•0123456789."), "\n")
}
