package blob

import "io"

// Section is a part of a snapshot that is yet to be written: some are too large to
// be held.
type Section struct {
	Length int // bytes
	Write  func(io.Writer) error
}

// SectionOf is one whose bytes are there.
func SectionOf(b []byte) Section {
	return Section{len(b), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}
