package vobject

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"iter"
	"strings"

	"vademecum/docs/extract/charset"
	"vademecum/internal/base/lazyregexp"
)

// A property is a line of a calendar or a vCard, unfolded (RFC 5545, 3.1; RFC 6350, 3.3).
type property struct {
	group      string // name of a group of related properties in a vCard, or ""
	name       string // name in upper case
	parameters []parameter
	raw        string // value as written, not decoded
}

// A parameter qualifies a value. In vCard 2.1 it may be a value without a name.
type parameter struct{ name, value string } // name is in upper case

const maxParameters = 32 // maximum number of parameters of a property; the rest is ignored

// decodeFile returns the text of a file. It unfolds lines before decoding them, as they may be
// folded within a character.
func decodeFile(raw []byte) (charset.DecodedText, error) {
	if bytes.HasPrefix(raw, []byte("\xFF\xFE")) || bytes.HasPrefix(raw, []byte("\xFE\xFF")) {
		d, err := charset.Decode(raw)
		d.Text = string(unfoldLines([]byte(d.Text)))
		return d, err
	}
	return charset.Decode(unfoldLines(raw))
}

// unfoldLines joins folded lines: a line that begins with white space continues the one before.
func unfoldLines(raw []byte) []byte {
	if bytes.IndexByte(raw, '\n') < 0 {
		raw = bytes.ReplaceAll(raw, []byte("\r"), []byte("\n"))
	}
	joined, start := make([]byte, 0, len(raw)), 0
	for line := range bytes.Lines(raw) {
		if len(joined) > 0 && (line[0] == ' ' || line[0] == '\t') {
			joined = bytes.TrimSuffix(bytes.TrimSuffix(joined, []byte("\n")), []byte("\r"))
			if quotedLine.Match(joined[start:]) {
				joined = bytes.TrimSuffix(joined, []byte("="))
			}
			line = line[1:]
		} else {
			start = len(joined)
		}
		joined = append(joined, line...)
	}
	return joined
}

// quotedLine matches the start of a line whose value is quoted-printable: some of these are folded
// as well.
var quotedLine = lazyregexp.New(`(?i)^[^:]{0,200};(ENCODING=)?QUOTED-PRINTABLE[;:]`)

// parseProperties yields the properties of an unfolded text. It skips lines that are not
// properties.
func parseProperties(text string) iter.Seq[property] {
	return func(yield func(property) bool) {
		for len(text) > 0 {
			var line string
			line, text = cutLine(text)
			p, ok := parseProperty(line)
			if !ok {
				continue
			}
			if p.isQuoted() && strings.HasSuffix(p.raw, "=") {
				var rest string
				rest, text = cutQuoted(text)
				p.raw += "\n" + rest
			}
			if !yield(p) {
				return
			}
		}
	}
}

func cutLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	return strings.TrimRight(line, "\r"), rest
}

// cutQuoted splits text into lines, the rest of a quoted-printable value, and what follows it: each
// line of the value but the last ends with "=".
func cutQuoted(text string) (lines, rest string) {
	rest = text
	for len(rest) > 0 {
		var line string
		if line, rest = cutLine(rest); !strings.HasSuffix(line, "=") {
			break
		}
	}
	return text[:len(text)-len(rest)], rest
}

// parseProperty splits a line into the name, the parameters and the value.
func parseProperty(line string) (p property, ok bool) {
	end := strings.IndexAny(line, ";:")
	if end <= 0 {
		return p, false
	}
	p.name = strings.ToUpper(line[:end])
	if group, name, found := strings.Cut(p.name, "."); found {
		p.group, p.name = group, name
	}
	for line = line[end:]; strings.HasPrefix(line, ";"); {
		length := parameterLength(line[1:])
		name, value, found := strings.Cut(line[1:1+length], "=")
		if !found {
			name, value = "", name
		}
		if len(p.parameters) < maxParameters {
			p.parameters = append(p.parameters, parameter{strings.ToUpper(name), parameterText.Replace(value)})
		}
		line = line[1+length:]
	}
	p.raw, ok = strings.CutPrefix(line, ":")
	return p, ok
}

