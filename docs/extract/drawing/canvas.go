package drawing

import (
	"encoding/json"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A canvasNode is a card, a group, or a link to a file or web page (JSON Canvas 1.0,
// https://jsoncanvas.org/spec/1.0).
type canvasNode struct {
	ID, Type            string
	X, Y, Width, Height float64
	Text, File, Subpath string
	Label, URL          string
}

type canvasEdge struct {
	ID, FromNode, ToNode, Label string
}

// maxGroups limits the number of groups with which each card is compared.
const maxGroups = 1000

// ReadCanvas reads a JSON Canvas of Obsidian: the texts of the cards, the names of the linked files
// and pages, and the labels of groups and edges.
func ReadCanvas(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	p := newDrawingPage()
	err := readArrays(raw,
		arrayReader{"nodes", func(d *json.Decoder) error {
			var n canvasNode
			err := syntaxError(d.Decode(&n))
			if err == nil {
				err = p.addFigure(n.toFigure())
			}
			return err
		}},
		arrayReader{"edges", func(d *json.Decoder) error {
			var e canvasEdge
			err := syntaxError(d.Decode(&e))
			if err == nil && e.Label != "" {
				err = p.addArrow(arrow{e.ID, e.FromNode, e.ToNode, e.Label})
			}
			return err
		}})
	p.assignGroups()
	var w markdown.Writer
	if full := p.writePage(&w, 2); full != nil {
		return extract.Content{}, full
	}
	return contentUntilError(&w, err)
}

func (n *canvasNode) toFigure() figure {
	f := figure{box: box{n.X, n.Y, n.Width, n.Height}, id: n.ID}
	switch n.Type {
	case "group":
		f.text, f.isFrame = markdown.OneLine(n.Label), true
	case "file":
		f.text = markdown.OneLine(n.File + n.Subpath)
	case "link":
		f.text = markdown.OneLine(n.URL)
	default:
		f.text = n.Text
	}
	return f
}

// assignGroups assigns each figure to the smallest group that contains its centre.
func (p *drawingPage) assignGroups() {
	var groups []*figure
	for i := range p.figures {
		if f := &p.figures[i]; f.isFrame && len(groups) < maxGroups {
			groups = append(groups, f)
		}
	}
	for i := range p.figures {
		f := &p.figures[i]
		var around *figure
		for _, g := range groups {
			if g.area() > f.area() && g.containsMiddleOf(f.box) && (around == nil || g.area() < around.area()) {
				around = g
			}
		}
		if around != nil {
			f.parentID = around.id
		}
	}
}
