package mail

import (
	"encoding/binary"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// names adds named properties, whose property IDs begin at 0x8000.
func (f outlookFile) names(names ...uint32) outlookFile {
	var entries []byte
	for i, name := range names {
		entries = binary.LittleEndian.AppendUint32(entries, name)
		entries = binary.LittleEndian.AppendUint16(entries, 3<<1)
		entries = binary.LittleEndian.AppendUint16(entries, uint16(i))
	}
	return append(f, "__nameid_version1.0/__substg1.0_00030102", string(entries))
}

// berlin returns the rule of a time zone: UTC+1, and UTC+2 from the last Sunday of March to the
// last Sunday of October.
func berlin() string {
	rule := make([]byte, zoneRuleSize)
	for at, minutes := range map[int]int32{0: -60, 8: -60} {
		binary.LittleEndian.PutUint32(rule[at:], uint32(minutes))
	}
	for at, month := range map[int]uint16{14: 10, 32: 3} {
		for i, n := range []uint16{0, month, 0, 5, 3} {
			binary.LittleEndian.PutUint16(rule[at+2*i:], n)
		}
	}
	return string(rule)
}

const hour = 36_000_000_000 // an hour in ticks of 100 nanoseconds

func TestReadOutlookItems(t *testing.T) {
	appointment := func(start, end uint64, zone string) outlookFile {
		return outlookFile(nil).names(startName, endName, locationName, zoneName, recurrenceName).
			numbers("", rootHeader, map[int]uint64{0x8000: start, 0x8001: end}).
			text("", subjectProperty, "Check-up").text("", 0x8002, "Ward 4,\r\nroom 12").binary("", 0x8003, zone).text("", bodyProperty, "Bring the list.")
	}
	const march, july = submitted, submitted + 24*120*hour // 16 March and 14 July 2024, at noon UTC
	for what, c := range map[string]struct {
		file outlookFile
		want string
	}{
		"a contact": {
			outlookFile(nil).names(mail1Name, workAddressName, mail2Name).numbers("", rootHeader, nil).text("", displayNameProperty, "Maren Holt").
				text("", companyProperty, "Harbour Clinic").text("", departmentProperty, "Cardiology").text("", titleProperty, "Nurse").
				text("", 0x3A08, "+49 40 1234").text("", 0x3A1C, "0170 555").text("", 0x8000, "maren@harbour.example").text("", 0x8001, "Quay 1\r\n20095 Hamburg").
				text("", addressProperty, "the same").text("", 0x8002, "/O=HARBOUR/CN=MAREN").text("", bodyProperty, "Knows the tides."),
			"# Maren Holt\n\nOrganization: Harbour Clinic, Cardiology\nTitle: Nurse\nPhone: +49 40 1234 (work)\nPhone: 0170 555 (mobile)\nMail: maren@harbour.example\nAddress: Quay 1 20095 Hamburg (work)\n\nKnows the tides.\n",
		},
		"in winter":     {appointment(march, march+hour, berlin()), "# Check-up\n\nWhen: Saturday 2024-03-16 13:00 to 14:00\nWhere: Ward 4, room 12\n\nBring the list.\n"},
		"in summer":     {appointment(july, july+24*hour, berlin()), "# Check-up\n\nWhen: Sunday 2024-07-14 14:00 to Monday 2024-07-15 14:00\nWhere: Ward 4, room 12\n\nBring the list.\n"},
		"a whole day":   {appointment(march+11*hour, march+35*hour, berlin()), "# Check-up\n\nWhen: Sunday 2024-03-17\nWhere: Ward 4, room 12\n\nBring the list.\n"},
		"two days":      {appointment(march+11*hour, march+59*hour, berlin()), "# Check-up\n\nWhen: Sunday 2024-03-17 to Monday 2024-03-18\nWhere: Ward 4, room 12\n\nBring the list.\n"},
		"without zone":  {appointment(march, march, ""), "# Check-up\n\nWhen: Saturday 2024-03-16 12:00 (UTC)\nWhere: Ward 4, room 12\n\nBring the list.\n"},
		"a task":        {outlookFile(nil).names(dueName).numbers("", rootHeader, map[int]uint64{0x8000: march}).text("", subjectProperty, "Refill"), "# Refill\n\nDue: 2024-03-16\n"},
		"damaged names": {append(outlookFile(nil).numbers("", rootHeader, nil).text("", subjectProperty, "A").text("", companyProperty, "B"), "__nameid_version1.0/__substg1.0_00030102", "abc"), "# A\n\nOrganization: B\n"},
	} {
		got, err := ReadOutlook(extracttest.CompoundFile(c.file...), extract.NoProgress)
		extracttest.CheckContent(t, got, err)
		if err != nil || got.Text != c.want {
			t.Errorf("%s: %v\ngot  %q\nwant %q", what, err, got.Text, c.want)
		}
	}
}
