package blob

import "unsafe"

// Text cuts strings off one string: to make it once is faster than many.
type Text struct{ rest string }

// ReadText reads a section of strings that follow each other, into the memory that
// they are to have.
func ReadText(from Sections, section int) (*Text, error) {
	b, err := ReadBytes(from, section)
	return &Text{unsafe.String(unsafe.SliceData(b), len(b))}, err // nobody else has b
}

// Cut takes n bytes off the front, fewer when there are no more.
func (t *Text) Cut(n int) string {
	n = min(n, len(t.rest))
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}
