package extracttest

import (
	"encoding/binary"
	"strings"
	"testing"
)

// ProtobufMessage returns a protocol buffer message. The arguments are alternately a field number
// and a value: an int, a string, or another message.
func ProtobufMessage(numbersAndValues ...any) []byte {
	var m []byte
	for i := 0; i < len(numbersAndValues); i += 2 {
		id := uint64(numbersAndValues[i].(int)) << 3
		switch v := numbersAndValues[i+1].(type) {
		case int:
			m = binary.AppendUvarint(binary.AppendUvarint(m, id), uint64(v))
		case string:
			m = appendBytes(m, id, []byte(v))
		case []byte:
			m = appendBytes(m, id, v)
		}
	}
	return m
}

func appendBytes(m []byte, id uint64, data []byte) []byte {
	m = binary.AppendUvarint(m, id|2)
	return append(binary.AppendUvarint(m, uint64(len(data))), data...)
}

// An IWorkObject is an object in an iWork document, with its message.
type IWorkObject struct {
	ID, Kind int
	Message  []byte
}

// IWork returns an iWork document, in the format used since 2013, with the given objects.
func IWork(t testing.TB, objects ...IWorkObject) []byte {
	t.Helper()
	return Zip(t, "Index/Document.iwa", IWAFile(objects...))
}

// IWAFile returns a Snappy-framed IWA file with the given objects.
func IWAFile(objects ...IWorkObject) string { return SnappyIWA(IWAStream(objects...)) }

// IWAStream returns the uncompressed content of an IWA file with the given objects.
func IWAStream(objects ...IWorkObject) []byte {
	var all []byte
	for _, o := range objects {
		info := ProtobufMessage(1, o.ID, 2, ProtobufMessage(1, o.Kind, 3, len(o.Message)))
		all = append(append(binary.AppendUvarint(all, uint64(len(info))), info...), o.Message...)
	}
	return all
}

// SnappyIWA returns an IWA file that stores these bytes as Snappy literals, uncompressed.
func SnappyIWA(content []byte) string {
	const chunkSize = 1 << 16
	var packed strings.Builder
	for len(content) > 0 {
		literal := content[:min(len(content), chunkSize)]
		content = content[len(literal):]
		chunk := binary.AppendUvarint(nil, uint64(len(literal)))
		n := len(literal) - 1
		chunk = append(append(chunk, 61<<2, byte(n), byte(n>>8)), literal...)
		packed.Write([]byte{0, byte(len(chunk)), byte(len(chunk) >> 8), byte(len(chunk) >> 16)})
		packed.Write(chunk)
	}
	return packed.String()
}
