package ranking

import (
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual holds the manual to the parts that a score is told to be made of, by what they are
// called in its language.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		var listed, all []string
		for _, row := range manualtest.TableRows(t, "finding", l, 4) {
			listed = append(listed, row[0])
		}
		for _, part := range labels {
			if part.Name != "" {
				all = append(all, part.Name.InLanguage(l))
			}
		}
		manualtest.RequireSameNames(t, "part of a score", listed, all)
	})
}
