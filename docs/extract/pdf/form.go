package pdf

import (
	"cmp"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/structs"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A form is the engine's handle for the form fields of a file.
type form struct {
	isOpened bool
	handle   *references.FPDF_FORMHANDLE // nil if the file has no form
}

// openForm returns the form of the file, or nil if it has none.
func (d *file) openForm() *references.FPDF_FORMHANDLE {
	if d.form.isOpened {
		return d.form.handle
	}
	d.form.isOpened = true
	if d.formType() == enums.FPDF_FORMTYPE_NONE {
		return nil
	}
	// Nothing is drawn, clicked or typed: the engine requires these callbacks but never calls them.
	opened, err := d.instance.FPDFDOC_InitFormFillEnvironment(&requests.FPDFDOC_InitFormFillEnvironment{Document: d.document, FormFillInfo: structs.FPDF_FORMFILLINFO{
		FFI_Invalidate:         func(references.FPDF_PAGE, float64, float64, float64, float64) {},
		FFI_SetCursor:          func(enums.FXCT) {},
		FFI_SetTimer:           func(int, func(int)) int { return 0 },
		FFI_KillTimer:          func(int) {},
		FFI_GetLocalTime:       func() structs.FPDF_SYSTEMTIME { return structs.FPDF_SYSTEMTIME{} },
		FFI_GetPage:            func(references.FPDF_DOCUMENT, int) *references.FPDF_PAGE { return nil },
		FFI_GetRotation:        func(references.FPDF_PAGE) enums.FPDF_PAGE_ROTATION { return 0 },
		FFI_ExecuteNamedAction: func(string) {},
	}})
	if err == nil {
		d.form.handle = &opened.FormHandle
	}
	return d.form.handle
}

func (d *file) formType() enums.FPDF_FORMTYPE {
	kind, err := d.instance.FPDF_GetFormType(&requests.FPDF_GetFormType{Document: d.document})
	if err != nil {
		return enums.FPDF_FORMTYPE_NONE
	}
	return kind.FormType
}

// fieldType returns the type of the form field that an annotation shows.
func (d *file) fieldType(a references.FPDF_ANNOTATION) enums.FPDF_FORMFIELD_TYPE {
	form := d.openForm()
	if form == nil {
		return enums.FPDF_FORMFIELD_TYPE_UNKNOWN
	}
	kind, err := d.instance.FPDFAnnot_GetFormFieldType(&requests.FPDFAnnot_GetFormFieldType{FormHandle: *form, Annotation: a})
	if err != nil {
		return enums.FPDF_FORMFIELD_TYPE_UNKNOWN
	}
	return kind.FormFieldType
}

// fieldNote returns the name and the value of a field. Check boxes and radio buttons beside a text
// of the page are marked there instead (see markTicks).
func (d *file) fieldNote(a references.FPDF_ANNOTATION) note {
	switch d.fieldType(a) {
	case enums.FPDF_FORMFIELD_TYPE_TEXTFIELD:
		return note{name: d.fieldName(a), text: d.fieldValue(a)}
	case enums.FPDF_FORMFIELD_TYPE_COMBOBOX, enums.FPDF_FORMFIELD_TYPE_LISTBOX:
		return note{name: d.fieldName(a), text: cmp.Or(d.chosenOptions(a), d.fieldValue(a))}
	case enums.FPDF_FORMFIELD_TYPE_CHECKBOX:
		return note{text: string(extract.CheckboxRune(d.isChecked(a))) + " " + d.fieldName(a)}
	case enums.FPDF_FORMFIELD_TYPE_RADIOBUTTON:
		if d.isChecked(a) {
			return note{name: d.fieldName(a), text: "☑ " + cmp.Or(d.fieldValue(a), d.annotationString(a, "AS"))}
		}
	case enums.FPDF_FORMFIELD_TYPE_SIGNATURE:
		return note{name: d.fieldName(a), area: d.areaOf(a)}
	case enums.FPDF_FORMFIELD_TYPE_UNKNOWN:
		if kind := d.annotationString(a, "FT"); kind == "Tx" || kind == "Ch" {
			return note{name: d.fieldName(a), text: d.annotationString(a, "V")}
		}
	}
	return note{}
}

// fieldName returns the name of a field that is displayed to users, or else its internal name.
func (d *file) fieldName(a references.FPDF_ANNOTATION) string {
	if form := d.openForm(); form != nil {
		name, err := d.instance.FPDFAnnot_GetFormFieldAlternateName(&requests.FPDFAnnot_GetFormFieldAlternateName{FormHandle: *form, Annotation: a})
		if err == nil && name.FormFieldAlternateName != "" {
			return markdown.OneLine(cleanMetadata(name.FormFieldAlternateName))
		}
		if name, err := d.instance.FPDFAnnot_GetFormFieldName(&requests.FPDFAnnot_GetFormFieldName{FormHandle: *form, Annotation: a}); err == nil && name.FormFieldName != "" {
			return markdown.OneLine(cleanMetadata(name.FormFieldName))
		}
	}
	for _, key := range []string{"TU", "T"} {
		if name := markdown.OneLine(d.annotationString(a, key)); name != "" {
			return name
		}
	}
	return ""
}

func (d *file) fieldValue(a references.FPDF_ANNOTATION) string {
	value, err := d.instance.FPDFAnnot_GetFormFieldValue(&requests.FPDFAnnot_GetFormFieldValue{FormHandle: *d.form.handle, Annotation: a})
	if err != nil {
		return ""
	}
	return cleanMetadata(value.FormFieldValue)
}

// isChecked reports whether a check box or radio button is checked.
func (d *file) isChecked(a references.FPDF_ANNOTATION) bool {
	state := d.annotationString(a, "AS")
	return state != "" && state != "Off"
}

// maxOptions is the maximum number of options of a field that are examined.
const maxOptions = 1000

// chosenOptions returns the labels of the selected options of a field.
func (d *file) chosenOptions(a references.FPDF_ANNOTATION) string {
	form := *d.form.handle
	count, err := d.instance.FPDFAnnot_GetOptionCount(&requests.FPDFAnnot_GetOptionCount{FormHandle: form, Annotation: a})
	if err != nil {
		return ""
	}
	var labels []string
	for i := range min(count.OptionCount, maxOptions) {
		chosen, err := d.instance.FPDFAnnot_IsOptionSelected(&requests.FPDFAnnot_IsOptionSelected{FormHandle: form, Annotation: a, Index: i})
		if err != nil || !chosen.IsOptionSelected {
			continue
		}
		if label, err := d.instance.FPDFAnnot_GetOptionLabel(&requests.FPDFAnnot_GetOptionLabel{FormHandle: form, Annotation: a, Index: i}); err == nil {
			labels = append(labels, markdown.OneLine(cleanMetadata(label.OptionLabel)))
		}
	}
	return strings.Join(labels, ", ")
}

// isBox reports whether an annotation is a check box or a radio button.
func (d *file) isBox(a references.FPDF_ANNOTATION) bool {
	kind := d.fieldType(a)
	return kind == enums.FPDF_FORMFIELD_TYPE_CHECKBOX || kind == enums.FPDF_FORMFIELD_TYPE_RADIOBUTTON
}

// findTicks finds the check boxes and radio buttons of the page: the positions in its text that
// they precede, and which are checked.
func (p *textPage) findTicks() {
	p.ticks, p.boxes = make(map[int]rune), make(map[int]bool)
	p.file.eachAnnotation(p.index, func(i int, a references.FPDF_ANNOTATION) {
		if p.file.annotationKind(a) != enums.FPDF_ANNOT_SUBTYPE_WIDGET || !p.file.isBox(a) {
			return
		}
		if at := p.textBeside(a); at >= 0 && p.ticks[at] == 0 {
			p.ticks[at], p.boxes[i] = extract.CheckboxRune(p.file.isChecked(a)), true
		}
	})
}

// textBeside returns the index of the text to the right of an annotation, or -1 if there is none.
func (p *textPage) textBeside(a references.FPDF_ANNOTATION) int {
	area := p.file.areaOf(a)
	if area == nil || !p.isComplete() {
		return -1
	}
	const reach, slack = 12, 3 // points: the distance to the right in which text is searched, and by how much text may overlap the annotation
	right, middle := float64(area.Right), float64(area.Top+area.Bottom)/2
	found, err := p.file.instance.FPDFText_GetCharIndexAtPos(&requests.FPDFText_GetCharIndexAtPos{TextPage: p.ref, X: right + reach/2, Y: middle, XTolerance: reach, YTolerance: reach / 2})
	if err != nil || found.CharIndex < 0 || found.CharIndex >= p.chars {
		return -1
	}
	at := found.CharIndex
	for at > 0 && p.charBox(at-1).left >= right-slack && p.charBox(at-1).left <= p.charBox(at).left {
		at--
	}
	if !(p.charBox(at).left >= right-slack) {
		return -1
	}
	return at
}

// markTicks inserts the signs of check boxes and radio buttons before their labels.
func (p *textPage) markTicks(glyphs []glyph) []glyph {
	if len(p.ticks) == 0 {
		return glyphs
	}
	out := make([]glyph, 0, len(glyphs)+2*len(p.ticks))
	for _, g := range glyphs {
		if tick := p.ticks[g.at]; tick != 0 && !unicode.IsSpace(g.char) {
			out = append(out, glyph{tick, g.at}, glyph{' ', g.at})
			delete(p.ticks, g.at)
		}
		out = append(out, g)
	}
	return out
}
