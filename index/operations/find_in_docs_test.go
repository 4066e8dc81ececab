package operations

import (
	"strings"
	"testing"

	"vademecum/index"
	"vademecum/index/notice"
)

var room = index.Budget{Characters: 24_000, Bytes: 36_000}

// TestFindGoesOn: a document that comes again is said to go on, with its lines counted once,
// and a search that was cut tells the least.
func TestFindGoesOn(t *testing.T) {
	t.Parallel()
	line := func(text string) index.FoundLine { return index.FoundLine{Fragment: "L1", Text: text} }
	found := index.Findings{Occurrences: 3, Documents: 2, Lines: 3, Notes: []notice.Note{{Kind: notice.SearchTimedOut, Done: 1, Total: 2}}, Found: []index.FoundDocument{
		{Path: "a.md", URI: "file:///a.md", Occurrences: 2, Lines: []index.FoundLine{line("one")}, MoreLines: 1},
		{Path: "b.md", URI: "file:///b.md", Occurrences: 1, Lines: []index.FoundLine{line("two")}},
		{Path: "a.md", URI: "file:///a.md", Occurrences: 2, Lines: []index.FoundLine{line("three")}},
	}}
	shown := showFindings(index.FindQuery{Text: "x", MaxLines: 30}, found, room)
	if !strings.HasPrefix(shown, "at least 3 places in 2 documents") || !strings.Contains(shown, "\n[1] a.md, continued\n") || strings.Contains(shown, "more line") || strings.Contains(shown, "[3]") {
		t.Error(shown)
	}
}
