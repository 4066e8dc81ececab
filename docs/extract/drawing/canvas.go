package drawing

import (
	"encoding/json"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A canvasNode is a card, a group, or what leads to a file or page (JSON Canvas
// 1.0, https://jsoncanvas.org/spec/1.0).
type canvasNode struct {
	ID, Type            string
	X, Y, Width, Height float64
	Text, File, Subpath string
	Label, URL          string
}

type canvasEdge struct {
	ID, FromNode, ToNode, Label string
}

// maxGroups bounds the groups that each card is compared with.
const maxGroups = 1000

// ReadCanvas reads a JSON Canvas, as Obsidian has them: the texts of the cards,
// the names of the files and pages on it, and the labels of groups and edges.
func ReadCanvas(raw []byte, _ extract.Progress) (extract.Content, error) {
	p := newPlane()
	err := readArrays(raw,
		array{"nodes", func(d *json.Decoder) error {
			var n canvasNode
			err := syntax(d.Decode(&n))
			if err == nil {
				err = p.add(n.figure())
			}
			return err
		}},
		array{"edges", func(d *json.Decoder) error {
			var e canvasEdge
			err := syntax(d.Decode(&e))
			if err == nil && e.Label != "" {
				err = p.connect(arrow{e.ID, e.FromNode, e.ToNode, e.Label})
			}
			return err
		}})
	p.group()
	var w markdown.Writer
	if full := p.write(&w, 2); full != nil {
		return extract.Content{}, full
	}
	return content(&w, err)
}

func (n *canvasNode) figure() figure {
	f := figure{box: box{n.X, n.Y, n.Width, n.Height}, id: n.ID}
	switch n.Type {
	case "group":
		f.text, f.frame = markdown.OneLine(n.Label), true
	case "file":
		f.text = markdown.OneLine(n.File + n.Subpath)
	case "link":
		f.text = markdown.OneLine(n.URL)
	default:
		f.text = n.Text
	}
	return f
}

// group has each figure lie in the smallest group that its middle is in.
func (p *plane) group() {
	var groups []*figure
	for i := range p.figures {
		if f := &p.figures[i]; f.frame && len(groups) < maxGroups {
			groups = append(groups, f)
		}
	}
	for i := range p.figures {
		f := &p.figures[i]
		var around *figure
		for _, g := range groups {
			if g.area() > f.area() && g.holds(f.box) && (around == nil || g.area() < around.area()) {
				around = g
			}
		}
		if around != nil {
			f.within = around.id
		}
	}
}
