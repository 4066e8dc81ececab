package archive

import (
	"archive/zip"
	"bytes"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"vademecum/docs/extract/charset"
)

// localEncodings are the encodings in which programs write names on systems set to certain
// languages, without declaring it. According to the format, names are in UTF-8 or code page 437.
var localEncodings = []string{"GB18030", "Big5", "Shift-JIS", "EUC-JP", "EUC-KR", "IBM866"}

// nameDecoder returns a function that decodes the names of entries. It assumes that all names that
// are not UTF-8 share one encoding.
func nameDecoder(files []*zip.File) func(*zip.File) string {
	const enough = 64 << 10 // number of bytes of names that suffice to guess the encoding
	var names []byte
	for _, f := range files {
		if !utf8.ValidString(f.Name) && len(names) < enough {
			names = append(append(names, bytes.ReplaceAll([]byte(f.Name), []byte("/"), []byte("\n"))...), '\n')
		}
	}
	label := ""
	if d, err := charset.Decode(names); err == nil && slices.Contains(localEncodings, d.Encoding) {
		label = d.Encoding
	}
	return func(f *zip.File) string {
		if utf8.ValidString(f.Name) {
			return f.Name
		}
		if text, ok := charset.DecodeLabelled([]byte(f.Name), label); label != "" && ok {
			return text
		}
		text, err := charmap.CodePage437.NewDecoder().String(f.Name)
		if err != nil {
			return f.Name
		}
		return text
	}
}
