package blob

import "unsafe"

// StringCutter cuts strings off one string: to make it once is faster than many.
type StringCutter struct{ rest string }

// ReadStringCutter reads a section of consecutive strings into memory that they will share.
func ReadStringCutter(from Sections, section int) (*StringCutter, error) {
	b, err := ReadBytes(from, section)
	return &StringCutter{unsafe.String(unsafe.SliceData(b), len(b))}, err // b has no other reference
}

// Cut removes n bytes from the front, fewer if there are no more.
func (t *StringCutter) Cut(n int) string {
	n = min(n, len(t.rest))
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}
