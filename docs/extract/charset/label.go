package charset

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// aliases are labels in use that the WHATWG Encoding Standard lacks.
var aliases = map[string]string{
	"cp936": "gb18030", "ms936": "gb18030", "windows-936": "gb18030", "euc-cn": "gb18030",
	"cp932": "shift_jis", "sjis-win": "shift_jis",
	"cp950": "big5", "ms950": "big5", "windows-950": "big5",
	"cp949": "euc-kr", "ms949": "euc-kr", "uhc": "euc-kr",
	"iso-2022-jp-1": "iso-2022-jp", "iso-2022-jp-2": "iso-2022-jp", "iso-2022-jp-ms": "iso-2022-jp", "cp50220": "iso-2022-jp",
	"cp1250": "windows-1250", "cp1251": "windows-1251", "cp1252": "windows-1252", "ansi": "windows-1252",
}

// lookupEncoding returns the encoding for a label declared in a document, and the name of the
// encoding. It follows the Encoding Standard, in which ISO-8859-1 and ASCII mean Windows-1252, but
// reads GBK and GB 2312 as GB18030, which is a superset of both.
func lookupEncoding(label string) (encoding.Encoding, string, bool) {
	label = cleanLabel(label)
	if known, ok := aliases[label]; ok {
		label = known
	}
	if label == "hz-gb-2312" || label == "hz" {
		return simplifiedchinese.HZGB2312, "HZ-GB-2312", true
	}
	if page := strings.TrimPrefix(strings.TrimPrefix(label, "cp"), "ibm"); dosPages[page] != nil {
		return dosPages[page], "IBM" + page, true
	}
	e, err := htmlindex.Get(label)
	if err != nil || e == encoding.Replacement {
		return nil, "", false
	}
	if e == simplifiedchinese.GBK {
		e = simplifiedchinese.GB18030
	}
	return e, encodingName(e), true
}

// dosPages are the DOS code pages, by their numbers. The Encoding Standard has only one of them.
var dosPages = map[string]*charmap.Charmap{
	"437": charmap.CodePage437, "850": charmap.CodePage850, "852": charmap.CodePage852, "855": charmap.CodePage855, "858": charmap.CodePage858,
	"860": charmap.CodePage860, "862": charmap.CodePage862, "863": charmap.CodePage863, "865": charmap.CodePage865, "866": charmap.CodePage866,
}

// cleanLabel returns a label in lower case, without surrounding quotes, punctuation or "charset=".
func cleanLabel(label string) string {
	return strings.TrimPrefix(strings.ToLower(strings.Trim(label, " \t\r\n\"';,")), "charset=")
}

// encodingName returns the name of an encoding, such as "GB18030"; "" for UTF-8.
func encodingName(e encoding.Encoding) string {
	for _, c := range candidates() {
		if c.encoding == e {
			return c.name
		}
	}
	name, err := htmlindex.Name(e)
	if err != nil {
		return ""
	}
	return strings.ToUpper(name)
}

// DecodeLabelled decodes raw from the encoding with the given label, such as "gb2312" or
// "windows-1252". ok is false if the label is unknown. Undecodable bytes become U+FFFD.
func DecodeLabelled(raw []byte, label string) (text string, ok bool) {
	if d, isSevenBit := decodeSevenBits(raw, cleanLabel(label)); isSevenBit {
		return d.Text, true
	}
	e, _, ok := lookupEncoding(label)
	if !ok {
		return "", false
	}
	return decodeWith(e, raw), true
}

func decodeWith(e encoding.Encoding, raw []byte) string {
	// The decoders replace what they cannot decode, so they return no error.
	text, _ := e.NewDecoder().Bytes(raw)
	return strings.TrimPrefix(strings.ToValidUTF8(string(text), "\uFFFD"), "\uFEFF")
}

