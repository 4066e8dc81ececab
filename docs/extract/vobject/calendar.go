package vobject

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

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
	r := reader{text: d.Text, kinds: []string{"VEVENT", "VTODO", "VJOURNAL"}, wanted: calendarProperties, unit: extract.Noun{Singular: "event", Plural: "events"}, section: eventSection, days: (*object).days}
	return r.content(calendarName(d.Text), d)
}

var calendarProperties = wordSet(`SUMMARY DTSTART DTEND DUE DURATION COMPLETED PERCENT-COMPLETE RRULE RDATE EXDATE RECURRENCE-ID
	LOCATION STATUS ORGANIZER ATTENDEE CONTACT RESOURCES CATEGORIES URL ATTACH DESCRIPTION X-ALT-DESC COMMENT`)

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
	s.addFact("Done", o.completion())
	s.addFact("Repeats", o.recurrence())
	s.addFact("Also on", joinListed(formatDates(o.allProperties("RDATE"))))
	s.addFact("Except", joinListed(formatDates(o.allProperties("EXDATE"))))
	s.addFact("In place of", propertyMoment(o.firstProperty("RECURRENCE-ID")).String())
	s.addFact("Where", o.propertyLine("LOCATION"))
	s.addFact("Organizer", formatPerson(o.firstProperty("ORGANIZER")))
	s.addAttendees(o)
	for _, p := range o.allProperties("CONTACT") {
		s.addFact("Contact", p.text())
	}
	s.addFact("Resources", listedTexts(o.allProperties("RESOURCES")))
	s.addFact("Categories", listedTexts(o.allProperties("CATEGORIES")))
	if status := strings.ToLower(o.propertyLine("STATUS")); status == "cancelled" || status == "tentative" {
		s.addFact("Status", status)
	}
	s.addFact("Link", o.propertyLine("URL"))
	for _, p := range o.allProperties("ATTACH") {
		s.addFact("Attachment", webAddress(p))
	}
	s.addDescription(o)
	return s
}

// endless is the last day of an event that is repeated without an end.
const endless = "9999-12-31"

// days returns the first and the last day of an event, a task or a journal entry, including its
// repetitions.
func (o *object) days() extract.DatedSection {
	var first, last time.Time
	for _, name := range []string{"DTSTART", "DTEND", "DUE", "COMPLETED", "RDATE"} {
		for _, p := range o.allProperties(name) {
			for value := range strings.SplitSeq(p.raw, ",") {
				value, _, _ = strings.Cut(value, "/") // of a period, only the start
				m := parseMoment(value, "")
				if !m.isKnown() {
					continue
				}
				if name == "DTEND" && m.isDate && m.time.After(first) {
					m.time = m.time.AddDate(0, 0, -1) // an all-day event ends at the start of the following day
				}
				if first.IsZero() || m.time.Before(first) {
					first = m.time
				}
				if m.time.After(last) {
					last = m.time
				}
			}
		}
	}
	if first.IsZero() {
		return extract.DatedSection{}
	}
	if length, ok := parseDuration(o.firstProperty("DURATION").raw); ok && first.Add(length).After(last) {
		last = first.Add(length)
	}
	days := extract.DatedSection{First: first.Format(time.DateOnly), Last: last.Format(time.DateOnly)}
	if rule := strings.ToUpper(o.firstProperty("RRULE").raw); rule != "" {
		days.Last = lastDayOfRepetition(rule, last)
	}
	return days
}

// lastDayOfRepetition returns the last day on which an event may take place that takes place first until a time,
// and then by a rule (RFC 5545, 3.3.10): endless if the rule says neither until when nor how often. Of a rule
// that says how often, it is an upper bound.
func lastDayOfRepetition(rule string, first time.Time) string {
	isCounted := true // there is no part by which periods could be left out
	parts := make(map[string]string)
	for part := range strings.SplitSeq(rule, ";") {
		name, value, _ := strings.Cut(part, "=")
		parts[name] = value
		isCounted = isCounted && (!strings.HasPrefix(name, "BY") || name == "BYDAY")
	}
	if m := parseMoment(parts["UNTIL"], ""); m.isKnown() {
		if m.time.After(first) {
			first = m.time
		}
		return first.Format(time.DateOnly)
	}
	count, err := strconv.Atoi(parts["COUNT"])
	days := map[string]int{"YEARLY": 366, "MONTHLY": 62, "WEEKLY": 7, "DAILY": 7}[parts["FREQ"]] // not all months have a 31st, and days may be those of a week
	if err != nil || days == 0 || !isCounted || parts["FREQ"] == "YEARLY" && (first.Month() == time.February || parts["BYDAY"] != "") {
		return endless
	}
	interval, _ := strconv.Atoi(parts["INTERVAL"]) // 0 without one
	days *= min(max(count-1, 0), mostDays) * min(max(interval, 1), mostDays)
	if days > mostDays {
		return endless
	}
	return first.AddDate(0, 0, days).Format(time.DateOnly)
}

