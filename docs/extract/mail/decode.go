package mail

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"

	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/html"
)

// content returns the content of p, decoded from its Content-Transfer-Encoding (RFC 2045, 6).
func (p *mimePart) content() []byte {
	switch encoding := strings.ToLower(p.header["content-transfer-encoding"]); {
	case strings.Contains(encoding, "base64") && isBase64(p.body):
		return decodeBase64(p.body)
	case strings.Contains(encoding, "quoted-printable"):
		return decodeQuoted(p.body)
	}
	return p.body
}

// text returns the decoded text of p, or "" if p is not text.
func (p *mimePart) text() string {
	d, err := charset.DecodeCheckingLabel(p.content(), p.charset())
	if err != nil {
		return ""
	}
	text := strings.ReplaceAll(d.Text, "\r\n", "\n")
	if strings.EqualFold(p.parameters["format"], "flowed") {
		return unwrapFlowed(text, strings.EqualFold(p.parameters["delsp"], "yes"))
	}
	return text
}

// html returns the HTML of p. If the header of p does not declare its encoding, the page itself
// may.
func (p *mimePart) html() string {
	if p.charset() != "" {
		d, err := charset.DecodeCheckingLabel(p.content(), p.charset())
		if err == nil {
			return d.Text
		}
		return ""
	}
	d, err := html.Decode(p.content())
	if err != nil {
		return ""
	}
	return d.Text
}

// charset returns the name of the encoding that the header of p declares, or "".
func (p *mimePart) charset() string {
	label, _, _ := strings.Cut(p.parameters["charset"], " ")
	return label
}

const foreignRatio = 20 // base64 has at most one invalid byte per this many bytes

// isBase64 reports whether raw is base64, as some messages declare base64 wrongly.
func isBase64(raw []byte) bool {
	raw = cutPadding(raw)
	foreign := 0
	for _, b := range raw {
		if !isBase64Digit(b) && b != '\r' && b != '\n' {
			foreign++
		}
	}
	return foreign*foreignRatio <= len(raw)
}

// decodeBase64 decodes as much of raw as possible, up to the padding, as mailing lists append text
// after it. Invalid bytes are skipped.
func decodeBase64(raw []byte) []byte {
	raw = cutPadding(raw)
	digits := make([]byte, 0, len(raw))
	for _, b := range raw {
		if isBase64Digit(b) {
			digits = append(digits, b)
		}
	}
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1]
	}
	n, _ := base64.RawStdEncoding.Decode(digits, digits) // cannot fail, as only valid digits are left
	return digits[:n]
}

func cutPadding(raw []byte) []byte {
	digits, _, _ := bytes.Cut(raw, []byte("="))
	return digits
}

func isBase64Digit(b byte) bool {
	return 'A' <= b && b <= 'Z' || 'a' <= b && b <= 'z' || '0' <= b && b <= '9' || b == '+' || b == '/'
}

// decodeQuoted decodes quoted-printable text. Malformed sequences are kept unchanged.
func decodeQuoted(raw []byte) []byte {
	text := make([]byte, 0, len(raw))
	for {
		before, after, found := bytes.Cut(raw, []byte("="))
		text = append(text, before...)
		if !found {
			return text
		}
		raw = after
		if rest, ok := cutLineEnd(after); ok {
			raw = rest
			continue
		}
		var b [1]byte
		if len(after) < 2 {
			text = append(text, '=')
		} else if _, err := hex.Decode(b[:], after[:2]); err != nil {
			text = append(text, '=')
		} else {
			text = append(text, b[0])
			raw = after[2:]
		}
	}
}

// cutLineEnd removes a line end from the start of b, together with white space before it that was
// added in transit. ok is false if b does not begin with a line end and is not empty.
func cutLineEnd(b []byte) (rest []byte, ok bool) {
	rest = bytes.TrimLeft(b[:min(len(b), maxBoundaryTail)], " \t\r")
	rest = b[min(len(b), maxBoundaryTail)-len(rest):]
	if len(rest) == 0 {
		return nil, true
	}
	return bytes.CutPrefix(rest, []byte("\n"))
}

// unwrapFlowed joins the lines of a paragraph that was wrapped for transport (format=flowed, RFC
// 3676, 4): all but the last one end with a space, which is removed if delSp is set.
func unwrapFlowed(text string, delSp bool) string {
	var b strings.Builder
	flowing, depth := false, 0
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		content := strings.TrimLeft(line, ">")
		quotes := len(line) - len(content)
		content = strings.TrimPrefix(content, " ")
		if !flowing || quotes != depth || content == "-- " {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Repeat(">", quotes))
			if quotes > 0 {
				b.WriteByte(' ')
			}
		}
		flowing, depth = strings.HasSuffix(content, " ") && content != "-- ", quotes
		if flowing && delSp {
			content = strings.TrimSuffix(content, " ")
		}
		b.WriteString(content)
	}
	return b.String()
}
