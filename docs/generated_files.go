package docs

import (
	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/internal/base/message"
)

// codeGenerated is the code of the reason why a file is skipped that a machine made.
const codeGenerated = "generated"

// IsGenerated reports whether a file is skipped because it is generated.
func IsGenerated(reason message.Message) bool { return reason.Code() == codeGenerated }

// IncludeGenerated makes the folder read generated files, such as lock files, as
// documents. It must be called before anything is loaded.
func (f *Folder) IncludeGenerated() { f.generated = true }

// IncludesGenerated reports whether the folder was opened to include generated files.
func (f *Folder) IncludesGenerated() bool { return f.generated }

// checkContent returns the reason for which a file that was read is no document here.
func (f *Folder) checkContent(path string, content []byte) error {
	if kind := GeneratedKind(path, formats.IsProse(path), content); kind != "" && !f.generated {
		return &extract.SkipError{Reason: message.New("made by a machine: %s", kind).WithCode(codeGenerated)}
	}
	return nil
}

// isGenerated reports whether the file was written by a program for programs.
func (r Raw) isGenerated() bool {
	return GeneratedKind(r.Path, formats.IsProse(r.Path), r.bytes) != ""
}
