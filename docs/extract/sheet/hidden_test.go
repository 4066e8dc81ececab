package sheet

import (
	"errors"
	"testing"

	"vademecum/docs/extract"
	"vademecum/internal/base/message"
)

// TestMentionsHiddenParts: what is told of hidden parts is recognised, alone and joined to other notes.
func TestMentionsHiddenParts(t *testing.T) {
	other := message.New("%d scanned pages", 2)
	sheets, cells := HiddenPartsReport{sheets: []string{"Old"}}, HiddenPartsReport{rowsOrColumns: []string{"Doses"}}
	skip := new(extract.SkipError)
	if !errors.As(sheets.ExplainNoText(extract.ErrNoText), &skip) {
		t.Fatal("a workbook whose sheets are hidden is not skipped for that")
	}
	for note, want := range map[message.Message]bool{
		"": false, other: false, sheets.Notes()[0]: true, cells.Notes()[0]: true, skip.Reason: true,
		message.Join(other, cells.Notes()[0], other): true, message.New("%s (%v)", "a.xlsx", sheets.Notes()[0]): true,
	} {
		if MentionsHiddenParts(note) != want {
			t.Errorf("%q: it says %v, want %v", note, !want, want)
		}
	}
}
