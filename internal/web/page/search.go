package page

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/meta"
	"vademecum/index"
	"vademecum/index/say"
	"vademecum/index/upkeep"
)

// asked is what a form of a page asks for.
type asked struct {
	Question          string
	Folder, Tag, Kind string
	After, Before     string
	Most              int
	Why               bool // say why each passage is found
	isTyping          bool // more letters may follow
	filter            index.Filter
}

// passagesShown is how many passages are shown first, and how many more each time.
const passagesShown = 10

// askedIn reads the query of a request; the error is for people.
func askedIn(q url.Values) (a asked, err error) {
	a = asked{
		Question: strings.TrimSpace(q.Get("q")), Folder: strings.Trim(q.Get("in"), "/ "), Tag: strings.TrimSpace(q.Get("tag")), Kind: q.Get("kind"),
		After: q.Get("after"), Before: q.Get("before"), Why: q.Get("why") != "", Most: passagesShown, isTyping: q.Get("typing") != "",
	}
	if n, err := strconv.Atoi(q.Get("most")); err == nil {
		a.Most = min(max(n, 1), index.MaxTopK)
	}
	a.filter.Path, a.filter.Types = a.Folder, typesOf(a.Kind)
	if a.Tag != "" {
		err = a.filter.AddTags(a.Tag)
	}
	if a.After != "" && err == nil {
		a.filter.After, err = meta.ParseDate(a.After)
	}
	if a.Before != "" && err == nil {
		a.filter.Before, err = meta.ParseDate(a.Before)
	}
	return a, err
}

// IsNarrow tells whether not all documents are asked.
func (a asked) IsNarrow() bool {
	return a.Folder+a.Tag+a.Kind+a.After+a.Before != ""
}

