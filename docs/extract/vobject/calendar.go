package vobject

import (
	"errors"
	"regexp"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/markdown"
)

// ReadCalendar reads an iCalendar file (RFC 5545).
func ReadCalendar(raw []byte, _ extract.Progress) (extract.Content, error) {
	d, err := decodeFile(raw)
	if err != nil {
		return extract.Content{}, err
	}
	r := reader{text: d.Text, kinds: []string{"VEVENT", "VTODO", "VJOURNAL"}, wanted: calendarProperties, unit: extract.Noun{Singular: "event", Plural: "events", Chinese: "项日程"}, section: eventSection}
	return r.content(calendarName(d.Text), d)
}

var calendarProperties = words(`SUMMARY DTSTART DTEND DUE DURATION COMPLETED RRULE RDATE EXDATE RECURRENCE-ID
	LOCATION STATUS ORGANIZER ATTENDEE CATEGORIES URL DESCRIPTION X-ALT-DESC COMMENT`)

// calendarName returns what a calendar is called, or "". It says so before its
// first object.
func calendarName(text string) string {
	begun := 0
	for p := range properties(text) {
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

// eventSection returns what is written of an event, a task or an entry.
func eventSection(o *object) *section {
	s := &section{title: o.line("SUMMARY")}
	s.fact("When", o.when())
	s.fact("Due", momentOf(o.first("DUE")).String())
	s.fact("Done", momentOf(o.first("COMPLETED")).String())
	s.fact("Repeats", o.recurrence())
	s.fact("Also on", listed(dates(o.all("RDATE"))))
	s.fact("Except", listed(dates(o.all("EXDATE"))))
	s.fact("In place of", momentOf(o.first("RECURRENCE-ID")).String())
	s.fact("Where", o.line("LOCATION"))
	s.fact("Organizer", personOf(o.first("ORGANIZER")))
	s.fact("With", listed(people(o.all("ATTENDEE"))))
	s.fact("Categories", joinedTexts(o.all("CATEGORIES")))
	if status := strings.ToLower(o.line("STATUS")); status == "cancelled" || status == "tentative" {
		s.fact("Status", status)
	}
	s.fact("Link", o.line("URL"))
	s.describe(o)
	return s
}

// describe adds the description of an event, which many programs write in HTML.
func (s *section) describe(o *object) {
	text := strings.TrimSpace(o.first("DESCRIPTION").text())
	if alternative := o.first("X-ALT-DESC"); text == "" && strings.EqualFold(alternative.parameter("FMTTYPE"), "text/html") {
		text = strings.TrimSpace(alternative.text())
	}
	if comment := strings.TrimSpace(o.first("COMMENT").text()); comment != "" {
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

var htmlTag = regexp.MustCompile(`(?i)<(br|p|div|span|a|b|i|u|ul|ol|html)(\s[^<>]*)?/?>`)

var htmlBreak = regexp.MustCompile(`(?i)<(br|p|div|ul|ol|html)\b`)

// people returns who the properties name.
func people(all []*property) []string {
	var names []string
	for _, p := range all {
		if name := personOf(p); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// personOf returns the name and the address of a person.
func personOf(p *property) string {
	name, address := markdown.OneLine(p.parameter("CN")), markdown.OneLine(p.value())
	if len(address) >= len("mailto:") && strings.EqualFold(address[:len("mailto:")], "mailto:") {
		address = address[len("mailto:"):]
	} else if strings.Contains(address, ":") { // an identifier for programs
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

// joinedTexts returns what properties say in one line.
func joinedTexts(all []*property) string {
	var texts []string
	for _, p := range all {
		texts = append(texts, strings.ReplaceAll(p.text(), ",", ", "))
	}
	return markdown.OneLine(listed(texts))
}
