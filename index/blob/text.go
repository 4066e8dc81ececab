package blob

import "unsafe"

// StringCutter cuts strings off one string: to make it once is faster than many.
type StringCutter struct{ rest string }

// ReadStringCutter reads a section of strings that follow each other, into the memory that
// they are to have.
func ReadStringCutter(from Sections, section int) (*StringCutter, error) {
	b, err := ReadBytes(from, section)
	return &StringCutter{unsafe.String(unsafe.SliceData(b), len(b))}, err // nobody else has b
}

// Cut takes n bytes off the front, fewer when there are no more.
func (t *StringCutter) Cut(n int) string {
	n = min(n, len(t.rest))
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}
