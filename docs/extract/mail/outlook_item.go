package mail

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/markdown"
)

// Properties that contacts, appointments and tasks have besides those of messages ([MS-OXOCNTC],
// [MS-OXOCAL], [MS-OXOTASK]).
const (
	startProperty      = 0x0060
	endProperty        = 0x0061
	companyProperty    = 0x3A16
	titleProperty      = 0x3A17
	departmentProperty = 0x3A18
	addressProperty    = 0x3A15
	homePageProperty   = 0x3A51
)

// phoneProperties are the phone numbers of a contact, with their labels.
var phoneProperties = []struct {
	property uint16
	label    string
}{
	{0x3A1A, "main"}, {0x3A08, "work"}, {0x3A1B, "work"}, {0x3A57, "company"}, {0x3A1C, "mobile"}, {0x3A09, "home"}, {0x3A2F, "home"}, {0x3A1F, "other"},
	{0x3A2E, "assistant"}, {0x3A24, "work fax"}, {0x3A25, "home fax"},
}

// Named properties, to which each file assigns its own property IDs ([MS-OXPROPS], LIDs). The names
// are unique over all property sets.
const (
	mail1Name, mail2Name, mail3Name             = 0x8083, 0x8093, 0x80A3
	workAddressName, homeAddressName, otherName = 0x801B, 0x801A, 0x801C
	dueName                                     = 0x8105
	locationName, startName, endName            = 0x8208, 0x820D, 0x820E
	recurrenceName, zoneName                    = 0x8232, 0x8233
)

// detailsField is the name under which headerFields hold the details of an item, one per line. No
// real header field has this name.
const detailsField = " details"

// readNames reads the mapping of named properties to property IDs ([MS-OXMSG] 2.2.3).
func (r *outlookReader) readNames(root *cfb.Storage) {
	const entryStream, isText, firstNumber = "__substg1.0_00030102", 1, 0x8000
	r.names = make(map[uint32]uint16)
	storage := root.Child("__nameid_version1.0")
	if storage == nil {
		return
	}
	entries, err := storage.ReadStream(entryStream)
	if err != nil {
		r.err = err
	}
	for ; len(entries) >= 8; entries = entries[8:] {
		name, kind, index := binary.LittleEndian.Uint32(entries), binary.LittleEndian.Uint16(entries[4:]), binary.LittleEndian.Uint16(entries[6:])
		if kind&isText == 0 {
			r.names[name] = firstNumber + index
		}
	}
}

// details returns the fields of a contact, an appointment or a task besides its text, one per line.
func (o *outlookObject) details() string {
	var d itemDetails
	d.add("When", o.timeSpan())
	d.add("Repeats", o.namedLine(recurrenceName))
	d.add("Where", o.namedLine(locationName))
	d.add("Due", formatMoment(fileTime(o.namedNumber(dueName)), time.DateOnly))
	d.add("Organization", strings.Trim(o.lineProperty(companyProperty)+", "+o.lineProperty(departmentProperty), ", "))
	d.add("Title", o.lineProperty(titleProperty))
	for _, p := range phoneProperties {
		d.addLabelled("Phone", o.lineProperty(p.property), p.label)
	}
	for _, name := range []uint32{mail1Name, mail2Name, mail3Name} {
		if address := o.namedLine(name); strings.Contains(address, "@") { // addresses of other kinds are useful only within a company
			d.add("Mail", address)
		}
	}
	d.addLabelled("Address", o.namedLine(workAddressName), "work")
	d.addLabelled("Address", o.namedLine(homeAddressName), "home")
	d.addLabelled("Address", o.namedLine(otherName), "other")
	if !strings.Contains(d.lines.String(), "Address: ") {
		d.add("Address", o.lineProperty(addressProperty))
	}
	d.add("Link", o.lineProperty(homePageProperty))
	return d.lines.String()
}

type itemDetails struct{ lines strings.Builder }

func (d *itemDetails) add(label, value string) { d.addLabelled(label, value, "") }

func (d *itemDetails) addLabelled(label, value, kind string) {
	if value == "" {
		return
	}
	if kind != "" {
		value += " (" + kind + ")"
	}
	fmt.Fprintf(&d.lines, "%s: %s\n", label, value)
}

