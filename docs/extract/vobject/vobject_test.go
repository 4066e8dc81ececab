package vobject

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/simplifiedchinese"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

func calendarOf(head string, events ...string) string {
	return "BEGIN:VCALENDAR\nVERSION:2.0\n" + head + strings.Join(events, "") + "END:VCALENDAR\n"
}

func event(lines string) string { return "BEGIN:VEVENT\n" + lines + "END:VEVENT\n" }

func card(lines string) string { return "BEGIN:VCARD\nVERSION:3.0\n" + lines + "END:VCARD\n" }

// quotedGBK returns text in GBK as quoted-printable.
func quotedGBK(text string) string {
	s, err := simplifiedchinese.GBK.NewEncoder().String(text)
	if err != nil {
		panic(err)
	}
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, "=%02X", s[i])
	}
	return b.String()
}

var calendarTests = []struct{ name, file, title, note, text string }{
	{
		name: "several events, folded lines, escapes, time zones",
		file: strings.ReplaceAll(calendarOf("X-WR-CALNAME:Rowing\n",
			"BEGIN:VTIMEZONE\nTZID:Europe/Berlin\nBEGIN:STANDARD\nDTSTART:19701025T030000\nRRULE:FREQ=YEARLY\nEND:STANDARD\nEND:VTIMEZONE\n",
			event("SUMMARY:Row to the \n island\\, twice\nDTSTART;TZID=Europe/Berlin:20240305T180000\nDTEND;TZID=Europe/Berlin:20240305T200000\n"+
				"LOCATION:Boathouse\\nGate 2\nDESCRIPTION:Bring oars.\\nAnd water.\\n\\nBack\\\\home \xE5\x88\n \x92船。\n"+
				"BEGIN:VALARM\nTRIGGER:-PT15M\nDESCRIPTION:Reminder\nEND:VALARM\n"+
				"ORGANIZER;CN=\"Holt, Maren\":mailto:maren@harbour.example\nATTENDEE;PARTSTAT=ACCEPTED;CN=Jo:MAILTO:jo@harbour.example\nATTENDEE:mailto:li@harbour.example\nATTENDEE;CN=Room 1:urn:uuid:1\n"+
				"CATEGORIES:sport,water\nSTATUS:CANCELLED\n"),
			event("SUMMARY:Call\nDTSTART:20240306T090000Z\nDURATION:PT1H30M\nURL:https://example.org/call\n")), "\n", "\r\n"),
		title: "Rowing",
		text: "## Row to the island, twice\n\nWhen: Tuesday 2024-03-05 18:00 to 20:00 (Europe/Berlin)\nWhere: Boathouse Gate 2\nOrganizer: Holt, Maren <maren@harbour.example>\n" +
			"With: Jo <jo@harbour.example>, li@harbour.example, Room 1\nCategories: sport, water\nStatus: cancelled\n\nBring oars.\nAnd water.\n\nBack\\home 划船。\n\n" +
			"## Call\n\nWhen: Wednesday 2024-03-06 09:00 to 10:30 (UTC)\nLink: https://example.org/call\n",
	},
	{
		name: "a lone event, all day, that repeats",
		file: calendarOf("", event("SUMMARY:Night watch\nDTSTART;VALUE=DATE:20240301\nDTEND;VALUE=DATE:20240303\nRRULE:FREQ=MONTHLY;INTERVAL=2;BYDAY=1FR,-1SU;COUNT=10\n"+
			"EXDATE;VALUE=DATE:20240501,20240701\nRDATE;VALUE=DATE:20240515\n")),
		title: "Night watch",
		text: "# Night watch\n\nWhen: Friday 2024-03-01 to Saturday 2024-03-02\nRepeats: every 2 months on the 1st Friday, the last Sunday, 10 times\n" +
			"Also on: Wednesday 2024-05-15\nExcept: Wednesday 2024-05-01, Monday 2024-07-01\n",
	},
	{
		name:  "names that are escaped as texts are",
		file:  calendarOf("", event("SUMMARY:Row\nORGANIZER;CN=Roe\\, Ann:mailto:ann@harbour.example\nATTENDEE;CN=\"Bo \\\"Cox\\\" Day\":mailto:bo@harbour.example\n")),
		title: "Row",
		text:  "# Row\n\nOrganizer: Roe, Ann <ann@harbour.example>\nWith: Bo \"Cox\" Day <bo@harbour.example>\n",
	},
	{
		name: "a task and an entry",
		file: calendarOf("", "BEGIN:VTODO\nSUMMARY:Paint\nDUE;VALUE=DATE:20240401\nCOMPLETED:20240402T101500Z\nEND:VTODO\n", "BEGIN:VJOURNAL\nDTSTART;VALUE=DATE:20240402\nDESCRIPTION:All painted.\nEND:VJOURNAL\n"),
		text: "## Paint\n\nDue: Monday 2024-04-01\nDone: Tuesday 2024-04-02 10:15 (UTC)\n\n## (event without a name)\n\nWhen: Tuesday 2024-04-02\n\nAll painted.\n",
	},
	{
		name:  "a description in HTML",
		file:  calendarOf("", event("SUMMARY:Talk\nDESCRIPTION:<h1>Plan</h1><p>Read <a href=\"https://example.org/a\">the paper</a>.</p>\n")),
		title: "Talk",
		text:  "# Talk\n\n## Plan\n\nRead the paper.\n",
	},
	{
		name: "HTML with line ends, HTML in a field of its own",
		file: calendarOf("", event("SUMMARY:One\nDESCRIPTION:First <b>line</b>\\nSecond\n"), event("SUMMARY:Two\nX-ALT-DESC;FMTTYPE=text/html:<html><body>Text</body></html>\n")),
		text: "## One\n\nFirst line\nSecond\n\n## Two\n\nText\n",
	},
	{
		name: "times that are none, floating, over midnight, of two zones, of Microsoft",
		file: calendarOf("", event("SUMMARY:a\nDTSTART:soon\n"), event("SUMMARY:b\nDTSTART:20240305T180000\n"), event("SUMMARY:c\nDTSTART;TZID=/example.org/20240101/Europe/Paris:20240305T230000\nDTEND;TZID=/example.org/20240101/Europe/Paris:20240306T010000\n"),
			event("SUMMARY:d\nDTSTART;TZID=Asia/Shanghai:20240305T230000\nDTEND;TZID=Europe/Berlin:20240306T010000\n"), event("SUMMARY:e\nDTSTART;TZID=\"W. Europe Standard Time\":20240305T230000\nDTEND;TZID=\"W. Europe Standard Time\":20240305T230000\nRECURRENCE-ID:20240304T220000Z\n")),
		text: "## a\n\nWhen: soon\n\n## b\n\nWhen: Tuesday 2024-03-05 18:00\n\n## c\n\nWhen: Tuesday 2024-03-05 23:00 to Wednesday 2024-03-06 01:00 (Europe/Paris)\n\n" +
			"## d\n\nWhen: Tuesday 2024-03-05 23:00 (Asia/Shanghai) to Wednesday 2024-03-06 01:00 (Europe/Berlin)\n\n## e\n\nWhen: Tuesday 2024-03-05 23:00 (W. Europe Standard Time)\nIn place of: Monday 2024-03-04 22:00 (UTC)\n",
	},
	{
		name: "properties that occur several times",
		file: calendarOf("", "BEGIN:VJOURNAL\nSUMMARY:Ward\nDESCRIPTION:Slept well.\nDESCRIPTION:Ate <b>little</b>.\nCOMMENT:Seen by Dr. Li.\nCOMMENT:Seen by Dr. Li.\nCOMMENT:Call back.\n"+
			"CONTACT:Ann\\, +1-555\nCONTACT:Bo\nRESOURCES:Projector,Screen\nRESOURCES:Bed\nATTACH:https://example.org/a.pdf\nATTACH;ENCODING=BASE64;VALUE=BINARY:SGVsbG8=\nATTACH:HTTP://example.org/b\nATTACH:CID:part3@example.org\nEND:VJOURNAL\n"),
		title: "Ward",
		text: "# Ward\n\nContact: Ann, +1-555\nContact: Bo\nResources: Projector, Screen, Bed\nAttachment: https://example.org/a.pdf\nAttachment: HTTP://example.org/b\n\n" +
			"Slept well.\n\nAte little.\n\nSeen by Dr. Li.\n\nCall back.\n",
	},
	{
		name: "tasks that are done without a date, and one that is not",
		file: calendarOf("", "BEGIN:VTODO\nSUMMARY:a\nSTATUS:COMPLETED\nEND:VTODO\n", "BEGIN:VTODO\nSUMMARY:b\nPERCENT-COMPLETE:100\nEND:VTODO\n",
			"BEGIN:VTODO\nSUMMARY:c\nSTATUS:IN-PROCESS\nPERCENT-COMPLETE:50\nEND:VTODO\n", "BEGIN:VTODO\nSUMMARY:d\nSTATUS:COMPLETED\nCOMPLETED:20240402T101500Z\nEND:VTODO\n"),
		text: "## a\n\nDone: yes\n\n## b\n\nDone: yes\n\n## c\n\n## d\n\nDone: Tuesday 2024-04-02 10:15 (UTC)\n",
	},
	{
		name: "people who do not come",
		file: calendarOf("", event("SUMMARY:Rounds\nATTENDEE;PARTSTAT=DECLINED;CN=Kim:mailto:kim@example.org\nATTENDEE;PARTSTAT=ACCEPTED;CN=Jo:mailto:jo@example.org\n"+
			"ATTENDEE;CN=Lee;PARTSTAT=DELEGATED;DELEGATED-TO=\"mailto:ann@example.org\":invalid:nomail\nATTENDEE;CN=\"Roe, Ann\":mailto:ann@example.org\nATTENDEE;STATUS=DECLINED:mailto:bo@example.org\n")),
		title: "Rounds",
		text:  "# Rounds\n\nWith: Jo <jo@example.org>; Roe, Ann <ann@example.org>\nDeclined: Kim <kim@example.org>, bo@example.org\nDelegated: Lee\n",
	},
	{
		name: "people who have not said that they come",
		file: calendarOf("", event("SUMMARY:Rounds\nATTENDEE;PARTSTAT=TENTATIVE;CN=Kim:mailto:kim@example.org\nATTENDEE;PARTSTAT=ACCEPTED;CN=Jo:mailto:jo@example.org\n"+
			"ATTENDEE;PARTSTAT=needs-action;CN=Lee:mailto:lee@example.org\nATTENDEE;CN=Ann:mailto:ann@example.org\nATTENDEE;STATUS=NEEDS ACTION:mailto:bo@example.org\n")),
		title: "Rounds",
		text:  "# Rounds\n\nWith: Jo <jo@example.org>, Ann <ann@example.org>\nTentative: Kim <kim@example.org>\nNo answer yet: Lee <lee@example.org>, bo@example.org\n",
	},
	{
		name: "categories with commas",
		file: calendarOf("", event("SUMMARY:a\nCATEGORIES:health\\, care,dose\nCATEGORIES:pain\n"), event("SUMMARY:b\nCATEGORIES:one;two\n")),
		text: "## a\n\nCategories: health, care; dose; pain\n\n## b\n\nCategories: one, two\n",
	},
	{
		name: "cut off, and an end that is missing",
		file: "BEGIN:VCALENDAR\n" + "BEGIN:VEVENT\nSUMMARY:One\nBEGIN:VALARM\nSUMMARY:no\n" + event("SUMMARY:Two\n") + "BEGIN:VEVENT\nSUMMARY:Three\nDTSTART:2024030",
		note: "2 events could not be read completely",
		text: "## One\n\n## Two\n\n## Three\n\nWhen: 2024030\n",
	},
	{
		name:  "the older format, in quoted-printable",
		file:  "BEGIN:VCALENDAR\nVERSION:1.0\nBEGIN:VEVENT\nSUMMARY;CHARSET=GBK;ENCODING=QUOTED-PRINTABLE:" + quotedGBK("复") + "=\n" + quotedGBK("查") + "\nDTSTART:20240305T180000\nRRULE:W1 TU #0\nEND:VEVENT\nEND:VCALENDAR\n",
		title: "复查",
		text:  "# 复查\n\nWhen: Tuesday 2024-03-05 18:00\nRepeats: W1 TU #0\n",
	},
}

