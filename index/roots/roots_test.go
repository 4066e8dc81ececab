package roots

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vademecum/docs"
)

// TestShortNames: each of several folders has the shortest name that tells it from the
// others, and no path begins with the names of two.
func TestShortNames(t *testing.T) {
	root := t.TempDir()
	for _, tt := range []struct{ dirs, want []string }{
		{[]string{"notes"}, nil},
		{[]string{"notes", "team"}, []string{"notes", "team"}},
		{[]string{"p/notes", "q/notes", "team"}, []string{"p/notes", "q/notes", "team"}},
		{[]string{"r/p/notes", "s/p/notes", "q/notes"}, []string{"r/p/notes", "s/p/notes", "q/notes"}},
		{[]string{"x/a", "y/a/b", "z/b"}, []string{"x/a", "a/b", "z/b"}},
	} {
		var s Set
		for _, dir := range tt.dirs {
			dir = filepath.Join(root, filepath.FromSlash(dir))
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			f, err := docs.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			s = append(s, Root{Folder: f})
		}
		if got := s.shortNames(); !slices.Equal(got, tt.want) {
			t.Errorf("%v are called %v, want %v", tt.dirs, got, tt.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestShortNamesOfWholePaths: a folder whose path is short has all of it for a name, and
// another gets a longer one.
func TestShortNamesOfWholePaths(t *testing.T) {
	s := Set{{Folder: docs.NewRemote("a")}, {Folder: docs.NewRemote("y/a/b")}, {Folder: docs.NewRemote("z/b")}, {Folder: docs.NewRemote("c/a")}}
	if got, want := s.shortNames(), []string{"a", "y/a/b", "z/b", "c/a"}; !slices.Equal(got, want) {
		t.Errorf("they are called %v, want %v", got, want)
	}
}
