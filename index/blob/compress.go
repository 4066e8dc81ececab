package blob

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// window is the number of bytes in which repetitions are found. With the default of 4 MB an encoder
// takes 10 MB of memory.
const window = 128 << 10

// encoders compress at the fastest level: better ones take three times as long for 3 % less. What
// is stored has checksums of its own. A pool lets go of the memory of an encoder when nothing is
// saved.
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

// AppendCompressed appends bytes compressed with Zstandard (RFC 8878).
func AppendCompressed(out, b []byte) []byte {
	e := encoders.Get().(*zstd.Encoder)
	defer encoders.Put(e)
	return e.EncodeAll(b, out)
}

// AppendDecompressed is the inverse of AppendCompressed. The checksum of the bytes must have been
// verified: damaged ones could take any memory. The error matches ErrDamaged.
func AppendDecompressed(out, b []byte) ([]byte, error) {
	out, err := decoder().DecodeAll(b, out)
	if err != nil {
		return nil, ErrDamaged
	}
	return out, nil
}
