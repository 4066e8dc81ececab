package page

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/text"
	"vademecum/index"
	"vademecum/index/match"
	"vademecum/internal/app/web/render"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// documentView is the page that shows a document, or a part of it, possibly with a cited passage.
type documentView struct {
	index.DocumentPart
	Shown    template.HTML   // the part shown, as HTML
	Kind     string          // CSS class for the kind of text
	AsOther  string          // link to the source of a document that is shown rendered, or the reverse; "" if there is only one form
	Written  bool            // the document is shown as source
	Passage  message.Message // place of the cited passage; "" if there is none
	IsCited  bool            // the cited passage is within the part shown
	Question string
	Beside   []string        // related words that were found in place of those of the question
	Missing  message.Message // why the cited passage is not marked, or may be a different one

	Within     string // text to find in the document
	Hits, Hit  int    // number of matches, and the one shown
	Last, Next string // links to the matches before and after that one
	Problem    message.Message

	Outline         []outlineLine
	LinksHere       []place // the first documents that link here
	LinksTo         []place // documents that this one links to
	MoreLinksTo     int
	Nowhere         []string // names of broken links
	Folders         []place  // folders that contain it
	Before, After   []place  // neighbours in its directory
	Earlier, Later  string   // links to the parts before and after the one shown
	Portion, Number int      // number of the part shown of a long text, and number of all parts
	Paged           string   // link to its pages as images; "" if there are none
	Pictures        []pictureView
	Local           bool
	MayOpen         bool
	hidden          url.Values // URL parameters that links keep
	turned          url.Values // URL parameters that selected the part shown
}

// How many bytes of a text, and of a table, a page shows.
const (
	mostShown   = 500_000
	mostOfTable = 150_000
)

// document shows the page of a document.
func (v *request) document() {
	ctx, cancel := v.timed()
	defer cancel()
	q := v.r.URL.Query()
	ref, at := q.Get("path"), q.Get("at")
	if number(q.Get("page")) > 0 {
		v.showPageImage(ctx, ref, number(q.Get("page")))
		return
	}
	shown := v.audit("read")
	whole, err := index.Ask(ctx, v.view.Library, index.ReadQuery{Ref: ref})
	if err == nil && whole.URI != whole.Document.URI { // the reference is to a part
		whole, err = index.Ask(ctx, v.view.Library, index.ReadQuery{Ref: whole.Path})
	}
	switch {
	case isGone(err):
		v.fail(http.StatusNotFound, message.New("there is no such document"))
		return
	case errors.Is(err, index.ErrDatabaseUnreachable):
		v.failAway()
		return
	case err != nil:
		v.unread(ctx, ref, err)
		return
	}
	view := &documentView{
		DocumentPart: whole, Question: strings.TrimSpace(q.Get("q")), Beside: q["beside"][:min(len(q["beside"]), mostBesideWords)], Within: strings.TrimSpace(q.Get("find")),
		Local: v.isHere(), hidden: some(q, "path", "at", "q", "beside", "as", "find"), turned: some(q, turning...),
	}
	var passage text.Span
	if at != "" {
		passage = v.cite(ctx, view, at)
	}
	shown(1, whole.Path)
	view.arrange(v, q, passage)
	view.surround(v)
	v.show("document", view)
}

// turning are the names of the URL parameters that select a part of a long document.
var turning = []string{"portion", "from", "heading"}

// some returns those of the URL parameters that have one of the names.
func some(q url.Values, names ...string) url.Values {
	found := make(url.Values)
	for _, name := range names {
		if q.Get(name) != "" {
			found[name] = q[name]
		}
	}
	return found
}

// link returns the URL of the page with some parameters changed, given as pairs of a name and a
// value.
func (view *documentView) link(changes ...string) string {
	q := maps.Clone(view.hidden)
	q.Set("path", view.Path)
	for i := 0; i < len(changes); i += 2 {
		if q.Del(changes[i]); changes[i+1] != "" {
			q.Set(changes[i], changes[i+1])
		}
	}
	return "/doc?" + q.Encode()
}

// Kept returns the URL parameters that the form for finding text in the document has to keep.
func (view *documentView) Kept() url.Values {
	q := maps.Clone(view.hidden)
	q.Set("path", view.Path)
	q.Del("find")
	return q
}

// Here returns a link to the current position in the document, for sharing.
func (view *documentView) Here() string {
	switch {
	case view.Hits > 0:
		return view.hitLink(view.Hit)
	case view.IsCited:
		return view.link() + "#passage"
	}
	return view.link()
}

// hitLink returns the URL of the match with a number, counted from 1. The numbers wrap around: 0
// means the last match.
func (view *documentView) hitLink(hit int) string {
	return view.link("hit", strconv.Itoa((hit+view.Hits-1)%view.Hits+1)) + "#hit"
}

// Following returns the number of the match after the one shown, which is 1 after the last.
func (view *documentView) Following() int { return view.Hit%view.Hits + 1 }

