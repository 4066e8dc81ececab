package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// A resavedEncoding is the encoding of a text that a program misread as Windows-1252 and saved as
// Mac OS Roman, as spreadsheets on the Macintosh used to do with imported tables. If the original
// encoding is known, the damage can be reversed: a dash in UTF-8, E2 80 93, became "â€“", which is
// 89 DB D2 in the file.
type resavedEncoding struct {
	encoding.Encoding // the original encoding
}

// NewDecoder returns a decoder that reverses the saving and then the misreading. Characters that were
// lost become a control character or U+FFFD.
func (r resavedEncoding) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: transform.Chain(
		charmap.Macintosh.NewDecoder(),
		encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder()),
		r.Encoding.NewDecoder(),
	)}
}

// NewEncoder returns an encoder that causes the same damage.
func (r resavedEncoding) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: transform.Chain(
		r.Encoding.NewEncoder(),
		charmap.Windows1252.NewDecoder(),
		encoding.ReplaceUnsupported(charmap.Macintosh.NewEncoder()),
	)}
}