// link is the address of the question with some values changed.
func (a asked) link(path string, changes ...string) string {
	q := url.Values{}
	for name, value := range map[string]string{"q": a.Question, "in": a.Folder, "tag": a.Tag, "kind": a.Kind, "after": a.After, "before": a.Before} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if a.Why {
		q.Set("why", "1")
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

// Link is the address by which the question is asked again.
func (a asked) Link() string { return a.link("/search") }

// WithWhy is that which says why, or no more.
func (a asked) WithWhy() string {
	if a.Why {
		return a.link("/search", "why", "")
	}
	return a.link("/search", "why", "1")
}

// WithMore asks for more passages, "" when there can be none.
func (a asked) WithMore(shown int) string {
	if shown < a.Most || a.Most >= index.MaxTopK {
		return ""
	}
	return a.link("/search", "most", strconv.Itoa(min(index.MaxTopK, a.Most+passagesShown))) + "#p" + strconv.Itoa(shown+1)
}

// AsModel leads to what a model gets for the question.
func (a asked) AsModel() string { return a.link("/try", "most", "", "why", "") }

// searchView is the page with the question.
type searchView struct {
	asked
	Problem string
	Again   bool // the same may be answered a little later
	Results *resultsView
	Choices choices
	Now     stateView
}

// resultsView is what a question found.
type resultsView struct {
	asked
	Passages []passageView
	Notes    []say.Note
	Taken    []index.Taken // words that were taken for others
	IsEmpty  bool          // there is nothing to search
	SoFar    bool          // there may be documents that were not searched
	More     string
}

// passageView is a passage as it is shown.
type passageView struct {
	index.Passage
	Number int
	Runs   []index.Run
	Above  []string // headings that do not stand in it
	To     string   // the document, at the passage
	Same   []elsewhere
	Why    whyView
}

// elsewhere are places that say the same.
type elsewhere struct {
	How    string
	Places []place
	More   int
}

// place is one that a page leads to: a document, or a place in it.
type place struct{ Name, To, Place string }

// search shows the form, and what the question found.
func (v *visit) search() {
	a, err := askedIn(v.r.URL.Query())
	view := searchView{asked: a, Now: v.now()}
	status := http.StatusOK
	switch {
	case err != nil:
		status, view.Problem = http.StatusBadRequest, v.words.Say("A date is 2024, 2024-11 or 2024-11-05.")
		if !strings.Contains(err.Error(), "date") {
			view.Problem = err.Error()
		}
	case a.Question != "":
		if view.Results, err = v.results(a); err != nil {
			status, view.Problem = v.explain(err)
			view.Again = status == http.StatusServiceUnavailable
		}
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

// results asks the question.
func (v *visit) results(a asked) (*resultsView, error) {
	ctx, cancel := v.timed()
	defer cancel()
	shown := v.audit("search")
	purpose := upkeep.ForAnswer
	if a.isTyping { // the next letter asks again
		purpose = upkeep.ForCompletion
	}
	if err := v.shelf.Library.Settle(ctx, purpose); err != nil {
		return nil, err
	}
	q := index.Query{Text: a.Question, TopK: a.Most, Filter: a.filter, Explain: a.Why}
	if err := q.Check(); err != nil {
		return nil, err
	}
	answer, err := v.shelf.Library.Search(ctx, q)
	if err != nil {
		return nil, err
	}
	shown(len(answer.Passages), a.Question)
	out := resultsView{asked: a, IsEmpty: v.now().IsEmpty(), Notes: answer.Notes, SoFar: answer.Incomplete, More: a.WithMore(len(answer.Passages))}
	words := answer.Words(a.Question)
	out.Taken = answer.Taken(a.Question)
	for i, p := range answer.Passages {
		out.Passages = append(out.Passages, v.passage(i+1, p, words, a))
	}
	return &out, nil
}

// passage is how one is shown.
func (v *visit) passage(number int, p index.Passage, words index.Words, a asked) passageView {
	_, at, _ := strings.Cut(p.URI, "#")
	if p.Related {
		words = words.WithParts(a.Question)
	}
	out := passageView{Passage: p, Number: number, Runs: words.Runs(strings.TrimRight(p.Text, "\n"))}
	out.To = documentLink(p.Path, at, a.Question, besideIn(out.Runs)...)
	for _, h := range p.Heading {
		if !strings.Contains(p.Text, h) && h != "" && h != p.Title {
			out.Above = append(out.Above, h)
		}
	}
	out.addSame("same text in", p.Copies, p.MoreCopies)
	out.addSame("in part also in", p.Near, p.MoreNear)
	out.addSame("in other languages", p.Versions, p.MoreVersions)
	out.addSame("linked from", p.LinkedFrom, 0)
	if a.Why {
		out.Why = v.words.whyOf(p)
	}
	return out
}

func (p *passageView) addSame(how string, places []string, more int) {
	if len(places) == 0 {
		return
	}
	e := elsewhere{How: how, More: more}
	for _, name := range places {
		path, at := splitCitation(name)
		e.Places = append(e.Places, place{path, documentLink(path, "", ""), at})
	}
	p.Same = append(p.Same, e)
}

// splitCitation parts what was cited into the path and the place in it.
func splitCitation(citation string) (path, place string) {
	for _, unit := range []string{"line", "page", "slide", "sheet", "chapter", "cell"} {
		if at := strings.LastIndex(citation, ", "+unit); at > 0 {
			return citation[:at], citation[at+2:]
		}
	}
	return citation, ""
}

// What a link to a document carries of the words that were found beside those of the
// question, for the document to mark them too.
const (
	mostBesideWords   = 6
	longestBesideWord = 40 // bytes
)

// besideIn lists the first of those words.
func besideIn(runs []index.Run) (words []string) {
	for _, r := range runs {
		if w := strings.ToLower(r.Text); r.Beside && len(words) < mostBesideWords && len(w) <= longestBesideWord && !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
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

// kinds are what people call files of some extensions.
var kinds = []struct {
	Name       string
	Extensions []string
}{
	{"Markdown", []string{"md", "markdown", "mdx"}},
	{"text", []string{"txt", "text", "org", "rst", "adoc", "asc", "tex", "rtf"}},
	{"PDF", []string{"pdf"}},
	{"Word", []string{"docx", "odt"}},
	{"slides", []string{"pptx", "odp"}},
	{"sheets", []string{"xlsx", "ods", "csv", "tsv"}},
	{"web pages", []string{"html", "htm", "xhtml", "mhtml", "mht"}},
	{"mail", []string{"eml", "msg", "mbox"}},
	{"books", []string{"epub", "fb2"}},
	{"notebooks", []string{"ipynb"}},
	{"drawings", []string{"drawio", "excalidraw", "canvas"}},
	{"calendars and contacts", []string{"ics", "vcf"}},
}

// typesOf are the extensions of a kind. What is none that is known is one itself.
func typesOf(kind string) []string {
	if kind == "" {
		return nil
	}
	for _, k := range kinds {
		if k.Name == kind {
			return k.Extensions
		}
	}
	return []string{kind}
}

// choices are what the filters offer.
type choices struct {
	Folders, Tags []string
	Kinds         []index.Tally
}

// mostChoices bounds each list.
const mostChoices = 200

func (v *visit) choices() choices {
	var c choices
	o := v.summarySoon()
	if o == nil {
		return c // the filters can be typed
	}
	for _, d := range o.Directories[:min(len(o.Directories), mostChoices)] {
		c.Folders = append(c.Folders, d.Name)
	}
	slices.Sort(c.Folders)
	c.Kinds = kindsOf(o.Types)
	c.Tags = o.tags
	return c
}

// kindsOf counts kinds by the extensions that are there. Those without a name are
// called as they are.
func kindsOf(types []index.Tally) (all []index.Tally) {
	for _, t := range types {
		name := t.Name
		for _, k := range kinds {
			if slices.Contains(k.Extensions, t.Name) {
				name = k.Name
			}
		}
		at := slices.IndexFunc(all, func(o index.Tally) bool { return o.Name == name })
		if at < 0 {
			all = append(all, index.Tally{Name: name})
			at = len(all) - 1
		}
		all[at].Documents += t.Documents
	}
	slices.SortStableFunc(all, func(a, b index.Tally) int { return cmp.Compare(b.Documents, a.Documents) })
	return all
}
