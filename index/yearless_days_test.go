package index

import (
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/sync"
)

// TestDaysWithoutYear: a day as people write it finds texts and files with the day of any year, and is not said to
// be nowhere; one that no text has finds them neither.
func TestDaysWithoutYear(t *testing.T) {
	t.Parallel()
	ix := open(t, t.TempDir(), indextest.Builtin(t), indextest.NewNotesFolder(t, map[string]string{
		"2023-05-02 meeting.md": "# Meeting\n\nWe bought a chair.\n",
		"2024-05-12 meeting.md": "# Meeting\n\nWe bought a desk.\n",
		"值班表.csv":               "日期,白班,夜班\n2024-05-01,刘药师,周药师\n2024-05-02,赵丽,刘药师\n",
		"别的.txt":                "一般情况：2日内完成。5月份盘点。每日服药2次。\n",
		"rooms.csv":             "Floor;Room;Person\n2;201;Albers\n2;203;Cordes\n",
		"invoice.txt":           "Rechnung vom 18.03.2024, zahlbar bis 17.04.2024.\n",
		"release.txt":           "Release 3.1.24 mends the login.\n",
		"stage.txt":             "Stage 4 may progress to stage 5.\n",
	}).Dir)
	mustSync(t, ix, sync.Scope{})
	for _, c := range []struct{ question, first string }{
		{"5月2日夜班", "值班表.csv"},
		{"what did we buy on May 2", "2023-05-02 meeting.md"},
		{"meeting 2 May", "2023-05-02 meeting.md"},
		{"17. April", "invoice.txt"},
		{"17.4.24", "invoice.txt"},
		{"3 January 2024", "release.txt"},
		{"can stage 4 may progress", "stage.txt"},
	} {
		a := mustSearch(t, ix, Query{Text: c.question})
		if len(a.Passages) == 0 || a.Passages[0].Document.Path != c.first {
			t.Errorf("%q: %v, want %s first", c.question, a.Passages, c.first)
		}
		if got := nowhereNotes(a); got != "" {
			t.Errorf("%q: nowhere %s", c.question, got)
		}
	}
	if got := nowhereNotes(mustSearch(t, ix, Query{Text: "18.4.24"})); got != "18.4.24" {
		t.Errorf("nowhere %q, want the day that no text has", got)
	}
}