var contactTests = []struct{ name, file, title, note, text string }{
	{
		name: "version 3",
		file: card("N:Holt;Maren;A.;Dr.;\nFN:Dr. Maren Holt\nNICKNAME:Mai\nORG:Harbour\\, Ltd.;Boats;\nTITLE:Harbour master\nTEL;TYPE=WORK,VOICE,pref:+49 30 1234\nTEL;TYPE=cell:+49 170 1\n"+
			"EMAIL;TYPE=INTERNET;TYPE=HOME:maren@harbour.example\nADR;TYPE=HOME:;;Pier 3;Kiel;SH;24103;Germany\nBDAY:1980-05-17\nCATEGORIES:friends,rowing\n"+
			"item1.URL:https://harbour.example\nitem1.X-ABLabel:_$!<HomePage>!$_\nPHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ\n SkZJRg==\nNOTE:Allergic to nuts.\\n\\nBoat: \\\"Ida\\\"\n") +
			card("FN:Jo\n"),
		text: "## Dr. Maren Holt\n\nAlso called: Mai\nOrganization: Harbour, Ltd., Boats\nTitle: Harbour master\nPhone: +49 30 1234 (work)\nPhone: +49 170 1 (cell)\nMail: maren@harbour.example (home)\n" +
			"Link: https://harbour.example (homepage)\nAddress: Pier 3, 24103 Kiel, SH, Germany (home)\nBirthday: 1980-05-17\nCategories: friends, rowing\n\nAllergic to nuts.\n\nBoat: \"Ida\"\n\n## Jo\n",
	},
	{
		name:  "an organization in two lines, and no name",
		file:  "BEGIN:VCARD\r\nORG;ENCODING=QUOTED-PRINTABLE:Harbour=0D=0ALtd.\r\nEND:VCARD\r\n",
		title: "Harbour Ltd.",
		text:  "# Harbour Ltd.\n\nOrganization: Harbour Ltd.\n",
	},
	{
		name: "version 2.1 of a telephone, in quoted-printable with folded lines",
		file: "BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=GBK;ENCODING=QUOTED-PRINTABLE:" + quotedGBK("李") + ";" + quotedGBK("伟") + ";;;\r\n" +
			"TEL;CELL;PREF:13800000000\r\nNOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:=E8=8A=B1=\r\n=E7=94=9F=0D=0A=\r\nsecond =3D line\r\nORG;QUOTED-PRINTABLE:A=\r\n  B\r\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRgABAQEAYABgAAD/\r\n 4QBmRXhpZgAATU0AKg==\r\n\r\nEND:VCARD\r\n",
		title: "伟 李",
		text:  "# 伟 李\n\nOrganization: A B\nPhone: 13800000000 (cell)\n\n花生\nsecond = line\n",
	},
	{
		name:  "version 4",
		file:  "BEGIN:VCARD\nVERSION:4.0\nFN:Ann\nTEL;VALUE=uri;TYPE=\"voice,home\":tel:+1-555\nBDAY:--0203\nANNIVERSARY:20090808T1430-0500\nADR;LABEL=\"x:y;z\":;;1 Main St;;;;\nEND:VCARD\n",
		title: "Ann",
		text:  "# Ann\n\nPhone: +1-555 (home)\nAddress: 1 Main St\nBirthday: 02-03\nAnniversary: 2009-08-08\n",
	},
	{
		name:  "labels of the author's own, and lists",
		file:  card("FN:Ann\nNICKNAME:Annie,A\\, B\nitem1.TEL:1\nitem1.X-ABLabel:Mum\nitem2.X-ABRELATEDNAMES:Eve\nitem2.X-ABLabel:_$!<Mother>!$_\nNOTE:one\nNOTE:two\n"),
		title: "Ann",
		text:  "# Ann\n\nAlso called: Annie; A, B\nPhone: 1 (Mum)\nRelated: Eve (mother)\n\none\n\ntwo\n",
	},
	{
		name: "people to call, and a group",
		file: card("FN:Ana\nUID:urn:uuid:A1\nRELATED;TYPE=emergency;VALUE=text:Call Rui +351 21 555\nRELATED;TYPE=spouse;VALUE=uri:urn:uuid:b2\nRELATED;TYPE=child:urn:uuid:elsewhere\nRELATED;TYPE=contact:tel:+1-555\n") +
			card("FN:Rui\nUID:B2\nX-EVOLUTION-SPOUSE:Ana\n") +
			card("KIND:group\nFN:Crisis team\nMEMBER:mailto:a@x.example\nMEMBER:urn:uuid:a1\nX-ADDRESSBOOKSERVER-MEMBER:urn:uuid:B2\nMEMBER:urn:uuid:elsewhere\n"),
		text: "## Ana\n\nRelated: Call Rui +351 21 555 (emergency)\nRelated: Rui (spouse)\nRelated: +1-555 (contact)\n\n## Rui\n\nRelated: Ana (spouse)\n\n## Crisis team\n\nMember: a@x.example\nMember: Ana\nMember: Rui\n",
	},
	{
		name: "organizations, an empty card, a year left out, base64, cut off",
		file: card("ORG:Boat Club\n") + card("") + card("EMAIL:a@example.org\n") + card("FN:B\nBDAY;X-APPLE-OMIT-YEAR=1604:1604-05-06\nNOTE;ENCODING=B:SGVsbG8=\n") + "BEGIN:VCARD\nFN:C\nNOTE:cu",
		note: "contact 5 could not be read completely",
		text: "## Boat Club\n\nOrganization: Boat Club\n\n## a@example.org\n\nMail: a@example.org\n\n## B\n\nBirthday: 05-06\n\nHello\n\n## C\n\ncu\n",
	},
}

