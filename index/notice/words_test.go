package notice

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"vademecum/internal/base/message"
)

// skips are files of one reason, called by their numbers.
func skips(n int, reason message.Message) (all []SkippedFile) {
	for i := range n {
		all = append(all, SkippedFile{Path: fmt.Sprintf("%d.bin", i), Reason: reason})
	}
	return all
}

func TestReport(t *testing.T) {
	for want, r := range map[string]Report{
		"Indexed 0 documents; 0 in total.":                                                                                  {},
		"Indexed 1 document; 3 in total.\nUnchanged: 2 documents.":                                                          {Indexed: 1, Unchanged: 2, SearchableDocuments: 3},
		"Indexed 2 documents; 2 in total.\nRemoved: 1 document.":                                                            {Indexed: 2, Removed: 1, SearchableDocuments: 2},
		"Indexed 0 documents; 0 in total.\nNot indexed: 1 file.\n- it is empty: 0.bin":                                      {Skipped: skips(1, "it is empty")},
		"Indexed 0 documents; 6 in total.\nUnchanged: 4 documents.\nIn addition to the files: 2 documents of this session.": {Unchanged: 4, ClientTexts: 2, SearchableDocuments: 6},
		"Indexed 0 documents; 4 in total.\nUnchanged: 4 documents.\nRemoved: 2 documents.":                                  {Unchanged: 4, Removed: 2, SearchableDocuments: 4},
		"Indexed 0 documents; 0 in total.\nNot indexed: 1 file.\n- a reason\uFFFDof two: a\uFFFDb":                          {Skipped: []SkippedFile{{"a\nb", "a reason\nof two"}}},
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v:\n got %q\nwant %q", r, got, want)
		}
	}
}

// TestSkipped: each reason is reported once, in the order in which it was met, with the first
// of its files and how many there are beside these.
func TestSkipped(t *testing.T) {
	all := slices.Concat([]SkippedFile{{"a.zip", "an archive"}}, skips(7, "no text"), []SkippedFile{{"b.zip", "an archive"}})
	want := "Not indexed: 9 files.\n- an archive: a.zip, b.zip\n- no text: 0.bin, 1.bin, 2.bin, 3.bin, 4.bin and 2 more"
	if got := SkippedList(all, message.English); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got, want := SkippedList(skips(5, "no text"), message.English), "Not indexed: 5 files.\n- no text: 0.bin, 1.bin, 2.bin, 3.bin, 4.bin"; got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{0: "0 B", 999: "999 B", 1000: "1.0 KB", 12_345: "12.3 KB", 1_000_000: "1.0 MB", 98_760_000: "98.8 MB"} {
		if got := FormatSize(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

func TestSameText(t *testing.T) {
	for want, got := range map[string]message.Message{
		"":                     SameTextElsewhere(nil, 0),
		"a.md; b.md":           SameTextElsewhere([]Place{{Path: "a.md"}, {Path: "b.md"}}, 0),
		"a.md; and 3 more":     SameTextElsewhere([]Place{{Path: "a.md"}}, 3),
		"and 2 more":           SameTextElsewhere(nil, 2),
		"x\uFFFDy.md, line 12": FormatCitation("x\ny.md", "line 12"),
	} {
		if got.String() != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}

// TestNothing: a caller while the folder is indexed is not told that all was searched.
func TestNothing(t *testing.T) {
	if all, some := NothingFound(false), NothingFound(true); all.String() != "Nothing in the documents matches." || some.String() != "Nothing in what is indexed so far matches." {
		t.Errorf("it says %q, and before all is indexed %q", all, some)
	}
}

// TestDatabaseNotes: what is known before the database answers is not said to be new.
func TestDatabaseNotes(t *testing.T) {
	notes := []Note{
		{Kind: DatabaseUnavailable},
		{Kind: DatabaseUnavailable, Why: "a table is missing"},
		{Kind: DatabaseReadOnly, Why: "it is a replica"},
		{Kind: DatabaseSlow, Duration: 120 * time.Millisecond},
		{Kind: NothingSearchable},
		{Kind: NothingSearchable, MayBeIncomplete: true},
		{Kind: FreshnessUnknown},
		{Kind: PassagesWithoutVector, Count: 1, Total: 2},
	}
	want := []string{
		"The database cannot be reached now: this answer uses what was known before and may be out of date.",
		"The database cannot be used now: a table is missing. This answer uses what was known before and may be out of date.",
		"The database accepts no changes now (it is a replica): the latest saved changes may be missing.",
		"The database is slow (120 ms per statement; a question needs about ten): answers take longer.",
		"There is no document to search: the folder is empty, or its files are of unsupported types.",
		"No document is indexed yet; ask again in a moment.",
		"The index may be behind: the latest saved files could not be checked in time.",
		"1 of 2 passages have no vector yet and are found by their words only.",
	}
	if got := EnglishLines(notes); !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if got := EnglishLines(nil); len(got) != 0 {
		t.Errorf("of no notes: %q", got)
	}
}
