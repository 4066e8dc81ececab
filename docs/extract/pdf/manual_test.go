package pdf

import (
	"slices"
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual checks that the manual cites the note on scanned pages.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		if !slices.Contains(manualtest.AllCode(t, "formats", l), errScanned.Error()) {
			t.Errorf("the manual does not say %q", errScanned.Error())
		}
	})
}
