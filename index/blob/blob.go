// Package blob encodes and decodes the binary data of an index: sequences of numbers, byte strings
// and texts, and the sections of a snapshot. It does not know their meaning and opens no files. It
// never reads beyond the given bytes, and returns an error if there are too few.
package blob

import (
	"encoding/binary"
	"math"

	"vademecum/internal/base/message"
)

// ErrDamaged is matched by errors about bytes that differ from those written.
var ErrDamaged = message.Errorf("the index is damaged")

// Reader reads varints and byte strings from the front of Rest. The first error is kept in Err and
// empties Rest.
type Reader struct {
	Rest []byte
	Err  error
}

func (r *Reader) fail() {
	r.Err, r.Rest = ErrDamaged, nil
}

// Number reads a varint from 0 to 2³¹-1. It returns 0 after an error.
func (r *Reader) Number() int {
	n, size := binary.Uvarint(r.Rest)
	if size <= 0 || n > math.MaxInt32 {
		r.fail()
		return 0
	}
	r.Rest = r.Rest[size:]
	return int(n)
}

// SignedNumber reads a varint that may be negative. It returns 0 after an error.
func (r *Reader) SignedNumber() int64 {
	n, size := binary.Varint(r.Rest)
	if size <= 0 {
		r.fail()
		return 0
	}
	r.Rest = r.Rest[size:]
	return n
}

// Bytes reads a byte string that AppendBytes wrote. The result aliases Rest.
func (r *Reader) Bytes() []byte { return r.Next(r.Number()) }

// Next returns the next n bytes, or nil if there are fewer. The result aliases Rest.
func (r *Reader) Next(n int) []byte {
	if n < 0 || n > len(r.Rest) {
		r.fail()
		return nil
	}
	b := r.Rest[:n:n]
	r.Rest = r.Rest[n:]
	return b
}

// AppendBytes appends the length of b as a varint, followed by b.
func AppendBytes[T ~[]byte | ~string](out []byte, b T) []byte {
	return append(binary.AppendUvarint(out, uint64(len(b))), b...)
}

// AppendNumbers appends 32-bit numbers, little-endian.
func AppendNumbers[T ~uint32 | ~int32](out []byte, numbers []T) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return out
}

// ParseNumbers is the inverse of AppendNumbers. It ignores an incomplete number at the end.
func ParseNumbers[T ~uint32 | ~int32](b []byte) []T {
	all := make([]T, len(b)/4)
	for i := range all {
		all[i] = T(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return all
}

// AppendInt16s appends 16-bit numbers, little-endian.
func AppendInt16s(out []byte, numbers []int16) []byte {
	for _, n := range numbers {
		out = binary.LittleEndian.AppendUint16(out, uint16(n))
	}
	return out
}

// ParseInt16s is the inverse of AppendInt16s. It ignores an incomplete number at the end.
func ParseInt16s(b []byte) []int16 {
	all := make([]int16, len(b)/2)
	for i := range all {
		all[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return all
}

// AppendUint64s appends 64-bit numbers, little-endian.
func AppendUint64s(out []byte, words []uint64) []byte {
	for _, w := range words {
		out = binary.LittleEndian.AppendUint64(out, w)
	}
	return out
}

// ReadUint64s is the inverse of AppendUint64s: it fills words from b, which must be long enough, and
// returns the rest of b.
func ReadUint64s(words []uint64, b []byte) (rest []byte) {
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	return b[8*len(words):]
}

// AppendFloats appends 32-bit floats, little-endian.
func AppendFloats(out []byte, floats []float32) []byte {
	for _, x := range floats {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

// ParseFloats is the inverse of AppendFloats. It ignores an incomplete number at the end.
func ParseFloats(b []byte) []float32 {
	all := make([]float32, len(b)/4)
	for i := range all {
		all[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return all
}
