package doc

import (
	"unicode/utf16"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
	"vademecum/docs/extract/office"
)

// Types of form fields, and the value for a field without a result ([MS-DOC] 2.9.78).
const (
	textField   = 0
	checkBox    = 1
	dropDown    = 2
	resultUnset = 25
)

// formFieldText returns the visible state of a form field that has no text: its tick or its chosen
// entry. The properties of the field are at offset at in the data stream.
func (d *document) formFieldText(at int) []uint16 {
	const (
		atHeaderSize, atBits, atName = 4, 4, 10 // offset of the size in the header, and of the flags and the name in the properties
		typeMask, resultMask         = 3, 31
		formatAndMacros              = 5 // number of texts between the default entry and the list of entries
	)
	r := formReader{d.dataStream()}
	r.skip(at)
	r.skip(uint16At(r.rest, atHeaderSize))
	bits := uint16At(r.rest, atBits)
	kind, result := bits&typeMask, bits>>2&resultMask
	if kind == textField {
		return nil
	}
	r.skip(atName)
	r.skipText()
	if byDefault := r.number(); result == resultUnset {
		result = byDefault
	}
	for range formatAndMacros {
		r.skipText()
	}
	switch kind {
	case checkBox:
		return utf16.AppendRune(nil, extract.CheckboxRune(result != 0))
	case dropDown:
		return utf16.Encode([]rune(office.ChosenEntry(r.entries(), result)))
	}
	return nil
}

// dataStream returns the stream that contains pictures and field properties.
func (d *document) dataStream() []byte {
	if d.data == nil {
		d.data, _ = d.streams.ReadStream("Data") // on error, use the part that could be read
	}
	return d.data
}

// A formReader reads the properties of a form field. Past the end it reads zeros.
type formReader struct{ rest []byte }

func (r *formReader) skip(n int) { r.rest = r.rest[min(max(n, 0), len(r.rest)):] }

func (r *formReader) number() int {
	n := uint16At(r.rest, 0)
	r.skip(2)
	return n
}

// skipText skips a text preceded by its length and followed by a null.
func (r *formReader) skipText() { r.skip(2*r.number() + 2) }

// entries reads a list of texts ([MS-DOC] 2.2.4).
func (r *formReader) entries() (all []string) {
	const extended = 0xFFFF
	if r.number() != extended {
		return nil
	}
	count, extra := r.number(), r.number()
	for ; count > 0 && len(r.rest) > 0; count-- {
		size := 2 * r.number()
		all = append(all, markdown.OneLine(decodeUTF16(r.rest[:min(size, len(r.rest))])))
		r.skip(size + extra)
	}
	return all
}
