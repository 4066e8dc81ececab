package drawing

import (
	"errors"
	"strconv"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/html"
	"vademecum/docs/extract/zipxml"
)

// A diagramReader reads a page of draw.io. Until attachLabels is called, the positions of figures
// are relative to the figures that contain them.
type diagramReader struct{ *drawingPage }

// A cell is a shape or an arrow (https://www.drawio.com/doc/faq/drawio-file-format).
type cell struct {
	id, label string
	zipxml.Element
	box
}

// readGraph reads the cells of a graph model, the root element of a page.
func (d *diagramReader) readGraph(x *zipxml.Reader) error {
	var err error
	x.EachDescendant(func(e zipxml.Element) bool {
		c := cell{id: e.Attribute("id")}
		switch e.Name {
		case "mxCell":
			c.Element, c.label = e, e.Attribute("value")
			c.box = readGeometry(x)
		case "UserObject", "object":
			c.label = e.Attribute("label")
			c.readWrapped(x)
		default:
			return false
		}
		x.CountBytes(len(c.label) + extract.CellOverheadBytes)
		if err = d.addCell(&c); err != nil {
			x.StopWith(err)
		}
		return true
	})
	return err
}

// readWrapped reads the cell inside an element that adds user data to it.
func (c *cell) readWrapped(x *zipxml.Reader) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "mxCell" {
			c.Element = e
			c.box = readGeometry(x)
		}
	}, nil)
}

func readGeometry(x *zipxml.Reader) (b box) {
	x.EachChild(func(e zipxml.Element) {
		if e.Name == "mxGeometry" {
			number := func(name string) float64 {
				v, _ := strconv.ParseFloat(e.Attribute(name), 64) // 0 if missing
				return v
			}
			b = box{number("x"), number("y"), number("width"), number("height")}.withFiniteNumbers()
		}
	}, nil)
	return b
}

func (d *diagramReader) addCell(c *cell) error {
	switch {
	case c.Attribute("edge") == "1":
		return d.addArrow(arrow{c.id, c.Attribute("source"), c.Attribute("target"), c.labelText()})
	case c.Attribute("vertex") == "1":
		return d.addFigure(figure{box: c.box, id: c.id, parentID: c.Attribute("parent"), text: c.labelText()})
	}
	return nil // neither an arrow nor a shape, but a layer
}

// labelText returns the visible label. The style says whether it is HTML.
func (c *cell) labelText() string {
	if !strings.Contains(c.Attribute("style"), "html=1") || !strings.ContainsAny(c.label, "<&") {
		return strings.TrimSpace(c.label)
	}
	text, _, err := html.Markdown(c.label)
	if errors.Is(err, extract.ErrNoText) {
		return ""
	}
	return strings.TrimSpace(text)
}

// attachLabels moves labels that are separate figures to their arrows, and makes the positions of
// all figures absolute.
func (d *diagramReader) attachLabels() {
	arrows := make(map[string]*arrow)
	for i := range d.arrows {
		arrows[d.arrows[i].id] = &d.arrows[i]
	}
	places := make([]box, len(d.figures))
	for i := range d.figures {
		f := &d.figures[i]
		places[i] = d.absoluteBox(f)
		if a := arrows[f.parentID]; a != nil && f.text != "" {
			a.label, f.text = strings.TrimSpace(a.label+" "+f.text), ""
		}
		if f.text != "" {
			d.markFrames(f)
		}
	}
	for i := range d.figures {
		d.figures[i].box = places[i]
	}
}

// markFrames marks all figures that contain f, which has text, as frames.
func (d *diagramReader) markFrames(f *figure) {
	for range maxNested {
		if f = d.findFigure(f.parentID); f == nil {
			return
		}
		f.isFrame = true
	}
}

// absoluteBox returns the box of a figure in page coordinates.
func (d *diagramReader) absoluteBox(f *figure) box {
	b := f.box
	for range maxNested {
		if f = d.findFigure(f.parentID); f == nil {
			break
		}
		b.x += f.x
		b.y += f.y
	}
	return b
}

func (p *drawingPage) isBlank() bool {
	for i := range p.figures {
		if p.figures[i].text != "" {
			return false
		}
	}
	for i := range p.arrows {
		if p.arrows[i].label != "" {
			return false
		}
	}
	return true
}
