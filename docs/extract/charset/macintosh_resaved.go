package charset

import (
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// A resaved is the encoding of a text that a program took for Windows-1252 and
// saved in that of the Macintosh, as spreadsheets on the Macintosh long did with
// tables from elsewhere. What it was before is known, so that it is mended: a
// dash in UTF-8, E2 80 93, became "â€“" and is 89 DB D2 in the file.
type resavedEncoding struct {
	encoding.Encoding // of the text before
}

// NewDecoder returns a decoder that undoes the two steps. What did not outlive
// them is a control character or U+FFFD.
func (r resavedEncoding) NewDecoder() *encoding.Decoder {
	return &encoding.Decoder{Transformer: transform.Chain(
		charmap.Macintosh.NewDecoder(),
		encoding.ReplaceUnsupported(charmap.Windows1252.NewEncoder()),
		r.Encoding.NewDecoder(),
	)}
}

// NewEncoder returns an encoder that does the same damage.
func (r resavedEncoding) NewEncoder() *encoding.Encoder {
	return &encoding.Encoder{Transformer: transform.Chain(
		r.Encoding.NewEncoder(),
		charmap.Windows1252.NewDecoder(),
		encoding.ReplaceUnsupported(charmap.Macintosh.NewEncoder()),
	)}
}
