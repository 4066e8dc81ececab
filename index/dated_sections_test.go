package index

import (
	"strings"
	"testing"

	"vademecum/docs/meta"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// TestDatedSections: each message of a mailbox and each event of a calendar is filtered by its own date, and
// what has none by that of its file.
func TestDatedSections(t *testing.T) {
	t.Parallel()
	message := func(subject, date, text string) string {
		return "From ann@x.example Fri Mar  1 09:00:00 2024\nFrom: Ann <ann@x.example>\nSubject: " + subject + "\n" + date + "\n" + text + "\n\n"
	}
	event := func(summary, lines string) string {
		return "BEGIN:VEVENT\nSUMMARY:" + summary + "\n" + lines + "\nEND:VEVENT\n"
	}
	n := indextest.NewNotesFolder(t, map[string]string{
		"2020-05-05 ann.mbox": message("One", "Date: Fri, 1 Mar 2024 09:00:00 +0100\n", "The zebra costs 100 euros.") +
			message("Two", "Date: Fri, 29 Mar 2024 09:00:00 +0100\n", "The zebra costs 120 euros.") + message("Undated", "", "The zebra is grey."),
		"calendar.ics": "BEGIN:VCALENDAR\n" + event("Zebra feeding", "DTSTART;VALUE=DATE:20240912\nDTEND;VALUE=DATE:20240914") +
			event("Zebra yoga", "DTSTART:20230105T090000\nRRULE:FREQ=WEEKLY;UNTIL=20230601T000000Z") + "END:VCALENDAR\n",
	})
	ix := open(t, t.TempDir(), indextest.Builtin(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	all := []string{"100 euros", "120 euros", "grey", "feeding", "yoga"}
	for name, test := range map[string]struct {
		after, before meta.Date
		want          string
	}{
		"no filter":               {0, 0, "100 euros, 120 euros, grey, feeding, yoga"},
		"the first message":       {20240201, 20240310, "100 euros"},
		"a month":                 {20240300, 20240300, "100 euros, 120 euros"},
		"the last day":            {20240913, 20240930, "feeding"},
		"the day after it":        {20240914, 20240930, ""},
		"a repetition":            {20230300, 20230300, "yoga"},
		"after the last of these": {20230700, 20231200, ""},
		"the date of the file":    {20200505, 20200505, "grey"},
	} {
		f := Filter{}
		for _, c := range []meta.Condition{{NotBefore: test.after}, {NotAfter: test.before}} {
			if c != (meta.Condition{}) {
				f.Conditions = append(f.Conditions, c)
			}
		}
		answer := mustSearch(t, ix, Query{Text: "zebra", Filter: f})
		shown := ""
		for _, p := range answer.Passages {
			shown += p.Text + "\n"
		}
		var got []string
		for _, part := range all {
			if strings.Contains(shown, part) {
				got = append(got, part)
			}
		}
		if strings.Join(got, ", ") != test.want {
			t.Errorf("%s: got %q, want %s", name, got, test.want)
		}
		for _, note := range answer.Notes {
			if note.Kind == notice.NoDocumentInPeriod && test.want != "" {
				t.Errorf("%s: %v", name, note)
			}
		}
	}
	none := mustSearch(t, ix, Query{Text: "zebra", Filter: Filter{Conditions: meta.Conditions{{NotBefore: 20250000}}}})
	if len(none.Notes) == 0 || none.Notes[0].Kind != notice.NoDocumentInPeriod || none.Notes[0].Words[0] != "2024-09-13" {
		t.Errorf("the nearest date: %v", none.Notes)
	}
}
