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

// searchForm is the query of a search page.
type searchForm struct {
	Question string
	Given    map[string]string // values of the fields of index.Parameters
	Most     int
	Why      bool   // explain why each passage was found
	IsByDate bool   // sort by date, newest first
	Language string // ISO 639 code, "" for any
	isTyping bool   // more letters may follow
	filter   index.Filter
}

// passagesShown is how many passages are shown first, and how many more each time: those of
// ten documents or more, mostly.
const passagesShown = 20

// askedIn reads the query of a request; the error is for people.
func askedIn(q url.Values) (a searchForm, err error) {
	a = searchForm{Question: strings.TrimSpace(q.Get("q")), Given: make(map[string]string), Why: q.Get("why") != "", IsByDate: q.Get("sort") == "date", Language: script.LanguageNamed(q.Get("language")).Code(), Most: passagesShown, isTyping: q.Get("typing") != ""}
	if n, err := strconv.Atoi(q.Get("most")); err == nil {
		a.Most = min(max(n, 1), index.MaxTopK)
	}
	for _, p := range index.Parameters {
		value := strings.Trim(q.Get(p.Field), "/ ")
		if p.Field == "tag" {
			value = strings.TrimLeft(value, "#") // as it is written in a note
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

// Form returns the id of the form that the fields belong to, "" for the enclosing one.
func (searchForm) Form() string { return "" }

// Form returns the id of the search box above the page.
func (searchView) Form() string { return "search" }

// IsNarrow reports whether filters are set.
func (a searchForm) IsNarrow() bool { return len(a.Given) > 0 || a.Language != "" }

// Fields returns the filter fields of a form.
func (searchForm) Fields() []index.Parameter { return index.Parameters }

// link returns the address of the question with some values changed.
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

// WithWhy returns the URL of the question with explanations, or without.
func (a searchForm) WithWhy() string {
	if a.Why {
		return a.link("/search", "why", "")
	}
	return a.link("/search", "why", "1")
}

// WithMore returns the URL for more passages than those of some documents, "" when none
// follow.
func (a searchForm) WithMore(passages, documents int, follow bool) string {
	if passages < a.Most && !follow || a.Most >= index.MaxTopK || a.IsByDate {
		return ""
	}
	return a.link("/search", "most", strconv.Itoa(min(index.MaxTopK, a.Most+passagesShown))) + "#p" + strconv.Itoa(documents+1)
}

// AsModel returns the URL of what a model gets for the question.
func (a searchForm) AsModel() string { return a.elsewhere("/try") }

// elsewhere returns the address of another page for the question with some values changed,
// without what is only on that of results.
func (a searchForm) elsewhere(path string, changes ...string) string {
	return a.link(path, append(changes, "most", "", "why", "", "sort", "", "language", "")...)
}

// searchView is the page with the question.
type searchView struct {
	searchForm
	Problem message.Message
	Again   bool // the same may be answered a little later
	Results *resultsView
	Choices choices
	Now     stateView
	Latest  []latestView // recently changed documents that match the filters
	All     int          // number of documents that match the filters, 0 without filters
	Since   *sinceView   // nil if unknown
	IsLater bool         // not all that changed was known in time: a script asks for it
}

// latestView is a document that was changed lately.
type latestView struct {
	place
	Path     string
	Modified time.Time
}

// latestSeen is how many of them are seen at once.
const latestSeen = 6

// First and Others split the list into what is shown at once, and the rest.
func (v searchView) First() []latestView { return v.Latest[:min(len(v.Latest), latestSeen)] }

func (v searchView) Others() []latestView { return v.Latest[min(len(v.Latest), latestSeen):] }

// reader identifies the reader for data stored in the browser: one user's questions are
// not shown to another who signs in there.
func reader(u signin.User) string {
	if u.ID == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(u.ID))
	return hex.EncodeToString(sum[:8])
}

// resultsView is what a question found.
type resultsView struct {
	searchForm
	Documents []documentResult
	Passages  int             // in all documents
	Nothing   message.Message // text shown if there are none
	Facets    []facet
	Chips     []chip
	Notes     []notice.Note
	Taken     []index.Substitution // words that were replaced
	IsEmpty   bool                 // there is nothing to search
	SoFar     bool                 // documents may be missing from the search
	IsHeld    bool                 // the note on missing words is withheld while the visitor is still typing
	More      string
}

// IsAdvised reports whether to show advice to a user who found nothing.
func (v *resultsView) IsAdvised() bool { return v.Passages == 0 && !v.IsEmpty && !v.IsHeld && !v.SoFar }

// documentResult is a document that answers a question: its best passage, and the others.
type documentResult struct {
	Number    int
	TitleRuns []index.TextRun
	passageView
}

// search shows the form, and what the question found.
func (v *request) search() {
	a, err := askedIn(v.r.URL.Query())
	view := searchView{searchForm: a, Now: v.now()}
	status := http.StatusOK
	switch {
	case err != nil:
		status, view.Problem = http.StatusBadRequest, message.OfError(err)
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
		if status != http.StatusServiceUnavailable { // what is wrong with a question is its answer
			status = http.StatusOK
		}
		v.Pages.showPart(v.w, v.r, status, "results", view)
		return
	}
	view.Choices = v.choices()
	v.Pages.show(v.w, v.r, status, "search", view)
}

// addLatest adds recently changed documents and what has changed since the last visit, as far
// as that is known within a time.
func (v *request) addLatest(view *searchView, within time.Duration) {
	begun := time.Now()
	c, isLate := v.contentsWithin(within)
	if c != nil {
		for _, d := range c.Latest {
			view.Latest = append(view.Latest, latestView{place{Name: d.Title, To: documentLink(d.Path, "", "")}, d.Path, d.Modified})
		}
	}
	view.Since, view.IsLater = v.sinceLast(within - time.Since(begun))
	view.IsLater = view.IsLater || isLate
}

// narrow lists the latest of the documents that a search without a question is narrowed to.
func (v *request) narrow(view *searchView) error {
	ctx, cancel := v.timed()
	defer cancel()
	listing, err := v.view.Library.Browse(ctx, index.BrowseQuery{Filter: view.filter, Order: index.ByDate, Most: passagesShown})
	if err != nil {
		return err
	}
	view.All = listing.All
	for _, d := range listing.Documents {
		view.Latest = append(view.Latest, latestView{place{Name: cmp.Or(d.Title, path.Base(d.Path)), To: documentLink(d.Path, "", "")}, d.Path, d.Modified})
	}
	return nil
}

// AllLink returns a link to the list of the documents that match the filters.
func (view searchView) AllLink() string { return view.elsewhere("/library/documents") }

// results runs the search.
func (v *request) results(a searchForm) (*resultsView, error) {
	ctx, cancel := v.timed()
	defer cancel()
	shown := v.audit("search")
	purpose := index.ForAnswer
	if a.isTyping { // the next key asks again
		purpose = index.ForCompletion
	}
	if err := v.view.Library.WaitFresh(ctx, purpose); err != nil {
		return nil, err
	}
	q := index.Query{Text: a.Question, TopK: a.Most, Filter: a.filter, Explain: a.Why, Facets: !a.IsByDate, Language: a.Language, WithoutReranker: a.isTyping, // which is not to have every letter
		Fewer: a.Most == passagesShown && !a.isTyping && !a.IsByDate}

	if a.IsByDate { // sorted by date, the threshold differs for every filter: no facet could count its results
		q.TopK, q.LeastShare = index.MaxTopK, leastByDate
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	answer, err := v.view.Library.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	shown(len(answer.Passages), a.Question)
	out := resultsView{searchForm: a, Passages: len(answer.Passages), IsEmpty: v.now().IsEmpty(), Notes: answer.Notes, SoFar: answer.Incomplete}
	if a.isTyping {
		isMissing := func(n notice.Note) bool { return n.Kind == notice.UnknownWords || n.Kind == notice.NothingOfIt }
		out.IsHeld = slices.ContainsFunc(out.Notes, isMissing) || out.Passages == 0
		out.Notes = slices.DeleteFunc(slices.Clone(out.Notes), isMissing)
	}
	only := "" // the document that the filter admits, where nothing is found
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
	out.Facets, out.Chips = v.words.facets(a, answer.Facets), v.words.chips(a, only == a.Given["in"] || out.isOnlyDocument(a.Given["in"]))
	out.More = a.WithMore(out.Passages, len(out.Documents), answer.More)
	return &out, nil
}

// isOnlyDocument reports whether all results are in the document with a path.
func (r *resultsView) isOnlyDocument(path string) bool {
	return len(r.Documents) == 1 && r.Documents[0].Path == path
}

// nothingFound returns the text for an empty result, and the only document that the filters admit,
// or the folder that they name.
func (v *request) nothingFound(ctx context.Context, a searchForm, incomplete bool) (says message.Message, only string) {
	if incomplete || !a.IsNarrow() || a.Language != "" {
		return notice.NothingFound(incomplete), ""
	}
	admitted, err := v.view.Library.Browse(ctx, index.BrowseQuery{Filter: a.filter, Order: index.ByTitle, Most: 1})
	in := a.Given["in"]
	switch {
	case err == nil && admitted.All == 1 && len(admitted.Documents) == 1:
		only = admitted.Documents[0].Path
		return notice.NothingFoundIn(only), only
	case err == nil && in != "":
		return notice.NothingFoundIn(in), ""
	}
	return notice.NothingFound(false), ""
}

// leastByDate is the fraction of the best score that a passage needs to be sorted before
// others by date.
const leastByDate = 0.5

// sortByDate sorts documents by date, the latest first.
func (r *resultsView) sortByDate() {
	slices.SortStableFunc(r.Documents, func(a, b documentResult) int { return cmp.Compare(b.Day, a.Day) })
	for i := range r.Documents {
		r.Documents[i].Number = i + 1
	}
}

// add adds a passage to those of its document.
func (r *resultsView) add(p passageView, words index.HighlightWords) {
	at := slices.IndexFunc(r.Documents, func(d documentResult) bool { return d.Path == p.Path })
	if at < 0 {
		r.Documents = append(r.Documents, documentResult{Number: len(r.Documents) + 1, TitleRuns: words.SplitText(present.CleanLine(p.Title)), passageView: p})
		return
	}
	r.Documents[at].Others = append(r.Documents[at].Others, p)
}

// What a link to a document carries of the words that were found beside those of the
// question, for the document to mark them too.
const (
	mostBesideWords   = 6
	longestBesideWord = 40 // bytes
)

// besideIn lists the first of those words.
func besideIn(runs []index.TextRun) (words []string) {
	for _, r := range runs {
		if w := strings.ToLower(r.Text); r.Beside && len(words) < mostBesideWords && len(w) <= longestBesideWord && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

// DocumentLink returns the path and query of the page of a document, by its path as shown,
// and in it of a passage by the fragment of its URI, "" for none, and its text.
func DocumentLink(path, fragment, text string) string {
	return documentLink(path, withFingerprint(fragment, text), "")
}

// documentLink leads to a document, at a place in it, with words that were found beside
// those of the question.
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

// choices are the available values for the fields of a form, by their names.
type choices map[string][]index.Tally

// mostChoices bounds each list.
const mostChoices = 200

func (v *request) choices() choices {
	c, _ := v.contentsWithin(soon)
	if c == nil {
		return nil // the filters can be typed
	}
	folders := slices.Clone(c.Directories[:min(len(c.Directories), mostChoices)])
	slices.SortFunc(folders, func(a, b index.Tally) int { return cmp.Compare(a.Name, b.Name) })
	var tags []index.Tally
	for _, t := range c.tags[:min(len(c.tags), mostChoices)] {
		tags = append(tags, index.Tally{Name: t.Tag, Documents: t.Documents})
	}
	return choices{"in": folders, "tag": tags, "kind": c.Kinds}
}
