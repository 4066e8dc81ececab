package charset

import (
	"bytes"
	"encoding/base64"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
)

// A sevenBitEncoding encodes non-ASCII characters in seven-bit bytes. golang.org/x/text supports
// only one such encoding.
type sevenBitEncoding struct {
	name   string
	labels string
	opens  func(raw []byte) bool // reports whether raw can be recognised as this encoding without a label
	decode func(raw []byte) string
}

var sevenBitEncodings = []sevenBitEncoding{
	{"ISO-2022-JP", "", isISO2022JP, func(raw []byte) string { return decodeWith(japanese.ISO2022JP, raw) }},
	{"ISO-2022-KR", "iso-2022-kr csiso2022kr", isISO2022KR, decodeISO2022KR},
	{"UTF-7", "utf-7 unicode-1-1-utf-7 csunicode11utf7", func([]byte) bool { return false }, decodeUTF7},
}

// decodeSevenBits decodes a text in a seven-bit encoding if label, in lower case, names one or the
// text itself shows one. ok is false otherwise.
func decodeSevenBits(raw []byte, label string) (DecodedText, bool) {
	for i := range sevenBitEncodings {
		e := &sevenBitEncodings[i]
		isNamed := label != "" && strings.Contains(" "+e.labels+" ", " "+label+" ")
		if e.opens(raw) || isNamed && !bytes.ContainsFunc(raw, func(r rune) bool { return r >= utf8.RuneSelf }) {
			return DecodedText{Text: e.decode(raw), Encoding: e.name, IsGuessed: !isNamed}, true
		}
	}
	return DecodedText{}, false
}

// isISO2022JP reports whether raw contains an escape sequence that switches from ASCII to Japanese
// characters (ISO-2022-JP, RFC 1468).
func isISO2022JP(raw []byte) bool {
	return bytes.Contains(raw, []byte("\x1B$B")) || bytes.Contains(raw, []byte("\x1B$@"))
}

// hangulDesignator declares, once in a text, that it contains Korean characters (RFC 1557).
const hangulDesignator = "\x1B$)C"

func isISO2022KR(raw []byte) bool { return bytes.Contains(raw, []byte(hangulDesignator)) }

// decodeISO2022KR decodes a text in which Korean characters are enclosed by two control characters
// and encoded as in EUC-KR without the eighth bit.
func decodeISO2022KR(raw []byte) string {
	const shiftOut, shiftIn = 0x0E, 0x0F
	euc := make([]byte, 0, len(raw))
	isKorean := false
	for _, c := range bytes.ReplaceAll(raw, []byte(hangulDesignator), nil) {
		switch {
		case c == shiftOut || c == shiftIn:
			isKorean = c == shiftOut
		case c == '\n':
			isKorean = false
			euc = append(euc, c)
		case isKorean && c > ' ' && c < 0x7F:
			euc = append(euc, c|0x80)
		default:
			euc = append(euc, c)
		}
	}
	return decodeWith(korean.EUCKR, euc)
}

// decodeUTF7 decodes UTF-7 (RFC 2152), in which +AOQ- is ä and +- is a plus sign.
func decodeUTF7(raw []byte) string {
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	var b strings.Builder
	for rest := string(raw); ; {
		plain, encoded, found := strings.Cut(rest, "+")
		b.WriteString(plain)
		if !found {
			return b.String()
		}
		end := len(encoded) - len(strings.TrimLeft(encoded, digits))
		if rest = strings.TrimPrefix(encoded[end:], "-"); end == 0 {
			b.WriteByte('+')
			continue
		}
		code, _ := base64.RawStdEncoding.DecodeString(encoded[:end]) // on error, use as much as is valid
		units := make([]uint16, len(code)/2)
		for i := range units {
			units[i] = uint16(code[2*i])<<8 | uint16(code[2*i+1])
		}
		b.WriteString(string(utf16.Decode(units)))
	}
}
