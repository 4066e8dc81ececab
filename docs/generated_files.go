package docs

import (
	"vademecum/docs/extract"
	"vademecum/docs/formats"
	"vademecum/internal/base/message"
)

// checkContent returns an error with the reason if a program wrote the file for programs, such as a
// lock file, so that it is not a document.
func checkContent(path string, content []byte) error {
	if kind := generatedKind(path, formats.IsProse(path), content); kind != "" {
		return &extract.SkipError{Reason: message.New("made by a machine: %s", kind)}
	}
	return nil
}
