package office

import (
	"bytes"

	"vademecum/docs/extract"
)

// blipHeaders are the first bytes of pictures in old Office files ([MS-ODRAW] 2.2.24 to 2.2.30):
// EMF, WMF, JPEG, PNG, DIB and TIFF, each with one or two checksums.
var blipHeaders = [][]byte{
	[]byte("\x40\x3D\x1A\xF0"), []byte("\x50\x3D\x1A\xF0"), []byte("\x60\x21\x1B\xF0"), []byte("\x70\x21\x1B\xF0"), []byte("\xA0\x46\x1D\xF0"), []byte("\xB0\x46\x1D\xF0"),
	[]byte("\x00\x6E\x1E\xF0"), []byte("\x10\x6E\x1E\xF0"), []byte("\x80\x7A\x1F\xF0"), []byte("\x90\x7A\x1F\xF0"), []byte("\x40\x6E\x29\xF0"), []byte("\x50\x6E\x29\xF0"),
}

// ExplainNoText returns the error for an old Office file that has no text, given the error err of
// its reader. If one of its streams contains pictures, that is ErrOnlyPictures instead of
// ErrNoText.
func ExplainNoText(err error, streams ...[]byte) error {
	if err != extract.ErrNoText {
		return err
	}
	for _, s := range streams {
		for _, header := range blipHeaders {
			if bytes.Contains(s, header) {
				return extract.ErrOnlyPictures
			}
		}
	}
	return err
}
