package blob

import (
	"encoding/binary"
	"io"
	"unsafe"
)

// Section is a part of a snapshot that is yet to be written: some are too large to
// be held.
type Section struct {
	Length int // bytes
	Write  func(io.Writer) error
}

// SectionOfBytes is one whose bytes are there.
func SectionOfBytes(b []byte) Section {
	return Section{len(b), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

// Sections are the sections of a snapshot that is being read, counted from 0. Several may be
// read at once.
type Sections interface {
	// Length is how many bytes a section has.
	Length(section int) int
	// Read fills content, which has as many bytes, with a section that is as it was
	// written.
	Read(section int, content []byte) error
}

// ReadBytes reads a section.
func ReadBytes(from Sections, section int) ([]byte, error) {
	content := make([]byte, from.Length(section))
	return content, from.Read(section, content)
}

// ReadNumbers reads a section that AppendNumbers wrote into the memory of the numbers:
// to make them of its bytes would take as long again, and as much memory.
func ReadNumbers[T ~uint32 | ~int32](from Sections, section int) ([]T, error) {
	if from.Length(section)%4 != 0 {
		return nil, ErrDamaged
	}
	all := make([]T, from.Length(section)/4)
	content := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(all))), 4*len(all))
	if err := from.Read(section, content); err != nil {
		return nil, err
	}
	if !isLittleEndian {
		for i := range all {
			all[i] = T(binary.LittleEndian.Uint32(content[4*i:]))
		}
	}
	return all, nil
}

var isLittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1
