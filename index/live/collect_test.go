package live

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestLowerGCPercent: while large files are indexed, the target of garbage collection is low, also if it
// is set meanwhile; afterwards it is as it was set.
func TestLowerGCPercent(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("GOGC is set, which the program respects")
	}
	now := func() int {
		percent := debug.SetGCPercent(100)
		debug.SetGCPercent(percent)
		return percent
	}
	t.Cleanup(func() { SetGCPercent(100) })
	one, other := LowerGCPercent(), LowerGCPercent()
	if got := now(); got != largeFileGCPercent {
		t.Errorf("with two large files it is %d", got)
	}
	SetGCPercent(15)
	if got := now(); got != 15 {
		t.Errorf("set lower meanwhile it is %d", got)
	}
	SetGCPercent(80)
	one()
	if got := now(); got != largeFileGCPercent {
		t.Errorf("with one large file it is %d", got)
	}
	other()
	if got := now(); got != 80 {
		t.Errorf("afterwards it is %d", got)
	}
}