// mostDays is the number of days from which an event counts as repeated without an end.
const mostDays = 1_000_000

// completion returns when a task was done, "yes" if it was done and the day is not given, or "".
func (o *object) completion() string {
	done := propertyMoment(o.firstProperty("COMPLETED")).String()
	isDone := strings.EqualFold(o.propertyLine("STATUS"), "completed") || o.propertyLine("PERCENT-COMPLETE") == "100"
	if done == "" && o.kind == "VTODO" && isDone {
		return "yes"
	}
	return done
}

// attendeeGroups are the groups of people who were invited, in the order in which they are listed, with the
// answers that each has given (RFC 5545, 3.2.12; in vCalendar 1.0 the parameter is STATUS). Whoever gave
// none of them belongs to the first.
var attendeeGroups = []struct {
	label   string
	answers []string
}{
	{"With", nil},
	{"Tentative", []string{"TENTATIVE"}},
	{"No answer yet", []string{"NEEDS-ACTION", "NEEDS ACTION", "SENT"}},
	{"Declined", []string{"DECLINED"}},
	{"Delegated", []string{"DELEGATED"}},
}

// addAttendees adds the people who were invited, in groups by their answers.
func (s *objectSection) addAttendees(o *object) {
	groups := make([][]*property, len(attendeeGroups))
	for _, p := range o.allProperties("ATTENDEE") {
		of := 0
		for i, g := range attendeeGroups {
			if slices.ContainsFunc(g.answers, func(answer string) bool {
				return p.hasParameter("PARTSTAT", answer) || p.hasParameter("STATUS", answer)
			}) {
				of = i
			}
		}
		groups[of] = append(groups[of], p)
	}
	for i, g := range attendeeGroups {
		s.addFact(g.label, joinListed(formatPeople(groups[i])))
	}
}

// webAddress returns the address of an attachment on the web, or "": the address of another one,
// such as a part of a mail, means nothing to people, and others are stored as they are.
func webAddress(p *property) string {
	address := strings.TrimSpace(p.raw)
	if lower := strings.ToLower(address[:min(len(address), len("https://"))]); strings.HasPrefix(lower, "http://") || lower == "https://" {
		return address
	}
	return ""
}

// addDescription adds the descriptions of an event, of which a journal entry may have several, and
// its comments.
func (s *objectSection) addDescription(o *object) {
	before := len(s.texts)
	for _, p := range o.allProperties("DESCRIPTION") {
		s.addText(p.text())
	}
	if alternative := o.firstProperty("X-ALT-DESC"); len(s.texts) == before && strings.EqualFold(alternative.parameter("FMTTYPE"), "text/html") {
		s.addText(alternative.text())
	}
	for _, p := range o.allProperties("COMMENT") {
		s.addText(p.text())
	}
}

// addText adds a text, which many programs write in HTML.
func (s *objectSection) addText(text string) {
	text = strings.TrimSpace(text)
	if !htmlTag.MatchString(text) {
		s.addPlainText(text)
		return
	}
	if !htmlBreak.MatchString(text) {
		text = strings.ReplaceAll(text, "\n", "<br>")
	}
	page, _, err := html.Markdown(text)
	switch {
	case err == nil:
		s.texts = append(s.texts, sectionText{text: strings.Trim(page, "\n"), isMarkdown: true})
	case !errors.Is(err, extract.ErrNoText):
		s.addPlainText(text)
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

// listedTexts returns the texts of properties that are lists (RFC 5545, 3.8.1.2) on one line. In
// vCalendar 1.0 semicolons separate them.
func listedTexts(all []*property) string {
	var texts []string
	for _, p := range all {
		for _, text := range p.split(",;", maxProperties) {
			if text = markdown.OneLine(text); text != "" {
				texts = append(texts, text)
			}
		}
	}
	return joinListed(texts)
}
