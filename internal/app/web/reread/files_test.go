package reread

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// content is the content of a file as last loaded; loading fails if the file is broken.
type content struct {
	file string
	kept string
	read int
	deny error // error of each attempt to load, while it is set
}

func (c *content) take() error {
	c.read++
	text, _, err := ReadFile(c.file)
	switch {
	case c.deny != nil:
		return c.deny
	case err != nil:
		return err
	case strings.HasPrefix(string(text), "broken"):
		return errors.New("it is broken")
	}
	c.kept = string(text)
	return nil
}

// TestLook checks that a changed file is loaded, that a broken one leaves the previous content, and
// that its error is logged once.
func TestLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		c := &content{file: filepath.Join(t.TempDir(), "x")}
		begin := time.Now()
		write := func(text string) { // each with another time, as a file system may store times imprecisely
			t.Helper()
			begin = begin.Add(time.Minute)
			err := errors.Join(os.WriteFile(c.file, []byte(text), 0o600), os.Chtimes(c.file, begin, begin))
			if err != nil {
				t.Fatal(err)
			}
		}
		write("one")
		f, err := Open(slog.New(slog.NewTextHandler(&said, nil)), "the list", c.take, c.file)
		if err != nil {
			t.Fatal(err)
		}
		expect := func(what, kept string, read int) {
			t.Helper()
			f.ReloadIfChanged()
			f.ReloadIfChanged()
			if c.kept != kept || c.read != read {
				t.Errorf("%s: %q is in use after %d reads, want %q after %d", what, c.kept, c.read, kept, read)
			}
		}
		expect("no change", "one", 1)
		write("two")
		expect("a change", "two", 2)
		write("broken")
		expect("broken", "two", 3)
		time.Sleep(2 * retry)
		expect("still broken", "two", 4)
		if n := strings.Count(said.String(), "the list cannot be read again; what was read before stays in use"); n != 1 {
			t.Errorf("%d lines are logged: %s", n, said.String())
		}
		if err := os.Remove(c.file); err != nil {
			t.Fatal(err)
		}
		expect("gone", "two", 5)
		write("three")
		expect("whole again", "three", 6)
		c.deny = os.ErrPermission
		if err := f.Reload(); !errors.Is(err, os.ErrPermission) {
			t.Errorf("a reading that fails is told as %v", err)
		}
		c.deny = nil
		time.Sleep(2 * retry)
		expect("allowed again", "three", 8)
		if err := f.Reload(); err != nil || c.read != 9 {
			t.Errorf("asked to, it is not read: %v", err)
		}
	})
}

func TestListIsBounded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, make([]byte, MaxFileBytes+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadFile(file); err == nil {
		t.Error("a file of any length is read")
	}
	if err := os.Truncate(file, MaxFileBytes); err != nil {
		t.Fatal(err)
	}
	if text, info, err := ReadFile(file); err != nil || len(text) != MaxFileBytes || info.Size() != MaxFileBytes {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}
