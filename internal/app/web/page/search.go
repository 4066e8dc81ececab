package page

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/script"
)

// searchForm is the query of a search page, as its form shows it.
type searchForm struct {
	Question string
	Given    map[string]string // values of filters, by field of index.FilterParameters
	Most     int
	Why      bool   // explain why each passage was found
	IsByDate bool   // sort the results by date, newest first
	Language string // ISO 639 code; "" for any language
	isTyping bool   // the visitor may not have finished typing
	filter   index.Filter
}

// passagesShown is the number of passages shown at first, and of those that each click adds; 20
// passages mostly come from at least ten documents.
const passagesShown = 20

// askedIn parses the query in the parameters of a URL. Its error is for the visitor.
func askedIn(q url.Values) (a searchForm, err error) {
	a = searchForm{Question: strings.TrimSpace(q.Get("q")), Given: make(map[string]string), Why: q.Get("why") != "", IsByDate: q.Get("sort") == "date", Language: script.LanguageByCode(q.Get("language")).Code(), Most: passagesShown, isTyping: q.Get("typing") != ""}
	if n, err := strconv.Atoi(q.Get("most")); err == nil {
		a.Most = min(max(n, 1), index.MaxTopK)
	}
	for _, p := range index.FilterParameters {
		value := strings.Trim(q.Get(p.Field), "/ ")
		if p.Field == "tag" {
			value = strings.TrimLeft(value, "#") // tags in notes are written with #
		}
		if p.Field != "" && value != "" {
			a.Given[p.Field] = value
			if wrong := p.Add(&a.filter, value); wrong != nil && err == nil {
				err = message.Errorf("%s: %v", value, wrong)
			}
		}
	}
	return a, err
}

// Form returns the ID of the HTML form to which the fields belong; "" means the enclosing form.
func (searchForm) Form() string { return "" }

// Form returns the ID of the form of the search box at the top of the page.
func (searchView) Form() string { return "search" }

// IsNarrow reports whether any filter is set.
func (a searchForm) IsNarrow() bool { return len(a.Given) > 0 || a.Language != "" }

// Fields returns the filters that a form has fields for.
func (searchForm) Fields() []index.FilterParameter { return index.FilterParameters }

// link returns the URL of the question at a path with some parameters changed, given as pairs of a
// name and a value.
func (a searchForm) link(path string, changes ...string) string {
	q := url.Values{}
	if a.Question != "" {
		q.Set("q", a.Question)
	}
	for name, value := range a.Given {
		q.Set(name, value)
	}
	if a.Why {
		q.Set("why", "1")
	}
	if a.IsByDate {
		q.Set("sort", "date")
	}
	if a.Language != "" {
		q.Set("language", a.Language)
	}
	if a.Most != passagesShown {
		q.Set("most", strconv.Itoa(a.Most))
	}
	for i := 0; i < len(changes); i += 2 {
		if changes[i+1] == "" {
			q.Del(changes[i])
		} else {
			q.Set(changes[i], changes[i+1])
		}
	}
	return path + "?" + q.Encode()
}

// Link returns the URL of the question.
func (a searchForm) Link() string { return a.link("/search") }

// WithWhy returns the URL of the question with explanations of its results, or without if they are
// shown now.
func (a searchForm) WithWhy() string {
	if a.Why {
		return a.link("/search", "why", "")
	}
	return a.link("/search", "why", "1")
}

// WithMore returns the URL of the question with more passages than now; "" if there are no more.
func (a searchForm) WithMore(passages, documents int, follow bool) string {
	if passages < a.Most && !follow || a.Most >= index.MaxTopK || a.IsByDate {
		return ""
	}
	return a.link("/search", "most", strconv.Itoa(min(index.MaxTopK, a.Most+passagesShown))) + "#p" + strconv.Itoa(documents+1)
}

// AsModel returns the URL of the page that shows what a model gets for the question.
func (a searchForm) AsModel() string { return a.elsewhere("/try") }

// elsewhere returns the URL of the question on another page, without the parameters that only the
// page of results has, and with some parameters changed, given as pairs of a name and a value.
func (a searchForm) elsewhere(path string, changes ...string) string {
	return a.link(path, append(changes, "most", "", "why", "", "sort", "", "language", "")...)
}

// searchView is the page with the search form, and the results if there is a question.
type searchView struct {
	searchForm
	Problem message.Message
	Again   bool // the same request may succeed later
	Results *resultsView
	Choices choices
	Now     stateView
	Latest  []latestView // recently changed documents that match the filters
	All     int          // number of documents that match the filters; 0 without filters
	Since   *sinceView   // changes since the last visit; nil if unknown
	IsLater bool         // some changes were not known in time; a script requests them
}

// latestView is a recently changed document.
type latestView struct {
	place
	Path     string
	Modified time.Time
}

// latestSeen is the number of recently changed documents that are shown without a click.
const latestSeen = 6

// First returns the recently changed documents that are shown at first.
func (v searchView) First() []latestView { return v.Latest[:min(len(v.Latest), latestSeen)] }

// Others returns the recently changed documents that are shown after a click.
func (v searchView) Others() []latestView { return v.Latest[min(len(v.Latest), latestSeen):] }

