package extract

import (
	"slices"
	"strconv"
)

// A pptx reads a PresentationML document (ECMA-376 part 1, clause 19).
type pptx struct {
	*opcPackage
	w       writer
	footers []string // texts that stand on every slide, each of which is written once
	failed  []int    // numbers of the slides that could not be read to their ends
}

func readPPTX(raw []byte, _ Progress) (Content, error) {
	a, err := openPackage(raw)
	if err != nil {
		return Content{}, err
	}
	p := &pptx{opcPackage: a}
	slides, err := p.slides(a.mainPart("ppt/presentation.xml"))
	if err != nil {
		return Content{}, err
	}
	for i, part := range slides {
		if err := p.slide(i+1, part); err != nil {
			return Content{}, err
		}
	}
	c, err := p.w.content()
	c.Title = a.officeTitle()
	c.Note = missing("slide", p.failed)
	return c, err
}

// slides returns the parts of the slides in the order of the presentation.
func (p *pptx) slides(part string) ([]string, error) {
	links := p.relations(part)
	var slides []string
	err := p.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			if e.name == "sldId" && len(slides) < maxEntries {
				if target := links.targets[e.reference("id")]; target != "" {
					slides = append(slides, target)
				}
			}
			return e.name == "sldId"
		})
	})
	if len(slides) > 0 {
		return slides, nil
	}
	if err != nil {
		return nil, asSkip(err)
	}
	return nil, ErrNoText
}

// slide writes a slide with its notes and comments. It fails if the whole
// presentation is given up.
func (p *pptx) slide(number int, part string) error {
	s := pptxSlide{pptx: p, links: p.relations(part)}
	err := s.read(part)
	if s.title == "" {
		s.title = "Slide " + strconv.Itoa(number)
	}
	p.w.part(Part{Unit: Slide, Number: number})
	p.w.heading(2, s.title)
	s.blocks = append(s.blocks, s.chatter()...)
	for i := range s.blocks {
		s.blocks[i].write(&p.w)
	}
	if p.w.full {
		return ErrTooMuchText
	}
	if err != nil && isLimit(err) {
		return err
	}
	if err != nil {
		p.failed = append(p.failed, number)
	}
	return nil
}

// chatter returns the speaker notes of a slide and the comments on it.
func (s *pptxSlide) chatter() []block {
	var all []block
	for _, link := range s.links.all {
		switch link.kind {
		case "notesSlide":
			notes := pptxSlide{pptx: s.pptx, links: s.relations(link.target), notes: true}
			notes.read(link.target)
			all = append(all, labelled("Notes: ", notes.blocks)...)
		case "comments":
			all = append(all, s.comments(link.target)...)
		}
	}
	return all
}

// labelled puts a label before the first of some blocks.
func labelled(label string, blocks []block) []block {
	if len(blocks) == 0 {
		return nil
	}
	if first := &blocks[0]; first.kind == paragraphBlock {
		first.text = label + first.text
		return blocks
	}
	return append([]block{{text: label}}, blocks...)
}

// comments reads those of PowerPoint up to 2019 (ECMA-376 part 1, 19.4) and the
// threaded ones after it.
func (s *pptxSlide) comments(part string) []block {
	var all []block
	s.walk(part, func(x *xmlReader) {
		x.descend(func(e element) bool {
			text := ""
			switch e.name {
			case "text":
				text = x.text()
			case "txBody":
				text = runs(x)
			default:
				return false
			}
			if text = oneLine(text); text != "" {
				all = append(all, block{text: "Comment: " + text})
			}
			return true
		})
	})
	return all
}

// footer keeps a text that stands on every slide for its first one.
func (p *pptx) footer(blocks []block) []block {
	return slices.DeleteFunc(blocks, func(b block) bool {
		known := slices.Contains(p.footers, b.text) || len(p.footers) > maxDepth
		if !known {
			p.footers = append(p.footers, b.text)
		}
		return known
	})
}
