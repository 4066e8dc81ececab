package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// nulRatio is how many bytes of a text there are at least for each row of NULs
// but the first: a crash, a broken copy or an editor leaves one here and there,
// and fills the end of a file with them. Of the files of programs one byte in ten
// is a NUL.
const nulRatio = 200

// substitute is the control character for an unknown one (SUB). It is the same byte in
// all encodings that are guessed.
const substitute = '\x1A'

// decodeNULs decodes bytes that are not UTF-16 though there are NULs among them.
// Each row of NULs is shown as U+FFFD, but for the one at the end.
func decodeNULs(raw []byte) (Decoded, error) {
	rest, rows := replaceNULs(raw)
	isData := (rows-1)*nulRatio > len(raw)
	if len(rest) == 0 || isData && !utf8.Valid(rest) {
		return Decoded{}, ErrNotText
	}
	d, err := Decode(rest)
	switch {
	case err != nil:
		return Decoded{}, err
	case isData:
		line := 1 + bytes.Count(raw[:bytes.IndexByte(raw, 0)], []byte("\n"))
		return Decoded{}, extract.Skip("not text: it holds NUL bytes, the first in line %d", line)
	}
	d.Text = strings.ReplaceAll(d.Text, string(substitute), "\uFFFD")
	return d, nil
}

// replaceNULs returns bytes with a substitute for each row of NULs but the one that
// they may end with, and how many rows there are.
func replaceNULs(raw []byte) (rest []byte, rows int) {
	body := bytes.TrimRight(raw, "\x00")
	if len(body) < len(raw) {
		rows++
	}
	rest = make([]byte, 0, len(body))
	for i, b := range body {
		switch {
		case b != 0:
			rest = append(rest, b)
		case i == 0 || body[i-1] != 0:
			rest = append(rest, substitute)
			rows++
		}
	}
	return rest, rows
}
