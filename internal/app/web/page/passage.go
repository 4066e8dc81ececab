package page

import (
	"html/template"
	"slices"
	"strings"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/app/web/render"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// passageView is a passage in the list of results.
type passageView struct {
	index.Passage
	Excerpt excerpt
	Others  []passageView // other passages of the same document
	Shown   template.HTML
	Above   []string // headings above the passage that the passage does not contain
	To      string   // link to the passage in its document
	Same    []otherPlaces
	Why     whyView
	Ask     string   // prompt that makes a model read the passage
	Judging *judging // nil if the visitor may not judge
}

// HasMore reports whether the passage has more to show than its excerpt.
func (p passageView) HasMore() bool {
	return p.Excerpt.IsCut || len(p.Tags) > 0 || slices.ContainsFunc(p.Same, func(o otherPlaces) bool { return !o.IsSame })
}

// otherPlaces are other places with the same or a similar text.
type otherPlaces struct {
	How    string
	IsSame bool // the places have the same text; they are listed without a click, as a user with several copies wants to know which one this is
	Places []place
	More   int
}

// place is a link to a document or a place in it.
type place struct {
	Name, To string
	Place    message.Message
}

// passage returns the view of a passage.
func (v *request) passage(p index.Passage, words index.HighlightWords, a searchForm) passageView {
	_, at, _ := strings.Cut(p.URI, "#")
	if p.IsRelatedOnly {
		words = words.WithWordParts(a.Question)
	}
	text := strings.TrimRight(p.JoinDividedWords(p.Text), "\n")
	out := passageView{Passage: p, Shown: v.renderPassage(p, text, words), Excerpt: passageExcerpt(p, text, words)}
	out.To = documentLink(p.Path, withFingerprint(at, p.Text), a.Question, besideIn(words.SplitText(text))...)
	for _, h := range p.Heading {
		if h != "" && h != p.Title && !strings.Contains(p.Text, h) {
			out.Above = append(out.Above, plainHeading(h))
		}
	}
	out.addSame(otherPlaces{How: "more of it in"}, p.PlacesOfOmittedText)
	out.addSame(otherPlaces{How: "same text in", IsSame: true, More: p.MoreCopies}, p.Copies)
	out.addSame(otherPlaces{How: "in part also in", More: p.MoreSimilarPlaces}, p.SimilarPlaces)
	out.addSame(otherPlaces{How: "in other languages", More: p.MoreTranslations}, p.Translations)
	var linking []notice.Place
	for _, path := range p.LinkedFrom {
		linking = append(linking, notice.Place{Path: path})
	}
	out.addSame(otherPlaces{How: "linked from"}, linking)
	if a.Why {
		out.Why = v.words.whyOf(p)
	}
	out.Ask = v.words.Say("Read %s (%s) with read_doc of Vademecum, and answer from it: %s", present.CleanLine(p.Path), present.CleanLine(v.words.In(p.Place)), present.CleanLine(a.Question))
	return out
}

// skimmed returns the text of a passage for people to skim. Lines of front matter are kept only if
// they contain words of the question that do not occur in the rest.
func skimmed(p index.Passage, text string, words index.HighlightWords) string {
	end := 0
	if p.StartByte == 0 {
		end = render.FrontMatterEnd(text + "\n")
	}
	rest := text[min(end, len(text)):]
	hasWord := func(text string) bool {
		return slices.ContainsFunc(words.SplitText(text), func(r index.TextRun) bool { return r.IsQueryWord || r.IsRelatedWord })
	}
	if end == 0 || hasWord(rest) {
		return rest
	}
	kept := ""
	for line := range strings.Lines(text[:min(end, len(text))]) {
		if hasWord(line) {
			kept += line + "\n"
		}
	}
	if strings.TrimSpace(kept+rest) == "" {
		return text
	}
	return kept + rest
}

// passageExcerpt returns the excerpt of a passage that is shown first.
func passageExcerpt(p index.Passage, text string, words index.HighlightWords) excerpt {
	plain := plainText(skimmed(p, text, words), p.TextMIME)
	if first, rest, _ := strings.Cut(plain, "\n"); rest != "" && strings.EqualFold(first, p.Title) {
		plain = rest // the title is shown above the excerpt
	}
	return excerptOf(plain, plainText(p.BestLine, p.TextMIME), words)
}

// passageText returns the text of a passage for rendering, without links.
func passageText(p index.Passage, text string, words index.HighlightWords) render.DocumentText {
	t := textOf(p.Document, text, p.MIME != p.TextMIME)
	t.IsPassage, t.HasLineNumbers, t.Highlights = true, false, marksOf(words, text, 0)
	return t
}

// renderPassage returns the text of a passage as HTML.
func (v *request) renderPassage(p index.Passage, text string, words index.HighlightWords) template.HTML {
	t := passageText(p, text, words)
	t.LinkURL, t.PictureURL = v.leads(p.Path)
	t.TagURL = tagLinks(p.Tags)
	t.DiagramNote = v.diagramNote()
	return render.HTML(t)
}

func (p *passageView) addSame(e otherPlaces, places []notice.Place) {
	if len(places) == 0 {
		return
	}
	for _, p := range places {
		e.Places = append(e.Places, place{p.Path, documentLink(p.Path, "", ""), p.Position})
	}
	p.Same = append(p.Same, e)
}
