package quote

import (
	"context"
	"slices"
	"strings"
)

// ScanTable searches the text of a table such as CSV like Scan. A quotation may also leave out what
// separates the cells, as it may the "|" of Markdown.
func (s *Scanner) ScanTable(ctx context.Context, text string) ([]Match, error) {
	found, err := s.Scan(ctx, text)
	spaced, isTable := spaceCells(text)
	if err != nil || !isTable {
		return found, err
	}
	more, err := s.Scan(ctx, spaced)
	for _, m := range more {
		isKnown := slices.ContainsFunc(found, func(f Match) bool { return f.QuoteIndex == m.QuoteIndex && f.Exact != nil })
		if m.Exact == nil || isKnown {
			continue
		}
		found = slices.DeleteFunc(found, func(f Match) bool { return f.QuoteIndex == m.QuoteIndex && f.StruckOut == nil })
		found = append(found, m)
	}
	return found, err
}

// spaceCells returns a table with spaces instead of the separators between its cells, so that
// offsets stay as they are. ok is false if the first two lines do not have the same number of
// cells, or only one.
func spaceCells(text string) (spaced string, ok bool) {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\r\n"), "\n")
	second, _, _ := strings.Cut(rest, "\n")
	for _, separator := range []byte(";,") {
		if n := len(separatorsIn(first, separator)); n > 0 && n == len(separatorsIn(second, separator)) {
			b := []byte(text)
			for _, at := range separatorsIn(text, separator) {
				b[at] = ' '
			}
			return string(b), true
		}
	}
	return text, false
}

// separatorsIn returns the offsets of the separators that are not within quotation marks.
func separatorsIn(text string, separator byte) (all []int) {
	isQuoted := false
	for i := range len(text) {
		switch text[i] {
		case '"':
			isQuoted = !isQuoted
		case separator:
			if !isQuoted {
				all = append(all, i)
			}
		}
	}
	return all
}
