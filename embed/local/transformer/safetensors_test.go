package transformer

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// file has a header and the numbers after it.
func file(header string, data []byte) []byte {
	return slices.Concat(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), []byte(header), data)
}

func TestTypes(t *testing.T) {
	data := []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0} // 1 and -2
	data = append(data, 0x80, 0x3f, 0x00, 0xc0)     // as BF16
	data = append(data, 0x00, 0x3c, 0x00, 0xc0)     // as F16
	all := file(`{"__metadata__":{"format":"pt"},
		"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},
		"b":{"dtype":"BF16","shape":[2],"data_offsets":[8,12]},
		"c":{"dtype":"F16","shape":[2],"data_offsets":[12,16]},
		"d":{"dtype":"I64","shape":[1],"data_offsets":[0,8]}}`, data)
	f, err := readHeader(bytes.NewReader(all), int64(len(all)))
	if err != nil {
		t.Fatal(err)
	}
	for name, shape := range map[string][]int{"a": {1, 2}, "b": {2}, "c": {2}} {
		tensor, err := f.Tensor(name, shape...)
		if err != nil {
			t.Fatal(err)
		}
		if x, err := f.ReadTensor(tensor); err != nil || !slices.Equal(x, []float32{1, -2}) {
			t.Errorf("%s has %v, %v", name, x, err)
		}
	}
	if _, err := f.Tensor("d", 1); err == nil || !strings.Contains(err.Error(), "type that is not supported") {
		t.Errorf("whole numbers: error %v", err)
	}
	if _, err := f.Tensor("a", 2); err == nil {
		t.Error("no error for another shape")
	}
	if _, err := f.Tensor("e", 2); err == nil || f.hasTensor("e") {
		t.Error("no error for a tensor that is not there")
	}
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{
		0: 0, 0x8000: math.Copysign(0, -1), 1: 0x1p-24, 0x03ff: 1023 * 0x1p-24, 0x0400: 0x1p-14, 0x7bff: 65504,
		0x3555: 0.333251953125, 0xc500: -5, 0x7c00: math.Inf(1), 0xfc00: math.Inf(-1),
	} {
		if got := float16Value(h); float64(got) != want || math.Signbit(float64(got)) != math.Signbit(want) {
			t.Errorf("%#x is %v, want %v", h, got, want)
		}
	}
	if got := float16Value(0x7e00); got == got {
		t.Errorf("0x7e00 is %v", got)
	}
}

// FuzzFile has every file read or refused: the numbers of those that are read are there.
func FuzzFile(f *testing.F) {
	f.Add(file(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, make([]byte, 8)))
	f.Add(file(`{"a":{"dtype":"F16","shape":[],"data_offsets":[0,2]}}`, make([]byte, 2)))
	f.Add(file(`{"a":{"dtype":"F32","shape":[0,4],"data_offsets":[0,0]}}`, nil))
	f.Add(file(`{"a":{"dtype":"F32","shape":[4611686018427387904,4],"data_offsets":[0,0]}}`, nil))
	f.Add(file(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,9223372036854775807]}}`, nil))
	f.Add(file(`{"a":{"dtype":"X","shape":[9223372036854775807,9],"data_offsets":[8,0]}}`, nil))
	f.Add([]byte("\xff\xff\xff\xff\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, all []byte) {
		file, err := readHeader(bytes.NewReader(all), int64(len(all)))
		if err != nil {
			return
		}
		for name, tensor := range file.tensors {
			if known, err := file.Tensor(name, tensor.Shape...); err == nil {
				x, err := file.ReadTensor(known)
				if err != nil || len(x)*known.kind.size > len(all) {
					t.Errorf("%d numbers, %v", len(x), err)
				}
			}
		}
		if err := file.WriteSample(new(bytes.Buffer)); err != nil {
			t.Error(err)
		}
	})
}
