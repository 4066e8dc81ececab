package odf

import (
	"cmp"
	"slices"
	"strconv"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/zipxml"
)

// A slide is one of a presentation that is being read.
type slide struct {
	*document
	x      *zipxml.Reader
	title  string
	blocks []markdown.Block
	spoken []markdown.Block // notes of the speaker
}

// ReadSlides returns the text of a presentation (OpenDocument 1.3, part 3, clauses
// 3.8 and 10): each slide is a part, with its notes and comments.
func ReadSlides(raw []byte, _ extract.Progress) (extract.Content, error) {
	d, err := open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	number := 0
	var edges []markdown.Block
	err = d.WalkFile("content.xml", func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "automatic-styles":
				d.readStyles(x)
			case "header-decl", "footer-decl":
				edges = edge(edges, markdown.OneLine(x.ReadText()))
			case "page":
				number++
				s := slide{document: d, x: x}
				s.read()
				s.blocks = append(s.blocks, edges...)
				s.write(number)
				edges = nil // each is written once
			default:
				return false
			}
			return true
		})
	})
	return d.content(err)
}

// edge adds the header or footer of slides.
func edge(edges []markdown.Block, text string) []markdown.Block {
	known := slices.ContainsFunc(edges, func(b markdown.Block) bool { return b.Text == text })
	if text == "" || known || len(edges) >= extract.MaxDepth {
		return edges
	}
	return append(edges, markdown.Block{Text: text})
}

func (s *slide) read() {
	s.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "frame":
			s.frame(e)
		case "notes":
			s.note()
		case "annotation":
			s.annotation(s.x)
		case "par", "seq", "animations", "forms", "settings": // movements
		default:
			s.block(s.x, e, &place{}, s.add)
		}
	}, nil)
}

func (s *slide) add(b markdown.Block) { s.blocks = append(s.blocks, b) }

// frame reads a frame, which may be the one with the title.
func (s *slide) frame(e zipxml.Element) {
	if e.Attribute("placeholder") == "true" {
		return
	}
	if e.Attribute("class") != "title" || s.title != "" {
		s.block(s.x, e, &place{}, s.add)
		return
	}
	var lines markdown.BlockLines
	s.block(s.x, e, &place{}, lines.AddBlock)
	s.title = markdown.OneLine(lines.String())
}

// note reads what the speaker says, but not the picture of the slide beside it.
func (s *slide) note() {
	s.x.EachChild(func(e zipxml.Element) {
		if e.Name == "frame" && e.Attribute("class") == "notes" && e.Attribute("placeholder") != "true" {
			s.block(s.x, e, &place{}, func(b markdown.Block) { s.spoken = append(s.spoken, b) })
		}
	}, nil)
}

// write writes a slide, as that of every presentation is written.
func (s *slide) write(number int) {
	if s.title != "" || len(s.blocks)+len(s.spoken) > 0 { // else it shows a picture
		s.w.BeginPart(extract.Part{Unit: extract.Slide, Number: number})
		s.w.WriteHeading(2, cmp.Or(s.title, "Slide "+strconv.Itoa(number)))
	}
	for _, b := range append(s.blocks, markdown.LabelFirstBlock("Notes: ", s.spoken)...) {
		b.Write(&s.w)
	}
	s.writeNotes()
	if s.w.IsFull {
		s.x.StopWith(extract.ErrTooMuchText)
	}
}
