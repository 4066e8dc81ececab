package page

import (
	"errors"
	"net/http"
	"path"
	"strconv"
	"strings"

	"vademecum/docs/formats"
	"vademecum/docs/text"
	"vademecum/index"
	"vademecum/internal/message"
)

// documentView is a document with a passage in it, or as much of it as is shown.
type documentView struct {
	index.DocumentPart
	Lines    []line
	Passage  message.Message // where it stands, "" without one
	Question string
	Beside   []string        // words that were found beside those of the question
	Missing  message.Message // why the passage that was asked for is not marked

	Folders       []place // that it lies in
	LinksHere     []place // the first documents that link to it
	Before, After []place // in its directory
	Earlier       string
	Later         string
	IsLines       bool // it has lines, and no pages
	Pictures      []pictureView
	Local         bool
	MayOpen       bool
}

// line is a line of a document.
type line struct {
	Number   int
	Division message.Message // the page, slide or sheet that begins here
	Look     string          // the document with a picture of that page, "" where there is none
	Heading  bool
	Aligned  bool // its characters stand below each other, as in tables and code
	First    bool // of the passage
	Within   bool // the passage has some of it, or it lies between such lines
	Runs     []textRun
}

// textRun is a part of a line. In says that it is of the passage.
type textRun struct {
	index.TextRun
	In bool
}

// Marked tells that it has words that were found.
func (r textRun) Marked() bool { return r.Hit || r.Beside }

// Class is how its mark looks.
func (r textRun) Class() string {
	var classes []string
	if r.In {
		classes = append(classes, "in")
	}
	if r.Beside {
		classes = append(classes, "beside")
	}
	return strings.Join(classes, " ")
}

// What of a document is shown: lines around the passage, of so many characters.
const (
	linesAround = 250
	mostShown   = 300_000
)

var shownRoom = index.Budget{Characters: mostShown, Bytes: 2 * mostShown}

// document shows one.
func (v *request) document() {
	ctx, cancel := v.timed()
	defer cancel()
	q := v.r.URL.Query()
	ref, at := q.Get("path"), q.Get("at")
	shown := v.audit("read")
	view := documentView{Question: strings.TrimSpace(q.Get("q")), Beside: q["beside"][:min(len(q["beside"]), mostBesideWords)], Local: v.isHere()}
	var passage text.Span
	var pages []text.Division // that the passage stands on
	if at != "" {
		p, err := v.shelf.Library.Read(ctx, index.Reading{Ref: ref + "#" + at})
		switch {
		case err != nil && isGone(err):
			v.fail(http.StatusNotFound, message.New("there is no such document", "没有这样的文档"))
			return
		case err != nil:
			view.Missing = message.Of(err)
		default:
			passage, view.Passage = p.Span, p.Place
			ref, pages = p.Path, p.Divisions
		}
	}
	whole, err := v.shelf.Library.Read(ctx, v.window(ref, passage))
	if err == nil && passage.EndByte > whole.EndByte { // it stands in a line that is too long to be shown with it
		whole, err = v.shelf.Library.Read(ctx, index.Reading{Ref: ref + "#" + at, Budget: shownRoom})
	}
	switch {
	case isGone(err):
		v.fail(http.StatusNotFound, message.New("there is no such document", "没有这样的文档"))
		return
	case errors.Is(err, index.ErrAway):
		v.failAway()
		return
	case err != nil:
		v.show("unread", message.Of(err))
		return
	}
	view.DocumentPart = whole
	shown(1, whole.Path)
	view.take(whole, passage, wordsIn(q))
	view.illustrate(at, pages)
	view.surround(v)
	view.MayOpen = view.Local && formats.MayOpen(whole.Path)
	v.show("document", &view)
}

func isGone(err error) bool { return errors.Is(err, index.ErrNotFound) }

// window is what is read of a document: what stands around the passage, or from a line
// on, or what was left out of a long one.
func (v *request) window(ref string, passage text.Span) index.Reading {
	r := index.Reading{Ref: ref, Budget: shownRoom}
	from, rest := number(v.r.FormValue("from")), v.r.FormValue("rest")
	switch {
	case rest != "":
		r.Ref += "#" + rest
	case from > 0:
		r.StartLine, r.EndLine = from, from+2*linesAround
	case passage.EndByte > 0:
		r.StartLine, r.EndLine = max(1, passage.StartLine-linesAround), passage.EndLine+linesAround
	default:
		r.StartLine, r.EndLine = 1, 2*linesAround
	}
	return r
}

