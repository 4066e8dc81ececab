package blob

import "unsafe"

// StringReader cuts strings off one large string, which is faster than allocating each.
type StringReader struct{ rest string }

// NewStringReader reads a section of consecutive strings into one string, whose memory they share.
func NewStringReader(from SectionReader, section int) (*StringReader, error) {
	b, err := ReadBytes(from, section)
	return &StringReader{unsafe.String(unsafe.SliceData(b), len(b))}, err // b has no other reference
}

// Next removes the next n bytes, or all that remain if there are fewer, and returns them.
func (t *StringReader) Next(n int) string {
	n = min(n, len(t.rest))
	s := t.rest[:n]
	t.rest = t.rest[n:]
	return s
}
