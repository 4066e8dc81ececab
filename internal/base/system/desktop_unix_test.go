//go:build unix && !darwin

package system

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// pretend puts a program called xdg-open on the PATH that keeps what it is given in a
// file, and ends with a code.
func pretend(t *testing.T, code string) (kept string) {
	t.Helper()
	dir := t.TempDir()
	kept = filepath.Join(dir, "kept")
	script := "#!/bin/sh\nprintf '%s' \"$*\" > '" + kept + "'\nexit " + code + "\n"
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	t.Setenv("DISPLAY", ":0")
	return kept
}

// TestOpen: what is to be opened is handed on as it is, never by a shell.
func TestOpen(t *testing.T) {
	kept := pretend(t, "0")
	for target, open := range map[string]func() error{
		"http://127.0.0.1:1/open?ticket=A&b=$(id)": func() error { return OpenOnDesktop(t.Context(), "http://127.0.0.1:1/open?ticket=A&b=$(id)") },
		"/notes/a b": func() error { return RevealOnDesktop(t.Context(), "/notes/a b/c;d.md") },
	} {
		if err := open(); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(kept); err != nil || string(got) != target {
			t.Errorf("it opens %q, %v, want %q", got, err, target)
		}
	}
}

// TestOpenFails: a desktop that there is not, or that opens nothing, is told of.
func TestOpenFails(t *testing.T) {
	pretend(t, "3")
	if err := OpenOnDesktop(t.Context(), "http://127.0.0.1"); err == nil {
		t.Error("a failure is not told of")
	}
	t.Setenv("PATH", t.TempDir())
	if err := OpenOnDesktop(t.Context(), "http://127.0.0.1"); err == nil {
		t.Error("a missing command is not told of")
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if err := OpenOnDesktop(t.Context(), "http://127.0.0.1"); !errors.Is(err, ErrNoDesktop) {
		t.Errorf("without a screen: %v", err)
	}
}
