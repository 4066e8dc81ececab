package extracttest

import (
	"bytes"
	"encoding/binary"
)

// CHM returns a compiled HTML help file that contains the given files uncompressed. The arguments
// are alternately a name and a content.
func CHM(namesAndContents ...string) []byte {
	const chunkSize, header = 4096, 84
	var chunks, contents []byte
	chunk := []byte("PMGL" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\xFF\xFF\xFF\xFF" + "\xFF\xFF\xFF\xFF")
	empty := len(chunk)
	end := func() {
		binary.LittleEndian.PutUint32(chunk[4:], uint32(chunkSize-len(chunk)))
		chunks = append(append(chunks, chunk...), make([]byte, chunkSize-len(chunk))...)
		chunk = bytes.Clone(chunk[:empty])
	}
	for i := 0; i < len(namesAndContents); i += 2 {
		name, content := namesAndContents[i], namesAndContents[i+1]
		entry := append(encodeCHMNumber(len(name)), name...)
		entry = append(append(append(entry, 0), encodeCHMNumber(len(contents))...), encodeCHMNumber(len(content))...)
		if len(chunk)+len(entry) > chunkSize {
			end()
		}
		chunk = append(chunk, entry...)
		contents = append(contents, content...)
	}
	end()
	number := func(n int) []byte { return binary.LittleEndian.AppendUint64(nil, uint64(n)) }
	file := make([]byte, 96)
	copy(file, "ITSF\x03\x00\x00\x00\x60\x00\x00\x00")
	copy(file[72:], number(len(file)))
	copy(file[80:], number(header+len(chunks)))
	copy(file[88:], number(len(file)+header+len(chunks)))
	directory := make([]byte, header)
	copy(directory, "ITSP\x01\x00\x00\x00\x54\x00\x00\x00")
	binary.LittleEndian.PutUint32(directory[16:], chunkSize)
	return bytes.Join([][]byte{file, directory, chunks, contents}, nil)
}

// encodeCHMNumber encodes a number with seven bits per byte; all bytes but the last have the
// highest bit set.
func encodeCHMNumber(n int) []byte {
	b := []byte{byte(n & 0x7F)}
	for n >>= 7; n > 0; n >>= 7 {
		b = append([]byte{byte(n&0x7F) | 0x80}, b...)
	}
	return b
}
