package page

import (
	"cmp"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// findView is the page that lists every occurrence of a text.
type findView struct {
	searchForm
	Regexp, Case bool
	Problem      message.Message
	Again        bool
	Results      *findResults
	Choices      choices
}

// findResults are the occurrences on one page.
type findResults struct {
	Count     message.Message
	Documents []foundDocument
	Others    []foundDocument // documents whose lines are on other pages
	Notes     []notice.Note
	Next      string // link to the next page
}

// foundDocument is a document with lines that match.
type foundDocument struct {
	index.FoundDocument
	To    string // link to the document
	All   string // link to all its matching lines, if not all are shown
	Shown []foundLine
}

// foundLine is a line with matches.
type foundLine struct {
	To    string
	Place message.Message
	Runs  []index.TextRun
	More  int // number of matches that are not shown
	// how many of the matches are struck out
	Struck message.Message
}

// findText shows the form and, if a text is given, every occurrence of it.
func (v *request) findText() {
	q := v.r.URL.Query()
	a, err := askedIn(q)
	view := findView{searchForm: a, Regexp: q.Get("regexp") != "", Case: q.Get("case") != "", Choices: v.choices()}
	status := http.StatusOK
	switch {
	case err != nil:
		status, view.Problem = http.StatusBadRequest, message.FromError(err)
	case a.Question != "":
		if view.Results, err = v.findResults(&view, q); err != nil {
			status, view.Problem = v.explain(err)
			view.Again = status == http.StatusServiceUnavailable
		}
	}
	v.Pages.show(v.w, v.r, status, "find", view)
}

// linesShown is the maximum number of matching lines on a page.
const linesShown = 100

func (v *request) findResults(view *findView, values url.Values) (*findResults, error) {
	ctx, cancel := v.timed()
	defer cancel()
	q := index.FindQuery{Text: view.Question, IsRegexp: view.Regexp, IsExactSpelling: view.Case, Filter: view.filter, MaxLines: linesShown}
	if n, err := strconv.Atoi(values.Get("skip")); err == nil {
		q.LineOffset = max(0, n)
	}
	if _, err := q.Check(); err != nil {
		return nil, err
	}
	found, err := ask(ctx, v, "find", index.WaitPurposeAnswer, q)
	if err != nil {
		return nil, err
	}
	out := &findResults{Count: notice.OccurrencesFound(found.Occurrences, found.Documents), Notes: found.Notes}
	if found.Occurrences == 0 {
		out.Count, _ = v.nothingFound(ctx, view.searchForm, found.Incomplete)
	}
	if found.NextLineOffset > 0 {
		out.Next = view.address("skip", strconv.Itoa(found.NextLineOffset))
	}
	for _, d := range found.OtherDocuments {
		out.Others = append(out.Others, foundDocument{FoundDocument: d, To: view.address("in", d.Path)})
	}
	for _, d := range found.Found {
		one := foundDocument{FoundDocument: d, To: documentLink(d.Path, "", "")}
		if d.MoreLines > 0 {
			one.All = view.address("in", d.Path)
		}
		for _, l := range d.Lines {
			one.Shown = append(one.Shown, foundLine{To: documentLink(d.Path, l.Fragment, view.Question), Place: l.Place, Runs: l.Runs(), More: l.MoreOccurrences, Struck: l.StruckNote()})
		}
		out.Documents = append(out.Documents, one)
	}
	return out, nil
}

// WithoutFilters returns a link to the same search in all documents.
func (v findView) WithoutFilters() string {
	v.Given, v.Language = nil, ""
	return v.address("skip", "")
}

// address returns the URL of the page with one parameter changed.
func (v *findView) address(name, value string) string {
	changes := []string{name, value}
	if v.Regexp {
		changes = append(changes, "regexp", "1")
	}
	if v.Case {
		changes = append(changes, "case", "1")
	}
	return v.link("/find", changes...)
}

// mostFound is the maximum number of words of a question that EveryPlace looks for.
const mostFound = 3

// EveryPlace returns a link to every occurrence of the words of a question. A few words are looked
// for as they are; of a sentence, which hardly occurs literally, only its longest content words.
func (a searchForm) EveryPlace() string {
	var words []string
	isSentence := false
	for _, r := range index.NewHighlightWords(a.Question).SplitText(a.Question) {
		if r.IsQueryWord {
			words = append(words, regexp.QuoteMeta(r.Text))
		} else if strings.TrimSpace(r.Text) != "" {
			isSentence = true
		}
	}
	if len(words) == 0 || len(words) <= mostFound && !isSentence {
		return a.elsewhere("/find")
	}
	slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return a.elsewhere("/find", "q", strings.Join(words[:min(len(words), mostFound)], "|"), "regexp", "1")
}

// patternSigns matches the special characters of a regular expression.
var patternSigns = lazyregexp.New(`\\[A-Za-z]|[\\|()\[\]{}^$*+?.]`)

// AsQuestion returns a link that asks the text as a question; of a regular expression, its words.
func (v findView) AsQuestion() string {
	if !v.Regexp {
		return v.link("/search")
	}
	words := strings.Fields(patternSigns.ReplaceAllString(v.Question, " "))
	return v.link("/search", "q", strings.Join(words, " "))
}
