// Package render renders the texts of documents as HTML: Markdown as its author meant it, tables as
// tables, code with highlighting, and any other text as source. Documents are hostile input: none
// of their content becomes markup. Each element and attribute is written here by name, and
// everything else is escaped text. Links lead where the caller decides, or to web and mail
// addresses; only pictures that the caller knows are loaded.
package render

import (
	"html"
	"html/template"
	"sort"
	"strconv"
	"strings"

	"vademecum/internal/base/present"
)

// TextKind is the kind of a text, which decides how it is rendered.
type TextKind uint8

// Kinds of texts.
const (
	SourceText TextKind = iota // source, line by line
	Markdown                   // CommonMark with tables, and the extensions of Obsidian and GitHub
	Table                      // comma- or tab-separated values
	Code                       // in the language Text.Language
)

// DocumentText is a text to be rendered.
type DocumentText struct {
	Body             string // the text of the whole document
	From, To         int    // range of Body that is rendered; From is the start of a line
	Kind             TextKind
	Title            string // title shown above the text; a top-level heading at the start that repeats it is omitted
	Language         string // language of Code: its name, or a file extension without the dot
	HasLineNumbers   bool   // show the numbers of lines, so that people can cite them
	KeepsLineBreaks  bool   // keep the line breaks within paragraphs
	IsMarkdownSource bool   // of SourceText: the source is Markdown, of which headings, tables and code are highlighted
	IsPassage        bool   // one of several passages on a web page: elements get no IDs, and headings become lines
	DiagramNote      string // shown above the source of a diagram; "" for no note
	Divisions        []Division
	Highlights       []Highlight // sorted, not nested
	CitedRange       Range       // passage to be shown as cited; empty for none
	Anchors          []Anchor    // sorted
	// LinkURL returns the URL for a link in the text, PictureURL that for a picture; "" means that the
	// link or picture is shown without one. Either function may be nil.
	LinkURL, PictureURL func(Link) string
	// TagURL returns the URL for a tag; "" if the document does not have that tag. It may be nil.
	TagURL func(name string) string
}

// Range is a half-open range of bytes.
type Range struct{ From, To int }

func (r Range) overlaps(from, to int) bool { return r.From < r.To && r.From < to && from < r.To }

// Highlight is a highlighted part of a text.
type Highlight struct {
	Range
	Style HighlightStyle
}

// HighlightStyle says why a part of a text is highlighted, which decides how it looks.
type HighlightStyle uint8

// Styles of marks.
const (
	MatchHighlight        HighlightStyle = iota // a match of the query
	SubstituteHighlight                         // a match of a word that substitutes one of the query
	CurrentMatchHighlight                       // the match that is selected among several
)

// Anchor is a place in a text to which links with a fragment lead.
type Anchor struct {
	Offset int
	ID     string // consists of letters and hyphens
}

// Division is the start of a page, slide, sheet, chapter or cell in a text.
type Division struct {
	Offset                  int
	Name                    string
	ImageURL, ImageLinkText string // link to its image, and the text of that link; "" for none
}

// Link is a link in a text to a document or picture.
type Link struct {
	Target   string // path as in a URL, without the fragment, or the name of a note
	Fragment string // heading to which the link refers; "" for none
	IsWiki   bool   // the link is written in double brackets
}

// HTML renders a text as HTML.
func HTML(t DocumentText) template.HTML {
	w := &writer{DocumentText: t, starts: lineStarts(t.Body)}
	switch t.Kind {
	case Markdown:
		w.writeMarkdown()
	case Table:
		w.writeDelimitedTable()
	case Code:
		w.writeDivisionsUpTo(t.To)
		w.writeCode("", []Range{{t.From, t.To}}, t.Language)
	default:
		w.writeLines()
	}
	w.writeDivisionsUpTo(t.To)
	w.writeAnchorsUpTo(len(t.Body) + 1)
	return template.HTML(w.out.String())
}

// lineStarts returns the offsets at which the lines of a text begin.
func lineStarts(text string) []int {
	starts := make([]int, 1, strings.Count(text, "\n")+1)
	for i := 0; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return starts
		}
		i += n + 1
		starts = append(starts, i)
	}
}

// writer writes a text as HTML.
type writer struct {
	DocumentText
	out    strings.Builder
	starts []int // offsets at which the lines of Body begin
	lastID int   // number of the last line whose element got an ID

	codeLinks []codeLink // links in the code being written

	isCode  bool       // code is being written, of which whole lines are marked as cited
	colours []codeSpan // highlighting of the code being written
	skipped int        // offset after the marker of a callout, before which its paragraph is not shown
	marked  markdownState
}

// lineNumber returns the number of the line that contains an offset.
func (w *writer) lineNumber(at int) int {
	return sort.Search(len(w.starts), func(i int) bool { return w.starts[i] > at })
}

// writePosition writes the HTML attributes of an element that shows Body[from:to]: the ID of its
// line, its class, and whether it is cited.
func (w *writer) writePosition(from, to int, class string) {
	if w.CitedRange.overlaps(from, to) {
		class = strings.TrimSpace(class + " within")
	}
	if class != "" {
		w.writeMarkup(` class="`, class, `"`)
	}
	if n := w.lineNumber(from); n > w.lastID && !w.IsPassage {
		w.lastID = n
		number := strconv.Itoa(n)
		w.writeMarkup(` id="L`, number, `"`)
		if w.HasLineNumbers {
			w.writeMarkup(` data-n="`, number, `"`)
		}
	}
}

