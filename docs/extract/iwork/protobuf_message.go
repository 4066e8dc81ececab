package iwork

import (
	"encoding/binary"
	"iter"
)

// A protobufMessage is a message in the wire format of protocol buffers
// (protobuf.dev/programming-guides/encoding). Fields are decoded on demand. In a damaged message,
// the fields after the damage appear to be missing.
type protobufMessage []byte

// A field is a field of a message, with a number or bytes as its value.
type field struct {
	id    int
	value uint64
	data  protobufMessage
}

// Wire types of fields.
const (
	wireNumber = 0
	wire64     = 1
	wireBytes  = 2
	wire32     = 5
)

func (m protobufMessage) eachField() iter.Seq[field] {
	return func(yield func(field) bool) {
		for len(m) > 0 {
			f, n := m.firstField()
			if n == 0 || !yield(f) {
				return
			}
			m = m[n:]
		}
	}
}

// firstField returns the first field of m and its size in bytes; the size is 0 if the field is
// damaged.
func (m protobufMessage) firstField() (f field, size int) {
	key, n := binary.Uvarint(m)
	if n <= 0 {
		return field{}, 0
	}
	f.id = int(min(key>>3, 1<<29))
	rest := m[n:]
	switch key & 7 {
	case wireNumber:
		value, length := binary.Uvarint(rest)
		if length <= 0 {
			return field{}, 0
		}
		f.value = value
		return f, n + length
	case wire64:
		if len(rest) < 8 {
			return field{}, 0
		}
		return f, n + 8
	case wire32:
		if len(rest) < 4 {
			return field{}, 0
		}
		return f, n + 4
	case wireBytes:
		length, l := binary.Uvarint(rest)
		if l <= 0 || length > uint64(len(rest)-l) {
			return field{}, 0
		}
		f.data = rest[l : l+int(length)]
		return f, n + l + int(length)
	}
	return field{}, 0
}

// number returns the first field with that id as a number; 0 if there is none.
func (m protobufMessage) number(id int) uint64 {
	for f := range m.eachField() {
		if f.id == id {
			return f.value
		}
	}
	return 0
}

// bytes returns the first field with that id as bytes, which may be a message; nil if there is
// none.
func (m protobufMessage) bytes(id int) protobufMessage {
	for f := range m.eachField() {
		if f.id == id {
			return f.data
		}
	}
	return nil
}

// eachMessage yields every field with that id as bytes.
func (m protobufMessage) eachMessage(id int) iter.Seq[protobufMessage] {
	return func(yield func(protobufMessage) bool) {
		for f := range m.eachField() {
			if f.id == id && !yield(f.data) {
				return
			}
		}
	}
}

// numbers returns the values of all fields with that id, packed or not.
func (m protobufMessage) numbers(id int) []uint64 {
	var all []uint64
	for f := range m.eachField() {
		if f.id != id {
			continue
		}
		if f.data == nil {
			all = append(all, f.value)
			continue
		}
		for packed := f.data; len(packed) > 0; {
			value, n := binary.Uvarint(packed)
			if n <= 0 {
				break
			}
			all, packed = append(all, value), packed[n:]
		}
	}
	return all
}

// reference returns the identifier of the object to which a field refers (TSP.Reference); 0 if
// none.
func (m protobufMessage) reference(id int) uint64 { return m.bytes(id).number(1) }

// references returns the identifiers of the objects to which all fields with that id refer.
func (m protobufMessage) references(id int) []uint64 {
	var all []uint64
	for r := range m.eachMessage(id) {
		all = append(all, r.number(1))
	}
	return all
}