func TestReadCalendar(t *testing.T) {
	for _, test := range calendarTests {
		t.Run(test.name, func(t *testing.T) {
			c, err := ReadCalendar([]byte(test.file), extract.NoProgress)
			if extracttest.CheckContent(t, c, err); err != nil {
				t.Fatal(err)
			}
			if c.Title != test.title || c.ExtractionNote.String() != test.note || c.Text != test.text {
				t.Errorf("title %q, note %q, text\n%s\nwant %q, %q,\n%s", c.Title, c.ExtractionNote, c.Text, test.title, test.note, test.text)
			}
		})
	}
}

func TestReadContacts(t *testing.T) {
	for _, test := range contactTests {
		t.Run(test.name, func(t *testing.T) {
			c, err := ReadContacts([]byte(test.file), extract.NoProgress)
			if extracttest.CheckContent(t, c, err); err != nil {
				t.Fatal(err)
			}
			if c.Title != test.title || c.ExtractionNote.String() != test.note || c.Text != test.text {
				t.Errorf("title %q, note %q, text\n%s\nwant %q, %q,\n%s", c.Title, c.ExtractionNote, c.Text, test.title, test.note, test.text)
			}
		})
	}
}

// TestEncodings checks that a file is decoded as a whole, and that its encoding is reported.
func TestEncodings(t *testing.T) {
	utf16 := []byte("\xFF\xFE")
	for _, b := range []byte(card("FN:A\n nn\n")) {
		utf16 = append(utf16, b, 0)
	}
	c, err := ReadContacts(utf16, extract.NoProgress)
	if err != nil || c.Text != "# Ann\n" || c.Encoding != "UTF-16LE" {
		t.Errorf("got %q in %s, %v", c.Text, c.Encoding, err)
	}
	gbk, err := simplifiedchinese.GBK.NewEncoder().String(card("FN:李伟\nNOTE:对花生过敏，请在预约时提醒医生。\n"))
	if err != nil {
		t.Fatal(err)
	}
	c, err = ReadContacts([]byte(gbk), extract.NoProgress)
	if err != nil || !strings.Contains(c.Text, "对花生过敏") || c.Encoding != "GB18030" || !c.IsEncodingGuessed {
		t.Errorf("got %q in %s, %v", c.Text, c.Encoding, err)
	}
	c, err = ReadContacts([]byte(strings.ReplaceAll(card("FN:Ann\n"), "\n", "\r")), extract.NoProgress)
	if err != nil || c.Text != "# Ann\n" {
		t.Errorf("got %q, %v", c.Text, err)
	}
}