// number is one from 1 on that was given, 0 for none.
func number(text string) (n int) {
	for _, c := range text {
		if c < '0' || c > '9' || n > 1e8 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// take parts the text into lines, and those where the passage begins and ends.
func (view *documentView) take(part index.DocumentPart, passage text.Span, words index.HighlightWords) {
	from, to := passage.StartByte-part.StartByte, passage.EndByte-part.StartByte
	divisions := part.Divisions
	view.IsLines = len(divisions) == 0
	markdown := strings.HasPrefix(part.TextMIME, "text/markdown")
	at, first, inCode := 0, true, false // of what begins in the middle nobody knows whether that is code
	number := part.StartLine
	for full := range strings.Lines(part.Text) {
		text := strings.TrimRight(full, "\n")
		l := line{Number: number}
		if markdown {
			isFence := strings.HasPrefix(text, "```")
			inCode = inCode != isFence
			l.Aligned = inCode || isFence || strings.HasPrefix(text, "|")
			l.Heading = !inCode && isHeading(text)
		}
		for len(divisions) > 0 && divisions[0].At < at+len(full) {
			l.Division, l.Look = divisions[0].Place, view.lookOf(divisions[0])
			divisions = divisions[1:]
		}
		begin, end := min(max(from-at, 0), len(text)), min(max(to-at, 0), len(text))
		l.Within = to > from && from < at+len(full) && at < to
		if begin < end || from >= at && from < at+len(full) && to > from {
			l.First, first = first, false
		}
		l.add(words, text[:begin], false)
		l.add(words, text[begin:end], true)
		l.add(words, text[end:], false)
		view.Lines = append(view.Lines, l)
		at += len(full)
		number++
	}
}

// add adds a part of the line.
func (l *line) add(words index.HighlightWords, text string, in bool) {
	for _, r := range words.SplitText(text) {
		l.Runs = append(l.Runs, textRun{r, in})
	}
}

// isHeading tells a heading of Markdown.
func isHeading(text string) bool {
	rest := strings.TrimLeft(text, "#")
	n := len(text) - len(rest)
	return 0 < n && n < 7 && strings.HasPrefix(rest, " ")
}

// mostBeside is how many documents before and after one are named.
const mostBeside = 4

// surround takes in what leads on from the document.
func (view *documentView) surround(v *request) {
	for i, c := range view.Path {
		if c == '/' {
			view.Folders = append(view.Folders, place{Name: path.Base(view.Path[:i]), To: searchForm{Given: map[string]string{"in": view.Path[:i]}}.link("/library/documents")})
		}
	}
	for _, from := range view.Linking {
		view.LinksHere = append(view.LinksHere, place{Name: from, To: documentLink(from, "", "")})
	}
	before, after, err := v.shelf.Library.Neighbours(v.r.Context(), view.Path, mostBeside)
	if err != nil {
		return // who asked is gone
	}
	for i := len(before) - 1; i >= 0; i-- {
		view.Before = append(view.Before, place{Name: before[i].Title, To: documentLink(before[i].Path, "", "")})
	}
	for _, d := range after {
		view.After = append(view.After, place{Name: d.Title, To: documentLink(d.Path, "", "")})
	}
	if view.StartLine > 1 {
		view.Earlier = view.from(max(1, view.StartLine-2*linesAround))
	}
	_, rest, isCut := strings.Cut(view.Rest, "#")
	switch last := view.EndLine; {
	case isCut:
		view.Later = documentLink(view.Path, "", view.Question, view.Beside...) + "&rest=" + queryEscape(rest)
	case last-view.StartLine >= 2*linesAround-1:
		view.Later = view.from(last + 1)
	}
}

// MoreLinks counts the documents that link to it and are not named.
func (view *documentView) MoreLinks() int { return view.CountLinking - len(view.LinksHere) }

// from is the address of the document from a line on.
func (view *documentView) from(line int) string {
	return documentLink(view.Path, "", view.Question, view.Beside...) + "&from=" + strconv.Itoa(line)
}
