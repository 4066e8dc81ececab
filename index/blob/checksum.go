package blob

import (
	"hash"
	"hash/crc32"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Checksum is the CRC-32C of several byte strings (RFC 3720, 12.1).
func Checksum(parts ...[]byte) uint32 {
	sum := uint32(0)
	for _, p := range parts {
		sum = crc32.Update(sum, castagnoli, p)
	}
	return sum
}

// NewChecksum makes a Checksum of what is written to it.
func NewChecksum() hash.Hash32 { return crc32.New(castagnoli) }

// WriteText writes a text to a sum piece by piece: the bytes of a whole book would
// be another copy of it.
func WriteText(sum hash.Hash32, text string) {
	const most = 32 << 10
	piece := make([]byte, min(len(text), most))
	for len(text) > 0 {
		n := copy(piece, text)
		_, _ = sum.Write(piece[:n]) // it never fails
		text = text[n:]
	}
}
