package diskspace

import (
	"path/filepath"
	"testing"
)

// TestFreeOfWhatIsNotThere asks for a folder that is yet to be made.
func TestFreeOfWhatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "not", "there")
	if got := Existing(path); got != dir {
		t.Errorf("above %s there is %s, want %s", path, got, dir)
	}
	_, here := Free(dir)
	if _, ok := Free(path); ok != here {
		t.Errorf("known of what is to be made: %v, of its folder: %v", ok, here)
	}
}
