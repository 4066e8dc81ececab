// Package drawing reads drawings: the texts of cards, shapes and arrows in a plane, in reading
// order. Purely visual parts, such as lines, colours and pictures, are left out.
package drawing

import (
	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// maxFigures limits the number of figures, and of arrows, in a drawing. They take more memory than
// their source.
const maxFigures = 100_000

var (
	errTooManyFigures = extract.Skip("more than 100000 shapes")
	errDamaged        = extract.Skip("damaged drawing")
)

// A drawingPage is a drawing, or one page of a drawing.
type drawingPage struct {
	figures []figure
	arrows  []arrow
	byID    map[string]int // index in figures, by id
}

// A figure is an object in the plane that has a text or contains other figures, such as a card, a
// shape or a frame.
type figure struct {
	box
	id       string
	parentID string // id of the figure that contains this one, or ""
	text     string // text as Markdown; may be ""
	isFrame  bool   // whether it contains other figures, with text as their heading
}

// An arrow leads from one figure to another, and may have a label.
type arrow struct {
	id       string
	from, to string // ids of the figures at its ends, or ""
	label    string
}

func newDrawingPage() *drawingPage { return &drawingPage{byID: make(map[string]int)} }

// addFigure adds a figure to the page. If several figures have the same id, the id refers to the
// first.
func (p *drawingPage) addFigure(f figure) error {
	if len(p.figures) >= maxFigures {
		return errTooManyFigures
	}
	if _, taken := p.byID[f.id]; !taken {
		p.byID[f.id] = len(p.figures)
	}
	p.figures = append(p.figures, f)
	return nil
}

func (p *drawingPage) addArrow(a arrow) error {
	if len(p.arrows) >= maxFigures {
		return errTooManyFigures
	}
	p.arrows = append(p.arrows, a)
	return nil
}

// findFigure returns the figure with that id, or nil.
func (p *drawingPage) findFigure(id string) *figure {
	if i, ok := p.byID[id]; ok && id != "" {
		return &p.figures[i]
	}
	return nil
}

// contentUntilError returns what was written before err. It returns err instead if nothing was
// written or a limit was exceeded.
func contentUntilError(w *markdown.Writer, err error) (extract.Content, error) {
	if err != nil && (w.Text.Len() == 0 || err == errTooManyFigures || extract.IsLimitError(err)) {
		return extract.Content{}, err
	}
	c, contentErr := w.Content()
	if err != nil && contentErr == nil {
		c.ExtractionNote = extract.UnfinishedNote(err)
	}
	return c, contentErr
}