func TestRecurrence(t *testing.T) {
	for rule, want := range map[string]string{
		"FREQ=DAILY": "every day",
		"FREQ=WEEKLY;BYDAY=MO,TH;UNTIL=20240630T215959Z": "every week on Monday, Thursday, until Sunday 2024-06-30",
		"freq=monthly;bymonthday=1,-1":                   "every month on day 1, the last day",
		"FREQ=MONTHLY;BYDAY=MO,FR;BYSETPOS=-1":           "every month on the last of Monday, Friday",
		"FREQ=YEARLY;BYMONTH=3,13;BYDAY=-2SU":            "every year on the 2nd to last Sunday in March, 13",
		"FREQ=YEARLY;BYWEEKNO=20":                        "every year, BYWEEKNO=20",
		"FREQ=FORTNIGHTLY":                               "FREQ=FORTNIGHTLY",
		"":                                               "",
	} {
		o := object{properties: []property{{name: "RRULE", raw: rule}}}
		if got := o.recurrence(); got != want {
			t.Errorf("%s is %q, want %q", rule, got, want)
		}
	}
	for n, want := range map[string]string{"1": "1st", "2": "2nd", "3": "3rd", "4": "4th", "11": "11th", "12": "12th", "21": "21st", "-3": "3rd to last", "x": "x"} {
		if got := ordinalPhrase(n); got != want {
			t.Errorf("ordinal %s is %q, want %q", n, got, want)
		}
	}
}

