package render

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
)

// callouts maps those kinds of callouts that have a style of their own to its CSS class.
var callouts = map[string]string{
	"tip": "good", "hint": "good", "success": "good", "check": "good", "done": "good", "important": "good",
	"warning": "warn", "caution": "warn", "attention": "warn", "question": "warn", "help": "warn", "faq": "warn",
	"danger": "bad", "error": "bad", "bug": "bad", "failure": "bad", "fail": "bad", "missing": "bad", "quote": "cited", "cite": "cited",
}

// writeQuote writes a block quotation, or a callout in the syntax of GitHub and Obsidian.
func (w *writer) writeQuote(n *ast.Blockquote) {
	kind, title := w.calloutOf(n)
	if kind == "" {
		w.writeMarkup("<blockquote>\n")
		w.writeBlocks(n)
		w.writeMarkup("</blockquote>\n")
		return
	}
	look := callouts[strings.ToLower(kind)]
	if look == "" {
		look = "note"
	}
	box, head := "div", "p"
	first := n.FirstChild()
	r := w.rangeOf(first)
	w.writeMarkup("<")
	if fold := w.Body[title-1]; fold != ']' && !w.IsPassage {
		box, head = "details", "summary"
		w.writeMarkup(box, ` class="callout `, look, `"`)
		if fold == '+' || w.standsOut(r.From, w.blockEnd(n)) {
			w.writeMarkup(" open")
		}
	} else {
		w.writeMarkup(box, ` class="callout `, look, `"`)
	}
	w.writeMarkup(">\n<", head)
	w.writePosition(r.From, r.To, "callout-title")
	w.writeMarkup(">")
	end := r.From + strings.IndexByte(w.Body[r.From:r.To]+"\n", '\n')
	if strings.TrimSpace(w.Body[title:min(end, r.To)]) == "" {
		w.writeWords(capitalise(kind))
	}
	w.skipped, w.marked.breakAt = title, "</"+head+">\n<p>"
	w.writeInlines(first)
	if w.marked.breakAt == "" { // a line break has ended the title of the callout
		head = "p"
	}
	w.skipped, w.marked.breakAt = 0, ""
	w.writeMarkup("</", head, ">\n")
	for c := first.NextSibling(); c != nil; c = c.NextSibling() {
		w.writeBlock(c)
	}
	w.writeMarkup("</", box, ">\n")
}

// standsOut reports whether a range of Body must be visible without a click because it is cited,
// marked or the target of a link.
func (w *writer) standsOut(from, to int) bool {
	i := sort.Search(len(w.Highlights), func(i int) bool { return w.Highlights[i].To > from })
	return w.CitedRange.overlaps(from, to) || i < len(w.Highlights) && w.Highlights[i].From < to || len(w.Anchors) > 0 && w.Anchors[0].Offset < to
}

// blockEnd returns the offset in Body at which the last text in a block ends.
func (w *writer) blockEnd(n ast.Node) int {
	if n.Lines().Len() > 0 {
		return w.rangeOf(n).To
	}
	for c := n.LastChild(); c != nil && c.Type() == ast.TypeBlock; c = c.PreviousSibling() {
		if end := w.blockEnd(c); end > 0 {
			return end
		}
	}
	return 0
}

// calloutOf returns the kind of the callout that a quotation is, and the offset of its title; the
// kind is "" if it is an ordinary quotation.
func (w *writer) calloutOf(n *ast.Blockquote) (kind string, title int) {
	first, ok := n.FirstChild().(*ast.Paragraph)
	if !ok {
		return "", 0
	}
	r := w.rangeOf(first)
	text, ok := strings.CutPrefix(w.Body[r.From:r.To], "[!")
	kind, rest, isClosed := strings.Cut(text[:min(len(text), 40)], "]")
	if !ok || !isClosed || kind == "" || strings.ContainsFunc(kind, func(c rune) bool { return !unicode.IsLetter(c) && c != '-' }) {
		return "", 0
	}
	title = r.From + len("[!") + len(kind) + len("]")
	if strings.HasPrefix(rest, "-") || strings.HasPrefix(rest, "+") { // a foldable callout
		title++
	}
	return kind, title
}

func capitalise(word string) string {
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + strings.ToLower(word[size:])
}
