package extracttest

import (
	"bytes"
	"encoding/binary"
)

// DjVu returns a DjVu file with one page for each text, in an uncompressed text layer and without a
// picture. A page with an empty text has no text layer.
func DjVu(pages ...string) []byte {
	var forms [][]byte
	for _, text := range pages {
		form := []byte("DJVU")
		if text != "" {
			size := binary.BigEndian.AppendUint32(nil, uint32(len(text)))[1:]
			form = append(form, DjVuChunk("TXTa", append(append(size, text...), 1))...)
		}
		forms = append(forms, DjVuChunk("FORM", form))
	}
	if len(forms) == 1 {
		return append([]byte("AT&T"), forms[0]...)
	}
	directory := []byte{0x81, byte(len(forms) >> 8), byte(len(forms))}
	size := len("AT&TFORM....DJVMDIRM....") + len(directory) + 4*len(forms)
	size += size % 2
	for _, f := range forms {
		directory = binary.BigEndian.AppendUint32(directory, uint32(size))
		size += len(f)
	}
	all := append([]byte("DJVM"), DjVuChunk("DIRM", directory)...)
	return append([]byte("AT&T"), DjVuChunk("FORM", append(all, bytes.Join(forms, nil)...))...)
}

// DjVuChunk returns a chunk with the given identifier.
func DjVuChunk(id string, data []byte) []byte {
	c := binary.BigEndian.AppendUint32([]byte(id), uint32(len(data)))
	c = append(c, data...)
	if len(data)%2 != 0 {
		c = append(c, 0)
	}
	return c
}
