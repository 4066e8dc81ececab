package office

import (
	"vademecum/docs/extract/cfb"
	"vademecum/docs/extract/formula"
)

// How many bytes of embedded objects are looked through for formulas, of each and of all.
// That of a formula has a few thousand; larger ones are spreadsheets and drawings.
const (
	maxFormulaObject  = 256 << 10
	maxFormulaObjects = 16 << 20
	objectCost        = 512 // what each counts beside its bytes
)

// ReadFormulaObject returns the text of an embedded formula of Equation Editor or MathType, ""
// if the object is another, or damaged. Its content decides, as programs name such objects
// differently.
func (p *Package) ReadFormulaObject(part string) string {
	size := p.FileSize(part)
	if size == 0 || size > maxFormulaObject || p.remainingObjects < int(size) {
		return ""
	}
	p.remainingObjects -= int(size) + objectCost
	raw, err := p.ReadFile(part)
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
