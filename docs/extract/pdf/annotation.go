package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"vademecum/docs/extract/markdown"
)

// maxAnnotations is how many annotations of a page are looked at.
const maxAnnotations = 1000

// pageAnnotations returns what people wrote onto a page, counted from 0: comments
// and the fields of a form that are filled in (ISO 32000-1, 12.5 and 12.7).
func (d *file) pageAnnotations(index int) []string {
	page := d.pageRequest(index)
	count, err := d.instance.FPDFPage_GetAnnotCount(&requests.FPDFPage_GetAnnotCount{Page: page})
	if err != nil {
		return nil
	}
	var texts []string
	for i := range min(count.Count, maxAnnotations) {
		a, err := d.instance.FPDFPage_GetAnnot(&requests.FPDFPage_GetAnnot{Page: page, Index: i})
		if err != nil {
			continue
		}
		if text := d.annotationText(a.Annotation); text != "" {
			texts = append(texts, text)
		}
		_, _ = d.instance.FPDFPage_CloseAnnot(&requests.FPDFPage_CloseAnnot{Annotation: a.Annotation}) // what fails is closed with the file
	}
	return texts
}

func (d *file) annotationText(a references.FPDF_ANNOTATION) string {
	kind, err := d.instance.FPDFAnnot_GetSubtype(&requests.FPDFAnnot_GetSubtype{Annotation: a})
	if err != nil {
		return ""
	}
	switch kind.Subtype {
	case enums.FPDF_ANNOT_SUBTYPE_LINK, enums.FPDF_ANNOT_SUBTYPE_POPUP:
		return ""
	case enums.FPDF_ANNOT_SUBTYPE_WIDGET:
		return d.formFieldText(a)
	}
	return d.annotationString(a, "Contents")
}

// formFieldText returns the name and the value of a field of text or of choice.
func (d *file) formFieldText(a references.FPDF_ANNOTATION) string {
	if kind := d.annotationString(a, "FT"); kind != "Tx" && kind != "Ch" {
		return ""
	}
	value := d.annotationString(a, "V")
	if value == "" {
		return ""
	}
	for _, key := range []string{"TU", "T"} { // the name for people, the name for programs
		if name := markdown.OneLine(d.annotationString(a, key)); name != "" {
			return name + ": " + value
		}
	}
	return value
}

func (d *file) annotationString(a references.FPDF_ANNOTATION, key string) string {
	s, err := d.instance.FPDFAnnot_GetStringValue(&requests.FPDFAnnot_GetStringValue{Annotation: a, Key: key})
	if err != nil {
		return ""
	}
	return cleanMetadata(s.Value)
}
