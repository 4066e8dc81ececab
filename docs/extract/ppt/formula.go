package ppt

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"

	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/formula"
	"vademecum/docs/extract/markdown"
)

// maxFormula is the maximum number of bytes of a formula that are decompressed; typical formulas
// have a few thousand.
const maxFormula = 1 << 20

// readFormulas records the embedded objects of a document that are formulas ([MS-PPT] 2.10.27).
func (p *presentation) readFormulas(objects record) {
	const program = 2 // instance of the text that names the program of an object
	for object := range objects.children() {
		if object.kind != embeddedObject {
			continue
		}
		isFormula := false
		for text := range object.children() {
			isFormula = isFormula || text.kind == cString && text.instance == program && strings.HasPrefix(decodeUTF16(text.data), "Equation.")
		}
		if atom := object.firstChild(objectAtom).data; isFormula {
			p.formulas[uint32At(atom, 8)] = uint32At(atom, 16)
		}
	}
}

// addFormula adds the formula that a shape shows to the slide, if it shows one.
func (s *slideReader) addFormula(shape record) {
	reference := shape.firstChild(clientData).firstChild(objectReference)
	number, ok := s.formulas[uint32At(reference.data, 0)]
	if !ok || reference.kind != objectReference || s.isNotes {
		return
	}
	file, err := cfb.Open(s.unpackObject(s.savedObject(number)))
	if err != nil {
		return
	}
	native, err := file.Root.ReadStream("Equation Native")
	if err != nil {
		return
	}
	if text := formula.MTEFText(native); text != "" {
		s.blocks = append(s.blocks, markdown.Block{Text: text})
	}
}

// unpackObject returns the compound file of an embedded object ([MS-PPT] 2.10.34), or its beginning
// if it cannot be decompressed completely.
func (p *presentation) unpackObject(object record) []byte {
	const isPacked, size = 1, 4
	if object.kind != objectStorage {
		return nil
	}
	if object.instance != isPacked {
		return object.data
	}
	z, err := zlib.NewReader(bytes.NewReader(object.data[min(size, len(object.data)):]))
	if err != nil {
		return nil
	}
	raw, _ := io.ReadAll(io.LimitReader(z, maxFormula)) // on error, use what could be read
	p.remainingBytes -= len(raw)
	return raw
}
