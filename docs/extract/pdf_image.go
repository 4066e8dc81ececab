package extract

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Limits of what is looked at on a page without text to find an image.
const (
	maxImageObjects = 200
	maxFormDepth    = 3 // forms within forms (ISO 32000-1, 8.10)
)

// hasImage tells whether a page, counted from 0, shows an image.
func (d *pdfFile) hasImage(index int) bool {
	page := d.page(index)
	count, err := d.instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})
	if err != nil {
		return false
	}
	budget := maxImageObjects
	for i := range min(count.Count, maxImageObjects) {
		object, err := d.instance.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: page, Index: i})
		if err != nil {
			return false
		}
		if d.isImage(object.PageObject, maxFormDepth, &budget) {
			return true
		}
	}
	return false
}

// isImage tells whether an object is an image, or a form that shows one.
func (d *pdfFile) isImage(object references.FPDF_PAGEOBJECT, depth int, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	kind, err := d.instance.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object})
	if err != nil {
		return false
	}
	switch {
	case kind.Type == enums.FPDF_PAGEOBJ_IMAGE:
		return true
	case kind.Type != enums.FPDF_PAGEOBJ_FORM || depth == 0:
		return false
	}
	count, err := d.instance.FPDFFormObj_CountObjects(&requests.FPDFFormObj_CountObjects{PageObject: object})
	if err != nil {
		return false
	}
	for i := range min(count.Count, maxImageObjects) {
		inner, err := d.instance.FPDFFormObj_GetObject(&requests.FPDFFormObj_GetObject{PageObject: object, Index: uint64(i)})
		if err != nil {
			return false
		}
		if d.isImage(inner.PageObject, depth-1, budget) {
			return true
		}
	}
	return false
}
