// Package vobject reads the exports of calendars and address books: iCalendar files, with a section
// for each event, task and journal entry, and vCards, with a section for each contact. Both consist
// of property lines in the same syntax.
//
// Libraries were compared and rejected: each reads only one of the two formats, and hardly any file
// that violates the standards. In 118 of 161 calendars, most of which are test files of icalendar
// for Python, this reader finds entries; github.com/emersion/go-ical of 2025-03 rejects 39 of these
// and panics on one of them, github.com/arran4/golang-ical v0.3.4 rejects 38: most lack the
// enclosing VCALENDAR, or have one invalid line. github.com/emersion/go-vcard of 2026-06, like this
// reader, reads the 18 vCard files of ez-vcard, but does not decode quoted-printable values, which
// Outlook and Android export.
package vobject

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/charset"
	"vademecum/docs/extract/markdown"
)

// An object is an event, a task, a journal entry or a vCard.
type object struct {
	kind       string // kind in upper case, such as VEVENT
	properties []property
	isWhole    bool // whether its end was found and no limit was exceeded
}

// maxProperties is the maximum number of properties kept of an object: the largest meetings have
// some hundreds.
const maxProperties = 2_000

// A reader holds the text of a file, and which of its objects are read in what way.
type reader struct {
	text    string   // text of the file without folded lines
	kinds   []string // kinds of the objects that are read, such as VEVENT
	wanted  map[string]bool
	unit    extract.Noun // noun for an object, such as "event"
	section func(*object) *objectSection
	days    func(*object) extract.DatedSection // the days of an object; nil if it has none
}

// eachObject yields the objects one by one. An object that begins within another one of the kinds
// that are read ends it; nested objects of other kinds, such as reminders, are skipped.
func (r *reader) eachObject() iter.Seq[*object] {
	return func(yield func(*object) bool) {
		var open *object
		inner := 0 // number of nested objects that are open
		for p := range parseProperties(r.text) {
			kind := strings.ToUpper(strings.TrimSpace(p.raw[:min(len(p.raw), maxKind)]))
			switch {
			case p.name == "BEGIN" && slices.Contains(r.kinds, kind):
				if open != nil && !yield(open) {
					return
				}
				open, inner = &object{kind: kind}, 0
			case open == nil:
			case p.name == "END" && kind == open.kind:
				open.isWhole = len(open.properties) <= maxProperties
				if !yield(open) {
					return
				}
				open = nil
			case p.name == "BEGIN":
				inner++
			case p.name == "END":
				inner = max(inner-1, 0)
			case inner == 0 && r.wanted[p.name] && len(open.properties) <= maxProperties:
				open.properties = append(open.properties, p)
			}
		}
		if open != nil {
			yield(open)
		}
	}
}

const maxKind = 40 // maximum length of the kind in a BEGIN or END line

// hasSeveralObjects reports whether there is more than one object.
func (r *reader) hasSeveralObjects() bool {
	n := 0
	for range r.eachObject() {
		if n++; n > 1 {
			return true
		}
	}
	return false
}

// content returns the text of the objects of a file, which was decoded as d, with the title, which
// may be "". A single object is the whole document; several are sections below the level of a
// title.
func (r *reader) content(title string, d charset.DecodedText) (extract.Content, error) {
	var w markdown.Writer
	level := 1
	if r.hasSeveralObjects() {
		level = 2
	}
	n := 0
	var damaged []int
	var sections []extract.DatedSection
	for o := range r.eachObject() {
		if n++; !o.isWhole {
			damaged = append(damaged, n)
		}
		s := r.section(o)
		if s.isEmpty() {
			continue
		}
		if level == 1 && title == "" {
			title = s.title
		}
		if r.days != nil {
			w.EndBlock()
			section := r.days(o)
			section.StartByte = w.Text.Len()
			sections = append(sections, section)
		}
		if s.writeTo(&w, level, "("+r.unit.Singular+" without a name)"); w.IsFull {
			return extract.Content{}, extract.ErrTooMuchText
		}
	}
	c, err := w.Content()
	c.Title, c.Sections = title, sections
	c.ExtractionNote = r.unit.IncompleteNote(damaged)
	c.Encoding, c.IsEncodingGuessed = d.Encoding, d.IsGuessed
	return c, err
}

// wordSet returns the set of the words in s.
func wordSet(s string) map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}

// allProperties returns the properties of the object with that name.
func (o *object) allProperties(name string) []*property {
	var found []*property
	for i := range o.properties {
		if o.properties[i].name == name {
			found = append(found, &o.properties[i])
		}
	}
	return found
}

// firstProperty returns the first property of the object with that name, or an empty property.
func (o *object) firstProperty(name string) *property {
	for i := range o.properties {
		if o.properties[i].name == name {
			return &o.properties[i]
		}
	}
	return &property{}
}

// propertyLine returns the text of the first property with that name on one line, or "".
func (o *object) propertyLine(name string) string {
	return markdown.OneLine(o.firstProperty(name).text())
}

const maxListed = 50 // maximum number of people or dates in one line

// joinListed joins the items of a list, at most maxListed. Where an item has a comma, semicolons
// keep the items apart.
func joinListed(all []string) string {
	shown, separator := all[:min(len(all), maxListed)], ", "
	if slices.ContainsFunc(shown, func(item string) bool { return strings.ContainsAny(item, ",，") }) {
		separator = "; "
	}
	line := strings.Join(shown, separator)
	if more := len(all) - len(shown); more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// An objectSection is the text of an event, task, journal entry or contact.
type objectSection struct {
	title string
	facts strings.Builder // facts, one per line
	texts []sectionText   // descriptions, comments and notes
}

// sectionText is a text of several lines in the section of an object, such as the description of an
// event.
type sectionText struct {
	text       string
	isMarkdown bool // whether it was converted from HTML
}

// addFact adds a line with the name and the value of a fact, unless the value is blank.
func (s *objectSection) addFact(name, value string) {
	if value = markdown.OneLine(value); value != "" {
		s.facts.WriteString(name + ": " + value + "\n")
	}
}

func (s *objectSection) isEmpty() bool {
	return s.title == "" && s.facts.Len() == 0 && len(s.texts) == 0
}

// addPlainText adds a text without markup, unless it is blank or the one before repeats it.
func (s *objectSection) addPlainText(text string) {
	text = strings.TrimSpace(text)
	if text == "" || len(s.texts) > 0 && s.texts[len(s.texts)-1].text == text {
		return
	}
	s.texts = append(s.texts, sectionText{text: text})
}

// writeTo writes the section with a heading of the given level: its title or, if it has none,
// untitled.
func (s *objectSection) writeTo(w *markdown.Writer, level int, untitled string) {
	title := s.title
	if title == "" {
		title = untitled
	}
	w.WriteHeading(level, title)
	w.WriteParagraph(s.facts.String())
	for _, t := range s.texts {
		t.writeTo(w, level)
	}
}

func (t *sectionText) writeTo(w *markdown.Writer, level int) {
	if t.isMarkdown {
		w.EndBlock()
		w.WriteRaw(markdown.MoveHeadingsBelow(level, t.text) + "\n")
		return
	}
	for paragraph := range strings.SplitSeq(t.text, "\n\n") {
		w.WriteParagraph(paragraph)
	}
}