// DecodeCheckingLabel decodes a document whose declared encoding is label, or "" if it declares none.
// The declaration is checked: bytes that are valid UTF-8 are decoded as UTF-8, and if the label is
// unknown or does not fit, the encoding is guessed. The error is a *extract.SkipError.
func DecodeCheckingLabel(raw []byte, label string) (DecodedText, error) {
	e, name, known := lookupEncoding(label)
	d, isSevenBit := decodeSevenBits(raw, cleanLabel(label))
	switch {
	case hasByteOrderMark(raw) || bytes.IndexByte(raw, 0) >= 0:
		return decodeWithNULs(raw)
	case isSevenBit:
		d.IsGuessed = d.IsGuessed && d.Encoding != name
		return d, nil
	case name == "HZ-GB-2312" && bytes.Contains(raw, []byte("~{")):
		return DecodedText{Text: decodeWith(e, raw), Encoding: name}, nil
	case utf8.Valid(raw):
		return DecodedText{Text: string(raw)}, nil
	case !known:
		return Decode(raw)
	}
	d = DecodedText{Text: decodeWith(e, raw), Encoding: name}
	if bad := strings.Count(d.Text, "\uFFFD"); bad*strictRatio > utf8.RuneCountInString(d.Text) {
		if better, err := Decode(raw); err == nil {
			return better, nil
		}
	}
	if name == "Windows-1252" {
		return preferLikelierAlphabet(d, raw), nil
	}
	return d, nil
}

// preferLikelierAlphabet returns d, unless the bytes read better in another alphabet. d is labelled
// Windows-1252, which fits any bytes and is often an unchecked default.
func preferLikelierAlphabet(d DecodedText, raw []byte) DecodedText {
	better, err := Decode(raw)
	if err != nil || mostlyLatin(better.Text) {
		return d
	}
	return better
}

// mostlyLatin reports whether at least half of the non-ASCII letters of text are Latin.
func mostlyLatin(text string) bool {
	latin, all := 0, 0
	for _, r := range text {
		if r < 0x80 || !unicode.IsLetter(r) {
			continue
		}
		all++
		if unicode.Is(unicode.Latin, r) {
			latin++
		}
	}
	return 2*latin >= all
}

// hasByteOrderMark reports whether raw begins with a byte order mark.
func hasByteOrderMark(raw []byte) bool {
	for _, mark := range []string{"\xEF\xBB\xBF", "\xFF\xFE", "\xFE\xFF"} {
		if bytes.HasPrefix(raw, []byte(mark)) {
			return true
		}
	}
	return false
}

// decodeWithNULs decodes bytes with a byte order mark or NULs: UTF-16, or text with stray NULs.
func decodeWithNULs(raw []byte) (DecodedText, error) {
	d, err := Decode(raw)
	if err == nil {
		return d, nil
	}
	rest := bytes.ReplaceAll(raw, []byte{0}, nil)
	if len(rest)*looseRatio < len(raw)*(looseRatio-1) {
		return DecodedText{}, err
	}
	return Decode(rest)
}

// CodePageLabel returns the label of the encoding of a Windows code page, or "" if the code page is
// unknown.
func CodePageLabel(codePage uint64) string {
	switch {
	case codePage == 65001:
		return "utf-8"
	case codePage == 932 || codePage == 936 || codePage == 949 || codePage == 950 || dosPages[strconv.FormatUint(codePage, 10)] != nil:
		return "cp" + strconv.FormatUint(codePage, 10)
	case codePage == 874 || 1250 <= codePage && codePage <= 1258:
		return "windows-" + strconv.FormatUint(codePage, 10)
	case 28591 <= codePage && codePage <= 28606:
		return "iso-8859-" + strconv.FormatUint(codePage-28590, 10)
	}
	return map[uint64]string{
		10000: "macintosh", 20866: "koi8-r", 21866: "koi8-u", 50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp",
		50225: "iso-2022-kr", 65000: "utf-7", 51932: "euc-jp", 51949: "euc-kr", 52936: "hz-gb-2312", 54936: "gb18030",
	}[codePage]
}
