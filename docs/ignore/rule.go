package ignore

import "fmt"

// A Rule leaves a file or directory out.
type Rule struct {
	Kind    Kind   `json:"kind"`
	Pattern string `json:"pattern,omitempty"` // as it stands in the ignore file, for Pattern
	File    string `json:"file,omitempty"`    // that ignore file, a slash path relative to the folder; above it this begins with ../
	Line    int    `json:"line,omitempty"`    // in that file, from 1
}

// A Kind is what a rule goes by.
type Kind string

// The kinds of rules.
const (
	Hidden    Kind = "hidden: its name begins with a dot"
	Filled    Kind = "folder that a program fills"
	Temporary Kind = "temporary file of a program or of the system"
	Pattern   Kind = "pattern"
	Special   Kind = "device, pipe or socket"
	Index     Kind = "belongs to an index of vademecum"
)

// Kinds are all of them.
var Kinds = []Kind{Hidden, Filled, Temporary, Pattern, Special, Index}

// String says the rule in words, with where it stands.
func (r Rule) String() string {
	if r.Kind != Pattern {
		return string(r.Kind)
	}
	return fmt.Sprintf("pattern %s in %s, line %d", r.Pattern, r.File, r.Line)
}