// TestHostile checks that objects with too many properties are cut off with a note, and that
// objects do not nest.
func TestHostile(t *testing.T) {
	crowd := event("SUMMARY:Crowd\n" + strings.Repeat("ATTENDEE:mailto:a@example.org\n", maxProperties))
	c, err := ReadCalendar([]byte(calendarOf("", crowd)), extract.NoProgress)
	if err != nil || c.ExtractionNote.String() != "event 1 could not be read completely" || !strings.HasSuffix(c.Text, " and 1950 more\n") {
		t.Errorf("note %q, %v, text %.100q", c.ExtractionNote, err, c.Text)
	}
	for name, raw := range map[string]string{
		"nothing":           "BEGIN:VCALENDAR\nEND:VCALENDAR\n",
		"nested":            strings.Repeat("BEGIN:VALARM\n", 100_000),
		"empty events":      calendarOf("", strings.Repeat("BEGIN:VEVENT\n", 100_000)),
		"parameters":        event("SUMMARY" + strings.Repeat(";X=1", 100_000) + "\n"),
		"an open quote":     event("SUMMARY;X=\"" + strings.Repeat("a:b;", 100_000) + "\n"),
		"folds":             "BEGIN:VEVENT\n" + strings.Repeat(" \n", 100_000) + "END:VEVENT\n",
		"quoted and folds":  "BEGIN:VEVENT\nX;QUOTED-PRINTABLE:" + strings.Repeat("=\n ", 100_000) + "\nEND:VEVENT\n",
		"a fold of nothing": "text\n\n x\n",
		"text":              "SUMMARY: a note about events\n",
	} {
		if c, err := ReadCalendar([]byte(raw), extract.NoProgress); err == nil {
			t.Errorf("%s: %.100q", name, c.Text)
		} else {
			extracttest.WantSkip(t, err, extract.ErrNoText.Error())
		}
	}
	_, err = ReadContacts([]byte("FN:Ann\n"), extract.NoProgress)
	extracttest.WantSkip(t, err, extract.ErrNoText.Error())
}