// reader returns a text that identifies the visitor for data stored in the browser, so that the
// questions of one user are not shown to another who signs in there.
func reader(u signin.User) string {
	if u.ID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(u.ID))
	return hex.EncodeToString(sum[:8])
}

// resultsView is the result of a question.
type resultsView struct {
	searchForm
	Documents []documentResult
	Passages  int             // number of passages in all documents
	Nothing   message.Message // text that is shown if there are no passages
	Facets    []facet
	Chips     []chip
	Notes     []notice.Note
	Taken     []index.Substitution // words of the question that were replaced
	IsEmpty   bool                 // there are no documents at all
	SoFar     bool                 // some documents may not have been searched yet
	IsHeld    bool                 // notes on missing words are held back while the visitor is typing
	More      string
}

// IsAdvised reports whether to show advice, as nothing was found and the reason is not obvious.
func (v *resultsView) IsAdvised() bool { return v.Passages == 0 && !v.IsEmpty && !v.IsHeld && !v.SoFar }

// documentResult is a document that was found, with its best passage and the others.
type documentResult struct {
	Number    int
	TitleRuns []index.TextRun
	passageView
}

// search shows the search form and, if there is a question, its result.
func (v *request) search() {
	a, err := askedIn(v.r.URL.Query())
	view := searchView{searchForm: a, Now: v.now()}
	status := http.StatusOK
	switch {
	case err != nil:
		status, view.Problem = http.StatusBadRequest, message.FromError(err)
	case a.Question != "":
		if view.Results, err = v.results(a); err != nil {
			status, view.Problem = v.explain(err)
			view.Again = status == http.StatusServiceUnavailable
		}
	case len(a.Given) > 0:
		if err = v.narrow(&view); err != nil {
			status, view.Problem = v.explain(err)
		}
	case v.r.URL.Query().Get("part") == "latest":
		v.addLatest(&view, longestWait)
		v.Pages.showPart(v.w, v.r, http.StatusOK, "latest-section", view)
		return
	default:
		view.Now.Notes = v.missing()
		v.addLatest(&view, soon)
	}
	if v.r.URL.Query().Get("part") == "results" {
		if status != http.StatusServiceUnavailable { // a script shows the text about an invalid question only if the status is OK
			status = http.StatusOK
		}
		v.Pages.showPart(v.w, v.r, status, "results", view)
		return
	}
	view.Choices = v.choices()
	v.Pages.show(v.w, v.r, status, "search", view)
}

// addLatest adds the recently changed documents and the changes since the last visit, if they are
// known within a time limit.
func (v *request) addLatest(view *searchView, within time.Duration) {
	begun := time.Now()
	c, isLate := v.contentsWithin(within)
	if c != nil {
		for _, d := range c.LatestDocuments {
			view.Latest = append(view.Latest, latestView{place{Name: d.Title, To: documentLink(d.Path, "", "")}, d.Path, d.Modified})
		}
	}
	view.Since, view.IsLater = v.sinceLast(within - time.Since(begun))
	view.IsLater = view.IsLater || isLate
}

// narrow lists the documents that match the filters, latest first, for a search without a question.
func (v *request) narrow(view *searchView) error {
	ctx, cancel := v.timed()
	defer cancel()
	listing, err := v.view.Library.Browse(ctx, index.BrowseQuery{Filter: view.filter, Order: index.OrderByDate, Limit: passagesShown})
	if err != nil {
		return err
	}
	view.All = listing.Total
	for _, d := range listing.Documents {
		view.Latest = append(view.Latest, latestView{place{Name: cmp.Or(d.Title, path.Base(d.Path)), To: documentLink(d.Path, "", "")}, d.Path, d.Modified})
	}
	return nil
}

// AllLink returns a link to the list of the documents that match the filters.
func (view searchView) AllLink() string { return view.elsewhere("/library/documents") }

