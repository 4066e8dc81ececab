package pdf

import (
	"slices"
	"testing"

	"vademecum/internal/app/manual/manualtest"
	"vademecum/internal/base/message"
)

// TestManual holds the manual to what is said of a scan.
func TestManual(t *testing.T) {
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		if !slices.Contains(manualtest.AllCode(t, "formats", l), errScanned.Error()) {
			t.Errorf("the manual does not say %q", errScanned.Error())
		}
	})
}
