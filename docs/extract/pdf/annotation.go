package pdf

import (
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"
)

// maxAnnotations is the maximum number of annotations read on a page.
const maxAnnotations = 1000

// A note is the text of an annotation.
type note struct {
	name, text string
	area       *structs.FPDF_FS_RECTF // area of the annotation if its text is only drawn and must be read from there; otherwise nil
}

// pageAnnotations returns what people have added to a page: comments, stamps, signatures, and
// filled-in form fields (ISO 32000-1, 12.5 and 12.7). The page must not be used afterwards: its
// annotations may have been merged into it to read them.
func (p *textPage) pageAnnotations() (texts []string) {
	var notes []note
	isDrawn := false
	p.file.eachAnnotation(p.index, func(i int, a references.FPDF_ANNOTATION) {
		if !p.boxes[i] {
			n := p.file.annotationNote(a)
			if p.repeatsStruck(a, n.text) {
				return
			}
			notes = append(notes, n)
			isDrawn = isDrawn || n.area != nil
		}
	})
	if isDrawn {
		p.readDrawn(notes)
	}
	for _, n := range notes {
		if n.name != "" && n.text != "" {
			n.text = n.name + ": " + n.text
		}
		if n.text != "" {
			texts = append(texts, n.text)
		}
	}
	return texts
}

func (d *file) eachAnnotation(index int, look func(i int, a references.FPDF_ANNOTATION)) {
	page := d.pageRequest(index)
	count, err := d.instance.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return
	}
	for i := range min(count.Count, maxAnnotations) {
		a, err := d.instance.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue
		}
		look(i, a.Annotation)
		_, _ = d.instance.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: a.Annotation}) // a handle that stays open is released with the file
	}
}

func (d *file) annotationKind(a references.FPDF_ANNOTATION) enums.FPDF_ANNOTATION_SUBTYPE {
	kind, err := d.instance.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: a})
	if err != nil {
		return enums.FPDF_ANNOT_SUBTYPE_UNKNOWN
	}
	return kind.Subtype
}

func (d *file) annotationNote(a references.FPDF_ANNOTATION) note {
	switch d.annotationKind(a) {
	case enums.FPDF_ANNOT_SUBTYPE_LINK, enums.FPDF_ANNOT_SUBTYPE_POPUP, enums.FPDF_ANNOT_SUBTYPE_UNKNOWN:
		return note{}
	case enums.FPDF_ANNOT_SUBTYPE_WIDGET:
		return d.fieldNote(a)
	case enums.FPDF_ANNOT_SUBTYPE_FILEATTACHMENT:
		if held, err := d.instance.FPDFAnnot_GetFileAttachment(&requests.FPDFAnnot_GetFileAttachment{Document: d.document, Annotation: a}); err == nil {
			if name := d.attachmentName(held.Attachment); name != "" {
				d.attached = append(d.attached, name)
			}
		}
	case enums.FPDF_ANNOT_SUBTYPE_STAMP:
		return note{text: d.annotationString(a, "Contents"), area: d.areaOf(a)}
	}
	return note{text: d.annotationString(a, "Contents")}
}

// areaOf returns the area of an annotation, or nil if it is unknown.
func (d *file) areaOf(a references.FPDF_ANNOTATION) *structs.FPDF_FS_RECTF {
	area, err := d.instance.FPDFAnnot_GetRect(&requests.FPDFAnnot_GetRect{Annotation: a})
	if err != nil {
		return nil
	}
	return &area.Rect
}

// readDrawn reads the texts that annotations only draw: those that appear in their areas once the
// annotations are merged into the page.
func (p *textPage) readDrawn(notes []note) {
	d := p.file
	if _, err := d.instance.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: d.pageRequest(p.index)}); err != nil {
		return
	}
	page, err := d.instance.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.document, Index: p.index})
	if err != nil {
		return
	}
	flat, err := d.instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: requests.Page{ByReference: &page.Page}})
	if err != nil {
		return
	}
	for i, n := range notes {
		if n.area == nil {
			continue
		}
		before := strings.Split(d.textWithin(p.ref, *n.area), "\n")
		var lines []string
		for line := range strings.SplitSeq(d.textWithin(flat.TextPage, *n.area), "\n") {
			if line = strings.TrimSpace(line); line != "" && !slices.Contains(before, line) {
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			notes[i].text = strings.Join(lines, " ")
		}
	}
	_, _ = d.instance.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: flat.TextPage}) // handles that stay open are released with the file
	_, _ = d.instance.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: page.Page})
}

// textWithin returns the text in an area of a page, with lines separated by \n.
func (d *file) textWithin(page references.FPDF_TEXTPAGE, area structs.FPDF_FS_RECTF) string {
	text, err := d.instance.FPDFText_GetBoundedText(&requests.FPDFText_GetBoundedText{
		TextPage: page, Left: float64(area.Left), Top: float64(area.Top), Right: float64(area.Right), Bottom: float64(area.Bottom),
	})
	if err != nil {
		return ""
	}
	return cleanMetadata(text.Text)
}

func (d *file) annotationString(a references.FPDF_ANNOTATION, key string) string {
	s, err := d.instance.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: a, Key: key})
	if err != nil {
		return ""
	}
	return cleanMetadata(s.Value)
}
