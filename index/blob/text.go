package blob

import "unsafe"

// StringCutter cuts strings off one large string, which is faster than allocating each.
type StringCutter struct{ rest string }

// ReadStringCutter reads a section of consecutive strings into one string, whose memory they share.
func ReadStringCutter(from Sections, section int) (*StringCutter, error) {
	b, err := ReadBytes(from, section)
	return &StringCutter{unsafe.String(unsafe.SliceData(b), len(b))}, err // b has no other reference
}

// Cut removes the next n bytes, or all that remain if there are fewer, and returns them.
func (t *StringCutter) Cut(n int) string {
	n = min(n, len(t.rest))
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}
