// Package blob encodes and decodes the binary data of an index: numbers, byte strings and texts
// in sequence, and the sections of a snapshot. It does not know their meaning, and opens no file.
// It never reads beyond the given bytes, and returns an error if there are too few.
package blob

import (
	"encoding/binary"
	"math"

	"vademecum/internal/base/message"
)

// ErrDamaged is matched by errors about bytes that are not what was written.
var ErrDamaged = message.Errorf("the index is damaged")

// Reader takes varints and byte strings off the front of Rest; the first fault
// sticks, and leaves nothing.
type Reader struct {
	Rest []byte
	Err  error
}

func (r *Reader) fail() {
	r.Err, r.Rest = ErrDamaged, nil
}

// Number is a varint from 0 to 2³¹-1, 0 after a fault.
func (r *Reader) Number() int {
	n, size := binary.Uvarint(r.Rest)
	if size <= 0 || n > math.MaxInt32 {
		r.fail()
		return 0
	}
	r.Rest = r.Rest[size:]
	return int(n)
}

// Signed is a varint that may be negative.
func (r *Reader) Signed() int64 {
	n, size := binary.Varint(r.Rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.Rest = r.Rest[size:]
	return n
}

// Bytes is a byte string that AppendBytes wrote. It aliases Rest.
func (r *Reader) Bytes() []byte { return r.Take(r.Number()) }

// Take is the next n bytes, nil when there are fewer. It aliases Rest.
func (r *Reader) Take(n int) []byte {
	if n < 0 || n > len(r.Rest) {
		r.fail()
		return nil
	}
	b := r.Rest[:n:n]
	r.Rest = r.Rest[n:]
	return b
}

// AppendBytes writes the length of b as a varint, and b.
func AppendBytes[T ~[]byte | ~string](out []byte, b T) []byte {
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

// AppendNumbers writes 32-bit numbers, little-endian.
func AppendNumbers[T ~uint32 | ~int32](out []byte, numbers []T) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return out
}

// ParseNumbers is the inverse of AppendNumbers; bytes that are too few for one more
// are left out.
func ParseNumbers[T ~uint32 | ~int32](b []byte) []T {
	all := make([]T, len(b)/4)
	for i := range all {
		all[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return all
}

// AppendShorts writes 16-bit numbers, little-endian.
func AppendShorts(out []byte, numbers []int16) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return out
}

// ParseShorts is the inverse of AppendShorts; a byte that is too few for one more is left
// out.
func ParseShorts(b []byte) []int16 {
	all := make([]int16, len(b)/2)
	for i := range all {
		all[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return all
}

// AppendWords writes 64-bit numbers, little-endian.
func AppendWords(out []byte, words []uint64) []byte {
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// ReadWords is the inverse of AppendWords for as many words as fit, whose bytes must be there. It
// returns the bytes after them.
func ReadWords(words []uint64, b []byte) (rest []byte) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return b[8*len(words):]
}

// AppendFloats writes 32-bit floats, little-endian.
func AppendFloats(out []byte, floats []float32) []byte {
	for _, x := range floats {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// ParseFloats is the inverse of AppendFloats; bytes that are too few for one more are
// left out.
func ParseFloats(b []byte) []float32 {
	all := make([]float32, len(b)/4)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return all
}
