package mail

import (
	"bytes"
	"net/mail"
	"net/url"
	"strings"
	"time"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

const (
	maxMailHeader = 1 << 20 // maximum bytes of the header of a message or part; the rest is ignored
	maxMailField  = 8 << 10 // maximum bytes of a field that is parsed
)

// headerFields are the header fields of a message or part: decoded values by lower-case name. If a
// name occurs repeatedly, the first field counts, except that addresses are joined.
type headerFields map[string]string

// parseHeader splits a message or part into header and body (RFC 5322, 2.1 and 2.2). Lines that are
// not fields continue the field before them or are ignored; without any field, everything is the
// body.
func parseHeader(raw []byte) (headerFields, []byte) {
	var names []string
	var values [][]byte
	body := raw
	for len(body) > 0 && len(raw)-len(body) < maxMailHeader {
		line, rest, _ := bytes.Cut(body, []byte("\n"))
		body = rest
		if line = bytes.TrimRight(line, "\r"); len(line) == 0 {
			break
		}
		name, value, isField := bytes.Cut(line, []byte(":"))
		name = bytes.TrimRight(name, " \t")
		last := len(values) - 1
		switch {
		case isField && isFieldName(name):
			names = append(names, strings.ToLower(string(name)))
			values = append(values, bytes.TrimSpace(value[:min(len(value), maxMailField)]))
		case last >= 0 && len(values[last]) < maxMailField:
			// The slice is clipped so that append never writes into the message.
			values[last] = append(values[last][:len(values[last]):len(values[last])], " "+string(bytes.TrimSpace(line))...)
		}
	}
	if len(names) == 0 {
		return nil, raw
	}
	return newHeader(names, values), body
}

// isFieldName reports whether name is a valid field name (RFC 5322, 2.2).
func isFieldName(name []byte) bool {
	for _, b := range name {
		if b <= ' ' || b > '~' {
			return false
		}
	}
	return len(name) > 0
}

// newHeader returns the header fields with these names and values, decoded. Values with bytes
// beyond ASCII, which no standard allowed before RFC 6532, are decoded in an encoding that is
// detected from all of them together.
func newHeader(names []string, values [][]byte) headerFields {
	h := make(headerFields)
	label := ""
	var odd [][]byte
	for i, v := range values {
		if names[i] == "content-type" && label == "" {
			label = parseParameters(string(v))["charset"]
		}
		if !isASCII(v) {
			odd = append(odd, v)
		}
	}
	decodedOdd := decodeLines(odd, label)
	for i, v := range values {
		value := string(v)
		if !isASCII(v) {
			value, decodedOdd = decodedOdd[0], decodedOdd[1:]
		}
		if !strings.HasPrefix(names[i], "content-") {
			value = markdown.OneLine(decodeEncodedWords(value)) // other fields are decoded only after splitting
		}
		if known := h[names[i]]; known == "" {
			h[names[i]] = value
		} else if (names[i] == "to" || names[i] == "cc") && len(known) < maxMailField {
			h[names[i]] = known + ", " + value
		}
	}
	return h
}

// isASCII reports whether b is text in ASCII, which can be read without knowing its encoding.
func isASCII(b []byte) bool {
	for _, c := range b {
		if c >= 0x80 || c == 0x1B {
			return false
		}
	}
	return true
}

// decodeLines decodes lines that share one encoding, declared as label or else detected.
func decodeLines(lines [][]byte, label string) []string {
	joined := bytes.Join(lines, []byte("\n"))
	if d, err := charset.DecodeCheckingLabel(joined, label); err == nil {
		if texts := strings.Split(d.Text, "\n"); len(texts) == len(lines) {
			return texts
		}
	}
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = strings.ToValidUTF8(string(line), "\uFFFD")
	}
	return texts
}

// isMail reports whether h is the header of a message rather than some other text with colons in
// its lines.
func (h headerFields) isMail() bool {
	for _, name := range []string{"from", "to", "subject", "date", "message-id", "mime-version", "content-type", "received", "return-path"} {
		if _, ok := h[name]; ok {
			return true
		}
	}
	return false
}

