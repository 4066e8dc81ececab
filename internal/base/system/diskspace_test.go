package system

import (
	"path/filepath"
	"testing"
)

// TestFreeOfWhatIsNotThere asks for a folder that is yet to be made.
func TestFreeOfWhatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "not", "there")
	if got := ExistingAncestor(path); got != dir {
		t.Errorf("above %s there is %s, want %s", path, got, dir)
	}
	_, here := FreeBytes(dir)
	if _, ok := FreeBytes(path); ok != here {
		t.Errorf("known of what is to be made: %v, of its folder: %v", ok, here)
	}
}
