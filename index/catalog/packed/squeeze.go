package packed

import (
	"bytes"
	"compress/flate"
	"io"
	"slices"
	"sync"

	"vademecum/index/catalog"
)

// The chunks of 700 Chinese books, whose text has 232 MB, take 239, and squeezed 174.

// leastSqueezed is how many bytes of chunks are worth it: those of a note are saved
// each time it is edited.
const leastSqueezed = 16 << 10

// squeezedMark begins what is squeezed: a number that no place in a text has.
var squeezedMark = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x7F}

var squeezers = sync.Pool{New: func() any {
	w, _ := flate.NewWriter(nil, flate.BestSpeed) // fails for other levels alone
	return w
}}

// Squeezed is what Chunks made in fewer bytes, where they are many. ParseChunks reads both.
func Squeezed(chunks []byte) []byte {
	if len(chunks) < leastSqueezed {
		return chunks
	}
	var out bytes.Buffer
	out.Grow(len(chunks)/2 + len(squeezedMark))
	out.Write(squeezedMark)
	w := squeezers.Get().(*flate.Writer)
	defer squeezers.Put(w)
	w.Reset(&out)
	_, _ = w.Write(chunks) // a buffer takes all
	_ = w.Close()
	return slices.Clip(out.Bytes())
}

// unsqueezed is the inverse of Squeezed.
func unsqueezed(b []byte) ([]byte, error) {
	squeezed, ok := bytes.CutPrefix(b, squeezedMark)
	if !ok {
		return b, nil
	}
	chunks, err := io.ReadAll(flate.NewReader(bytes.NewReader(squeezed)))
	if err != nil {
		return nil, catalog.ErrDamaged
	}
	return chunks, nil
}