func FuzzReadCalendar(f *testing.F) {
	for _, test := range calendarTests {
		f.Add([]byte(test.file))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadCalendar(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

func FuzzReadContacts(f *testing.F) {
	for _, test := range contactTests {
		f.Add([]byte(test.file))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := ReadContacts(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

// TestLastDayOfRepetition checks the last day of rules, or an upper bound of it.
func TestLastDayOfRepetition(t *testing.T) {
	first := time.Date(2024, 1, 1, 11, 0, 0, 0, time.UTC)
	for rule, want := range map[string]string{
		"FREQ=WEEKLY":                              endless,
		"FREQ=WEEKLY;UNTIL=20240630T215959Z":       "2024-06-30",
		"FREQ=WEEKLY;UNTIL=20240101T100000Z":       "2024-01-01", // before the end of the first
		"FREQ=WEEKLY;COUNT=3":                      "2024-01-15",
		"FREQ=WEEKLY;INTERVAL=2;BYDAY=MO;COUNT=3":  "2024-01-29",
		"FREQ=DAILY;BYMONTH=1;COUNT=40":            endless, // goes on in the next January
		"FREQ=YEARLY;COUNT=2":                      "2025-01-01",
		"FREQ=WEEKLY;COUNT=999999999999":           endless,
		"FREQ=WEEKLY;COUNT=99999999;INTERVAL=9999": endless,
	} {
		if got := lastDayOfRepetition(rule, first); got != want {
			t.Errorf("%s ends on %s, want %s", rule, got, want)
		}
	}
}
