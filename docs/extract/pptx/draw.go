package pptx

import (
	"path"
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/extract/office"
	"vademecum/docs/extract/picture"
)

// DrawLargestPicture draws the largest picture of a slide. Everything else on the slide is text, which is read as
// such.
func DrawLargestPicture(raw []byte, request extract.DrawingRequest, progress extract.ProgressReporter) ([]byte, error) {
	a, err := office.Open(raw)
	if err != nil {
		return nil, err
	}
	p := &presentation{Package: a}
	slides, err := p.slideParts(a.MainPart("ppt/presentation.xml"))
	if err != nil {
		return nil, err
	}
	if request.Page > len(slides) {
		return nil, extract.Skip("there is no slide %d: it has %d", request.Page, len(slides))
	}
	part := p.largestPicture(slides[request.Page-1])
	if part == "" {
		return nil, extract.Skip("there is no picture on slide %d: read it as text", request.Page)
	}
	content, err := p.ReadFile(part)
	if err != nil {
		return nil, err
	}
	request.Page = 1
	return picture.Draw(content, request, progress)
}

// drawable are the extensions of pictures that can be drawn. Most other pictures are vector
// graphics.
const drawable = " .png .jpg .jpeg .gif .bmp .tif .tiff .webp "

// largestPicture returns the name of the part with the picture of a slide that has the most bytes,
// or "" if the slide has no picture.
func (p *presentation) largestPicture(slide string) (part string) {
	var most uint64
	links := p.ReadRelations(slide)
	for _, link := range links.All {
		isPicture := link.Kind == "image" && strings.Contains(drawable, " "+strings.ToLower(path.Ext(link.Target))+" ")
		if size := p.FileSize(link.Target); isPicture && size > most {
			part, most = link.Target, size
		}
	}
	return part
}
