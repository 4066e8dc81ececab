package mcp

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/operations"
	"vademecum/internal/base/message"
)

// TestSubjectNowhere checks that the note that the subject of a question occurs nowhere comes first
// in every form of result, and that other notes stay at the end.
func TestSubjectNowhere(t *testing.T) {
	t.Parallel()
	p := index.Passage{Document: index.Document{Path: "a.md"}, URI: "file:///a.md#L1", Text: "The dose is two.", Place: message.New("line 1")}
	a := index.Answer{Passages: []index.Passage{p}, Notes: []notice.Note{{Kind: notice.ScannedDuringAnswer}, {Kind: notice.QuestionSubjectNotFound, Words: []string{"amiodarone"}}}}
	for _, m := range []ResultsMode{ResultsText, ResultsResource, ResultsBoth} {
		content := m.render(a, operations.FormatNotes(operations.AnswerNotes(t.Context(), nil, a, 2)), contentBudget()).Content
		first, last := content[0].(*mcp.TextContent).Text, content[0].(*mcp.TextContent).Text
		if m == ResultsResource {
			last = content[len(content)-1].(*mcp.TextContent).Text
		}
		if !strings.HasPrefix(first, "Note: Not found anywhere in the documents: amiodarone. What follows") || !strings.Contains(last, "was being scanned") || strings.Count(first+last, "amiodarone") > 2 {
			t.Errorf("%s begins with %q and ends with %q", m, first, last)
		}
	}
}

// TestSubjectInTexts checks that a subject that occurs in the texts of a session is not reported as
// missing.
func TestSubjectInTexts(t *testing.T) {
	t.Parallel()
	lacking := func(covered float64, kind notice.Kind) index.Answer {
		return index.Answer{
			Passages: []index.Passage{{Document: index.Document{Path: string(kind)}, Text: string(kind), Score: covered}}, BestCoverage: covered, HasLowCoverage: true,
			Notes: []notice.Note{{Kind: kind, Words: []string{"amiodarone"}}, {Kind: notice.OtherLanguage, Words: []string{"en"}}},
		}
	}
	found := index.Answer{Passages: []index.Passage{{Document: index.Document{Path: "t"}, Text: "t", Score: 1}}, BestCoverage: 0.8}
	none := index.Answer{HasLowCoverage: true, Notes: []notice.Note{{Kind: notice.UnknownWords, Words: []string{"amiodarone"}}}}
	if a := mergeAnswers(lacking(0.2, notice.QuestionSubjectNotFound), found); len(a.Notes) != 0 || a.Passages[0].Path != "t" || a.Passages[0].Score != 1 || a.Passages[1].Score != 0.25 {
		t.Errorf("together with what is found: %+v", a)
	}
	if a := mergeAnswers(lacking(0.2, notice.QuestionSubjectNotFound), none); len(a.Notes) != 2 || a.Notes[0].Kind != notice.QuestionSubjectNotFound || a.Passages[0].Score != 0.2 {
		t.Errorf("together with nothing: %+v", a)
	}
}
