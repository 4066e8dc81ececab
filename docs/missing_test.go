package docs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestExpect: a folder that comes later is at the path that it would have had, by
// whatever links that leads there.
func TestExpect(t *testing.T) {
	t.Parallel()
	base := realDir(t)
	drive := filepath.Join(base, "drive")
	at := link(t, filepath.Join(drive, "notes"), filepath.Join(base, "link"))
	for _, dir := range []string{filepath.Join(drive, "notes"), at, link(t, "link", filepath.Join(base, "other"))} {
		f, err := Opener{AllowMissing: true}.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.Dir() != dir || f.RealPath() != filepath.Join(drive, "notes") {
			t.Errorf("%s is %s, without links %s", dir, f.Dir(), f.RealPath())
		}
		var missing FolderMissingError
		if _, err := f.Scan(t.Context(), "."); !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "the folder "+dir+" is not there: connect") {
			t.Errorf("a scan says %v", err)
		}
		if !f.IsResponding() || f.MissingError() == nil {
			t.Error("it is not missing")
		}
		put(t, drive, "notes", "a.md")
		if !f.IsResponding() || f.MissingError() != nil {
			t.Errorf("it is missing: %v", f.MissingError())
		}
		if got := scanned(t, f, "."); len(got) != 1 {
			t.Errorf("there are %q", got)
		}
		if g := mustOpen(t, dir); g.RealPath() != f.RealPath() {
			t.Errorf("opened now it is %s", g.RealPath())
		}
		if err := os.RemoveAll(drive); err != nil {
			t.Skip("an open folder cannot be removed here")
		}
		if f.IsResponding(); f.MissingError() == nil {
			t.Error("it is not missing again")
		}
	}
}

// TestExpectMistakes: what no waiting mends is refused.
func TestExpectMistakes(t *testing.T) {
	t.Parallel()
	dir := realDir(t)
	put(t, dir, "a.md")
	for _, mistake := range []string{"", filepath.Join(dir, "a.md"), filepath.Join(dir, strings.Repeat("x", 5000)), filepath.Join(dir, "a\x00b")} {
		if f, err := (Opener{AllowMissing: true}).Open(mistake); err == nil {
			t.Errorf("%.40q is %s", mistake, f.Dir())
		}
	}
}

// TestMissingContains: a folder that is not there yet lies where its path says.
func TestMissingContains(t *testing.T) {
	t.Parallel()
	dir := realDir(t)
	expect := func(elem ...string) *Folder {
		f, err := Opener{AllowMissing: true}.Open(filepath.Join(append([]string{dir}, elem...)...))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	there, away, within := expect(), expect("away"), expect("away", "in")
	if !there.Contains(away) || !away.Contains(within) || !away.Contains(expect("away")) || within.Contains(away) || away.Contains(expect("other")) {
		t.Error("what lies in what is not known")
	}
}

// TestScanOfWhatGoes: of a folder that goes away while it is scanned nothing is listed.
func TestScanOfWhatGoes(t *testing.T) {
	t.Parallel()
	f := testFolder(t, map[string]string{"a.md": "x"})
	root, err := f.currentRoot()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(f.Dir(), filepath.Join(t.TempDir(), "aside")); err != nil {
		t.Skip("an open folder cannot be moved here")
	}
	if files, err := f.scanTree(newTreeWalker(t.Context(), root, readDirAndStat), "."); !errors.As(err, new(FolderMissingError)) {
		t.Errorf("it holds %v, %v", files, err)
	}
	put(t, f.Dir(), "b.md")
	if files, err := f.scanTree(newTreeWalker(t.Context(), root, readDirAndStat), "."); !errors.Is(err, errReplaced) {
		t.Errorf("another in its place, it holds %v, %v", files, err)
	}
	if got := scanned(t, f, "."); len(got) != 1 || got[0] != "b.md" {
		t.Errorf("then it holds %q", got)
	}
}

// TestLooksInTurn: what a look found counts no more when one that began later has ended,
// nor does what is wrong with this process alone.
func TestLooksInTurn(t *testing.T) {
	t.Parallel()
	f := newFolder()
	for _, look := range []struct {
		number  int64
		err     error
		missing bool
	}{
		{1, fs.ErrNotExist, true},
		{3, nil, false},
		{2, syscall.EIO, false},
		{4, syscall.EMFILE, false},
		{5, syscall.ENOTCONN, true},
		{6, syscall.ENFILE, true},
	} {
		err := f.noteLookup(look.number, look.err)
		if !errors.Is(err, look.err) || (f.MissingError() != nil) != look.missing {
			t.Errorf("after look %d, which said %v: %v, missing %v", look.number, look.err, err, f.MissingError())
		}
		if errors.As(err, new(FolderMissingError)) && isProcessError(look.err) {
			t.Errorf("%v has the folder be missing", look.err)
		}
	}
}
