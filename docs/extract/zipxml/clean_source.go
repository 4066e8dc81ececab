package zipxml

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding/htmlindex"
	unicodes "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"vademecum/docs/extract"
	"vademecum/internal/base/lazyregexp"
)

// An XMLSanitizer converts a document to what encoding/xml accepts: UTF-8, without the characters
// that XML forbids but programs write.
type XMLSanitizer struct {
	r               io.Reader
	raw             []byte // data read from the document, up to an incomplete rune
	incompleteBytes int    // length of the incomplete rune, which is then at the start of raw
	ready           []byte // converted data that was not read yet
	tokenBytes      int    // number of bytes read since the last token; reset by the reader of tokens
	MaxTokenBytes   int    // maximum size of a token in bytes
	err             error
}

// NewXMLSanitizer returns a sanitizer of the document in r, which may be in any encoding.
func NewXMLSanitizer(r io.Reader) *XMLSanitizer {
	b := bufio.NewReader(r)
	head, _ := b.Peek(sniffXML)
	return &XMLSanitizer{r: decodedXML(b, head), raw: make([]byte, 32<<10), MaxTokenBytes: DefaultMaxTokenBytes}
}

const sniffXML = 256 // number of bytes within which the XML declaration must end

// DefaultMaxTokenBytes is the default for the maximum size of a token, that is a tag or a text, in bytes. A tag
// takes 30 times its size in memory.
const DefaultMaxTokenBytes = 8 << 20

var xmlEncoding = lazyregexp.New(`^\s*<\?xml[^>]*encoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// decodedXML decodes a document according to its byte order mark, its NULs or its declaration (XML
// 1.0, appendix F).
func decodedXML(r io.Reader, head []byte) io.Reader {
	order := unicodes.LittleEndian
	switch {
	case bytes.HasPrefix(head, []byte("\xFE\xFF")), bytes.HasPrefix(head, []byte("\x00<")):
		order = unicodes.BigEndian
	case bytes.HasPrefix(head, []byte("\xFF\xFE")), bytes.HasPrefix(head, []byte("<\x00")):
	default:
		return declaredXML(r, head)
	}
	return transform.NewReader(r, unicodes.UTF16(order, unicodes.UseBOM).NewDecoder())
}

func declaredXML(r io.Reader, head []byte) io.Reader {
	m := xmlEncoding.FindSubmatch(head)
	if m == nil || bytes.HasPrefix(bytes.ToLower(m[1]), []byte("utf")) {
		return r
	}
	e, err := htmlindex.Get(string(m[1]))
	if err != nil {
		return r
	}
	return transform.NewReader(r, e.NewDecoder())
}

// Read implements io.Reader. It fails with ErrTooMuchText if a token exceeds the limit.
func (s *XMLSanitizer) Read(p []byte) (int, error) {
	for len(s.ready) == 0 {
		if s.err != nil {
			return 0, s.err
		}
		s.fill()
	}
	n := copy(p, s.ready)
	s.ready = s.ready[n:]
	if s.tokenBytes += n; s.tokenBytes > s.MaxTokenBytes {
		s.err = extract.ErrTooMuchText
		return 0, s.err
	}
	return n, nil
}

func (s *XMLSanitizer) fill() {
	n, err := s.r.Read(s.raw[s.incompleteBytes:])
	s.err = err
	chunk := s.raw[:s.incompleteBytes+n]
	whole := len(chunk)
	if err == nil {
		whole -= incompleteRuneLength(chunk)
	}
	s.ready = replaceForbidden(chunk[:whole])
	if len(s.ready) > 0 && &s.ready[0] == &s.raw[0] {
		s.ready = bytes.Clone(s.ready) // a copy, as raw is about to be reused
	}
	s.incompleteBytes = copy(s.raw, chunk[whole:])
}

// incompleteRuneLength returns the length of an incomplete rune at the end of b.
func incompleteRuneLength(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if utf8.FullRune(b[len(b)-n:]) {
				return 0
			}
			return n
		}
	}
	return 0
}

// replaceForbidden replaces the characters of b that XML 1.0 (2.2) forbids, mostly in place.
func replaceForbidden(b []byte) []byte {
	if !utf8.Valid(b) {
		b = bytes.ToValidUTF8(b, []byte("\uFFFD"))
	}
	for i, c := range b {
		switch {
		case c < ' ' && c != '\t' && c != '\n' && c != '\r':
			b[i] = ' '
		case c == 0xEF && i+2 < len(b) && b[i+1] == 0xBF && b[i+2] >= 0xBE: // U+FFFE, U+FFFF
			b[i+2] = 0xBD
		}
	}
	return b
}
