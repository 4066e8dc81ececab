package page

import (
	"strings"

	"vademecum/docs/text"
	"vademecum/index"
	"vademecum/index/operations"
	"vademecum/internal/app/web/render"
)

// Renderer renders texts as the pages do, for the page that hosts show in a chat: without links to
// these pages, and without IDs.
type Renderer struct{}

var _ operations.Renderer = Renderer{}

// Passage implements operations.Renderer.
func (Renderer) Passage(p index.Passage, words index.HighlightWords, question string) operations.RenderedText {
	if p.IsRelatedOnly {
		words = words.WithWordParts(question)
	}
	text := strings.TrimRight(p.JoinDividedWords(p.Text), "\n")
	e := passageExcerpt(p, text, words)
	return operations.RenderedText{
		Excerpt: operations.ViewRuns(e.Runs), IsFirstLineCut: e.Before, IsLastLineCut: e.Further, IsCut: e.IsCut,
		HTML: string(render.HTML(passageText(p, text, words))),
	}
}

// Part implements operations.Renderer.
func (Renderer) Part(d index.DocumentPart, start, end int, passage text.Span, words index.HighlightWords) string {
	t := textOf(d.Document, d.Text, d.MIME != d.TextMIME)
	t.IsPassage, t.HasLineNumbers, t.From, t.To = true, false, start, end
	t.CitedRange = render.Range{From: passage.StartByte, To: passage.EndByte}
	t.Highlights = marksOf(words, d.Text[start:end], start)
	return string(render.HTML(t))
}

// StyleSheet returns the style sheet of the pages, as CSS.
func StyleSheet() string {
	style, err := assets.ReadFile("assets/style.css")
	if err != nil { // it is part of the program
		panic(err)
	}
	return string(style)
}
