package schema

import (
	"bytes"
	"cmp"
	"encoding/base64"
	stdhtml "html"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
	"vademecum/internal/base/lazyregexp"
)

// resourceDates are the paths of the members that may give the date of a resource; the first one
// present is used.
var resourceDates = []string{
	"effectiveDateTime", "effectivePeriod/start", "onsetDateTime", "onsetPeriod/start", "performedDateTime", "performedPeriod/start",
	"occurrenceDateTime", "occurrencePeriod/start", "period/start", "billablePeriod/start", "authoredOn", "dateWritten", "dateAsserted",
	"date", "recordedDate", "assertedDate", "issued", "created", "started",
}

// readResource writes a FHIR resource (https://hl7.org/fhir/resource.html) as a part that is named
// after its type, status and date, so that every citation says what was not done: its narrative, which is written for people, or else the texts of its
// members.
func (r *jsonReader) readResource(o object) {
	if r.resources >= extract.MaxArchiveEntries {
		return
	}
	r.resources++
	name := splitWords(o.text("resourceType"))
	if title := nameOf(o); title != "" {
		name += " " + title
	}
	for _, status := range unusualStatuses(o) {
		name += ", " + status
	}
	day := ""
	for _, path := range resourceDates {
		if day = dayOf(o.text(path)); day != "" {
			name += ", " + day
			break
		}
	}
	if r.resources == 1 {
		r.title, r.date = markdown.OneLine(o.text("title")), day
	}
	r.w.BeginPart(extract.Part{Kind: extract.Chapter, Number: r.resources, Name: name})
	r.w.WriteHeading(2, name)
	if hasNarrative := r.writeXHTML(o.text("text/div")); !hasNarrative || o.text("resourceType") == "Patient" {
		r.writeMembers(o, day)
	}
	r.writeSections(o.objects("section"), 3)
	for _, path := range []string{"content", "presentedForm"} {
		for _, held := range o.objects(path) {
			for _, attachment := range append(held.objects("attachment"), held) {
				r.writeAttachment(attachment)
			}
		}
	}
}

// nameOf returns the name of a person, an organization or a document.
func nameOf(o object) string {
	if title := o.firstText("title", "name"); title != "" {
		return markdown.OneLine(title)
	}
	names := o.objects("name")
	if len(names) == 0 {
		return ""
	}
	n := names[0]
	if text := n.text("text"); text != "" {
		return markdown.OneLine(text)
	}
	return markdown.OneLine(wordsOf(n.get("prefix")) + " " + strings.ReplaceAll(wordsOf(n.get("given")), ", ", " ") + " " + wordsOf(n.get("family")))
}

// writeXHTML writes the narrative div, which is XHTML, and reports whether it has any text.
func (r *jsonReader) writeXHTML(div string) bool {
	return div != "" && r.writeHTML(html.ExpandSelfClosingTags(div), 2)
}

// writeHTML writes the text of HTML with its headings moved down by shift levels, and reports
// whether there is any text.
func (r *jsonReader) writeHTML(source string, shift int) bool {
	text, _, err := html.Markdown(source)
	if err != nil {
		r.w.IsFull = r.w.IsFull || err == extract.ErrTooMuchText
		return false
	}
	r.w.EndBlock()
	r.w.WriteRaw(markdown.MoveHeadingsBelow(shift, text))
	return true
}

// writeSections writes the sections of a composition.
func (r *jsonReader) writeSections(sections []object, level int) {
	for _, s := range sections {
		r.w.WriteHeading(level, s.text("title"))
		r.writeXHTML(s.text("text/div"))
		r.writeSections(s.objects("section"), level+1)
	}
}

// writeAttachment writes an attached text, or records the name of any other attachment.
func (r *jsonReader) writeAttachment(a object) {
	kind, _, _ := strings.Cut(a.text("contentType"), ";")
	raw, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(a.text("data")), ""))
	text := strings.ToValidUTF8(string(raw), "\uFFFD")
	switch {
	case kind == "":
	case len(raw) == 0 || err != nil || !strings.HasPrefix(kind, "text/"):
		_, ending, _ := strings.Cut(kind, "/")
		r.attached = append(r.attached, markdown.OneLine(cmp.Or(a.text("title"), "document")+"."+ending))
	case kind == "text/html":
		r.writeXHTML(text)
	default:
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			r.w.WriteParagraph(paragraph)
		}
	}
}

var fhirRoot = lazyregexp.New(`^<(?:\w+:)?[A-Z]\w*\s[^>]*["']http://hl7\.org/fhir["']`)

// isFHIR reports whether a file begins like a FHIR resource in XML.
func isFHIR(start []byte) bool { return fhirRoot.Match(zipxml.SkipProlog(start)) }

// readFHIRXML reads resources in XML (https://hl7.org/fhir/xml.html), which have the same content
// as in JSON.
func readFHIRXML(raw []byte) (extract.Content, error) {
	r := new(jsonReader)
	err := zipxml.ReadXML(bytes.NewReader(raw), func(x *zipxml.Reader) {
		x.EachChild(func(e zipxml.Element) {
			if e.Name != "Bundle" {
				r.readResource(readFHIRElement(x, e, true))
				return
			}
			x.EachDescendant(func(e zipxml.Element) bool {
				if e.Name != "resource" {
					return e.Name != "entry"
				}
				x.EachChild(func(e zipxml.Element) { r.readResource(readFHIRElement(x, e, true)) }, nil)
				return true
			})
		}, nil)
	})
	return r.content(err)
}

// readFHIRElement converts the element e to the object by which JSON represents it. isResource
// means that its name is the type of a resource.
func readFHIRElement(x *zipxml.Reader, e zipxml.Element, isResource bool) object {
	var o object
	if isResource {
		o = object{{"resourceType", e.Name}}
	}
	x.EachChild(func(e zipxml.Element) {
		x.CountBytes(extract.CellOverheadBytes)
		var value any
		switch said := e.Attribute("value"); {
		case e.Name == "div":
			var b strings.Builder
			readXHTML(x, &b)
			value = b.String()
		case said == "true" || said == "false":
			value = said == "true"
		case said != "":
			x.CountBytes(len(said))
			value = said
		default:
			value = readFHIRElement(x, e, false)
		}
		if n := len(o); n > 0 && o[n-1].name == e.Name { // the elements of a list are adjacent
			list, isList := o[n-1].value.(array)
			if !isList {
				list = array{o[n-1].value}
			}
			o[n-1].value = append(list, value)
			return
		}
		o = append(o, member{e.Name, value})
	}, nil)
	return o
}

// readXHTML writes the content of the current element to b as XHTML.
func readXHTML(x *zipxml.Reader, b *strings.Builder) {
	x.EachChild(func(e zipxml.Element) {
		b.WriteString("<" + e.Name)
		for _, a := range e.Attributes {
			if a.Name.Local == "colspan" || a.Name.Local == "rowspan" || a.Name.Local == "alt" {
				b.WriteString(" " + a.Name.Local + `="` + stdhtml.EscapeString(a.Value) + `"`)
			}
		}
		b.WriteString(">")
		readXHTML(x, b)
		if e.Name != "br" && e.Name != "img" && e.Name != "hr" {
			b.WriteString("</" + e.Name + ">")
		}
	}, func(text []byte) {
		if x.CountBytes(len(text)); x.Err == nil {
			b.WriteString(stdhtml.EscapeString(string(text)))
		}
	})
}
