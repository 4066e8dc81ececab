package rtf

import (
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	unicodes "golang.org/x/text/encoding/unicode"

	"vademecum/docs/extract/charset"
)

// A font is an entry of the font table.
type font struct {
	charset  int
	codePage int // Windows code page of the text; 0 means that none is given
	name     string
}

const (
	charsetANSI    = 0
	charsetDefault = 1
	charsetSymbol  = 2
)

// charsetPages maps values of \fcharset to code pages.
var charsetPages = map[int]int{
	77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255,
	178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 254: 437, 255: 850,
}

var codePages = map[int]encoding.Encoding{
	437: charmap.CodePage437, 850: charmap.CodePage850, 852: charmap.CodePage852, 855: charmap.CodePage855,
	858: charmap.CodePage858, 860: charmap.CodePage860, 862: charmap.CodePage862, 863: charmap.CodePage863,
	865: charmap.CodePage865, 866: charmap.CodePage866, 874: charmap.Windows874,
	932: japanese.ShiftJIS, 936: simplifiedchinese.GB18030, 949: korean.EUCKR, 950: traditionalchinese.Big5,
	1250: charmap.Windows1250, 1251: charmap.Windows1251, 1252: charmap.Windows1252, 1253: charmap.Windows1253,
	1254: charmap.Windows1254, 1255: charmap.Windows1255, 1256: charmap.Windows1256, 1257: charmap.Windows1257,
	1258: charmap.Windows1258, 10000: charmap.Macintosh, 10007: charmap.MacintoshCyrillic,
	20866: charmap.KOI8R, 21866: charmap.KOI8U, 28592: charmap.ISO8859_2, 28595: charmap.ISO8859_5,
	54936: simplifiedchinese.GB18030, 65001: unicodes.UTF8,
}

// isDoubleByte reports whether a code page has characters of two bytes besides those of one.
func isDoubleByte(page int) bool { return page == 932 || page == 936 || page == 949 || page == 950 }

func (r *reader) currentFont() *font {
	if f := r.fonts[r.state.font]; f != nil {
		return f
	}
	return &font{charset: charsetDefault}
}

// currentCodePage returns the code page of the current text.
func (r *reader) currentCodePage() int {
	f := r.currentFont()
	switch {
	case r.state.dest == titleDest || r.state.dest == fontsDest:
		return r.ansiCodePage
	case f.codePage != 0:
		return f.codePage
	case charsetPages[f.charset] != 0:
		return charsetPages[f.charset]
	case f.charset == charsetANSI && !isDoubleByte(r.ansiCodePage):
		return 1252
	}
	return r.ansiCodePage
}

// fontEntry returns the entry of the font table that is being read. It adds the entry if it is new.
func (r *reader) fontEntry() *font {
	f := r.fonts[r.state.font]
	if f == nil {
		f = &font{charset: charsetDefault}
		r.fonts[r.state.font] = f
	}
	return f
}

const maxFontName = 64 // maximum length in bytes

// addEncodedByte adds a byte of text that is in the current code page.
func (r *reader) addEncodedByte(b byte) {
	if f := r.currentFont(); f.charset == charsetSymbol && r.state.dest != fontsDest {
		r.writeToDestination(f.symbolCharacter(b))
		return
	}
	r.pendingBytes = append(r.pendingBytes, b)
}

// isDoubleByteText reports whether the bytes beyond ASCII come in pairs, as in code pages with two
// bytes per character; accented letters seldom do.
func isDoubleByteText(text []byte) bool {
	run := 0
	for _, b := range text {
		switch {
		case b >= 0x80:
			run++
		case run%2 != 0:
			return false
		default:
			run = 0
		}
	}
	return run%2 == 0
}

// decodePending decodes the pending bytes and adds their text. It is called before anything that
// may change the font or the destination.
func (r *reader) decodePending() {
	if len(r.pendingBytes) == 0 {
		return
	}
	page := r.currentCodePage()
	if isDoubleByte(page) && r.currentFont().charset == charsetANSI && !isDoubleByteText(r.pendingBytes) {
		page = 1252
	}
	e := codePages[page]
	if e == nil {
		e = charmap.Windows1252
	}
	text, _ := e.NewDecoder().Bytes(r.pendingBytes) // the decoder replaces invalid bytes
	r.pendingBytes = r.pendingBytes[:0]
	r.writeToDestination(string(text))
}

// symbolCharacter returns the character for a code in a font that is marked as a symbol font; "" if it
// is unknown. In fonts other than Symbol, an ASCII code stands for itself, as some programs mark text
// fonts as symbol fonts, and any other code stands for an ornament, which becomes a bullet.
func (f *font) symbolCharacter(b byte) string {
	if !strings.HasPrefix(f.name, "Symbol") {
		if b < 0x80 {
			return string(rune(b))
		}
		return "•"
	}
	if shown := charset.SymbolCharacter("Symbol", b); shown != 0 {
		return string(shown)
	}
	return ""
}
