package match

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"sync"

	"vademecum/internal/base/message"
)

// Range is a part of a text, as half-open byte offsets.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Matcher finds matches in texts. It is safe for concurrent use.
type Matcher interface {
	// Find appends the matches in a text to a list, in order. Matches are not empty and do not
	// overlap. If ctx is cancelled, it returns the error of ctx; if its deadline passes, it also
	// returns the matches found until then.
	Find(ctx context.Context, dst []Range, text string) ([]Range, error)
}

// buffers is a pool of buffers for folded texts.
var buffers = sync.Pool{New: func() any { return new(foldedText) }}

// literalMatcher finds a literal text.
type literalMatcher struct {
	needle  []byte // folded
	folding folding
}

// NewLiteral returns a Matcher of a literal text: of its exact spelling if isCaseSensitive is set,
// otherwise also of the variants that readers consider equal, such as upper and lower case. In both
// cases line breaks are ignored. It returns an error if the text has no characters to find.
func NewLiteral(text string, isCaseSensitive bool) (Matcher, error) {
	l := literalMatcher{folding: folding{keepsVariants: isCaseSensitive}}
	var f foldedText
	_ = l.folding.fold(context.Background(), &f, text) // the context does not end
	if len(f.text) == 0 {
		return nil, message.Errorf("text is empty: give what to find")
	}
	l.needle = f.text
	return l, nil
}

// Find implements Matcher.
func (l literalMatcher) Find(ctx context.Context, dst []Range, text string) ([]Range, error) {
	f := buffers.Get().(*foldedText)
	defer buffers.Put(f)
	all, err := l.find(ctx, f, text, l.folding)
	if err == nil && f.broken {
		unbroken := l.folding
		unbroken.keepsLineEndHyphens = true // treating hyphens differently may find other matches
		var more []Range
		more, err = l.find(ctx, f, text, unbroken)
		all = append(all, more...)
	}
	return append(dst, dropOverlaps(all)...), err
}

// find finds the matches with one folding.
func (l literalMatcher) find(ctx context.Context, f *foldedText, text string, by folding) (all []Range, err error) {
	if err := by.fold(ctx, f, text); err != nil {
		return nil, err
	}
	for at := 0; ; {
		n := bytes.Index(f.text[at:], l.needle)
		if n < 0 {
			break
		}
		all = append(all, Range{at + n, at + n + len(l.needle)})
		at += n + len(l.needle)
	}
	if len(all) == 0 {
		return nil, nil
	}
	broken := f.broken
	if err := by.locate(ctx, f, text, all); err != nil {
		return nil, err
	}
	f.broken = broken
	return all, nil
}

// dropOverlaps sorts matches, and removes those that overlap an earlier one. Overlaps occur because
// folding may turn one character into several.
func dropOverlaps(all []Range) []Range {
	slices.SortFunc(all, func(a, b Range) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	kept := all[:0]
	for _, r := range all {
		if n := len(kept); n == 0 || r.Start >= kept[n-1].End {
			kept = append(kept, r)
		}
	}
	return kept
}
