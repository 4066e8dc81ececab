package page

import (
	"strconv"
	"strings"

	"vademecum/internal/app/web/render"
	"vademecum/internal/base/message"
)

// outlineLine is a line of a document's outline: a heading, or the start of a page, slide, sheet,
// chapter or cell.
type outlineLine struct {
	Level int
	Title string
	Place message.Message // place of a part without a title
	To    string
}

// mostOutlined is the maximum number of lines in an outline.
const mostOutlined = 400

// outline lists the headings of the text or, if it has none, its sheets, slides or chapters.
func (view *documentView) outline(headings []render.Heading, t render.DocumentText) {
	for i, h := range headings[:min(len(headings), mostOutlined)] {
		if i == 0 && h.Level == 1 && h.Title == view.Title { // it is shown as the title
			continue
		}
		l := outlineLine{Level: h.Level, Title: h.Title, To: "#L" + strconv.Itoa(h.Line)}
		if h.Offset < t.From || h.Offset >= t.To {
			l.To = view.link("from", strconv.Itoa(h.Line), "at", "", "find", "") + l.To
		}
		view.Outline = append(view.Outline, l)
	}
	if len(headings) > 0 || view.hasLook() {
		return
	}
	for _, d := range view.Divisions[:min(len(view.Divisions), mostOutlined)] {
		line := strconv.Itoa(1 + strings.Count(t.Body[:d.OffsetInSpan], "\n"))
		l := outlineLine{Level: 1, Place: d.Location, To: "#L" + line}
		if d.OffsetInSpan < t.From || d.OffsetInSpan >= t.To {
			l.To = view.link("from", line, "at", "", "find", "") + l.To
		}
		view.Outline = append(view.Outline, l)
	}
}
