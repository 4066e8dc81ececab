package charset

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// nulRatio is the minimum number of bytes of a text for each run of NULs after the first. A crash,
// a broken copy or an editor leaves a few NULs in a text or pads its end with them, whereas in a
// program file one byte in ten is a NUL.
const nulRatio = 200

// substitute is the control character SUB, which stands for an unknown character. It is the same
// byte in all encodings that are guessed.
const substitute = '\x1A'

// decodeNULs decodes bytes that contain NULs but are not UTF-16. Each run of NULs becomes U+FFFD,
// except one at the end, which is dropped.
func decodeNULs(raw []byte) (DecodedText, error) {
	rest, rows := replaceNULs(raw)
	isData := (rows-1)*nulRatio > len(raw)
	if len(rest) == 0 || isData && !utf8.Valid(rest) {
		return DecodedText{}, ErrNotText
	}
	d, err := Decode(rest)
	switch {
	case err != nil:
		return DecodedText{}, err
	case isData:
		line := 1 + bytes.Count(raw[:bytes.IndexByte(raw, 0)], []byte("\n"))
		return DecodedText{}, extract.Skip("not text: it contains NUL bytes, the first in line %d", line)
	}
	d.Text = strings.ReplaceAll(d.Text, string(substitute), "\uFFFD")
	return d, nil
}

// replaceNULs replaces each run of NULs by a substitute, and drops a run at the end. It also
// returns the number of runs, including that one.
func replaceNULs(raw []byte) (rest []byte, runs int) {
	body := bytes.TrimRight(raw, "\x00")
	if len(body) < len(raw) {
		runs++
	}
	rest = make([]byte, 0, len(body))
	for i, b := range body {
		switch {
		case b != 0:
			rest = append(rest, b)
		case i == 0 || body[i-1] != 0:
			rest = append(rest, substitute)
			runs++
		}
	}
	return rest, runs
}
