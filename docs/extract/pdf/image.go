package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// Limits on the search for images on a page with hardly any text.
const (
	maxImageObjects = 200
	maxFormDepth    = 3 // maximum depth of nested form XObjects (ISO 32000-1, 8.10)
)

// imageCoverage returns the fraction of a page, given by its index from 0, that its images cover.
// It is more than 1 if they overlap.
func (d *file) imageCoverage(index int) float64 {
	page := d.pageRequest(index)
	count, err := d.instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: page})
	if err != nil {
		return 0
	}
	size, err := d.instance.FPDF_GetPageSizeByIndex(&requests.FPDF_GetPageSizeByIndex{Document: d.document, Index: index})
	if err != nil || !(size.Width*size.Height > 0) {
		return 0
	}
	budget, area := maxImageObjects, 0.0
	for i := range min(count.Count, maxImageObjects) {
		object, err := d.instance.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: page, Index: i})
		if err != nil {
			break
		}
		if d.isImage(object.PageObject, maxFormDepth, &budget) {
			area += d.objectArea(object.PageObject)
		}
	}
	return area / (size.Width * size.Height)
}

// objectArea returns the area of the bounding box of an object, in square points.
func (d *file) objectArea(object references.FPDF_PAGEOBJECT) float64 {
	b, err := d.instance.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: object})
	if err != nil {
		return 0
	}
	return float64(b.Right-b.Left) * float64(b.Top-b.Bottom)
}

// isImage reports whether an object is an image, or a form XObject that contains one. It examines
// at most budget objects.
func (d *file) isImage(object references.FPDF_PAGEOBJECT, depth int, budget *int) bool {
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
