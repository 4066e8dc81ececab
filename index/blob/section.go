package blob

import (
	"encoding/binary"
	"io"
	"unsafe"
)

// Section is a part of a snapshot to be written. Its content is written by a function because some
// sections are too large to hold in memory.
type Section struct {
	Length int // bytes
	Write  func(io.Writer) error
}

// SectionOfBytes returns a section whose content is b.
func SectionOfBytes(b []byte) Section {
	return Section{len(b), func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}}
}

// SectionReader gives access to the sections of a stored snapshot, numbered from 0. It is safe for
// concurrent use.
type SectionReader interface {
	// Length returns the length of a section in bytes.
	Length(section int) int
	// Read fills content, whose length must be that of the section, with the section. It fails if
	// the section is not as it was written.
	Read(section int, content []byte) error
}

// ReadBytes reads a whole section.
func ReadBytes(from SectionReader, section int) ([]byte, error) {
	content := make([]byte, from.Length(section))
	return content, from.Read(section, content)
}

// ReadNumbers reads a section that AppendNumbers wrote. It reads directly into the memory of the
// numbers: decoding from a separate buffer would take twice the time and memory.
func ReadNumbers[T ~uint32 | ~int32](from SectionReader, section int) ([]T, error) {
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
