package index

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"

	"vademecum/docs"
	"vademecum/index/indextest"
	"vademecum/index/sync"
)

func fileURI(dir, p string) string { return docs.FileURI(filepath.Join(dir, filepath.FromSlash(p))) }

// skipIfComposing skips a test where the file system does not keep the
// composition of names.
func skipIfComposing(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	write(t, filepath.Join(dir, norm.NFC.String("é")), nil)
	if _, err := os.Stat(filepath.Join(dir, norm.NFD.String("é"))); err == nil {
		t.Skip("the file system takes both compositions for the same")
	}
}

var forms = map[string]norm.Form{"composed": norm.NFC, "decomposed": norm.NFD}

// TestComposedNames asks for each document in both compositions of its path,
// stored in one.
func TestComposedNames(t *testing.T) {
	t.Parallel()
	skipIfComposing(t)
	paths := []string{"café.md", "が.md", "한글.md", "übung/été.md"}
	for stored, form := range forms {
		t.Run(stored, func(t *testing.T) {
			n := indextest.NewNotesFolder(t, map[string]string{"plain.md": "plain"})
			for _, p := range paths {
				n.Write(form.String(p), "text of "+p)
			}
			ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
			mustSync(t, ix, sync.Scope{})
			for asked, other := range forms {
				for _, p := range paths {
					checkComposed(t, ix, n, form.String(p), other.String(p), asked)
				}
			}
			for asked, other := range forms {
				if a := mustSearch(t, ix, Query{Text: "text", Filter: Filter{Path: other.String("ü*/é*é.md")}, TopK: 9}); found(a) != form.String("übung/été.md") {
					t.Errorf("an %s glob: %s", asked, found(a))
				}
			}
		})
	}
}

// checkComposed asks for the document stored as one path by another.
func checkComposed(t *testing.T, ix *Index, n indextest.NotesFolder, stored, asked, form string) {
	t.Helper()
	abs := filepath.Join(ix.Folders()[0], filepath.FromSlash(asked))
	uri := fileURI(ix.Folders()[0], asked)
	for _, ref := range []string{asked, abs, uri} {
		if p, err := ix.Read(t.Context(), ReadQuery{Ref: ref}); err != nil || p.Path != stored {
			t.Errorf("read %+q %s: %+q, %v", ref, form, p.Path, err)
		}
	}
	if got, ok := ix.CanonicalURI(uri); got != fileURI(ix.Folders()[0], stored) || !ok {
		t.Errorf("canonical of %s: %s", uri, got)
	}
	for _, glob := range []string{asked, abs, asked[:len(asked)-2] + "*"} {
		if all, err := ix.List(t.Context(), Filter{Path: glob}); err != nil || len(all) != 1 || all[0].Path != stored {
			t.Errorf("list %+q %s: %+v, %v", glob, form, all, err)
		}
		if a := mustSearch(t, ix, Query{Text: "text", Filter: Filter{Path: glob}}); found(a) != stored {
			t.Errorf("search %+q %s: %+q, %q", glob, form, found(a), a.Notes)
		}
	}
	n.Write(stored, "changed "+form)
	if r := mustSync(t, ix, sync.Scope{Paths: []string{asked}, Force: true}); r.Indexed != 1 || r.Removed != 0 {
		t.Errorf("index %+q %s: %+v", asked, form, r)
	}
	n.Remove(stored)
	if r := mustSync(t, ix, sync.Scope{Paths: []string{asked}}); r.Removed != 1 {
		t.Errorf("index what is gone, %+q %s: %+v", asked, form, r)
	}
	n.Write(stored, "text of "+stored)
	if r := mustSync(t, ix, sync.Scope{Paths: []string{abs}}); r.Indexed != 1 {
		t.Errorf("index what is new, %+q %s: %+v", abs, form, r)
	}
}

// TestExactSpellingWins: of two files whose names look alike, the one counts that
// is spelt so.
func TestExactSpellingWins(t *testing.T) {
	t.Parallel()
	skipIfComposing(t)
	n := indextest.NewNotesFolder(t, nil)
	for _, form := range forms {
		n.Write(form.String("café.md"), "text of "+form.String("café"))
		n.Write(form.String("übung/a.md"), "text in "+form.String("übung"))
	}
	n.Write("old/"+norm.NFD.String("café.md"), "an old text")
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	old := "old/" + norm.NFD.String("café.md")
	for asked, form := range forms {
		name := form.String("café.md")
		for glob, want := range map[string][]string{
			name:                       {name},
			form.String("caf[é]*"):     {name, old},
			"./" + name:                {name},
			"?" + name[1:]:             {name, old},
			form.String("übung"):       {form.String("übung/a.md")},
			form.String("ü*/a.md"):     {form.String("übung/a.md")},
			filepath.Join(n.Dir, name): {name},
			"old/" + name:              {old},
		} {
			all, err := ix.List(t.Context(), Filter{Path: glob})
			var got []string
			for _, d := range all {
				got = append(got, d.Path)
			}
			if strings.Contains(glob, "[") && form == norm.NFD {
				continue // a class of "e" and an accent is not one of "é"
			}
			if slices.Sort(got); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s %+q: %+q, %v, want %+q", asked, glob, got, err, want)
			}
		}
		for ref, want := range map[string]string{name: name, fileURI(n.Dir, name): name, form.String("übung/a.md"): form.String("übung/a.md"), "old/" + name: old} {
			if p, err := ix.Read(t.Context(), ReadQuery{Ref: ref}); err != nil || p.Path != want {
				t.Errorf("%s %+q reads %+q, %v", asked, ref, p.Path, err)
			}
		}
		n.Write(name, "changed "+asked)
		if r := mustSync(t, ix, sync.Scope{Paths: []string{name}}); r.Indexed != 1 || r.Unchanged+r.Removed != 0 {
			t.Errorf("index %s: %+v", asked, r)
		}
	}
}

// TestComposedNamesOfSeveralFolders: the folder's name is shown too.
func TestComposedNamesOfSeveralFolders(t *testing.T) {
	t.Parallel()
	skipIfComposing(t)
	n := indextest.NewNotesFolder(t, nil)
	n.Write(norm.NFD.String("übung/é.md"), "text one")
	n.Write("other/b.md", "text two")
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Path(norm.NFD.String("übung")), n.Path("other"))
	mustSync(t, ix, sync.Scope{})
	for asked, form := range forms {
		p := form.String("übung/é.md")
		if got, err := ix.Read(t.Context(), ReadQuery{Ref: p}); err != nil || got.Path != norm.NFD.String(p) {
			t.Errorf("%s: %+q, %v", asked, got.Path, err)
		}
		for _, glob := range []string{p, form.String("übung"), filepath.Join(n.Dir, filepath.FromSlash(p))} {
			if a := mustSearch(t, ix, Query{Text: "text", Filter: Filter{Path: glob}}); found(a) != norm.NFD.String(p) {
				t.Errorf("%s %+q: %+q", asked, glob, found(a))
			}
			if r := mustSync(t, ix, sync.Scope{Paths: []string{glob}}); r.Unchanged != 1 {
				t.Errorf("index %s %+q: %+v", asked, glob, r)
			}
		}
	}
}