// writeMarkup writes HTML as it is.
func (w *writer) writeMarkup(markup ...string) {
	for _, m := range markup {
		w.out.WriteString(m)
	}
}

// writeWords writes a text that is not part of Body, or whose position there is unknown.
func (w *writer) writeWords(words string) { w.writeMarkup(html.EscapeString(words)) }

// writeDivisionsUpTo writes the names of those divisions that begin before an offset and are not
// written yet.
func (w *writer) writeDivisionsUpTo(at int) {
	for len(w.Divisions) > 0 && w.Divisions[0].Offset < at {
		d := w.Divisions[0]
		w.Divisions = w.Divisions[1:]
		w.writeMarkup(`<h2 class="division">`)
		w.writeWords(d.Name)
		if d.ImageURL != "" {
			w.writeMarkup(` <a href="`, html.EscapeString(d.ImageURL), `">`)
			w.writeWords(d.ImageLinkText)
			w.writeMarkup(`</a>`)
		}
		w.writeMarkup("</h2>\n")
	}
}

// writeAnchorsUpTo writes those anchors before an offset that are not written yet.
func (w *writer) writeAnchorsUpTo(at int) {
	for len(w.Anchors) > 0 && w.Anchors[0].Offset < at {
		w.writeMarkup(`<a id="`, w.Anchors[0].ID, `"></a>`)
		w.Anchors = w.Anchors[1:]
	}
}

// writeText writes Body[from:to] with its marks. If isMarkdown is set, escapes in it are resolved.
func (w *writer) writeText(from, to int, isMarkdown bool) {
	from = max(from, w.skipped)
	next := sort.Search(len(w.Highlights), func(i int) bool { return w.Highlights[i].To > from })
	for from < to {
		end := to
		mark := (*Highlight)(nil)
		if next < len(w.Highlights) && w.Highlights[next].From < to {
			if m := &w.Highlights[next]; m.From <= from {
				mark, end = m, min(end, m.To)
			} else {
				end = m.From
			}
		}
		end = w.CitedRange.nextBoundary(from, end)
		c := w.classAt(from, &end)
		for len(w.Anchors) > 0 && w.Anchors[0].Offset <= from {
			w.writeAnchorsUpTo(from + 1)
		}
		if len(w.Anchors) > 0 && w.Anchors[0].Offset < end {
			end = w.Anchors[0].Offset
		}
		w.writeRun(w.Body[from:end], mark, !w.isCode && w.CitedRange.overlaps(from, end), c, isMarkdown)
		if from = end; mark != nil && mark.To <= from {
			next++
		}
	}
}

// nextBoundary returns the first boundary of the range that is after from and before end; end if
// there is none.
func (r Range) nextBoundary(from, end int) int {
	for _, at := range []int{r.From, r.To} {
		if r.From < r.To && from < at && at < end {
			end = at
		}
	}
	return end
}

// writeRun writes a text that has the same style throughout.
func (w *writer) writeRun(text string, mark *Highlight, isCited bool, class string, isMarkdown bool) {
	if isMarkdown {
		text = unescapeMarkdown(text)
	}
	if class != "" {
		w.writeMarkup(`<span class="`, class, `">`)
	}
	switch {
	case mark != nil:
		w.writeMarkup(`<mark`)
		classes := mark.Style.class()
		if isCited {
			classes = strings.TrimSpace("in " + classes)
		}
		if classes != "" {
			w.writeMarkup(` class="`, classes, `"`)
		}
		w.writeMarkup(`>`)
		w.writeWords(text)
		w.writeMarkup(`</mark>`)
	case isCited:
		w.writeMarkup(`<span class="in">`)
		w.writeWords(text)
		w.writeMarkup(`</span>`)
	default:
		w.writeWords(text)
	}
	if class != "" {
		w.writeMarkup(`</span>`)
	}
}

func (l HighlightStyle) class() string {
	switch l {
	case SubstituteHighlight:
		return "beside"
	case CurrentMatchHighlight:
		return "current"
	}
	return ""
}

// writeLines writes the text line by line.
func (w *writer) writeLines() {
	inCode := false
	for at := w.From; at < w.To; {
		end := w.To
		if n := strings.IndexByte(w.Body[at:w.To], '\n'); n >= 0 {
			end = at + n
		}
		text := w.Body[at:end]
		class := "line"
		if w.IsMarkdownSource {
			isFence := strings.HasPrefix(text, "```")
			inCode = inCode != isFence
			switch {
			case inCode || isFence || strings.HasPrefix(text, "|"):
				class += " aligned"
			case headingLevel(text) > 0:
				class += " heading"
			}
		}
		w.writeDivisionsUpTo(end + 1)
		w.writeMarkup(`<div`)
		w.writePosition(at, end+1, class)
		w.writeMarkup(`>`)
		if len(w.Anchors) > 0 && w.Anchors[0].Offset <= end && text == "" {
			w.writeAnchorsUpTo(end + 1)
		}
		w.writeMarkup(`<span class="t">`)
		w.writeText(at, end, false)
		w.writeMarkup("\n</span></div>")
		at = end + 1
	}
}

// headingLevel returns the level of a Markdown heading; 0 for other lines.
func headingLevel(line string) int {
	rest := strings.TrimLeft(line, "#")
	if n := len(line) - len(rest); n < 7 && strings.HasPrefix(rest, " ") {
		return n
	}
	return 0
}

// displayText returns a text without what is unsafe to display. It is for text that is not in Body
// verbatim.
func displayText(text string) string { return present.CleanBlock(text) }
