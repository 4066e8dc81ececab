// Package pptx reads presentations. Each slide is a part, with its notes and comments.
package pptx

import (
	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/zipxml"
)

// A presentation holds the state while a PresentationML document is read (ECMA-376 part 1, clause
// 19).
type presentation struct {
	*office.Package
	w            markdown.Writer
	footers      office.FooterDeduplicator
	failedSlides []int // numbers of the slides that could not be read completely
}

// Read returns the text of a presentation.
func Read(raw []byte, _ extract.ProgressReporter) (extract.Content, error) {
	a, err := office.Open(raw)
	if err != nil {
		return extract.Content{}, err
	}
	p := &presentation{Package: a}
	slides, err := p.slideParts(a.MainPart("ppt/presentation.xml"))
	if err != nil {
		return extract.Content{}, err
	}
	for i, part := range slides {
		if err := p.writeSlide(i+1, part); err != nil {
			return extract.Content{}, err
		}
	}
	c, err := p.w.Content()
	c.Title = a.DocumentTitle()
	c.ExtractionNote = extract.Slide.Noun().IncompleteNote(p.failedSlides)
	return c, a.ExplainNoText(err)
}

// slideParts returns the names of the slide parts, in the order of the presentation.
func (p *presentation) slideParts(part string) ([]string, error) {
	links := p.ReadRelations(part)
	var slides []string
	err := p.ReadXMLFile(part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			if e.Name == "sldId" && len(slides) < extract.MaxArchiveEntries {
				if target := links.TargetByID[e.PrefixedAttribute("id")]; target != "" {
					slides = append(slides, target)
				}
			}
			return e.Name == "sldId"
		})
	})
	if len(slides) > 0 {
		return slides, nil
	}
	if err != nil {
		return nil, zipxml.AsSkipError(err)
	}
	return nil, extract.ErrNoText
}

// writeSlide writes a slide with its notes and comments. It returns an error only if the whole file
// must be abandoned.
func (p *presentation) writeSlide(number int, part string) error {
	s := slideReader{presentation: p, links: p.ReadRelations(part)}
	err := s.readPart(part)
	if s.blocks = append(s.blocks, s.notesAndComments()...); s.title != "" || len(s.blocks) > 0 { // without these, the slide only shows pictures
		p.w.BeginPart(extract.Part{Kind: extract.Slide, Number: number})
		p.w.WriteHeading(2, office.SlideHeading(s.title, number, s.isHidden))
	}
	for i := range s.blocks {
		s.blocks[i].Write(&p.w)
	}
	if p.w.IsFull {
		return extract.ErrTooMuchText
	}
	if err != nil && extract.IsLimitError(err) {
		return err
	}
	if err != nil {
		p.failedSlides = append(p.failedSlides, number)
	}
	return nil
}

// notesAndComments returns the speaker notes of a slide and its comments.
func (s *slideReader) notesAndComments() []markdown.Block {
	var all []markdown.Block
	for _, link := range s.links.All {
		switch link.Kind {
		case "notesSlide":
			notes := slideReader{presentation: s.presentation, links: s.ReadRelations(link.Target), isNotes: true}
			notes.readPart(link.Target)
			all = append(all, markdown.LabelFirstBlock("Notes: ", notes.blocks)...)
		case "comments":
			all = append(all, s.readComments(link.Target)...)
		}
	}
	return all
}

// readComments reads the comments of PowerPoint up to 2019 (ECMA-376 part 1, 19.4) and the threaded
// comments of later versions.
func (s *slideReader) readComments(part string) []markdown.Block {
	var all []markdown.Block
	s.ReadXMLFile(part, func(x *zipxml.Reader) {
		x.EachDescendant(func(e zipxml.Element) bool {
			text := ""
			switch e.Name {
			case "text":
				text = x.ReadText()
			case "txBody":
				text = office.ReadRuns(x)
			default:
				return false
			}
			if text = markdown.OneLine(text); text != "" {
				all = append(all, markdown.Block{Text: "Comment: " + text})
			}
			return true
		})
	})
	return all
}
