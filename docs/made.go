package docs

import (
	"strings"

	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/docs/generated"
)

// madeByMachine begins the reason of a file that machines made for machines; what
// kind of file it is follows.
const madeByMachine = "made by a machine: "

// IsMadeByMachine tells whether this is the reason why a file is skipped.
func IsMadeByMachine(reason string) bool { return strings.HasPrefix(reason, madeByMachine) }

// IncludeGenerated has files that machines made for machines, such as lock files,
// read as documents. It must be called before anything is loaded.
func (f *Folder) IncludeGenerated() { f.generated = true }

// IncludesGenerated tells whether it was asked to.
func (f *Folder) IncludesGenerated() bool { return f.generated }

// refuse returns the reason for which a file that was read is no document here.
func (f *Folder) refuse(path string, content []byte) error {
	if kind := generated.Kind(path, formats.IsProse(path), content); kind != "" && !f.generated {
		return &extract.SkipError{Reason: madeByMachine + kind}
	}
	return nil
}

// isGenerated tells whether machines made the file for machines.
func (r Raw) isGenerated() bool {
	return generated.Kind(r.Path, formats.IsProse(r.Path), r.bytes) != ""
}
