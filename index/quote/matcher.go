package quote

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"vademecum/index/match"
)

// wordMatcher finds a text by its words, regardless of punctuation and markup between them, of case
// and of script variant.
type wordMatcher struct{ quotedPart }

// NewWordMatcher returns a Matcher for the words of a text. It returns nil for a single word, because
// folding would make no difference.
func NewWordMatcher(text string) match.Matcher {
	w := wordMatcher{newQuotedPart(text, foldingOptions{})}
	// "H2O" may be written H~2~O
	isMixed := strings.ContainsFunc(text, unicode.IsDigit) && strings.ContainsFunc(text, unicode.IsLetter)
	if len(w.chars) == 0 || !hasWords(text) && !isMixed {
		return nil
	}
	return w
}

// buffers holds buffers for folded texts.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// Find implements match.Matcher.
func (w wordMatcher) Find(ctx context.Context, dst []match.Range, text string) ([]match.Range, error) {
	buffer := buffers.Get().(*[]byte)
	defer buffers.Put(buffer)
	f := quoteFolder{text: text, out: (*buffer)[:0]}
	err := f.fold(ctx)
	*buffer = f.out
	if err != nil {
		return dst, err
	}
	var places []match.Range
	for at := 0; ; {
		n := bytes.Index(f.out[at:], w.folded)
		if n < 0 {
			break
		}
		places = append(places, match.Range{Start: at + n, End: at + n + len(w.folded)})
		at += n + len(w.folded)
	}
	if len(places) == 0 {
		return dst, nil
	}
	chars, err := charsIn(ctx, text, foldingOptions{}, slices.Clone(places))
	if err != nil {
		return dst, err
	}
	for _, p := range places {
		if these := charsAt(chars, p.Start, len(w.chars)); these != nil {
			if r := rangeOf(these); !isInsideWord(text, r.Start, true) && !isInsideWord(text, r.End, false) && w.hasWordsOf(text, these) {
				dst = append(dst, r)
			}
		}
	}
	return dst, nil
}

// hasWordsOf reports whether words begin and end in the same places: "not able" does not match
// "notable".
func (w wordMatcher) hasWordsOf(text string, these []foldedChar) bool {
	for i := 1; i < len(these); i++ {
		if these[i-1].end <= these[i].start && !sameGap(w.gaps[i], gapOf(text[these[i-1].end:these[i].start]), these[i-1].strict, these[i].strict) {
			return false
		}
	}
	return true
}
