// Package charset decodes text files into UTF-8: by their byte order mark, by the encoding that
// they declare, or by the letter frequencies of languages. It deals with bytes and characters only,
// not with markup.
//
// Decoding itself is done by golang.org/x/text. For guessing, libraries were compared and rejected.
// Of the 395 test files of chardet for Python whose encodings x/text supports, this package reads
// 373 correctly (17 of the others are in MacCyrillic, which it does not support),
// github.com/wlynxg/chardet v1.0.5 326, github.com/saintfish/chardet of 2023-01, which does not
// cover Central Europe, 246, and golang.org/x/net/html/charset v0.62.0, which looks for a
// declaration, 37. This package takes 7 ms for one of them on a busy machine, twice the time of
// wlynxg's.
package charset

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"vademecum/docs/extract"
)

// ErrNotText is the reason to skip a file that is not text or whose encoding is unknown.
var ErrNotText = extract.Skip("not text, or in an unknown encoding")

const (
	strictRatio = 50 // for UTF-16 without a byte order mark: at most one odd character among this many
	looseRatio  = 10 // for all other text: at most one odd character among this many
)

// A DecodedText is the content of a file, decoded to text.
type DecodedText struct {
	Text      string // valid UTF-8 without a byte order mark
	Encoding  string // name of the encoding of the file, or "" for UTF-8
	IsGuessed bool   // whether the encoding was guessed, rather than given by a byte order mark or a declaration
}

// Decode returns the text of the bytes of a file. Undecodable bytes become U+FFFD; for
// bytes that are not text, or hardly any, it returns an *extract.SkipError.
func Decode(raw []byte) (DecodedText, error) {
	body, marked := bytes.CutPrefix(raw, []byte("\xEF\xBB\xBF"))
	if d, ok := guessUTF32(raw); ok {
		return checkReadable(d)
	}
	d, ok := DecodedText{}, true
	switch {
	case bytes.HasPrefix(raw, []byte("\xFF\xFE")):
		d = decodeUTF16(raw[2:], littleEndian)
	case bytes.HasPrefix(raw, []byte("\xFE\xFF")):
		d = decodeUTF16(raw[2:], bigEndian)
	case marked && bytes.IndexByte(raw, 0) >= 0:
		return decodeNULs(body)
	case bytes.IndexByte(raw, 0) >= 0:
		// Before the UTF-8 test: ASCII in UTF-16 is valid UTF-8, full of NULs.
		if d, ok = guessUTF16(raw); !ok {
			return decodeNULs(raw)
		}
	case utf8.Valid(body):
		if shifted, isShifted := decodeSevenBits(body, ""); isShifted && strings.Count(shifted.Text, "\uFFFD") <= 1 {
			d = shifted
			break
		}
		return checkReadable(DecodedText{Text: string(body)})
	case marked:
		d.Text = strings.ToValidUTF8(string(body), "\uFFFD")
	default:
		d, ok = guessCharset(raw)
	}
	// A single odd character is no evidence: a short text may be cut off in the middle of a
	// character.
	if odd, all := countNonText(d.Text); !ok || (odd-1)*looseRatio > all {
		return DecodedText{}, ErrNotText
	}
	return checkReadable(d)
}

// CheckIsText returns an error if the start of a file shows that it is not text, so that the rest
// need not be read; otherwise nil.
func CheckIsText(head []byte) error {
	if !HasBinaryNULs(head) {
		return nil
	}
	_, err := decodeNULs(head)
	return err
}

// HasBinaryNULs reports whether the start of a file contains NULs that are not due to UTF-16 or
// UTF-32, as in binary files.
func HasBinaryNULs(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xFF\xFE")) || bytes.HasPrefix(head, []byte("\xFE\xFF")) || bytes.IndexByte(head, 0) < 0 {
		return false
	}
	if _, ok := guessUTF32(head); ok {
		return false
	}
	_, ok := guessUTF16(head)
	return !ok
}

// checkReadable returns d, or an error if its text is blank or contains too many control
// characters.
func checkReadable(d DecodedText) (DecodedText, error) {
	controls := 0
	for i := 0; i < len(d.Text); i++ {
		switch b := d.Text[i]; {
		case b == 0:
			return DecodedText{}, ErrNotText
		case b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' || b == 0x7F:
			controls++
		}
	}
	if (controls-1)*looseRatio > len(d.Text) { // a single one is no evidence, as with odd characters
		return DecodedText{}, ErrNotText
	}
	if strings.TrimSpace(d.Text) == "" {
		return DecodedText{}, extract.ErrEmptyFile
	}
	return d, nil
}

// countNonText returns how many characters of text are odd, and how many characters it has. Binary
// data decodes to characters of every kind. A run of undecodable bytes counts as one odd character.
func countNonText(text string) (odd, all int) {
	previous := ' '
	for _, r := range text {
		all++
		if isNonText(r) && (r != unicode.ReplacementChar || previous != r) {
			odd++
		}
		previous = r
	}
	return odd, all
}

// isNonText reports whether r is a replacement, control, private-use or unassigned
// character, or a byte order mark inside a text.
func isNonText(r rune) bool {
	if r == unicode.ReplacementChar || r == '\uFEFF' {
		return true
	}
	return !unicode.IsPrint(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r)
}

// HasUnicodeMeaning reports whether c means the same in every font: it is not a control character
// (other than a tab), nor a private-use, replacement or noncharacter code point.
func HasUnicodeMeaning(c rune) bool {
	switch {
	case c == '\t':
		return true
	case c == unicode.ReplacementChar, c&0xFFFE == 0xFFFE, unicode.Is(unicode.Co, c):
		return false
	}
	return !unicode.IsControl(c)
}
