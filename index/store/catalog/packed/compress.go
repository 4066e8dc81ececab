package packed

import (
	"bytes"
	"sync"

	"github.com/klauspost/compress/zstd"

	"vademecum/index/store/catalog"
)

const (
	// leastCompressed is the number of bytes from which compression is tried: less becomes little
	// shorter.
	leastCompressed = 512
	// longestCompressed is the number of bytes up to which a text is compressed. Answering a query
	// means reading the texts of some twenty documents: if they were compressed, that would take a
	// quarter longer for long documents, but only a thirtieth longer for notes.
	longestCompressed = 4 << 10
	// window is the number of bytes in which repetitions are found. With the default of 4 MB an
	// encoder takes 10 MB of memory.
	window = 128 << 10
)

// compressedMark starts compressed bytes. It starts no text, which is UTF-8, and no chunks, whose
// first number is a count of terms.
var compressedMark = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x7F}

// encoders compress at the fastest level: better ones take three times as long for 3 % less. Rows
// have checksums of their own. A pool lets go of the memory of an encoder when nothing is saved.
var encoders = sync.Pool{New: func() any {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1))
	if err != nil { // cannot happen: only options can be wrong
		panic(err)
	}
	return e
}}

var decoder = sync.OnceValue(func() *zstd.Decoder {
	d, err := zstd.NewReader(nil, zstd.WithDecoderLowmem(true))
	if err != nil { // cannot happen: only options can be wrong
		panic(err)
	}
	return d
})

// CompressText compresses a short text, if that saves an eighth of it.
func CompressText(text string) []byte {
	if len(text) > longestCompressed {
		return []byte(text)
	}
	return Compress([]byte(text))
}

// Compress compresses the result of PackChunks, if that saves an eighth of it.
func Compress(b []byte) []byte {
	if len(b) < leastCompressed {
		return b
	}
	out := make([]byte, len(compressedMark), len(compressedMark)+len(b)/2)
	copy(out, compressedMark)
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	if out = e.EncodeAll(b, out); len(out) > len(b)-len(b)/8 {
		return b
	}
	return out
}

// Decompress is the inverse of Compress. The bytes must have been verified: damaged ones could take
// any memory.
func Decompress(b []byte) ([]byte, error) {
	compressed, ok := bytes.CutPrefix(b, compressedMark)
	if !ok {
		return b, nil
	}
	plain, err := decoder().DecodeAll(compressed, nil)
	if err != nil {
		return nil, catalog.ErrDamaged
	}
	return plain, nil
}