// cite returns the range of the passage that a link refers to, even if it has moved since the link
// was made. If there is none, it returns the zero value and sets view.Missing to the reason.
func (v *request) cite(ctx context.Context, view *documentView, at string) text.Span {
	at, known := cutFingerprint(at)
	p, err := index.Ask(ctx, v.view.Library, index.ReadQuery{Ref: view.Path + "#" + at})
	hasChanged := err == nil && p.Hash != view.Hash
	if known.length > 0 && !hasChanged && (err != nil || fingerprintOf(p.Text) != known) {
		near := p.StartByte
		if err != nil { // the text has become shorter
			near = len(view.DocumentPart.Text)
		}
		if moved, ok := known.find(view.DocumentPart.Text, near); ok {
			span := text.SpanOf(view.DocumentPart.Text, moved.From, moved.To)
			p, err = index.Ask(ctx, v.view.Library, index.ReadQuery{Ref: view.Path, StartLine: span.StartLine, EndLine: span.EndLine})
			hasChanged, p.Span = err == nil && p.Hash != view.Hash, span
		} else {
			view.Missing = message.New("The document has changed since this link was made, and no longer contains the passage as it was.")
		}
	}
	switch {
	case hasChanged:
		view.Missing = message.New("The document has just changed: load the page again.")
		return text.Span{}
	case err != nil:
		view.Missing = cmp.Or(view.Missing, message.FromError(err))
		return text.Span{}
	}
	if known.length == 0 && text.IsPositionFragment(at) {
		view.hidden.Set("at", withFingerprint(at, p.Text))
	}
	view.Passage = p.Place
	view.illustrate(at, p.Divisions)
	return p.Span
}

// isGone reports whether an error means that a document does not exist, or that its path is
// invalid.
func isGone(err error) bool {
	return errors.Is(err, index.ErrNotFound) || errors.Is(err, glob.ErrInvalidPath)
}

