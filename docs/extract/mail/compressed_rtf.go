package mail

import (
	"encoding/binary"

	"vademecum/docs/extract"
)

// commonRTF is the initial dictionary of compressed RTF ([MS-OXRTFCP], 2.1.2.1).
const commonRTF = `{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier` +
	"{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"

// Values of the field COMPTYPE, and the sizes of the header and of the dictionary ([MS-OXRTFCP],
// 2.1.3.1).
const (
	rtfCompressed   = 0x75465A4C
	rtfUncompressed = 0x414C454D
	rtfHeader       = 16 // size in bytes
	rtfWindow       = 4096
)

// decompressRTF decompresses RTF that Outlook has compressed. If the data is truncated, it returns
// what it can decompress.
func decompressRTF(raw []byte) []byte {
	if len(raw) < rtfHeader {
		return nil
	}
	kind, data := binary.LittleEndian.Uint32(raw[8:]), raw[rtfHeader:]
	switch kind {
	case rtfUncompressed:
		return data
	case rtfCompressed:
		return unpackRTF(data)
	}
	return nil
}

// unpackRTF decodes groups of eight items, each either a literal byte or a reference to earlier
// output. A byte of flags before each group says which they are.
func unpackRTF(data []byte) []byte {
	var window [rtfWindow]byte
	at := copy(window[:], commonRTF)
	var text []byte
	put := func(b byte) {
		text = append(text, b)
		window[at] = b
		at = (at + 1) % rtfWindow
	}
	for len(data) > 0 && len(text) < extract.MaxTextBytes {
		kinds := data[0]
		data = data[1:]
		for range 8 {
			isReference := kinds&1 != 0
			kinds >>= 1
			switch {
			case isReference && len(data) >= 2:
				reference := int(binary.BigEndian.Uint16(data))
				data = data[2:]
				from := reference >> 4
				if from == at {
					return text // a reference to data that is not yet written marks the end
				}
				for i := range reference&0xF + 2 {
					put(window[(from+i)%rtfWindow])
				}
			case !isReference && len(data) >= 1:
				put(data[0])
				data = data[1:]
			default:
				return text
			}
		}
	}
	return text
}
