package operations

import (
	"cmp"
	"encoding/json"
	"path"
	"strings"

	"vademecum/docs/text"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/quote"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// View is a result as hosts show it to people in a chat, on a page that this server provides (package
// internal/app/mcpapp). It is sent along with the result, and models never get it.
type View struct {
	Kind      ViewKind            `json:"kind"`
	Headline  MultilingualText    `json:"head,omitempty"` // one line that says what was found
	Notes     []MultilingualText  `json:"notes,omitempty"`
	Question  string              `json:"question,omitempty"` // question whose words are highlighted, also in texts that the page requests later
	Passages  []PassageView       `json:"passages,omitempty"`
	Documents []FoundDocumentView `json:"documents,omitempty"`
	Quotes    []QuoteView         `json:"quotes,omitempty"`
	Text      *TextView           `json:"text,omitempty"`
	Picture   *PictureView        `json:"picture,omitempty"`
	MoreItems int                 `json:"more,omitempty"` // number of passages, documents or quotations that did not fit
}

// ViewKind says which of its fields a View consists of.
type ViewKind string

const (
	viewKindPassages    ViewKind = "passages"
	viewKindOccurrences ViewKind = "places"
	viewKindQuotes      ViewKind = "quotes"
	viewKindText        ViewKind = "text"
	viewKindPicture     ViewKind = "picture"
)

// mostView is the maximum size of a view in bytes. It is small because hosts limit the size of a result
// as a whole, which also has the texts for the model. The page requests the rest when it is clicked.
const mostView = 48 << 10

// Renderer renders texts for views as HTML, as the web pages show them. Markup in a document is escaped.
type Renderer interface {
	// Passage renders a passage with the words of a question highlighted.
	Passage(p index.Passage, words index.HighlightWords, question string) RenderedText
	// Part renders the range from-to of the text of a whole document, with a passage and words in it
	// highlighted.
	Part(whole index.DocumentPart, from, to int, passage text.Span, words index.HighlightWords) string
}

// RenderedText is the text of a passage as a View shows it: an excerpt, and the whole as HTML.
type RenderedText struct {
	Excerpt        []ViewRun `json:"excerpt,omitempty"`
	IsFirstLineCut bool      `json:"before,omitempty"`  // the first line of the excerpt is cut
	IsLastLineCut  bool      `json:"further,omitempty"` // the last line of the excerpt is cut
	IsCut          bool      `json:"cut,omitempty"`     // the excerpt is not the whole passage
	HTML           string    `json:"html,omitempty"`
}

// ViewRun is a piece of a text in a view that is highlighted as a whole, or not at all.
type ViewRun index.TextRun

// MarshalJSON writes plain text as a string, and highlighted text as an object whose key is the kind of
// highlighting.
func (r ViewRun) MarshalJSON() ([]byte, error) {
	switch {
	case r.IsQueryWord:
		return json.Marshal(map[string]string{"hit": r.Text})
	case r.IsRelatedWord:
		return json.Marshal(map[string]string{"beside": r.Text})
	}
	return json.Marshal(r.Text)
}

// ViewRuns converts the runs of a text for a view, and leaves out empty ones.
func ViewRuns(all []index.TextRun) (runs []ViewRun) {
	for _, r := range all {
		if r.Text != "" {
			runs = append(runs, ViewRun(r))
		}
	}
	return runs
}

// MultilingualText is a text for people, encoded in all languages of the program, because only the page knows the
// language of the host.
type MultilingualText message.Message

// MarshalJSON writes an object with the text in each language, or a string if it is the same in all.
func (w MultilingualText) MarshalJSON() ([]byte, error) {
	all, differs := make(map[message.Language]string), false
	for _, l := range message.Languages() {
		all[l] = present.CleanLine(message.Message(w).InLanguage(l))
		differs = differs || all[l] != all[message.English]
	}
	if !differs {
		return json.Marshal(all[message.English])
	}
	return json.Marshal(all)
}

// Source is a document, or a place in it.
type Source struct {
	Title    string           `json:"title"`
	Path     string           `json:"path"`
	Place    MultilingualText `json:"place,omitempty"`
	URI      string           `json:"uri,omitempty"`   // URI of the place
	HasPages bool             `json:"pages,omitempty"` // it has pages that can be shown as images
}

func newSource(title, shown string, place message.Message, uri string) Source {
	shown = present.CleanLine(shown)
	return Source{Title: cmp.Or(present.CleanLine(title), path.Base(shown)), Path: shown, Place: MultilingualText(place), URI: uri, HasPages: index.CanShowPages(shown)}
}

// PassageView is a passage of an answer.
type PassageView struct {
	Source
	Headings []string           `json:"headings,omitempty"`
	Date     string             `json:"date,omitempty"`
	Notes    []MultilingualText `json:"notes,omitempty"`
	RenderedText
}

// FoundDocumentView is a document with lines in which a text was found.
type FoundDocumentView struct {
	Source
	Occurrences int             `json:"places"`
	Lines       []FoundLineView `json:"lines,omitempty"`
	MoreLines   int             `json:"more,omitempty"` // number of further lines
}

// FoundLineView is a line of a document in which a text was found.
type FoundLineView struct {
	Place           MultilingualText `json:"place"`
	URI             string           `json:"uri"`
	Runs            []ViewRun        `json:"runs"`
	MoreOccurrences int              `json:"more,omitempty"`   // number of further occurrences in the line
	StruckNote      MultilingualText `json:"struck,omitempty"` // how many occurrences are struck out
}

// QuoteView is a quotation that was checked, with the result.
type QuoteView struct {
	Text       string           `json:"text"`
	Verdict    index.Verdict    `json:"verdict"`
	Label      MultilingualText `json:"label"`
	Note       MultilingualText `json:"note,omitempty"`
	Parts      []QuotePartView  `json:"parts,omitempty"`
	OtherPaths []string         `json:"also,omitempty"`
}

// QuotePartView is a part of a quotation, compared with the document that has it or text like it.
type QuotePartView struct {
	Source
	OmittedText string          `json:"leftOut,omitempty"`
	Runs        []quote.DiffRun `json:"runs,omitempty"`
	MarkedText  string          `json:"marked,omitempty"` // text with marks around its struck-out words
	ValidText   string          `json:"valid,omitempty"`  // that text without its struck-out words
}

// TextView is a part of a document as HTML.
type TextView struct {
	Source
	HTML    string `json:"html"`
	HasMore bool   `json:"more,omitempty"` // the document has more text around it that can be requested
}

// PictureView describes a picture of a page of a document. The picture itself is in the content of the
// result.
type PictureView struct {
	Source
	Page     int `json:"page,omitempty"` // page number; 0 if it is the only page
	LastPage int `json:"last,omitempty"` // number of the last page; 0 if unknown
}

func wordsOfNotes(notes []notice.Note) (all []MultilingualText) {
	for _, n := range notes {
		all = append(all, MultilingualText(n.Message()))
	}
	return all
}

// passagesView returns the view of an answer.
func passagesView(a index.Answer, q index.Query, r Renderer) *View {
	v := &View{Kind: viewKindPassages, Notes: wordsOfNotes(a.Notes), Question: highlightedWords(q)}
	if len(a.Passages) == 0 {
		v.Headline = MultilingualText(notice.NothingFound(a.Incomplete))
	}
	words := a.HighlightWords(q.Text, q.OtherWordings...)
	for _, p := range a.Passages {
		one := PassageView{Source: newSource(p.Title, p.Path, p.Place, p.URI), Date: p.EffectiveDate.String(), RenderedText: r.Passage(p, words, q.Text)}
		for _, h := range p.Heading {
			if h = present.CleanLine(h); h != "" && h != one.Title {
				one.Headings = append(one.Headings, h)
			}
		}
		one.Notes = passageNotes(p)
		v.Passages = append(v.Passages, one)
	}
	v.fit()
	return v
}

// highlightedWords returns the text for View.Question: the wordings of a question, one a line.
func highlightedWords(q index.Query) string {
	return shorten(strings.Join(append([]string{q.Text}, q.OtherWordings...), "\n"), mostHighlighted)
}

// mostHighlighted is the maximum length in characters of a text whose words are highlighted.
const mostHighlighted = 2000

// passageNotes returns the remarks on a passage, such as other places of its text. Models get the same.
func passageNotes(p index.Passage) (all []MultilingualText) {
	add := func(m message.Message) {
		all = append(all, MultilingualText(m))
	}
	if p.IsRelatedOnly {
		add(notice.FoundByWordParts)
	}
	if rest := notice.PlacesInDocument(p.PlacesOfOmittedText); rest != "" {
		add(message.New("more of it in: %v", rest))
	}
	if same := notice.SameTextElsewhere(p.Copies, p.MoreCopies); same != "" {
		add(message.New("same text in: %v", same))
	}
	if lines := notice.SameTextElsewhere(p.SameLinePlaces, p.MoreSameLinePlaces); lines != "" {
		add(message.New("same line in: %v", lines))
	}
	if near := notice.SameTextElsewhere(p.SimilarPlaces, p.MoreSimilarPlaces); near != "" {
		add(message.New("in part also in: %v", near))
	}
	if others := notice.SameTextElsewhere(p.Translations, p.MoreTranslations); others != "" {
		add(message.New("in other languages: %v", others))
	}
	return all
}

// findingsView returns the view of the occurrences of a text.
func findingsView(q index.FindQuery, found index.Findings) *View {
	v := &View{Kind: viewKindOccurrences, Notes: wordsOfNotes(found.Notes), Headline: MultilingualText(notice.OccurrencesFound(found.Occurrences, found.Documents))}
	if !q.IsRegexp {
		v.Question = shorten(q.Text, mostHighlighted)
	}
	if found.Occurrences == 0 {
		v.Headline = MultilingualText(notice.NothingFound(found.Incomplete))
	}
	at := make(map[string]int) // where a document is, whose lines are not all in one piece
	for _, d := range found.Found {
		i, again := at[d.Path]
		if !again {
			i = len(v.Documents)
			at[d.Path] = i
			v.Documents = append(v.Documents, FoundDocumentView{Source: newSource("", d.Path, "", d.URI), Occurrences: d.Occurrences})
		}
		one := &v.Documents[i]
		for _, l := range d.Lines {
			one.Lines = append(one.Lines, FoundLineView{Place: MultilingualText(l.Place), URI: d.URI + "#" + l.Fragment, Runs: ViewRuns(l.Runs()), MoreOccurrences: l.MoreOccurrences, StruckNote: MultilingualText(l.StruckNote())})
		}
		one.MoreLines = d.MoreLines
	}
	for _, d := range found.OtherDocuments {
		v.Documents = append(v.Documents, FoundDocumentView{Source: newSource("", d.Path, "", d.URI), Occurrences: d.Occurrences, MoreLines: d.MoreLines})
	}
	v.fit()
	return v
}

// VerdictMessages maps the verdicts on quotations to texts for people.
var VerdictMessages = map[index.Verdict]message.Message{
	index.QuoteExact:      message.New("Found word for word"),
	index.QuoteStruckOut:  message.New("Struck out in the document"),
	index.QuoteDiffers:    message.New("Differs from the document"),
	index.QuoteNotFound:   message.New("Not found in the documents"),
	index.QuoteNotChecked: message.New("Not checked"),
}

// quotesView returns the view of quotations that were checked.
func quotesView(asked []index.Quote, checked index.CheckedQuotes) *View {
	v := &View{Kind: viewKindQuotes, Notes: wordsOfNotes(checked.Notes)}
	for i, q := range checked.Quotes {
		one := QuoteView{Verdict: q.Verdict, Label: MultilingualText(VerdictMessages[q.Verdict]), Note: MultilingualText(q.Note)}
		if i < len(asked) {
			one.Text = shorten(asked[i].Text, mostHighlighted)
		}
		for _, p := range q.Parts {
			part := QuotePartView{OmittedText: shorten(p.OmittedText, longestLeftOut), Runs: p.DiffRuns, MarkedText: p.MarkedText, ValidText: p.ValidText}
			if p.Path != "" {
				part.Source = newSource("", p.Path, p.Place, p.URI+"#"+p.Fragment)
			}
			one.Parts = append(one.Parts, part)
		}
		for _, also := range q.OtherPaths {
			one.OtherPaths = append(one.OtherPaths, present.CleanLine(also))
		}
		v.Quotes = append(v.Quotes, one)
	}
	v.fit()
	return v
}

// partView returns the view of a part of a document that was read.
func partView(p index.DocumentPart, r Renderer) *View {
	v := &View{Kind: viewKindText, Text: &TextView{Source: newSource(p.Title, p.Path, p.Place, p.URI)}}
	to := min(len(p.Text), mostPart)
	if to < len(p.Text) {
		to = strings.LastIndexByte(p.Text[:to], '\n') + 1
	}
	v.Text.HTML = r.Part(p, 0, to, text.Span{}, index.HighlightWords{})
	v.fit()
	return v
}

// pictureView returns the view of a page of a document, which ref names.
func pictureView(look index.PageImage, ref string) *View {
	v := &View{Kind: viewKindPicture, Picture: &PictureView{Source: newSource("", look.Path, look.Place, ref), LastPage: look.LastTextPage}}
	if look.Place != "" {
		v.Picture.Page = look.Page
	}
	return v
}

// mostPart is the maximum size of a text, in bytes, that is rendered for a view; its HTML is larger.
const mostPart = 20 << 10

// fit reduces a view to mostView bytes. It first leaves out whole texts, from the last to the first,
// which the page can request, and then passages, documents and quotations.
func (v *View) fit() {
	left := mostView - sizeOf(v) - len(`"more":1000,`)
	for i := len(v.Passages) - 1; i >= 0 && left < 0; i-- {
		left += sizeOf(v.Passages[i].HTML) - len(`"cut":true,`)
		v.Passages[i].HTML, v.Passages[i].IsCut = "", true
	}
	if v.Text != nil && left < 0 {
		v.Text.HTML = ""
	}
	v.Passages, v.MoreItems, left = withoutLast(v.Passages, v.MoreItems, left)
	v.Documents, v.MoreItems, left = withoutLast(v.Documents, v.MoreItems, left)
	v.Quotes, v.MoreItems, _ = withoutLast(v.Quotes, v.MoreItems, left)
}

// withoutLast drops elements from the end until left, the space that is left, is not negative. It
// returns the other elements, the number of dropped ones added to dropped, and the space left.
func withoutLast[T any](all []T, dropped, left int) ([]T, int, int) {
	for n := len(all); n > 0 && left < 0; n-- {
		left += sizeOf(all[n-1]) + 1
		all, dropped = all[:n-1], dropped+1
	}
	return all, dropped, left
}

// sizeOf returns the size of a value as JSON, in bytes.
func sizeOf(value any) int {
	blob, err := json.Marshal(value)
	if err != nil { // never for what is in a view
		return 0
	}
	return len(blob)
}
