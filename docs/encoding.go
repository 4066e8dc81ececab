package docs

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	utf16 "golang.org/x/text/encoding/unicode"
)

const reasonNotText = "not text, or in an encoding that is not UTF-8 or UTF-16"

const (
	sniffLength = 8 << 10 // bytes at the start of a file that show whether it is UTF-16
	badRatio    = 1000    // at most one invalid byte in so many is repaired
	strictRatio = 50      // UTF-16 without a mark: at most one odd character in so many
	looseRatio  = 10      // otherwise: at most one control character in so many
)

// decode returns the bytes of a file as valid UTF-8 without a byte order mark.
// It knows UTF-8 and UTF-16; for anything else it returns a *SkipError.
func decode(raw []byte) (string, error) {
	switch {
	case bytes.HasPrefix(raw, []byte("\xEF\xBB\xBF")):
		return decodeUTF8(raw[3:])
	case bytes.HasPrefix(raw, []byte("\xFF\xFE")):
		return checked(decodeUTF16(raw[2:], utf16.LittleEndian))
	case bytes.HasPrefix(raw, []byte("\xFE\xFF")):
		return checked(decodeUTF16(raw[2:], utf16.BigEndian))
	}
	// Before the UTF-8 test: ASCII in UTF-16 is valid UTF-8, full of NULs.
	if bytes.IndexByte(raw, 0) >= 0 {
		text, ok := guessUTF16(raw)
		if !ok {
			return "", &SkipError{reasonNotText}
		}
		return checked(text)
	}
	return decodeUTF8(raw)
}

// looksBinary reports whether the start of a file rules out that it is text,
// so that the rest need not be read.
func looksBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte("\xFF\xFE")) || bytes.HasPrefix(head, []byte("\xFE\xFF")) || bytes.IndexByte(head, 0) < 0 {
		return false
	}
	_, ok := guessUTF16(head)
	return !ok
}

// guessUTF16 decodes UTF-16 without a byte order mark. Its line ends, spaces
// and digits leave NULs at bytes of one parity, but a few other characters,
// U+4E00 among them, have theirs at the other: the more frequent parity is
// tried first.
func guessUTF16(raw []byte) (string, bool) {
	var nulls [2]int
	for i, b := range raw[:min(len(raw), sniffLength)] {
		if b == 0 {
			nulls[i&1]++
		}
	}
	orders := [...]utf16.Endianness{utf16.LittleEndian, utf16.BigEndian}
	if nulls[0] > nulls[1] {
		orders[0], orders[1] = orders[1], orders[0]
	}
	if text := decodeUTF16(raw, orders[0]); mostlyPrintable(text) {
		return text, true
	}
	if text := decodeUTF16(raw, orders[1]); mostlyPrintable(text) && mostlyWide(text) {
		return text, true
	}
	return "", false
}

func decodeUTF16(raw []byte, order utf16.Endianness) string {
	// The decoder repairs what it cannot decode, so it has no error to return.
	text, _ := utf16.UTF16(order, utf16.IgnoreBOM).NewDecoder().Bytes(raw)
	return string(text)
}

func decodeUTF8(raw []byte) (string, error) {
	if utf8.Valid(raw) {
		return checked(string(raw))
	}
	bad := 0
	for rest := raw; len(rest) > 0; {
		r, n := utf8.DecodeRune(rest)
		if r == utf8.RuneError && n == 1 {
			bad++
		}
		rest = rest[n:]
	}
	if bad*badRatio > len(raw) {
		return "", &SkipError{reasonNotText}
	}
	return checked(strings.ToValidUTF8(string(raw), "\uFFFD"))
}

// checked returns text unless it is blank or not meant for reading.
func checked(text string) (string, error) {
	controls := 0
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == 0:
			return "", &SkipError{reasonNotText}
		case b < ' ' && b != '\t' && b != '\n' && b != '\r' && b != '\f' || b == 0x7F:
			controls++
		}
	}
	if controls*looseRatio > len(text) {
		return "", &SkipError{reasonNotText}
	}
	if strings.TrimSpace(text) == "" {
		return "", &SkipError{reasonEmpty}
	}
	return text, nil
}

// mostlyPrintable tells text from other data, which decodes to characters of
// every kind.
func mostlyPrintable(text string) bool {
	odd, all := 0, 0
	for _, r := range text {
		all++
		if r == unicode.ReplacementChar || !unicode.IsPrint(r) && !unicode.IsSpace(r) {
			odd++
		}
	}
	return odd*strictRatio <= all
}

// mostlyWide reports whether at least half the characters of text are Han,
// kana or hangul.
func mostlyWide(text string) bool {
	wide, all := 0, 0
	for _, r := range text {
		all++
		if isWide(r) {
			wide++
		}
	}
	return 2*wide >= all
}
