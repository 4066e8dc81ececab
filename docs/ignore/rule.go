package ignore

import (
	"vademecum/internal/base/message"
)

// A Rule leaves a file or directory out.
type Rule struct {
	Kind    RuleKind `json:"kind"`
	Pattern string   `json:"pattern,omitempty"` // as it stands in the ignore file, for Pattern
	File    string   `json:"file,omitempty"`    // that ignore file, a slash path relative to the folder; above it this begins with ../
	Line    int      `json:"line,omitempty"`    // in that file, from 1
}

// A RuleKind is what a rule goes by.
type RuleKind string

// The kinds of rules.
const (
	Hidden    RuleKind = "hidden: its name begins with a dot"
	Filled    RuleKind = "folder that a program fills"
	Temporary RuleKind = "temporary file of a program or of the system"
	Pattern   RuleKind = "pattern"
	Special   RuleKind = "device, pipe or socket"
	Index     RuleKind = "belongs to an index of vademecum"
)

// Kinds are all of them.
var Kinds = []RuleKind{Hidden, Filled, Temporary, Pattern, Special, Index}

// String says the rule in words, with where it stands.
func (r Rule) String() string { return r.Message().String() }

// Message says which rule it is.
func (r Rule) Message() message.Message {
	switch r.Kind {
	case Pattern:
		return message.New("pattern %s in %s, line %d", r.Pattern, r.File, r.Line)
	}
	return message.New(string(r.Kind))
}