// namedLine returns a named property as one line.
func (o *outlookObject) namedLine(name uint32) string {
	if property := o.reader.names[name]; property != 0 {
		return markdown.OneLine(o.textProperty(property))
	}
	return ""
}

func (o *outlookObject) namedNumber(name uint32) uint64 {
	if property := o.reader.names[name]; property != 0 {
		return o.numbers[property]
	}
	return 0
}

// timeSpan returns the start and the end of an appointment, in the time zone in which it was
// created.
func (o *outlookObject) timeSpan() string {
	start, end := fileTime(o.namedNumber(startName)), fileTime(o.namedNumber(endName))
	if start.IsZero() {
		start, end = fileTime(o.numbers[startProperty]), fileTime(o.numbers[endProperty])
	}
	if start.IsZero() {
		return ""
	}
	zone := " (UTC)"
	if property := o.reader.names[zoneName]; property != 0 {
		if rule := o.binaryProperty(property); len(rule) >= zoneRuleSize {
			start, end, zone = localTime(start, rule), localTime(end, rule), ""
		}
	}
	const day, clock = "Monday 2006-01-02", " 15:04"
	switch isWhole := isMidnight(start) && isMidnight(end); {
	case isWhole && end.Sub(start) <= 24*time.Hour:
		return start.Format(day)
	case isWhole:
		return start.Format(day) + " to " + end.AddDate(0, 0, -1).Format(day) // an all-day event ends at the start of the following day
	case !end.After(start):
		return start.Format(day+clock) + zone
	case end.Format(day) == start.Format(day):
		return start.Format(day+clock) + " to" + end.Format(clock) + zone
	}
	return start.Format(day+clock) + " to " + end.Format(day+clock) + zone
}

func isMidnight(t time.Time) bool { return t.Hour() == 0 && t.Minute() == 0 }

func formatMoment(t time.Time, layout string) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(layout)
}

// zoneRuleSize is the size in bytes of a time zone rule (PidLidTimeZoneStruct, [MS-OXOCAL]
// 2.2.1.39): three offsets in minutes, and the times of the year at which standard time and
// daylight saving time begin.
const zoneRuleSize = 48

// localTime converts a UTC time to the local time of the zone that a rule describes.
func localTime(t time.Time, rule []byte) time.Time {
	minutes := func(at int) time.Duration {
		return time.Duration(int32(binary.LittleEndian.Uint32(rule[at:]))) * time.Minute
	}
	const biasAt, standardAt, daylightAt, standardStart, daylightStart = 0, 4, 8, 14, 32
	t = t.Add(-minutes(biasAt))
	toStandard, hasStandard := changeOf(t.Year(), rule[standardStart:])
	toDaylight, hasDaylight := changeOf(t.Year(), rule[daylightStart:])
	standard, daylight := t.Add(-minutes(standardAt)), t.Add(-minutes(daylightAt))
	if !hasStandard || !hasDaylight {
		return standard
	}
	isDaylight := !standard.Before(toDaylight) && daylight.Before(toStandard)
	if toStandard.Before(toDaylight) { // in the southern hemisphere
		isDaylight = !standard.Before(toDaylight) || daylight.Before(toStandard)
	}
	if isDaylight {
		return daylight
	}
	return standard
}

// changeOf returns the time of a clock change in a year. The rule gives it as a SYSTEMTIME whose
// day is the week of the month, with 5 for the last ([MS-DTYP] 2.3.13).
func changeOf(year int, rule []byte) (time.Time, bool) {
	field := func(i int) int { return int(binary.LittleEndian.Uint16(rule[2*i:])) }
	month, weekday, week := time.Month(field(1)), field(2), field(3)
	if month < time.January || month > time.December || weekday > 6 || week < 1 || week > 5 {
		return time.Time{}, false
	}
	first := time.Date(year, month, 1, field(4), field(5), 0, 0, time.UTC)
	change := first.AddDate(0, 0, (weekday-int(first.Weekday())+7)%7+7*(week-1))
	if change.Month() != month {
		change = change.AddDate(0, 0, -7)
	}
	return change, true
}
