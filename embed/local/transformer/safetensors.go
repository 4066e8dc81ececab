// This file reads the weights of models from files in the safetensors format
// (https://huggingface.co/docs/safetensors, "Format"): the length of the header in 8 bytes, the
// header in JSON, with the type, shape and offsets of each tensor, and the numbers, little-endian
// and row by row.
//
// Only the header is kept in memory.

package transformer

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
)

// largestHeader is the limit of the format's reference implementation, in bytes.
const largestHeader = 100_000_000

// SafetensorsFile is an open file with weights. Its methods are safe for concurrent use.
type SafetensorsFile struct {
	file      io.ReaderAt
	disk      *os.File
	opened    os.FileInfo
	header    []byte
	dataStart int64 // offset at which the numbers begin
	tensors   map[string]Tensor
}

// Tensor is an array of numbers in a file.
type Tensor struct {
	Shape  []int
	name   string
	kind   numberType
	offset int64 // start in the file
	end    int64 // end in the file
}

// numberType is a type of numbers: its size in bytes, and how it is decoded.
type numberType struct {
	size   int
	decode func(dst []float32, src []byte)
}

var numberTypes = map[string]numberType{
	"F32": {4, func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
		}
	}},
	"BF16": {2, func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
		}
	}},
	"F16": {2, func(dst []float32, src []byte) {
		for i := range dst {
			dst[i] = float16Value(binary.LittleEndian.Uint16(src[2*i:]))
		}
	}},
}