// parameterLength returns the length of the parameter at the start of s. Delimiters within
// quotation marks do not end it.
func parameterLength(s string) int {
	quoted := false
	for i := range len(s) {
		switch s[i] {
		case '"':
			quoted = !quoted
		case ';', ':':
			if !quoted {
				return i
			}
		}
	}
	return len(s)
}

// parameterText removes the quotation marks from the value of a parameter and decodes its escapes
// (RFC 6868). Some writers escape it as they do text.
var parameterText = strings.NewReplacer(`\"`, `"`, `\,`, ",", `\;`, ";", `"`, "", "^n", " ", "^^", "^", "^'", `"`)

// parameter returns the value of the parameter with that name, or "".
func (p *property) parameter(name string) string {
	for _, q := range p.parameters {
		if q.name == name {
			return q.value
		}
	}
	return ""
}

// hasParameter reports whether the parameter with that name has the value, possibly among others.
// In vCard 2.1 the value may occur without the name.
func (p *property) hasParameter(name, value string) bool {
	for _, q := range p.parameters {
		if q.name != name && q.name != "" {
			continue
		}
		for v := range strings.SplitSeq(q.value, ",") {
			if strings.EqualFold(v, value) {
				return true
			}
		}
	}
	return false
}

func (p *property) isQuoted() bool { return p.hasParameter("ENCODING", "QUOTED-PRINTABLE") }

// value returns the decoded value of a property, in which backslash escapes remain.
func (p *property) value() string {
	var raw []byte
	switch {
	case p.isQuoted():
		raw = decodeQuoted(p.raw)
	case p.hasParameter("ENCODING", "B") || p.hasParameter("ENCODING", "BASE64"):
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(p.raw), ""))
		if err != nil {
			return ""
		}
		raw = decoded
	default:
		return p.raw
	}
	d, err := charset.DecodeCheckingLabel(raw, p.parameter("CHARSET"))
	if err != nil {
		return ""
	}
	return d.Text
}

// text returns the value of a property as people see it, without escapes.
func (p *property) text() string { return escapes.Replace(p.value()) }

var escapes = strings.NewReplacer(`\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\:`, ":", `\"`, `"`, `\\`, `\`)

// fields returns the fields of a value, which semicolons separate.
func (p *property) fields() []string { return p.split(";", maxFields) }

// split returns the parts of a value, of which there are at most limit and a rest. Any of the
// separators ends a part, unless a backslash precedes it.
func (p *property) split(separators string, limit int) []string {
	var parts []string
	value, start := p.value(), 0
	for i := 0; i < len(value) && len(parts) < limit; i++ {
		switch {
		case value[i] == '\\':
			i++
		case strings.IndexByte(separators, value[i]) >= 0:
			parts = append(parts, strings.TrimSpace(escapes.Replace(value[start:i])))
			start = i + 1
		}
	}
	return append(parts, strings.TrimSpace(escapes.Replace(value[start:])))
}

const maxFields = 16 // maximum number of fields of a value; the standards define at most eight

// decodeQuoted decodes quoted-printable text (RFC 2045, 6.7). Malformed sequences are kept
// unchanged.
func decodeQuoted(s string) []byte {
	text := make([]byte, 0, len(s))
	for {
		before, after, found := strings.Cut(s, "=")
		text = append(text, before...)
		if !found {
			return text
		}
		s = after
		if rest, ok := strings.CutPrefix(strings.TrimPrefix(after, "\r"), "\n"); ok {
			s = rest
		} else if b, err := hex.DecodeString(after[:min(len(after), 2)]); err == nil && len(b) == 1 {
			text = append(text, b[0])
			s = after[2:]
		} else {
			text = append(text, '=')
		}
	}
}
