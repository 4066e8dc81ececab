package vobject

import (
	"errors"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
	"vademecum/internal/base/lazyregexp"
)

// ReadCalendar reads an iCalendar file (RFC 5545).
func ReadCalendar(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := decodeFile(raw)
	if err != nil {
		return extract.Content{}, err
	}
	r := reader{text: d.Text, kinds: []string{"VEVENT", "VTODO", "VJOURNAL"}, wanted: calendarProperties, unit: extract.Noun{Singular: "event", Plural: "events"}, section: eventSection}
	return r.content(calendarName(d.Text), d)
}

var calendarProperties = wordSet(`SUMMARY DTSTART DTEND DUE DURATION COMPLETED RRULE RDATE EXDATE RECURRENCE-ID
	LOCATION STATUS ORGANIZER ATTENDEE CATEGORIES URL DESCRIPTION X-ALT-DESC COMMENT`)

// calendarName returns the name of the calendar in a file, which precedes its first object, or "".
func calendarName(text string) string {
	begun := 0
	for p := range parseProperties(text) {
		if p.name == "BEGIN" {
			begun++
		}
		if begun > 1 {
			break
		}
		if p.name == "X-WR-CALNAME" || p.name == "NAME" {
			return markdown.OneLine(p.text())
		}
	}
	return ""
}

// eventSection returns the text of an event, a task or a journal entry.
func eventSection(o *object) *objectSection {
	s := &objectSection{title: o.propertyLine("SUMMARY")}
	s.addFact("When", o.timeSpan())
	s.addFact("Due", propertyMoment(o.firstProperty("DUE")).String())
	s.addFact("Done", propertyMoment(o.firstProperty("COMPLETED")).String())
	s.addFact("Repeats", o.recurrence())
	s.addFact("Also on", joinListed(formatDates(o.allProperties("RDATE"))))
	s.addFact("Except", joinListed(formatDates(o.allProperties("EXDATE"))))
	s.addFact("In place of", propertyMoment(o.firstProperty("RECURRENCE-ID")).String())
	s.addFact("Where", o.propertyLine("LOCATION"))
	s.addFact("Organizer", formatPerson(o.firstProperty("ORGANIZER")))
	s.addFact("With", joinListed(formatPeople(o.allProperties("ATTENDEE"))))
	s.addFact("Categories", joinTexts(o.allProperties("CATEGORIES")))
	if status := strings.ToLower(o.propertyLine("STATUS")); status == "cancelled" || status == "tentative" {
		s.addFact("Status", status)
	}
	s.addFact("Link", o.propertyLine("URL"))
	s.addDescription(o)
	return s
}

// addDescription adds the description of an event, which many programs write in HTML.
func (s *objectSection) addDescription(o *object) {
	text := strings.TrimSpace(o.firstProperty("DESCRIPTION").text())
	if alternative := o.firstProperty("X-ALT-DESC"); text == "" && strings.EqualFold(alternative.parameter("FMTTYPE"), "text/html") {
		text = strings.TrimSpace(alternative.text())
	}
	if comment := strings.TrimSpace(o.firstProperty("COMMENT").text()); comment != "" {
		text += "\n\n" + comment
	}
	if !htmlTag.MatchString(text) {
		s.text = text
		return
	}
	if !htmlBreak.MatchString(text) {
		text = strings.ReplaceAll(text, "\n", "<br>")
	}
	page, _, err := html.Markdown(text)
	switch {
	case err == nil:
		s.markdown = strings.Trim(page, "\n")
	case !errors.Is(err, extract.ErrNoText):
		s.text = text
	}
}

var htmlTag = lazyregexp.New(`(?i)<(br|p|div|span|a|b|i|u|ul|ol|html)(\s[^<>]*)?/?>`)

var htmlBreak = lazyregexp.New(`(?i)<(br|p|div|ul|ol|html)\b`)

// formatPeople returns the names and addresses of the people in some properties.
func formatPeople(all []*property) []string {
	var names []string
	for _, p := range all {
		if name := formatPerson(p); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// formatPerson returns the name and the address of the person in a property.
func formatPerson(p *property) string {
	name, address := markdown.OneLine(p.parameter("CN")), markdown.OneLine(p.value())
	if len(address) >= len("mailto:") && strings.EqualFold(address[:len("mailto:")], "mailto:") {
		address = address[len("mailto:"):]
	} else if strings.Contains(address, ":") { // an internal identifier rather than an address
		address = ""
	}
	switch {
	case name == "" || strings.EqualFold(name, address):
		return address
	case address == "":
		return name
	}
	return name + " <" + address + ">"
}

// joinTexts returns the texts of properties on one line.
func joinTexts(all []*property) string {
	var texts []string
	for _, p := range all {
		texts = append(texts, strings.ReplaceAll(p.text(), ",", ", "))
	}
	return markdown.OneLine(joinListed(texts))
}
