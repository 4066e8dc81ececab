package docs

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

// link makes a symbolic link, or skips the test where there are none.
func link(t *testing.T, target, at string) string {
	t.Helper()
	if err := os.Symlink(target, at); err != nil {
		t.Skip(err)
	}
	return at
}

// realDir is a new folder by the one path that is without links.
func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func mustOpen(t *testing.T, dir string) *Folder {
	t.Helper()
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func put(t *testing.T, elem ...string) {
	t.Helper()
	file := filepath.Join(elem...)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestOpenBySpellings: a folder is one, by whatever path it is opened, and shows
// the path that was given.
func TestOpenBySpellings(t *testing.T) {
	base := realDir(t)
	real := filepath.Join(base, "real", "notes")
	put(t, real, "sub", "a.md")
	put(t, base, "real", "notes.md")
	given := map[string]string{
		real: real,
		link(t, real, filepath.Join(base, "link")):                                                             filepath.Join(base, "link"),
		filepath.Join(link(t, "real", filepath.Join(base, "parent")), "notes"):                                 filepath.Join(base, "parent", "notes"),
		link(t, "link", filepath.Join(base, "chain")):                                                          filepath.Join(base, "chain"),
		filepath.Join(base, "link") + string(filepath.Separator) + ".." + string(filepath.Separator) + "notes": real, // as the system has it
	}
	other := mustOpen(t, base)
	for dir, shown := range given {
		f := mustOpen(t, dir)
		if f.RealPath() != real || f.Dir() != shown {
			t.Errorf("%s is %s, shown as %s", dir, f.RealPath(), f.Dir())
		}
		if got := scanned(t, f, "."); !slices.Equal(got, []string{"sub/a.md"}) {
			t.Errorf("%s: %q", dir, got)
		}
		for spelling := range given {
			for _, rel := range []string{"sub/a.md", "new/b.md", "."} {
				if got, ok := f.RelativePath(filepath.Join(spelling, filepath.FromSlash(rel))); !strings.Contains(spelling, "..") && (got != rel || !ok) {
					t.Errorf("%s of %s in %s: %q, %v", rel, spelling, dir, got, ok)
				}
			}
		}
		tooLong := base + strings.Repeat("/x", longestPath)
		for _, outside := range []string{base, filepath.Join(base, "real", "notes.md"), filepath.Join(base, "parent"), filepath.Join(base, "nowhere", "sub", "a.md"), tooLong} {
			if got, ok := f.RelativePath(outside); ok {
				t.Errorf("%.100s in %s: %q", outside, dir, got)
			}
		}
		if !f.Contains(mustOpen(t, real)) || !other.Contains(f) || f.Contains(other) {
			t.Errorf("%s: what lies in what is wrong", dir)
		}
	}
	t.Chdir(filepath.Join(base, "link"))
	t.Setenv("PWD", filepath.Join(base, "link"))
	if f := mustOpen(t, "."); f.Dir() != filepath.Join(base, "link") || f.RealPath() != real {
		t.Errorf("in the link: %s, %s", f.Dir(), f.RealPath())
	}
	if f := mustOpen(t, ".."); f.RealPath() != filepath.Join(base, "real") {
		t.Errorf("above the link: %s, %s", f.Dir(), f.RealPath())
	}
}

// TestOpenInAnotherCase: where the file system does not tell case or composition
// apart, a folder is the same by both.
func TestOpenInAnotherCase(t *testing.T) {
	base := realDir(t)
	put(t, base, "Notes", "Caf\u00e9", "a.md")
	real := mustOpen(t, filepath.Join(base, "Notes", "Caf\u00e9"))
	insensitive := 0
	for _, other := range []string{"nOTES/CAF\u00c9", "notes/Cafe\u0301"} {
		f, err := Open(filepath.Join(base, filepath.FromSlash(other)))
		if err != nil {
			continue
		}
		insensitive++
		if f.RealPath() != real.RealPath() {
			t.Errorf("%s is %s, not %s", other, f.RealPath(), real.RealPath())
		}
		f.Close()
	}
	if insensitive == 0 {
		t.Skip("the file system tells them apart")
	}
}

// alikeFS takes names for the same that differ in case or composition only, as
// the file systems of macOS do.
type alikeFS struct{ fs.ReadLinkFS }

func (f alikeFS) Lstat(name string) (fs.FileInfo, error) {
	entries, err := fs.ReadDir(f.ReadLinkFS, path.Dir(name))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if strings.EqualFold(norm.NFC.String(e.Name()), norm.NFC.String(path.Base(name))) {
			return f.ReadLinkFS.Lstat(path.Join(path.Dir(name), e.Name()))
		}
	}
	return nil, fs.ErrNotExist
}

// TestListedNameOfAlike: where names are alike to the file system, the one that
// is listed counts.
func TestListedNameOfAlike(t *testing.T) {
	dir := realDir(t)
	for _, name := range []string{"Notes", norm.NFD.String("Café"), norm.NFC.String("が"), "笔记", "2024"} {
		put(t, dir, name, "a.md")
		fsys := alikeFS{os.DirFS(dir).(fs.ReadLinkFS)}
		for _, other := range []string{name, strings.ToUpper(name), strings.ToLower(name), norm.NFC.String(name), norm.NFD.String(name)} {
			if got, ok := listedName(fsys, ".", other); got != name || !ok {
				t.Errorf("%+q is listed as %+q, %v, want %+q", other, got, ok, name)
			}
		}
		if got, ok := listedName(fsys, ".", name+"x"); got != name+"x" || ok {
			t.Errorf("%+q is listed as %+q, %v", name+"x", got, ok)
		}
	}
}

// TestStrayed: a link that is set to another folder does not take the folder
// along.
func TestStrayed(t *testing.T) {
	base := realDir(t)
	one, two, at := filepath.Join(base, "one"), filepath.Join(base, "two"), filepath.Join(base, "link")
	put(t, one, "1.md")
	put(t, two, "2.md")
	f := mustOpen(t, link(t, one, at))
	expect := func(want string) {
		t.Helper()
		if got := f.PathMovedNote().String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if got := scanned(t, f, "."); !slices.Equal(got, []string{"1.md"}) {
			t.Errorf("it holds %q", got)
		}
	}
	expect("")
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	expect(at + " leads nowhere now")
	link(t, two, at)
	expect(at + " leads to " + two + " now")
	if err := os.Remove(at); err != nil {
		t.Fatal(err)
	}
	link(t, one, at)
	expect("")
	if err := os.RemoveAll(one); err != nil {
		t.Skip("an open folder cannot be removed here")
	}
	if got := f.PathMovedNote(); got != "" {
		t.Errorf("without the folder: %q", got)
	}
}

// TestListed finds names that are composed otherwise.
func TestListed(t *testing.T) {
	f := testFolder(t, map[string]string{norm.NFD.String("é/が.md"): "x", norm.NFC.String("ü/한.md"): "x", "a/b.md": "x"})
	if got := scanned(t, f, "."); len(got) != 3 || norm.NFC.IsNormalString(got[1]) {
		t.Skip("the file system composes names itself")
	}
	for _, p := range []string{"é/が.md", "é", "ü/한.md", "ü", "a/b.md", "."} {
		stored := norm.NFC.String(p)
		if strings.HasPrefix(stored, norm.NFC.String("é")) {
			stored = norm.NFD.String(p)
		}
		for _, form := range []norm.Form{norm.NFC, norm.NFD} {
			if got, ok := f.CanonicalPath(form.String(p)); got != stored || !ok {
				t.Errorf("%q: %q, %v", form.String(p), got, ok)
			}
		}
	}
	if got, ok := f.CanonicalPath(norm.NFC.String("é/new/ü.md")); ok || got != norm.NFD.String("é")+"/new/"+norm.NFC.String("ü")+".md" {
		t.Errorf("a file that is not there: %q, %v", got, ok)
	}
	put(t, f.RealPath(), norm.NFC.String("é"), "b.md")
	for _, form := range []norm.Form{norm.NFC, norm.NFD} {
		if got, ok := f.CanonicalPath(form.String("é")); got != form.String("é") || !ok {
			t.Errorf("of two %q: %q, %v", form.String("é"), got, ok)
		}
	}
}