// float16Value returns the value of an IEEE 754 binary16 number.
func float16Value(h uint16) float32 {
	sign, exponent, fraction := uint32(h>>15)<<31, uint32(h>>10&31), uint32(h&1023)
	switch exponent {
	case 0: // zero, or a subnormal number
		return math.Float32frombits(math.Float32bits(float32(fraction)*0x1p-24) | sign)
	case 31: // an infinity or NaN
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// OpenSafetensors checks the header of a file. [SafetensorsFile.Close] closes the file; if
// OpenSafetensors fails, the file stays open.
func OpenSafetensors(file *os.File) (*SafetensorsFile, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	f, err := readHeader(file, info.Size())
	if err != nil {
		return nil, err
	}
	f.disk, f.opened = file, info
	return f, nil
}

// Close closes the file.
func (f *SafetensorsFile) Close() error { return f.disk.Close() }

// checkUnchanged returns an error if the file was written to since it was opened. It does not
// detect that another file replaced it.
func (f *SafetensorsFile) checkUnchanged() error {
	now, err := f.disk.Stat()
	if err == nil && (now.Size() != f.opened.Size() || !now.ModTime().Equal(f.opened.ModTime())) {
		err = errors.New("it was written to while it is in use")
	}
	return err
}

// HeaderJSON returns the header of the file. The caller must not modify it.
func (f *SafetensorsFile) HeaderJSON() []byte { return f.header }

// readHeader reads the header of a file of the given size.
func readHeader(file io.ReaderAt, size int64) (*SafetensorsFile, error) {
	var prefix [8]byte
	if _, err := file.ReadAt(prefix[:], 0); err != nil {
		return nil, errors.New("it is no safetensors file: too short")
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length > largestHeader || int64(length) > size-int64(len(prefix)) {
		return nil, errors.New("it is no safetensors file, or cut off: its header is longer than it is")
	}
	f := &SafetensorsFile{file: file, header: make([]byte, length), dataStart: int64(len(prefix)) + int64(length)}
	if _, err := file.ReadAt(f.header, int64(len(prefix))); err != nil {
		return nil, fmt.Errorf("read its header: %w", err)
	}
	var header map[string]json.RawMessage
	if err := json.Unmarshal(f.header, &header); err != nil {
		return nil, fmt.Errorf("it is no safetensors file: its header: %w", err)
	}
	delete(header, "__metadata__")
	f.tensors = make(map[string]Tensor, len(header))
	end := f.dataStart
	for _, name := range slices.Sorted(maps.Keys(header)) {
		t, err := f.parseTensor(name, header[name])
		if err != nil {
			return nil, fmt.Errorf("tensor %s: %w", name, err)
		}
		f.tensors[name] = t
		end = max(end, t.end)
	}
	if end > size {
		return nil, fmt.Errorf("the file is cut off: it has %d bytes of %d", size, end)
	}
	return f, nil
}

// parseTensor parses an entry of the header. An unsupported type is not an error, because the
// tensor may not be needed.
func (f *SafetensorsFile) parseTensor(name string, entry json.RawMessage) (Tensor, error) {
	var e struct {
		Type    string  `json:"dtype"`
		Shape   []int   `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(entry, &e); err != nil {
		return Tensor{}, err
	}
	if len(e.Offsets) != 2 || e.Offsets[0] < 0 || e.Offsets[1] < e.Offsets[0] || e.Offsets[1] > math.MaxInt64-f.dataStart {
		return Tensor{}, errors.New("no place in the file")
	}
	t := Tensor{Shape: e.Shape, name: name, kind: numberTypes[e.Type], offset: f.dataStart + e.Offsets[0], end: f.dataStart + e.Offsets[1]}
	n, most := int64(t.kind.size), e.Offsets[1]-e.Offsets[0]
	for _, dimension := range e.Shape {
		if dimension < 0 || dimension > 0 && n > most/int64(dimension) {
			return Tensor{}, fmt.Errorf("it has not the bytes that its shape %v takes", e.Shape)
		}
		n *= int64(dimension)
	}
	if t.kind.size != 0 && n != most {
		return Tensor{}, fmt.Errorf("it has %d bytes and its shape %v takes %d", most, e.Shape, n)
	}
	return t, nil
}

// hasTensor reports whether the file has a tensor.
func (f *SafetensorsFile) hasTensor(name string) bool {
	_, ok := f.tensors[name]
	return ok
}

// Tensor returns the tensor with the given name and shape, if its type is supported.
func (f *SafetensorsFile) Tensor(name string, shape ...int) (Tensor, error) {
	t, ok := f.tensors[name]
	switch {
	case !ok:
		return Tensor{}, fmt.Errorf("it has no tensor %s", name)
	case t.kind.size == 0:
		return Tensor{}, fmt.Errorf("tensor %s has numbers of a type that is not supported: F32, F16 and BF16 are", name)
	case !slices.Equal(t.Shape, shape):
		return Tensor{}, fmt.Errorf("tensor %s has the shape %v, want %v", name, t.Shape, shape)
	}
	return t, nil
}

// ReadTensor reads all numbers of a tensor, row by row.
func (f *SafetensorsFile) ReadTensor(t Tensor) ([]float32, error) {
	n := 1
	for _, dimension := range t.Shape {
		n *= dimension
	}
	x := make([]float32, n)
	return x, f.readNumbers(t, x, 0)
}

// readRow reads a row of a two-dimensional tensor into dst, which must have its length.
func (f *SafetensorsFile) readRow(t Tensor, row int, dst []float32) error {
	return f.readNumbers(t, dst, int64(row)*int64(t.Shape[1]))
}

// readNumbers reads the numbers of a tensor beginning with number first.
func (f *SafetensorsFile) readNumbers(t Tensor, dst []float32, first int64) error {
	const most = 1 << 16 // bytes per read
	buffer := make([]byte, min(most, len(dst)*t.kind.size))
	at := t.offset + first*int64(t.kind.size)
	for len(dst) > 0 {
		n := min(len(dst), len(buffer)/t.kind.size)
		b := buffer[:n*t.kind.size]
		if _, err := f.file.ReadAt(b, at); err != nil {
			return fmt.Errorf("read tensor %s: %w", t.name, err)
		}
		t.kind.decode(dst[:n], b)
		dst, at = dst[n:], at+int64(len(b))
	}
	return nil
}

// WriteSample writes some bytes from the middle of each tensor, ordered by name: bytes that further
// training would have changed.
func (f *SafetensorsFile) WriteSample(w io.Writer) error {
	names := make([]string, 0, len(f.tensors))
	for name := range f.tensors {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t := f.tensors[name]
		n := int64(t.kind.size)
		for _, dimension := range t.Shape {
			n *= int64(dimension)
		}
		const length = 256
		section := io.NewSectionReader(f.file, t.offset+max(n-length, 0)/2, min(n, length))
		if _, err := io.Copy(w, section); err != nil {
			return fmt.Errorf("read tensor %s: %w", name, err)
		}
	}
	return nil
}