// visibleFields returns the header fields that mail programs show, and the details of an Outlook
// item, one per line.
func (h headerFields) visibleFields() string {
	var b strings.Builder
	for _, name := range []string{"From", "To", "Cc", "Date"} {
		if value := h[strings.ToLower(name)]; value != "" {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	return b.String() + h[detailsField]
}

// day returns the day on which the message was sent, in the sender's time zone, or "".
func (h headerFields) day() string {
	sent, err := mail.ParseDate(h["date"])
	if err != nil {
		return ""
	}
	return sent.Format(time.DateOnly)
}

// encodedWord matches an encoded word (RFC 2047, 2). Spaces in it are invalid but do occur.
var encodedWord = lazyregexp.New(`=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=`)

// decodeEncodedWords decodes the encoded words in the value of a field. The bytes of adjacent words
// are joined first, since many programs split characters between words.
func decodeEncodedWords(s string) string {
	var b strings.Builder
	var pending []byte
	label, end := "", 0
	flush := func() {
		b.WriteString(decodeEncodedWord(pending, label))
		pending = nil
	}
	for _, m := range encodedWord.FindAllStringSubmatchIndex(s, -1) {
		between, charset := s[end:m[0]], s[m[2]:m[3]]
		isAdjacent := pending != nil && strings.TrimSpace(between) == ""
		if !isAdjacent || !strings.EqualFold(charset, label) {
			flush()
		}
		if !isAdjacent {
			b.WriteString(between)
		}
		pending = append(pending, encodedWordBytes(s[m[4]:m[5]], s[m[6]:m[7]])...)
		label, end = charset, m[1]
	}
	flush()
	return b.String() + s[end:]
}

// encodedWordBytes decodes a word in the encoding B or Q (RFC 2047, 4).
func encodedWordBytes(encoding, text string) []byte {
	if strings.EqualFold(encoding, "b") {
		return decodeBase64([]byte(text))
	}
	return decodeQuoted([]byte(strings.ReplaceAll(text, "_", " ")))
}

func decodeEncodedWord(raw []byte, label string) string {
	if len(raw) == 0 {
		return ""
	}
	if d, err := charset.DecodeCheckingLabel(raw, label); err == nil {
		return d.Text
	}
	if text, ok := charset.DecodeLabelled(raw, label); ok {
		return text
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}

// parameterPattern matches a parameter of a field (RFC 2045, 5.1), possibly a numbered section of
// one, or percent-encoded (RFC 2231).
var parameterPattern = lazyregexp.New(`(?:^|[;\s])([A-Za-z-]+)(?:\*(\d{1,3}))?(\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))`)

var escapedChar = lazyregexp.New(`\\(["\\])`)

// parseParameters returns the decoded parameters of a field by lower-case name.
func parseParameters(field string) map[string]string {
	parameters := make(map[string]string)
	escaped := make(map[string]bool)
	for _, m := range parameterPattern.FindAllStringSubmatch(field, -1) {
		name, number, value := strings.ToLower(m[1]), m[2], strings.TrimSpace(m[5])
		if m[4] != "" {
			value = escapedChar.ReplaceAllString(m[4], "$1")
		}
		if m[3] != "" {
			escaped[name] = true
		}
		if _, known := parameters[name]; !known || m[3] != "" && number == "" {
			parameters[name] = value
		} else if number != "" {
			parameters[name] += value
		}
	}
	for name, value := range parameters {
		if escaped[name] {
			parameters[name] = decodeExtended(value)
		} else {
			parameters[name] = decodeEncodedWords(value)
		}
	}
	return parameters
}

// decodeExtended decodes a value such as gb18030'zh'%D6%D0 (RFC 2231, 4).
func decodeExtended(value string) string {
	label, rest, _ := strings.Cut(value, "'")
	_, text, ok := strings.Cut(rest, "'")
	if !ok {
		return value
	}
	raw, err := url.PathUnescape(text)
	if err != nil {
		return text
	}
	return decodeEncodedWord([]byte(raw), label)
}
