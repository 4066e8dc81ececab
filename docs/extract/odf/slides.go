package odf

import (
	"slices"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A slide holds the texts of the slide that is being read.
type slide struct {
	*document
	x            *zipxml.Reader
	isHidden     bool // whether a show leaves it out
	title        string
	blocks       []markdown.Block
	speakerNotes []markdown.Block
}

// ReadSlides returns the text of a presentation (OpenDocument 1.3, part 3, clauses 3.8 and 10).
// Each slide is a part, with its notes and comments.
func ReadSlides(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	d, err := openDocument(raw)
	if err != nil {
		return extract.Content{}, err
	}
	number := 0
	var edges []markdown.Block
	err = d.ReadXMLFile("content.xml", func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			switch e.Name {
			case "automatic-styles":
				d.readStyles(x)
			case "header-decl", "footer-decl":
				edges = appendHeaderFooter(edges, markdown.OneLine(x.ReadText()))
			case "page":
				number++
				s := slide{document: d, x: x, isHidden: d.hiddenStyles[e.Attribute("style-name")]}
				s.read()
				s.blocks = append(s.blocks, edges...)
				s.writeTo(number)
				edges = nil // each header or footer is written once
			default:
				return false
			}
			return true
		})
	})
	return d.contentUntilError(err)
}

// appendHeaderFooter appends a header or footer to edges unless it is already there.
func appendHeaderFooter(edges []markdown.Block, text string) []markdown.Block {
	known := slices.ContainsFunc(edges, func(b markdown.Block) bool { return b.Text == text })
	if text == "" || known || len(edges) >= extract.MaxNestingDepth {
		return edges
	}
	return append(edges, markdown.Block{Text: text})
}

func (s *slide) read() {
	s.x.EachChild(func(e zipxml.Element) {
		switch e.Name {
		case "frame":
			s.readFrame(e)
		case "notes":
			s.readNotes()
		case "annotation":
			s.readAnnotation(s.x)
		case "par", "seq", "animations", "forms", "settings": // not text: animations, and form controls
		default:
			s.readBlock(s.x, e, &blockPosition{}, s.addBlock)
		}
	}, nil)
}

func (s *slide) addBlock(b markdown.Block) { s.blocks = append(s.blocks, b) }

// readFrame reads a frame, which may contain the title.
func (s *slide) readFrame(e zipxml.Element) {
	if e.Attribute("placeholder") == "true" {
		return
	}
	if e.Attribute("class") != "title" || s.title != "" {
		s.readBlock(s.x, e, &blockPosition{}, s.addBlock)
		return
	}
	var lines markdown.BlockLineBuilder
	s.readBlock(s.x, e, &blockPosition{}, lines.AddBlock)
	s.title = markdown.OneLine(lines.String())
}

// readNotes reads the speaker notes, without the picture of the slide.
func (s *slide) readNotes() {
	s.x.EachChild(func(e zipxml.Element) {
		if e.Name == "frame" && e.Attribute("class") == "notes" && e.Attribute("placeholder") != "true" {
			s.readBlock(s.x, e, &blockPosition{}, func(b markdown.Block) { s.speakerNotes = append(s.speakerNotes, b) })
		}
	}, nil)
}

// writeTo writes the slide.
func (s *slide) writeTo(number int) {
	if s.title != "" || len(s.blocks)+len(s.speakerNotes) > 0 { // without these, the slide only shows pictures
		s.w.BeginPart(extract.Part{Kind: extract.Slide, Number: number})
		s.w.WriteHeading(2, office.SlideHeading(s.title, number, s.isHidden))
	}
	for _, b := range append(s.blocks, markdown.LabelFirstBlock("Notes: ", s.speakerNotes)...) {
		b.Write(&s.w)
	}
	s.writeNotes()
	if s.w.IsFull {
		s.x.StopWith(extract.ErrTooMuchText)
	}
}
