// Package librarytest holds tests that each implementation of mcp.Library must pass. It depends on
// none of them.
package librarytest

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/index"
	"vademecum/mcp"
)

// OpenFunc returns a Library of the documents in a folder, which follows changes of the files until
// the test ends. It may still be loading.
type OpenFunc func(t *testing.T, folder string) mcp.Library

// TestLibrary tests the Libraries that open returns.
func TestLibrary(t *testing.T, open OpenFunc) {
	for name, test := range map[string]func(*fixture){
		"Folders":              testFolders,
		"Search":               testSearch,
		"Filter":               testFilter,
		"Find":                 testFind,
		"CheckQuotes":          testCheckQuotes,
		"Look":                 testShowPage,
		"Said":                 testFilterByFrontMatter,
		"Mistakes":             testMistakes,
		"Freshness":            testFreshness,
		"Read":                 testRead,
		"Budget":               testBudget,
		"NotFound":             testNotFound,
		"List":                 testList,
		"Page":                 testPage,
		"DocumentFingerprints": testDocumentFingerprints,
		"Canonical":            testCanonicalURI,
		"Sync":                 testSyncAll,
		"SyncPart":             testSyncPart,
		"Texts":                testAddTexts,
		"TextLimits":           testTextLimits,
		"Changes":              testChanges,
		"Cancelled":            testCancelled,
		"SeveralAtOnce":        testConcurrentQueries,
	} {
		t.Run(name, func(t *testing.T) {
			k := &fixture{T: t, dir: t.TempDir()}
			k.write("cardio/pressure.md", "# Blood pressure\n\nLess salt lowers the blood pressure.\n\nSo does a walk each day.\n")
			k.write("asthma.md", "# Asthma\n\nAn inhaler opens the bronchi.\n")
			k.write("long.txt", strings.Repeat("One line of many, with \"quotes\" in it.\n", 200)+"The last line tells of axolotls.\n")
			k.write("photo.png", "\x89PNG\r\n\x1a\n\x00\x00\x00\x00")
			k.library = open(t, k.dir)
			test(k)
		})
	}
}

// fixture is a test with its folder and Library.
type fixture struct {
	*testing.T
	dir     string
	library mcp.Library
}

func (k *fixture) write(path, text string) {
	k.Helper()
	file := filepath.Join(k.dir, filepath.FromSlash(path))
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
		k.Fatal(err)
	}
}

// sync waits until all files are indexed, as WaitFresh may return before on a busy machine.
func (k *fixture) sync() {
	k.Helper()
	for range 20 {
		if err := k.library.WaitFresh(k.Context(), index.WaitPurposeAnswer); err != nil {
			k.Fatal(err)
		}
		if len(k.library.FreshnessNotes()) == 0 {
			return
		}
	}
}

// search answers a query after all files are indexed.
func (k *fixture) search(q index.Query) index.Answer {
	k.Helper()
	k.sync()
	a, err := index.Ask(k.Context(), k.library, q)
	if err != nil {
		k.Fatalf("search %q: %v", q.Text, err)
	}
	return a
}

func (k *fixture) read(r index.ReadQuery) index.DocumentPart {
	k.Helper()
	part, err := index.Ask(k.Context(), k.library, r)
	if err != nil {
		k.Fatalf("read %+v: %v", r, err)
	}
	return part
}

// pathsOf lists the paths of the distinct documents in an answer, best first.
func pathsOf(a index.Answer) string {
	var all []string
	for _, p := range a.Passages {
		if !slices.Contains(all, p.Path) {
			all = append(all, p.Path)
		}
	}
	return strings.Join(all, " ")
}
