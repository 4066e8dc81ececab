package schema

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	stdhtml "html"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
// after its type and date: its narrative, which is written for people, or else the texts of its
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
	r.w.WriteRaw(markdown.ShiftHeadings(shift, text))
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

// unshownMembers are the names of those members of FHIR resources that mean nothing to people or are
// written elsewhere.
const unshownMembers = "resourceType id meta implicitRules language text contained extension modifierExtension identifier section content presentedForm " +
	"system code reference url use status data hash contentType version versionId linkId comparator rank"

// unlabelled are the names of those members of FHIR resources whose values are written without the
// name of the member as a label.
const unlabelled = "code vaccineCode medicationCodeableConcept name title value component type"

// writeMembers writes the members of a resource, one per line, except the date day, which is in its
// heading.
func (r *jsonReader) writeMembers(o object, day string) {
	var lines strings.Builder
	for _, m := range o {
		name := withoutType(m.name)
		if !m.isShown() {
			continue
		}
		said := wordsOf(m.value)
		switch {
		case said == "" || said == day:
		case hasWord(unlabelled, m.name) || name == "value" || name == "":
			lines.WriteString(said + "\n")
		default:
			first, size := utf8.DecodeRuneInString(name)
			lines.WriteString(string(unicode.ToUpper(first)) + strings.ToLower(splitWords(name[size:])) + ": " + said + "\n")
		}
	}
	r.w.WriteParagraph(lines.String())
}

var dateTime = lazyregexp.New(`^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?$`)

// wordsOf returns the human-readable text of a value.
func wordsOf(value any) string {
	var said []string
	add := func(v any) {
		if s := wordsOf(v); s != "" {
			said = append(said, s)
		}
	}
	switch v := value.(type) {
	case string:
		if dateTime.MatchString(v) {
			return v[:len(time.DateOnly)]
		}
		return markdown.OneLine(v)
	case json.Number:
		return v.String()
	case array:
		for _, element := range v {
			add(element)
		}
		return strings.Join(said, ", ")
	case object:
		if text := v.text("text"); text != "" {
			return markdown.OneLine(text)
		}
		for _, m := range v {
			if m.isShown() {
				add(m.value)
			}
		}
	}
	return strings.Join(said, " ")
}

// isShown reports whether a member is meant for people. The member code is, if it is a concept
// rather than only a code.
func (m member) isShown() bool {
	_, isString := m.value.(string)
	return m.name == "code" && !isString || !hasWord(unshownMembers, m.name)
}

// withoutType returns the name of a member of several possible types, such as valueString, without
// the type (https://hl7.org/fhir/formats.html#choice).
func withoutType(name string) string {
	for suffix := range strings.FieldsSeq("Quantity CodeableConcept DateTime String Period Range Ratio Integer Reference Age Date") {
		if short := strings.TrimSuffix(name, suffix); short != name && short != "" {
			return short
		}
	}
	return name
}

// splitWords splits a name such as MedicationRequest into words.
func splitWords(name string) string {
	var b strings.Builder
	for i, c := range name {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte(' ')
		}
		b.WriteRune(c)
	}
	return b.String()
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
