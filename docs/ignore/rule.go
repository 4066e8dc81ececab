package ignore

import (
	"vademecum/internal/base/message"
)

// A Rule excludes a file or directory.
type Rule struct {
	Kind    RuleKind `json:"kind"`
	Pattern string   `json:"pattern,omitempty"` // as written in the ignore file; only for the kind IgnorePattern
	File    string   `json:"file,omitempty"`    // slash path of the ignore file relative to the folder; begins with ../ if it is above
	Line    int      `json:"line,omitempty"`    // line number in the ignore file, from 1
}

// RuleKind says why a Rule excludes files, in English.
type RuleKind string

// Kinds of rules.
const (
	HiddenFile      RuleKind = "hidden: its name begins with a dot"
	FilledByProgram RuleKind = "folder filled by a program"
	TemporaryFile   RuleKind = "temporary file of a program or of the system"
	IgnorePattern   RuleKind = "pattern"
	SpecialFile     RuleKind = "device, pipe or socket"
	SearchIndexFile RuleKind = "part of an index of vademecum"
)

// RuleKinds lists all kinds of rules.
var RuleKinds = []RuleKind{HiddenFile, FilledByProgram, TemporaryFile, IgnorePattern, SpecialFile, SearchIndexFile}

// String describes the rule and its location in English.
func (r Rule) String() string { return r.Message().String() }

// Message describes the rule and its location.
func (r Rule) Message() message.Message {
	switch r.Kind {
	case IgnorePattern:
		return message.New("pattern %s in %s, line %d", r.Pattern, r.File, r.Line)
	}
	return message.New(string(r.Kind))
}
