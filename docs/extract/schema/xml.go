// Package schema reads XML and JSON of known schemas as people see them: title, headings and text,
// once and in order, without markup, identifiers, codes and time stamps. Tables give the meaning of
// elements and members, so that a format is a table row. Unknown schemas are not read by this
// package.
package schema

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

var errDamaged = extract.Skip("damaged XML")

// IsKnownXML reports whether a file that begins with start is XML of a known schema, such as an HL7
// document.
func IsKnownXML(start []byte) bool { return schemaOf(start) != nil || isFHIR(start) }

// ReadXML reads XML of a known schema (see IsKnownXML). In a damaged file it reads everything before the
// damage.
func ReadXML(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	start := bytes.TrimLeft(raw[:min(len(raw), extract.SniffBytes)], "\xEF\xBB\xBF \t\r\n")
	if bytes.HasPrefix(start, []byte("\xFF\xFE")) || bytes.HasPrefix(start, []byte("\xFE\xFF")) {
		start = bytes.ReplaceAll(start[2:], []byte{0}, nil)
	}
	if isFHIR(start) {
		return readFHIRXML(raw)
	}
	r := xmlReader{schema: schemaOf(start)}
	if r.schema == nil {
		return extract.Content{}, errDamaged
	}
	err := zipxml.ReadXML(bytes.NewReader(raw), func(x *zipxml.Reader) {
		r.x = x
		x.EachChild(func(e zipxml.Element) { r.readElement("", e) }, nil)
	})
	if err != nil && extract.IsLimitError(err) {
		return extract.Content{}, err
	}
	r.flushPieces()
	c, htmlErr := r.content()
	if htmlErr == extract.ErrNoText && err != nil {
		htmlErr = err
	}
	if err != nil {
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	return c, htmlErr
}

// An xmlReader writes the elements of a document as HTML, which has the same kinds of blocks;
// package html then extracts the text.
type xmlReader struct {
	x        *zipxml.Reader
	schema   *schema
	html     htmlBuilder
	title    string
	date     string
	label    string // label that is to be written before the next heading or text
	open     []openSection
	lists    []string // names of the open lists: ol or ul
	repeated string   // title that is to be left out at the start of the text, which repeats it
	isLines  bool     // whether line breaks in the current element are significant
	pieces   []string // texts in an entry, which become a paragraph
	attached []string
}

// An openSection is a section whose end has not been read.
type openSection struct {
	heading      string // default heading, to be written before the text unless the section has one of its own
	hasNarrative bool
}

// content returns the text of the HTML that was written, with the properties of the document.
func (r *xmlReader) content() (extract.Content, error) {
	text, _, err := html.Markdown(r.html.String())
	c := extract.Content{Text: text, Form: extract.Markdown, Title: markdown.RemoveGeneratedTitle(r.title), Date: r.date, UnreadAttachments: r.attached}
	return c, err
}

// readElement reads the element e, which is inside the element called parent, according to its
// role.
func (r *xmlReader) readElement(parent string, e zipxml.Element) {
	role, name, _ := strings.Cut(r.schema.roleOf(parent, e), ":")
	switch role {
	case "":
		r.readInside(e)
	case skip:
	case title:
		text := r.readWords("")
		r.writeTitle(text)
		if name == repeated {
			r.repeated = text
		}
	case section:
		r.open = append(r.open, openSection{heading: name})
		r.readInside(e)
		r.open = r.open[:len(r.open)-1]
		r.label = ""
	case heading:
		r.writeHeading(r.readWords(""))
	case label:
		r.readLabel()
	case words:
		r.writeText(r.readWords(" ") + " ")
	case person:
		r.writeItem(r.readPerson())
	case item:
		r.writeItem(r.readWords(""))
	case lines:
		before := r.isLines
		r.isLines = true
		r.readInside(e)
		r.isLines = before
	case date:
		r.readDate(e)
	case narrative:
		r.readNarrative(e)
	case entry:
		r.readEntries(e)
	case patient:
		r.readPatient()
	case data:
		r.readData(e)
	case node:
		r.readNode(e)
	default:
		r.writeBlock(role, e)
	}
}

// readLabel reads a label. The label of a list item is its marker, not a part of its text.
func (r *xmlReader) readLabel() {
	text := r.readWords("")
	if r.html.isItemTagOpen && len(r.lists) > 0 {
		isOrdered := r.lists[len(r.lists)-1] == "ol"
		number, err := strconv.ParseUint(strings.Trim(text, "[(.)] "), 10, 16)
		switch {
		case isOrdered && err == nil:
			r.html.Builder.WriteString(` value="` + strconv.FormatUint(number, 10) + `"`)
			return
		case !isOrdered && !strings.ContainsFunc(text, isWordCharacter):
			return // a bullet
		}
	}
	r.label = strings.TrimSpace(r.label + " " + text)
}

func isWordCharacter(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

// readInside reads the content of the element e according to the roles of its children.
func (r *xmlReader) readInside(e zipxml.Element) {
	r.x.EachChild(func(inner zipxml.Element) { r.readElement(e.Name, inner) }, func(b []byte) { r.writeText(string(b)) })
}

// readWords returns the text of the current element on one line, with separator between the texts
// of its elements.
func (r *xmlReader) readWords(separator string) string {
	var b strings.Builder
	var readChildren func(parent string)
	readChildren = func(parent string) {
		r.x.EachChild(func(e zipxml.Element) {
			switch role := r.schema.roleOf(parent, e); {
			case role == skip:
				return
			case role == "br":
				b.WriteByte(' ')
			case role == "sup":
				b.WriteString(markdown.Superscript(r.x.ReadText()))
			}
			isStruck := r.schema.roleOf(parent, e) == "s"
			if isStruck {
				b.WriteString(strikeStart)
			}
			readChildren(e.Name)
			if isStruck {
				b.WriteString(strikeEnd)
			}
			b.WriteString(separator)
		}, func(text []byte) {
			if r.x.CountBytes(len(text)); r.x.Err == nil {
				b.Write(text)
			}
		})
	}
	readChildren("")
	return markdown.OneLine(b.String())
}

// readPerson returns the name of a person in the usual order.
func (r *xmlReader) readPerson() string {
	parts := make(map[string]string)
	r.x.EachChild(func(e zipxml.Element) { parts[e.Name] = r.x.ReadText() }, nil)
	return markdown.OneLine(parts["prefix"] + " " + parts["given-names"] + " " + parts["surname"] + " " + parts["suffix"])
}

// readDate reads the first date of the document, in forms such as 20240305101500 and
// 2024-03-05T10:15:00, or split into elements.
func (r *xmlReader) readDate(e zipxml.Element) {
	if r.date != "" {
		return
	}
	parts := map[string]string{"": e.Attribute("value")}
	r.x.EachChild(func(e zipxml.Element) { parts[e.Name] = r.x.ReadText() }, func(b []byte) { parts[""] += string(b) })
	if y := parts["year"]; y != "" {
		parts[""] = twoDigits(y) + twoDigits(parts["month"]) + twoDigits(parts["day"])
	}
	r.date = dayOf(parts[""])
}

func twoDigits(s string) string {
	if s = strings.TrimSpace(s); len(s) == 1 {
		return "0" + s
	}
	return s
}

// dayOf returns the day of a time as 2024-03-05, or "".
func dayOf(s string) string {
	s = strings.TrimSpace(s)
	digits := strings.ReplaceAll(s[:min(len(s), 10)], "-", "")
	if len(digits) < 8 {
		return ""
	}
	if _, err := strconv.ParseUint(digits[:8], 10, 64); err != nil {
		return ""
	}
	return digits[:4] + "-" + digits[4:6] + "-" + digits[6:8]
}
