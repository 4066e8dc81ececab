package packed

import (
	"bytes"
	"compress/flate"
	"io"
	"slices"
	"sync"

	"vademecum/index/catalog"
)

// The chunks of 700 Chinese books, whose text has 232 MB, take 239, and compressed 174.

// leastCompressed is how many bytes of chunks are worth it: those of a note are saved
// each time it is edited.
const leastCompressed = 16 << 10

// compressedMark begins what is compressed: a number that no place in a text has.
var compressedMark = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x7F}

var compressors = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // fails for other levels alone
	return w
}}

// Compress makes what PackChunks returned shorter, where it is long. ParseChunks reads both.
func Compress(chunks []byte) []byte {
	if len(chunks) < leastCompressed {
		return chunks
	}
	var out bytes.Buffer
	out.Grow(len(chunks)/2 + len(compressedMark))
	out.Write(compressedMark)
	w := compressors.Get().(*flate.Writer)
	defer compressors.Put(w)
	w.Reset(&out)
	_, _ = w.Write(chunks) // a buffer takes all
	_ = w.Close()
	return slices.Clip(out.Bytes())
}

// decompress is the inverse of Compress.
func decompress(b []byte) ([]byte, error) {
	compressed, ok := bytes.CutPrefix(b, compressedMark)
	if !ok {
		return b, nil
	}
	chunks, err := io.ReadAll(flate.NewReader(bytes.NewReader(compressed)))
	if err != nil {
		return nil, catalog.ErrDamaged
	}
	return chunks, nil
}
