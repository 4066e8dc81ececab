package sqlite

import (
	"bytes"
	"encoding/binary"

	"vademecum/index/blob"
	"vademecum/index/store/catalog"
	"vademecum/index/vector"
)

// sealBytes is the number of bytes of the checksum after a vector in its row. Rows of format 6 have
// none.
const sealBytes = 3

func encodeVector(key catalog.EmbeddingKey, vec []float32) []byte {
	out := blob.AppendFloats(make([]byte, 0, 4*len(vec)+sealBytes), vec)
	return append(out, appendChecksum(key[:], out)...)
}

func appendChecksum(key, floats []byte) []byte {
	return binary.LittleEndian.AppendUint32(nil, blob.Checksum(key, floats))[:sealBytes]
}

// decodeVector is the inverse of encodeVector; ok is false if the row is damaged.
func decodeVector(key, b []byte) (vec []float32, ok bool) {
	floats := b[:len(b)/4*4]
	if rest := b[len(floats):]; len(key) != len(catalog.EmbeddingKey{}) || len(rest) > 0 && !bytes.Equal(rest, appendChecksum(key, floats)) {
		return nil, false
	}
	vec = blob.ParseFloats(floats)
	return vec, len(b) > len(floats) || vector.IsUnitVector(vec)
}
