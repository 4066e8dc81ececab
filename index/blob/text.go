package blob

import (
	"encoding/binary"
	"strings"
)

// Text cuts strings off one string: to make it once is faster than many.
type Text struct{ rest string }

// Len is how much is left.
func (t *Text) Len() int { return len(t.rest) }

// Cut takes n bytes off the front, fewer when there are no more.
func (t *Text) Cut(n int) string {
	n = min(n, len(t.rest))
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}

// WithText puts the strings that belong to some numbers before them.
func WithText(text *strings.Builder, numbers []byte) []byte {
	out := make([]byte, 0, binary.MaxVarintLen64+text.Len()+len(numbers))
	return append(AppendBytes(out, []byte(text.String())), numbers...)
}

// OpenText is the inverse of WithText: the numbers and the strings.
func OpenText(b []byte) (*Reader, *Text, error) {
	r := &Reader{Rest: b}
	return r, &Text{string(r.Bytes())}, r.Err
}
