package pdf

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
)

// Limits on the search for drawn lines in the bytes of a file.
const (
	maxSearched   = 16 << 20 // maximum size of a file
	maxDictionary = 400      // number of bytes before a stream that are searched for its filters
)

// mayDraw reports whether the file may draw lines or areas. Most files made of plain text by a browser do not,
// and these have so many objects that looking at each would double the time of reading the file. It
// searches the streams for the operators that draw paths (ISO 32000-1, 8.5.3).
func (d *file) mayDraw() bool {
	if d.draws == unknownDraws {
		d.draws = noDraws
		if len(d.raw) > maxSearched || bytes.Contains(d.raw, []byte("/Encrypt")) || drawsPaths(d.raw) {
			d.draws = someDraws
		}
	}
	return d.draws == someDraws
}

// A drawState says whether a file draws lines.
type drawState int

const (
	unknownDraws drawState = iota
	noDraws
	someDraws
)

// drawsPaths reports whether a stream has an operator that draws a path, or cannot be searched.
func drawsPaths(raw []byte) bool {
	start, end := []byte("stream"), []byte("endstream")
	for at := 0; ; {
		n := bytes.Index(raw[at:], start)
		if n < 0 {
			return false
		}
		n += at
		at = n + len(start)
		if n >= 3 && string(raw[n-3:n]) == "end" {
			continue
		}
		dictionary := string(raw[max(0, n-maxDictionary):n])
		if i := strings.LastIndex(dictionary, "obj"); i >= 0 {
			dictionary = dictionary[i:]
		}
		data := bytes.TrimLeft(raw[at:min(len(raw), at+2)], "\r\n")
		data = raw[at+min(2, len(raw)-at)-len(data):]
		if n := bytes.Index(data, end); n >= 0 {
			data = data[:n]
		}
		if !isOtherStream(dictionary) && drawsIn(dictionary, data) {
			return true
		}
		at += len(data)
	}
}

// isOtherStream reports whether a stream with this dictionary holds no operators: an image, a font, or
// objects of the file.
func isOtherStream(dictionary string) bool {
	for _, mark := range []string{"/Image", "/Length1", "Type1C", "CIDFontType0C", "/OpenType", "/ObjStm", "/XRef", "/Metadata", "/DCTDecode"} {
		if strings.Contains(dictionary, mark) {
			return true
		}
	}
	return false
}

// drawsIn reports whether a stream has an operator that draws a path, or cannot be searched.
func drawsIn(dictionary string, data []byte) bool {
	if !strings.Contains(dictionary, "/Filter") {
		return drawsPath(data)
	}
	if strings.Count(dictionary, "Decode") != strings.Count(dictionary, "FlateDecode") || strings.Contains(dictionary, "/DecodeParms") {
		return true
	}
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return true
	}
	const most = 4 << 20
	text, err := io.ReadAll(io.LimitReader(r, most))
	return err != nil || len(text) == most || drawsPath(text)
}

// drawsPath reports whether operators include one that draws a path: f, F, f*, S, s, B, B*, b or b*.
func drawsPath(operators []byte) bool {
	isSpace := func(i int) bool {
		return i < 0 || i >= len(operators) || strings.IndexByte(" \n\r\t\f\x00", operators[i]) >= 0
	}
	for i, c := range operators {
		switch c {
		case 'f', 'F', 'S', 's', 'B', 'b':
			if isSpace(i-1) && (isSpace(i+1) || operators[i+1] == '*') {
				return true
			}
		}
	}
	return false
}
