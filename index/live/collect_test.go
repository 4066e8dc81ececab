package live

import (
	"runtime/debug"
	"testing"

	"vademecum/index/indextest"
)

// percent is how much garbage there may be now.
func percent() int {
	now := debug.SetGCPercent(77)
	debug.SetGCPercent(now)
	return now
}

// TestPauses: garbage is collected again when the last pause is over, and as often as
// was said meanwhile.
func TestPauses(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(percent())
	debug.SetGCPercent(88)
	st := NewStore(1, indextest.NewCounting(t))
	first := pauseCollections()
	st.pause(pauseCollections())
	if got := percent(); got != -1 {
		t.Errorf("in a pause: %d", got)
	}
	first()
	first()
	if got := percent(); got != -1 {
		t.Errorf("one pause is over, twice: %d", got)
	}
	st.Collect()
	if got := percent(); got != 88 {
		t.Errorf("all are over: %d", got)
	}
	st.pause(pauseCollections())
	collectOften(growth)
	if got := percent(); got != -1 {
		t.Errorf("a large index ends a pause: %d", got)
	}
	st.Collect()
	if got := percent(); got != 30 {
		t.Errorf("with a large index: %d", got)
	}
}
