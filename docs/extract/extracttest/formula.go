package extracttest

import "strings"

// FormulaObject returns an Equation Editor object with a formula that consists of the given letters
// and digits, in MTEF version 3.
func FormulaObject(formula string) string {
	line := ""
	for i := range len(formula) {
		line += "\x02\x83" + formula[i:i+1] + "\x00"
	}
	return string(CompoundFile("Equation Native", "\x1C\x00"+strings.Repeat("\x00", 26)+"\x03\x01\x01\x03\x0A"+"\x01"+line+"\x00\x00"))
}
