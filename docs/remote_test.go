package docs

import (
	"errors"
	"path/filepath"
	"testing"
)

// TestAway: nothing of a folder of other machines is looked for on this one, also
// where it has one of the same path.
func TestAway(t *testing.T) {
	here := t.TempDir()
	f := NewRemote("cardio")
	if f.Dir() != string(filepath.Separator)+"cardio" || !f.IsRemote() {
		t.Errorf("it is %s", f.Dir())
	}
	f.SetRemoteDir(here)
	if f.Dir() != here || f.RealPath() != here {
		t.Errorf("it is %s and %s, want %s", f.Dir(), f.RealPath(), here)
	}
	if files, err := f.Scan(t.Context(), "."); !errors.Is(err, ErrRemoteFolder) {
		t.Errorf("scanned: %v, %v", files, err)
	}
	if _, err := f.Load(t.Context(), "a.md"); !errors.Is(err, ErrRemoteFolder) {
		t.Errorf("loaded: %v", err)
	}
	if _, err := f.Watch(""); !errors.Is(err, ErrRemoteFolder) {
		t.Errorf("watched: %v", err)
	}
	if rel, ok := f.RelativePath(filepath.Join(here, "a", "b.md")); rel != "a/b.md" || !ok {
		t.Errorf("relative: %s, %t", rel, ok)
	}
	if _, ok := f.CanonicalPath("a.md"); ok || !f.IsResponding() || f.PathMovedNote() != "" {
		t.Error("it is looked for")
	}
	seen, err := Open(here)
	if err != nil {
		t.Fatal(err)
	}
	defer seen.Close()
	if !f.Contains(seen) || NewRemote("other").Contains(seen) {
		t.Error("paths do not decide what lies in it")
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
