package vobject

import (
	"slices"
	"strings"
	"time"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// ReadContacts reads vCards of version 2.1, 3.0 or 4.0 (RFC 2426, RFC 6350).
func ReadContacts(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := decodeFile(raw)
	if err != nil {
		return extract.Content{}, err
	}
	r := reader{text: d.Text, kinds: []string{"VCARD"}, wanted: contactProperties, unit: extract.Noun{Singular: "contact", Plural: "contacts"}}
	names := r.contactNames()
	r.section = func(o *object) *objectSection { return contactSection(o, names) }
	return r.content("", d)
}

// contactNames returns the names of the contacts in the file by their identifiers, with which other
// contacts refer to them.
func (r *reader) contactNames() map[string]string {
	names := make(map[string]string)
	for o := range r.eachObject() {
		if id := plainID(o.firstProperty("UID")); id != "" {
			names[id] = o.contactName()
		}
	}
	return names
}

// plainID returns the identifier that a value consists of, without its scheme.
func plainID(p *property) string {
	return strings.TrimPrefix(strings.ToLower(strings.TrimSpace(p.text())), "urn:uuid:")
}

// personOf returns the person to whom a property refers: the name of a contact of the file, a text
// or an address. It returns "" for the identifier of a contact that is not in the file.
func personOf(p *property, names map[string]string) string {
	if name := names[plainID(p)]; name != "" {
		return name
	}
	value := strings.TrimSpace(p.text())
	if strings.HasPrefix(strings.ToLower(value), "urn:") {
		return ""
	}
	return strings.TrimPrefix(strings.TrimPrefix(value, "mailto:"), "tel:")
}

var contactProperties = wordSet(`FN N NICKNAME ORG TITLE ROLE TEL EMAIL IMPP ADR URL BDAY ANNIVERSARY
	CATEGORIES NOTE RELATED MEMBER UID X-ABLABEL X-ABDATE X-ABRELATEDNAMES X-ADDRESSBOOKSERVER-MEMBER
	X-EVOLUTION-SPOUSE`)

// contactSection returns the facts on a contact, such as numbers and addresses, and its notes. names
// has the names of the contacts of the file by their identifiers.
func contactSection(o *object, names map[string]string) *objectSection {
	s := &objectSection{title: o.contactName()}
	s.addFact("Also called", listedTexts(o.allProperties("NICKNAME")))
	s.addFact("Organization", joinFields(o.firstProperty("ORG")))
	s.addFact("Title", o.propertyLine("TITLE"))
	s.addFact("Role", o.propertyLine("ROLE"))
	for _, line := range [][2]string{{"TEL", "Phone"}, {"EMAIL", "Mail"}, {"IMPP", "Chat"}, {"URL", "Link"}, {"X-ABRELATEDNAMES", "Related"}, {"X-ABDATE", "Date"}} {
		for _, p := range o.allProperties(line[0]) {
			s.addFact(line[1], withLabel(strings.TrimPrefix(p.text(), "tel:"), o.propertyLabel(p)))
		}
	}
	for _, p := range o.allProperties("RELATED") {
		s.addFact("Related", withLabel(personOf(p, names), o.propertyLabel(p)))
	}
	s.addFact("Related", withLabel(o.propertyLine("X-EVOLUTION-SPOUSE"), "spouse"))
	for _, name := range []string{"MEMBER", "X-ADDRESSBOOKSERVER-MEMBER"} {
		for _, p := range o.allProperties(name) {
			s.addFact("Member", personOf(p, names))
		}
	}
	for _, p := range o.allProperties("ADR") {
		s.addFact("Address", withLabel(formatAddress(p), o.propertyLabel(p)))
	}
	s.addFact("Birthday", formatDay(o.firstProperty("BDAY")))
	s.addFact("Anniversary", formatDay(o.firstProperty("ANNIVERSARY")))
	s.addFact("Categories", listedTexts(o.allProperties("CATEGORIES")))
	for _, p := range o.allProperties("NOTE") {
		s.addPlainText(p.text())
	}
	return s
}

// contactName returns the name of a contact: its formatted name or, failing that, the parts of its name, its
// organization, or its e-mail address.
func (o *object) contactName() string {
	if name := o.propertyLine("FN"); name != "" {
		return name
	}
	fields := append(o.firstProperty("N").fields(), "", "", "", "") // family name, given name, additional names, prefix, suffix
	if name := markdown.OneLine(strings.Join([]string{fields[3], fields[1], fields[2], fields[0], fields[4]}, " ")); name != "" {
		return name
	}
	if organization := joinFields(o.firstProperty("ORG")); organization != "" {
		return organization
	}
	return o.propertyLine("EMAIL")
}

// joinFields returns the non-empty fields of a value on one line.
func joinFields(p *property) string {
	return markdown.OneLine(strings.Join(slices.DeleteFunc(p.fields(), func(f string) bool { return f == "" }), ", "))
}

// formatAddress returns a postal address in the order used on letters, in which the town follows
// its postal code.
func formatAddress(p *property) string {
	f := append(p.fields(), "", "", "", "", "", "", "")[:7] // PO box, extended, street, town, region, code, country
	lines := []string{f[0], f[1], f[2], strings.TrimSpace(f[5] + " " + f[3]), f[4], f[6]}
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), ", ")
}

func withLabel(value, label string) string {
	if value == "" || label == "" {
		return value
	}
	return value + " (" + label + ")"
}

// plainTypes are the types of numbers and addresses that mean nothing to people.
var plainTypes = wordSet("pref internet voice x400 quoted-printable base64 b 8bit dom intl parcel postal")

// propertyLabel returns the purpose of a number or an address, such as "work", or "" if none is
// given.
func (o *object) propertyLabel(p *property) string {
	for i := range o.properties {
		if label := &o.properties[i]; p.group != "" && label.group == p.group && label.name == "X-ABLABEL" {
			return labelText(label)
		}
	}
	var types []string
	for _, q := range p.parameters {
		if q.name != "TYPE" && q.name != "" {
			continue
		}
		for t := range strings.SplitSeq(strings.ToLower(q.value), ",") {
			if !plainTypes[t] && !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	return strings.Join(types, ", ")
}

// labelText returns a label as its author wrote it, or one of Apple's own, such as
// _$!<Mother>!$_, in lower case as types are.
func labelText(label *property) string {
	text := markdown.OneLine(label.text())
	if own, isOwn := strings.CutPrefix(text, "_$!<"); isOwn {
		return strings.ToLower(strings.TrimSuffix(own, ">!$_"))
	}
	return text
}

// formatDay returns a date that is given in one of the notations of vCards. The year may be
// missing.
func formatDay(p *property) string {
	value := strings.TrimSpace(p.text())
	day, _, _ := strings.Cut(value, "T")
	for _, layout := range []string{"20060102", "2006-01-02"} {
		if t, err := time.Parse(layout, day); err == nil {
			if p.parameter("X-APPLE-OMIT-YEAR") != "" {
				return t.Format("01-02")
			}
			return t.Format("2006-01-02")
		}
	}
	for _, layout := range []string{"--0102", "--01-02"} {
		if t, err := time.Parse(layout, day); err == nil {
			return t.Format("01-02")
		}
	}
	return value
}
