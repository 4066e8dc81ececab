package system

import (
	"net"
	"os"
	"path/filepath"
	"testing"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsNoFile puts all kinds of things in the place of a file to lock.
func TestWhatIsNoFile(t *testing.T) {
	for name, put := range map[string]func(dir, file string) error{
		"nothing":            func(_, _ string) error { return nil },
		"a file":             func(_, file string) error { return os.WriteFile(file, nil, 0o600) },
		"a link to nothing":  func(dir, file string) error { return os.Symlink(filepath.Join(dir, "none", "x"), file) },
		"a link to a file":   func(dir, file string) error { return os.Symlink(filepath.Join(dir, "other"), file) },
		"a link to a folder": func(dir, file string) error { return os.Symlink(dir, file) },
		"a link to itself":   func(_, file string) error { return os.Symlink(file, file) },
		"a socket": func(_, file string) error {
			l, err := net.Listen("unix", file)
			if err == nil {
				l.(*net.UnixListener).SetUnlinkOnClose(false)
				err = l.Close()
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := os.MkdirTemp("", "lock") // short enough for a socket
			must(t, err)
			t.Cleanup(func() { _ = os.RemoveAll(dir) })
			must(t, os.WriteFile(filepath.Join(dir, "other"), nil, 0o600))
			file := filepath.Join(dir, "x")
			if err := put(dir, file); err != nil {
				t.Skip(err)
			}
			a, b := NewFileLock(file), NewFileLock(file)
			defer a.Close()
			defer b.Close()
			if locked, err := a.TryLock(); !locked || err != nil {
				t.Errorf("the first has it: %v, %v", locked, err)
			}
			if locked, err := b.TryLock(); locked || err != nil {
				t.Errorf("the second has it, too: %v, %v", locked, err)
			}
			if !IsLockable(file) {
				t.Error("it is no plain file")
			}
		})
	}
}

// TestFolderStays: somebody may keep something in it.
func TestFolderStays(t *testing.T) {
	dir := t.TempDir()
	RemoveIrregularLockFile(dir)
	if _, err := os.Stat(dir); err != nil {
		t.Error(err)
	}
	if locked, err := NewFileLock(dir).TryLock(); locked && err == nil {
		t.Log("a folder can be locked here")
	}
}

// TestLockOfAFasterOne: what another process has put in the place of a link, and locked,
// while this one was about to remove the link, stays there and locked.
func TestLockOfAFasterOne(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x")
	other := NewFileLock(file)
	defer other.Close()
	if locked, err := other.TryLock(); !locked || err != nil {
		t.Fatalf("the other has it not: %v, %v", locked, err)
	}
	removeAside(file, isIrregular)
	own := NewFileLock(file)
	defer own.Close()
	if locked, err := own.TryLock(); locked || err != nil {
		t.Errorf("both have it: %v, %v", locked, err)
	}
	entries, err := os.ReadDir(dir)
	if must(t, err); len(entries) != 1 {
		t.Errorf("there are %v", entries)
	}
	must(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	removeAside(filepath.Join(dir, "folder"), isIrregular)
	if _, err := os.Stat(filepath.Join(dir, "folder")); err != nil {
		t.Error(err)
	}
}
