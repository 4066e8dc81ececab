package packed

import (
	"bytes"

	"vademecum/index/blob"
)

const (
	// leastCompressed is the number of bytes from which compression is tried: less becomes little
	// shorter.
	leastCompressed = 512
	// longestCompressed is the number of bytes up to which a text is compressed. Answering a query
	// means reading the texts of some twenty documents: if they were compressed, that would take a
	// quarter longer for long documents, but only a thirtieth longer for notes.
	longestCompressed = 4 << 10
)

// compressedMark starts compressed bytes. It starts no text, which is UTF-8, and no chunks, whose
// first number is a count of terms.
var compressedMark = []byte{0xFF, 0xFF, 0xFF, 0xFF, 0x7F}

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
	if out = blob.AppendCompressed(out, b); len(out) > len(b)-len(b)/8 {
		return b
	}
	return out
}

// decompress is the inverse of Compress. The bytes must have been verified: damaged ones could take
// any memory.
func decompress(b []byte) ([]byte, error) {
	compressed, ok := bytes.CutPrefix(b, compressedMark)
	if !ok {
		return b, nil
	}
	return blob.AppendDecompressed(nil, compressed)
}
