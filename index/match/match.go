package match

import (
	"bytes"
	"cmp"
	"slices"
	"sync"

	"vademecum/internal/message"
)

// Range is a part of a text: offsets in bytes, half open.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Matcher finds what is looked for. It may be used by several goroutines at once.
type Matcher interface {
	// Find appends to a list the places in a text, in their order. None is empty, and no
	// two overlap.
	Find(to []Range, text string) []Range
}

// buffers holds room for folded texts.
var buffers = sync.Pool{New: func() any { return new(foldedText) }}

// literalMatcher finds a text.
type literalMatcher struct {
	needle  []byte // folded
	folding Folding
}

// NewLiteral returns a Matcher of a text: of what is written just so if cased, and else of
// what readers take for the same (see Folding). Neither tells how lines are broken. The
// error says that there is nothing to look for.
func NewLiteral(text string, cased bool) (Matcher, error) {
	l := literalMatcher{folding: Folding{Case: cased}}
	var f foldedText
	l.folding.fold(&f, text, false)
	if len(f.text) == 0 {
		return nil, message.Errorf("text is empty: give what to find", "text 为空：请给出要查找的文字")
	}
	l.needle = f.text
	return l, nil
}

// Find implements Matcher.
func (l literalMatcher) Find(to []Range, text string) []Range {
	f := buffers.Get().(*foldedText)
	defer buffers.Put(f)
	first := len(to)
	to, broken := l.find(to, f, text, l.folding)
	if broken {
		unbroken := l.folding
		unbroken.Unbroken = true
		to, _ = l.find(to, f, text, unbroken)
	}
	return append(to[:first], dropOverlaps(to[first:])...)
}

// find finds places by one Folding, and tells whether the other way to take hyphens may find
// others.
func (l literalMatcher) find(to []Range, f *foldedText, text string, by Folding) (found []Range, broken bool) {
	by.fold(f, text, false)
	if broken = f.broken; !bytes.Contains(f.text, l.needle) {
		return to, broken
	}
	by.fold(f, text, true)
	for at := 0; ; {
		n := bytes.Index(f.text[at:], l.needle)
		if n < 0 {
			return to, broken
		}
		end := at + n + len(l.needle)
		to = append(to, f.originOf(at+n, end))
		at = end
	}
}

// dropOverlaps sorts places, and leaves out those that overlap one before: several characters
// may be made of one.
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