// results answers the question of a form.
func (v *request) results(a searchForm) (*resultsView, error) {
	ctx, cancel := v.timed()
	defer cancel()
	purpose := index.WaitPurposeAnswer
	if a.isTyping { // the next key press asks again
		purpose = index.WaitPurposeAutocompletion
	}
	q := index.Query{Text: a.Question, TopK: a.Most, Filter: a.filter, WithExplanations: a.Why, WithFacets: !a.IsByDate, Language: a.Language, WithoutReranker: a.isTyping, // a reranker must not be called for every key press
		FewerIfSubjectUnknown: a.Most == passagesShown && !a.isTyping && !a.IsByDate}

	// when sorting by date, the score threshold depends on the filters, so facets could not count
	// results
	if a.IsByDate {
		q.TopK, q.MinScoreShare = index.MaxTopK, leastByDate
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	answer, err := ask(ctx, v, "search", purpose, q)
	if err != nil {
		return nil, err
	}
	out := resultsView{searchForm: a, Passages: len(answer.Passages), IsEmpty: v.now().IsEmpty(), Notes: answer.Notes, SoFar: answer.Incomplete}
	if a.isTyping {
		isMissing := func(n notice.Note) bool {
			return n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound
		}
		out.IsHeld = slices.ContainsFunc(out.Notes, isMissing) || out.Passages == 0
		out.Notes = slices.DeleteFunc(slices.Clone(out.Notes), isMissing)
	}
	only := "" // path of the only document that the filters admit, if nothing is found
	if out.Passages == 0 {
		out.Nothing, only = v.nothingFound(ctx, a, answer.Incomplete)
	}
	words := answer.HighlightWords(a.Question)
	out.Taken = answer.Substitutions(a.Question)
	var grades map[string]float64
	if v.mayJudge() {
		grades = v.gradesOf(a.Question)
	}
	for _, p := range answer.Passages {
		shown := v.passage(p, words, a)
		if v.mayJudge() {
			shown.Judging = &judging{a.Question, p.Path, a.Link(), verdictOf(grades, p.Path)}
		}
		out.add(shown, words)
	}
	if a.IsByDate {
		out.sortByDate()
	}
	out.Facets, out.Chips = v.words.facets(a, answer.Facets), v.words.chips(a, only == a.Given["in"] || len(out.Documents) == 1 && out.Documents[0].Path == a.Given["in"])
	out.More = a.WithMore(out.Passages, len(out.Documents), answer.HasMore)
	return &out, nil
}

// nothingFound returns the text for an empty result. The text names the folder in the filter, or
// the only document that the filters admit, whose path is returned as only.
func (v *request) nothingFound(ctx context.Context, a searchForm, incomplete bool) (says message.Message, only string) {
	if incomplete || !a.IsNarrow() || a.Language != "" {
		return notice.NothingFound(incomplete), ""
	}
	admitted, err := v.view.Library.Browse(ctx, index.BrowseQuery{Filter: a.filter, Order: index.OrderByTitle, Limit: 1})
	in := a.Given["in"]
	switch {
	case err == nil && admitted.Total == 1 && len(admitted.Documents) == 1:
		only = admitted.Documents[0].Path
		return notice.NothingFoundIn(only), only
	case err == nil && in != "":
		return notice.NothingFoundIn(in), ""
	}
	return notice.NothingFound(false), ""
}

// leastByDate is the fraction of the best score that a passage must have to be listed when results
// are sorted by date.
const leastByDate = 0.5

// sortByDate sorts the documents by date, latest first.
func (r *resultsView) sortByDate() {
	slices.SortStableFunc(r.Documents, func(a, b documentResult) int { return cmp.Compare(b.EffectiveDate, a.EffectiveDate) })
	for i := range r.Documents {
		r.Documents[i].Number = i + 1
	}
}

// add adds a passage to the result of its document.
func (r *resultsView) add(p passageView, words index.HighlightWords) {
	at := slices.IndexFunc(r.Documents, func(d documentResult) bool { return d.Path == p.Path })
	if at < 0 {
		r.Documents = append(r.Documents, documentResult{Number: len(r.Documents) + 1, TitleRuns: words.SplitText(present.CleanLine(p.Title)), passageView: p})
		return
	}
	r.Documents[at].Others = append(r.Documents[at].Others, p)
}

// Limits of the related words in a link to a document; the page of the document highlights them
// too.
const (
	mostBesideWords   = 6
	longestBesideWord = 40 // bytes
)

// besideIn returns the first related words that the runs of a passage highlight.
func besideIn(runs []index.TextRun) (words []string) {
	for _, r := range runs {
		if w := strings.ToLower(r.Text); r.IsRelatedWord && len(words) < mostBesideWords && len(w) <= longestBesideWord && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// DocumentLink returns the path and query of the page that shows a document or, if fragment is not
// "", a passage of it: fragment is that of the passage's URI, and text the text of the passage.
func DocumentLink(path, fragment, text string) string {
	return documentLink(path, withFingerprint(fragment, text), "")
}

// documentLink returns a link to a place in a document, with the question and the related words
// that were found, which its page highlights.
func documentLink(path, at, question string, beside ...string) string {
	q := url.Values{"path": {path}}
	if len(beside) > 0 {
		q["beside"] = beside
	}
	if at != "" {
		q.Set("at", at)
	}
	if question != "" {
		q.Set("q", question)
	}
	link := "/doc?" + q.Encode()
	if at != "" {
		link += "#passage"
	}
	return link
}

// choices are the values to choose from in the fields of a form, by field.
type choices map[string][]index.DocumentCount

// mostChoices is the maximum number of values for a field.
const mostChoices = 200

func (v *request) choices() choices {
	c, _ := v.contentsWithin(soon)
	if c == nil {
		return nil // values can still be typed
	}
	folders := slices.Clone(c.Directories[:min(len(c.Directories), mostChoices)])
	slices.SortFunc(folders, func(a, b index.DocumentCount) int { return cmp.Compare(a.Name, b.Name) })
	var tags []index.DocumentCount
	for _, t := range c.tags[:min(len(c.tags), mostChoices)] {
		tags = append(tags, index.DocumentCount{Name: t.Tag, Documents: t.Documents})
	}
	return choices{"in": folders, "tag": tags, "kind": c.Kinds}
}
