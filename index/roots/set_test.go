package roots_test

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"vademecum/docs"
	"vademecum/docs/text"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/location"
	"vademecum/internal/base/glob"
	"vademecum/internal/base/message"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// storages are files for so many folders.
func storages(t *testing.T, folders int) location.FileStorages {
	t.Helper()
	all, dir := location.FileStorages{Model: "m"}, t.TempDir()
	for i := range folders {
		all.IndexPaths = append(all.IndexPaths, filepath.Join(dir, string(rune('a'+i))+".db"))
	}
	return all
}

// makeDirs makes folders in one that is new.
func makeDirs(t *testing.T, paths ...string) (root string, dirs []string) {
	t.Helper()
	root = t.TempDir()
	for _, p := range paths {
		dir := filepath.Join(root, filepath.FromSlash(p))
		must(t, os.MkdirAll(dir, 0o700))
		dirs = append(dirs, dir)
	}
	return root, dirs
}

// opened opens folders until the end of the test.
func opened(t *testing.T, dirs ...string) roots.Set {
	t.Helper()
	s, err := roots.Open(dirs, nil, docs.Opener{}, storages(t, len(dirs)))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	return s
}

// TestOpenRefuses folders in which each file would be found twice, none at all, and what
// is no folder.
func TestOpenRefuses(t *testing.T) {
	root, dirs := makeDirs(t, "notes/sub", "other")
	notes, other := filepath.Join(root, "notes"), dirs[1]
	cases := map[string][]string{
		"no folder given":                                nil,
		"folder " + other + " is given twice":            {other, other},
		"lies in " + notes + ": give only the outer one": {other, notes, dirs[0]},
		"index files given":                              {notes, other}, // for one
	}
	if runtime.GOOS != "windows" {
		link := filepath.Join(root, "link")
		must(t, os.Symlink(other, link))
		cases["is given twice: "] = []string{other, link}
	}
	for want, dirs := range cases {
		n := len(dirs)
		if want == "index files given" {
			n = 1
		}
		s, err := roots.Open(dirs, nil, docs.Opener{}, storages(t, n))
		if s != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", dirs, err, want)
		}
	}
	if _, err := roots.Open([]string{filepath.Join(root, "none")}, nil, docs.Opener{}, storages(t, 1)); err == nil || !strings.HasSuffix(err.Error(), "none: no such folder") {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestNamesInPaths: the paths of several folders begin with their names, those of one do
// not, nor those of texts.
func TestNamesInPaths(t *testing.T) {
	_, dirs := makeDirs(t, "notes", "team")
	one, two := opened(t, dirs[0]), opened(t, dirs...)
	at := search.Location{Folder: 1, Path: "sub/a b.md"}
	if got := two.ShownPath(at); got != "team/sub/a b.md" {
		t.Errorf("it is shown as %s", got)
	}
	if got := two[1].ShownPath("a.md"); got != "team/a.md" {
		t.Errorf("it is shown as %s", got)
	}
	if got := one.ShownPath(search.Location{Path: "a.md"}); got != "a.md" {
		t.Errorf("that of one folder is shown as %s", got)
	}
	if names := two.Names(); !slices.Equal(names, []string{"notes", "team"}) || one.Names() != nil {
		t.Errorf("they are called %v, and one %v", names, one.Names())
	}
	if got := two.Dirs(); !slices.Equal(got, dirs) {
		t.Errorf("they are %v", got)
	}
	if got, want := two.URI(at), docs.FileURI(filepath.Join(dirs[1], "sub", "a b.md")); got != want || !strings.HasSuffix(got, "/team/sub/a%20b.md") {
		t.Errorf("its URI is %s, want %s", got, want)
	}
	if got := two.FolderURIs(); !slices.Equal(got, []string{docs.FileURI(dirs[0]), docs.FileURI(dirs[1])}) {
		t.Errorf("the URIs are %v", got)
	}
	sent := search.Location{Folder: search.NoFolder, Path: "text:1"}
	if two.ShownPath(sent) != "text:1" || two.URI(sent) != "text:1" {
		t.Errorf("a text is %s and %s", two.ShownPath(sent), two.URI(sent))
	}
	c := search.Chunk{Document: search.NewDocument(&catalog.Record{Path: "a.md"}, 1)}
	c.Span = text.Span{StartLine: 3, EndLine: 9}
	if got := two.ShownPathAndLines(c); got != "team/a.md, lines 3-9" {
		t.Errorf("a chunk is %s", got)
	}
}

// TestGivenNames: a set that is some folders of a larger one has the names of that.
func TestGivenNames(t *testing.T) {
	_, dirs := makeDirs(t, "notes")
	s, err := roots.Open(dirs, []string{"work/notes"}, docs.Opener{}, storages(t, 1))
	must(t, err)
	defer s.Close()
	if got := s.ShownPath(search.Location{Path: "a.md"}); got != "work/notes/a.md" {
		t.Errorf("it is shown as %s", got)
	}
}

// TestPlaces: what a path may mean, with the name of a folder, without it, and absolute.
func TestPlaces(t *testing.T) {
	root, dirs := makeDirs(t, "notes", "té")
	one, two := opened(t, dirs[0]), opened(t, dirs...)
	at := func(folder int, path string) search.Location { return search.Location{Folder: folder, Path: path} }
	for _, c := range []struct {
		s            roots.Set
		path         string
		whole, inner []search.Location
	}{
		{one, "a.md", []search.Location{at(0, "a.md")}, nil},
		{one, "notes/a.md", []search.Location{at(0, "notes/a.md")}, nil},
		{one, "sub/../a.md", []search.Location{at(0, "a.md")}, nil},
		{one, "../a.md", nil, nil},
		{two, "notes/a.md", []search.Location{at(0, "a.md")}, []search.Location{at(0, "notes/a.md"), at(1, "notes/a.md")}},
		{two, "notes", []search.Location{at(0, ".")}, []search.Location{at(0, "notes"), at(1, "notes")}},
		{two, "notesa.md", nil, []search.Location{at(0, "notesa.md"), at(1, "notesa.md")}},
		{two, "te\u0301/a.md", []search.Location{at(1, "a.md")}, []search.Location{at(0, "te\u0301/a.md"), at(1, "te\u0301/a.md")}},
		{two, "..", nil, nil},
		{two, filepath.Join(dirs[1], "sub", "a.md"), []search.Location{at(1, "sub/a.md")}, nil},
		{two, filepath.Join(root, "a.md"), nil, nil},
	} {
		whole, inner := c.s.PossibleLocations(c.path)
		if !slices.Equal(whole, c.whole) || !slices.Equal(inner, c.inner) {
			t.Errorf("%s means %v and %v, want %v and %v", c.path, whole, inner, c.whole, c.inner)
		}
	}
	if err := roots.OutsideFolderError("../a.md"); !errors.Is(err, glob.ErrInvalidPath) || !strings.Contains(err.Error(), "../a.md is outside the folder") {
		t.Error(err)
	}
}

// TestIndexesAreNoDocuments: the file of an index is no document, in whichever of the
// folders it lies.
func TestIndexesAreNoDocuments(t *testing.T) {
	_, dirs := makeDirs(t, "notes", "team")
	inOther := filepath.Join(dirs[1], "a.md")
	must(t, os.WriteFile(inOther, []byte("alpha"), 0o600))
	must(t, os.WriteFile(filepath.Join(dirs[1], "b.md"), []byte("beta"), 0o600))
	s, err := roots.Open(dirs, nil, docs.Opener{}, location.FileStorages{Model: "m", IndexPaths: []string{inOther, filepath.Join(t.TempDir(), "x.db")}})
	must(t, err)
	defer s.Close()
	files, err := s[1].Scan(t.Context(), ".")
	must(t, err)
	for _, f := range files {
		if f.Path == "a.md" && f.SkipReason == "" {
			t.Error("an index is taken for a document")
		}
	}
	if raw, err := s[1].Load(t.Context(), "a.md"); err == nil {
		t.Errorf("an index is read: %+v", raw)
	}
	if _, err := s[1].Load(t.Context(), "b.md"); err != nil {
		t.Errorf("a note beside it: %v", err)
	}
}

// TestDutiesAreReleased, all of them, and can be had again.
func TestDutiesAreReleased(t *testing.T) {
	_, dirs := makeDirs(t, "notes", "team")
	all := storages(t, 2)
	s, err := roots.Open(dirs, nil, docs.Opener{}, all)
	must(t, err)
	defer s.Close()
	other, err := roots.Open(dirs, nil, docs.Opener{}, all)
	must(t, err)
	defer other.Close()
	duties := func(s roots.Set) (all []roots.Lease) {
		for _, r := range s {
			all = append(all, r.Storage.IndexingLease(), r.Storage.EmbeddingLease())
		}
		return all
	}
	for i, d := range duties(s) {
		if !d.TryAcquire() || !duties(other)[i].IsHeldByAny(t.Context()) {
			t.Fatalf("duty %d is not to be had", i)
		}
	}
	must(t, s.ReleaseLeases())
	for i, d := range duties(other) {
		if d.IsHeldByAny(t.Context()) || !d.TryAcquire() {
			t.Errorf("duty %d is not released", i)
		}
	}
	must(t, other.ReleaseLeases())
}

// TestNoPlace: without a file and a cache folder it says what to do.
func TestNoPlace(t *testing.T) {
	_, dirs := makeDirs(t, "notes")
	if err := opened(t, dirs...).NoFileReason(); err != nil {
		t.Error(err)
	}
	for _, variable := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(variable, "")
	}
	s, err := roots.Open(dirs, nil, docs.Opener{}, location.FileStorages{Model: "m"})
	must(t, err)
	defer s.Close()
	if err := s.NoFileReason(); err == nil || !strings.HasSuffix(err.Error(), ": name a file for it with --index") {
		t.Errorf("it says %v", err)
	}
}

// TestAway: folders that other machines see are called as their libraries are.
func TestAway(t *testing.T) {
	all, err := location.NewLibraryStorages("postgres://u@127.0.0.1/d", []string{"notes", "team"}, "m", 0)
	must(t, err)
	s, err := roots.OpenRemote([]string{"notes", "team"}, nil, all)
	must(t, err)
	defer s.Close()
	if names := s.Names(); !slices.Equal(names, []string{"notes", "team"}) || !s[0].IsRemote() || s[1].Storage.Describe().ShortName.InLanguage(message.Chinese) != "库 team" {
		t.Errorf("they are %v, the second in %s", names, s[1].Storage.Describe().ShortName)
	}
	if _, err := roots.OpenRemote([]string{"notes", "team", "none"}, nil, all); err == nil {
		t.Error("there is a library for a folder without one")
	}
}
