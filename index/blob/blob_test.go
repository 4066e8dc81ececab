package blob

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestReaderReadsWhatWasWritten(t *testing.T) {
	r := &Reader{Rest: AppendBytes([]byte{3, 3}, []byte("three"))}
	text, err := NewStringReader(parts{[]byte("onetwo")}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if one, two := text.Next(r.Number()), text.Next(r.Number()); one != "one" || two != "two" || text.Next(9) != "" {
		t.Errorf("read %q and %q", one, two)
	}
	if three := r.Bytes(); string(three) != "three" || len(r.Rest) != 0 || r.Err != nil {
		t.Errorf("read %q, then %q (error %v)", three, r.Rest, r.Err)
	}
	numbers := []int32{-1, 0, math.MaxInt32}
	if got := ParseNumbers[int32](AppendNumbers(nil, numbers)); !slices.Equal(got, numbers) {
		t.Errorf("read %d, want %d", got, numbers)
	}
	shorts := []int16{-1, 0, math.MinInt16, math.MaxInt16}
	if got := ParseInt16s(AppendInt16s(nil, shorts)); !slices.Equal(got, shorts) {
		t.Errorf("read %d, want %d", got, shorts)
	}
	words := []uint64{0, 1, math.MaxUint64}
	got := make([]uint64, len(words))
	if rest := ReadUint64s(got, AppendNumbers(AppendUint64s(nil, words), numbers)); !slices.Equal(got, words) || len(rest) != 12 {
		t.Errorf("read %d, want %d, and %d bytes are left", got, words, len(rest))
	}
	floats := []float32{0, -1, 1e-38, 3.14}
	if got := ParseFloats(AppendFloats(nil, floats)); !slices.Equal(got, floats) {
		t.Errorf("read %v, want %v", got, floats)
	}
}

// TestReaderRefuses: the first fault sticks.
func TestReaderRefuses(t *testing.T) {
	for name, b := range map[string][]byte{
		"nothing": {}, "a varint without an end": {0x80}, "a number that is too large": {0xff, 0xff, 0xff, 0xff, 0x0f}, "a string that is cut off": {2, 'a'},
	} {
		r := Reader{Rest: b}
		if got := r.Bytes(); got != nil || !errors.Is(r.Err, ErrDamaged) {
			t.Errorf("%s: read %q, error %v", name, got, r.Err)
		}
		if n := r.Number(); n != 0 || r.Next(-1) != nil || r.Err == nil {
			t.Errorf("%s: after that %d, error %v", name, n, r.Err)
		}
	}
}

// parts are sections in memory.
type parts [][]byte

func (p parts) Length(n int) int { return len(p[n]) }

func (p parts) Read(n int, content []byte) error {
	if copy(content, p[n]) < len(p[n]) {
		return ErrDamaged
	}
	return nil
}

// TestReadSections: numbers are read as they were written, whatever the machine.
func TestReadSections(t *testing.T) {
	defer func(was bool) { isLittleEndian = was }(isLittleEndian)
	numbers := []int32{-1, 0, 77, math.MaxInt32}
	p := parts{AppendNumbers(nil, numbers), {1, 2, 3}, nil}
	for _, isLittleEndian = range []bool{isLittleEndian, false} {
		if got, err := ReadNumbers[int32](p, 0); err != nil || !slices.Equal(got, numbers) {
			t.Errorf("read %d, %v, want %d", got, err, numbers)
		}
	}
	if _, err := ReadNumbers[uint32](p, 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("three bytes are numbers: %v", err)
	}
	if got, err := ReadNumbers[uint32](p, 2); err != nil || len(got) > 0 {
		t.Errorf("nothing is %d, %v", got, err)
	}
	if got, err := ReadBytes(p, 1); err != nil || !slices.Equal(got, p[1]) {
		t.Errorf("read %d, %v", got, err)
	}
}
