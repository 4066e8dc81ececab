package pdf

import (
	"slices"
	"testing"

	"vademecum/internal/manual"
	"vademecum/internal/manual/manualtest"
)

// TestManual holds the manual to what is said of a scan.
func TestManual(t *testing.T) {
	manualtest.Each(t, func(t *testing.T, l manual.Language) {
		if !slices.Contains(manualtest.Code(t, "formats", l), errScanned.Reason) {
			t.Errorf("the manual does not say %q", errScanned.Reason)
		}
	})
}