// number parses a positive number; it returns 0 for any other text.
func number(text string) (n int) {
	for _, c := range text {
		if c < '0' || c > '9' || n > 1e8 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// arrange selects and renders the part of the document to show: the part with the passage, or the
// one that the URL parameters select.
func (view *documentView) arrange(v *request, q url.Values, passage text.Span) {
	t := view.source(q.Get("as") == "written")
	headings := []render.Heading(nil)
	if isMarkdown(view.Document) {
		headings = render.Outline(t.Body)
	}
	focus := passage.StartByte
	if passage.EndByte > 0 {
		t.CitedRange = render.Range{From: passage.StartByte, To: passage.EndByte}
		id := "passage"
		if len(view.Pictures) > 0 {
			id = "in-text"
		}
		t.Anchors = append(t.Anchors, render.Anchor{Offset: passage.StartByte, ID: id})
	}
	if h, ok := render.FindHeading(headings, q.Get("heading")); ok {
		focus = h.Offset
		t.Anchors = append(t.Anchors, render.Anchor{Offset: h.Offset, ID: "heading"})
	}
	if line := number(q.Get("from")); line > 0 {
		focus = lineStart(t.Body, line)
	}
	if view.Within != "" {
		hit := number(q.Get("hit"))
		if was := q.Get("was"); was != "" && was != view.Within { // the search text has changed
			hit = 1
		}
		if hit, ok := view.find(v.r.Context(), &t, hit); ok {
			focus = hit
			t.Anchors = append(t.Anchors, render.Anchor{Offset: hit, ID: "hit"})
		}
	}
	view.turnTo(&t, focus, number(q.Get("portion")))
	view.IsCited = view.Passage != "" && t.CitedRange.From < t.To && t.CitedRange.To > t.From
	// the passage may end in the next part
	if t.CitedRange.From < t.To && t.CitedRange.From >= t.From && t.CitedRange.To < t.From+2*mostShown {
		t.To = max(t.To, t.CitedRange.To)
	}
	if view.Within == "" {
		t.Highlights = marksOf(wordsIn(q), t.Body[t.From:t.To], t.From)
	}
	slices.SortFunc(t.Anchors, func(a, b render.Anchor) int { return a.Offset - b.Offset })
	t.Anchors = slices.DeleteFunc(t.Anchors, func(a render.Anchor) bool { return a.Offset < t.From || a.Offset > t.To })
	view.divide(v, &t)
	t.LinkURL, t.PictureURL = v.leads(view.Path)
	t.TagURL = tagLinks(view.Tags)
	t.DiagramNote = v.diagramNote()
	view.Shown = render.HTML(t)
	view.outline(headings, t)
}

// diagramNote returns the note that is shown above the source of a diagram, as diagrams are not
// drawn here.
func (v *request) diagramNote() string { return v.words.Say("A diagram, as source text") }

// isMarkdown reports whether the text of a document is Markdown.
func isMarkdown(d index.Document) bool { return strings.HasPrefix(d.TextMIME, "text/markdown") }

// source returns the text of the document for rendering, as source if asWritten is set.
func (view *documentView) source(asWritten bool) render.DocumentText {
	t := textOf(view.Document, view.DocumentPart.Text, len(view.Divisions) > 0)
	if view.Kind = "lines"; t.Kind == render.SourceText {
		return t
	}
	view.Kind = "meant"
	view.Written, view.AsOther = asWritten, view.link("as", "written")
	if asWritten {
		t.Kind, view.Kind, view.AsOther = render.SourceText, "lines", view.link("as", "")
	}
	return t
}

// textOf returns the text of a document for rendering. isDivided reports whether it has pages,
// slides or the like.
func textOf(d index.Document, body string, isDivided bool) render.DocumentText {
	extension := strings.TrimPrefix(strings.ToLower(path.Ext(d.Path)), ".")
	t := render.DocumentText{
		Body: body, To: len(body), Kind: render.SourceText, Title: d.Title, Language: extension,
		HasLineNumbers: !isDivided, KeepsLineBreaks: d.MIME != "text/markdown", IsMarkdownSource: isMarkdown(d),
	}
	switch {
	case t.IsMarkdownSource:
		t.Kind = render.Markdown
	case d.TextMIME == "text/csv" || d.TextMIME == "text/tab-separated-values":
		t.Kind = render.Table
	case !isDivided && render.IsCodeExtension(extension):
		t.Kind = render.Code
	}
	return t
}

// lineStart returns the byte offset at which a line begins; for a line after the last one, that of
// the last.
func lineStart(body string, line int) (at int) {
	for ; line > 1; line-- {
		n := strings.IndexByte(body[at:], '\n')
		if n < 0 {
			break
		}
		at += n + 1
	}
	return at
}

// find marks the matches of the text to find, and returns the offset of the match with a number; ok
// is false if there are none.
func (view *documentView) find(ctx context.Context, t *render.DocumentText, hit int) (at int, ok bool) {
	matcher, err := (&index.FindQuery{Text: view.Within}).Check()
	if err != nil {
		view.Problem = message.FromError(err)
		return 0, false
	}
	found, _, err := match.FindIncludingStruck(ctx, matcher, nil, t.Body)
	if err != nil {
		return 0, false
	}
	if view.Hits = len(found); view.Hits == 0 {
		return 0, false
	}
	view.Hit = min(max(hit, 1), view.Hits)
	view.Last, view.Next = view.hitLink(view.Hit-1), view.hitLink(view.Hit+1)
	for i, r := range found {
		how := render.MatchHighlight
		if i == view.Hit-1 {
			how = render.CurrentMatchHighlight
		}
		t.Highlights = append(t.Highlights, render.Highlight{Range: render.Range{From: r.Start, To: r.End}, Style: how})
	}
	return found[view.Hit-1].Start, true
}

// marksOf returns marks for the words to highlight in a text that begins at offset at of the whole
// document.
func marksOf(words index.HighlightWords, text string, at int) (marks []render.Highlight) {
	for _, r := range words.SplitText(text) {
		if r.IsQueryWord || r.IsRelatedWord {
			m := render.Highlight{Range: render.Range{From: at, To: at + len(r.Text)}}
			if r.IsRelatedWord {
				m.Style = render.SubstituteHighlight
			}
			marks = append(marks, m)
		}
		at += len(r.Text)
	}
	return marks
}

// turnTo selects the part of a long text to show: the one with the number portion or, if that is 0,
// the one that contains the offset focus.
func (view *documentView) turnTo(t *render.DocumentText, focus, portion int) {
	most := mostShown
	if t.Kind == render.Table {
		most = mostOfTable
	}
	starts := render.PageStarts(t.Body, isMarkdown(view.Document), most)
	i, isStart := slices.BinarySearch(starts, focus)
	if !isStart {
		i--
	}
	if portion > 0 {
		i = min(portion, len(starts)) - 1
	}
	view.Portion, view.Number = i+1, len(starts)
	t.From = starts[i]
	if i+1 < len(starts) {
		t.To = starts[i+1]
		view.Later = view.link("portion", strconv.Itoa(i+2), "at", "", "find", "")
	}
	if i > 0 {
		view.Earlier = view.link("portion", strconv.Itoa(i), "at", "", "find", "")
	}
}

// divide adds to t the starts of the document's pages, slides, sheets, chapters and cells.
func (view *documentView) divide(v *request, t *render.DocumentText) {
	for _, d := range view.Divisions {
		if d.OffsetInSpan < t.From || d.OffsetInSpan >= t.To {
			continue
		}
		t.Divisions = append(t.Divisions, render.Division{Offset: d.OffsetInSpan, Name: present.CleanLine(v.words.In(d.Location)), ImageURL: view.lookOf(d), ImageLinkText: v.words.Say("as an image")})
	}
}
