package office

import (
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/formula"
)

// Limits in bytes on the embedded objects that are searched for formulas: of one, and of all
// together. A formula takes a few thousand bytes; larger objects are spreadsheets and drawings.
const (
	maxFormulaObject  = 256 << 10
	maxFormulaObjects = 16 << 20
	objectCost        = 512 // number of bytes added to the size of each object
)

// ReadFormulaObject returns the text of an embedded formula of Equation Editor or MathType, or ""
// if the object is something else or damaged. The content decides, as programs give such objects
// different names.
func (p *Package) ReadFormulaObject(partName string) string {
	size := p.FileSize(partName)
	if size == 0 || size > maxFormulaObject || p.remainingObjects < int(size) {
		return ""
	}
	p.remainingObjects -= int(size) + objectCost
	raw, err := p.ReadFile(partName)
	if err != nil {
		return ""
	}
	file, err := cfb.Open(raw)
	if err != nil {
		return ""
	}
	native, err := file.Root.ReadStream("Equation Native")
	if err != nil {
		return ""
	}
	return formula.MTEFText(native)
}
