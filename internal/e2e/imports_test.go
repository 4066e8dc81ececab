package e2e

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// layers are the packages of the program from the bottom up: a package may import those of its own
// layer and of the layers below. A package belongs to the longest path in the list with which its
// path begins.
var layers = []struct{ name, paths string }{
	{"base", "internal/base"},
	{"docs", "docs"},
	{"embed", "embed"},
	{"store", "index/blob index/lexical index/progress index/rank index/store index/vector"},
	{"ranking", "index/evaluate index/facet index/live index/match index/memindex index/notice index/store/postgres/searcher index/quote index/ranking index/search"},
	{"sync", "index/embedding index/freshness index/ingest index/lease index/roots index/store/location index/sync"},
	{"index", "index"},
	{"operations", "index/operations"},
	{"mcp", "mcp"},
	{"app", "internal/app"},
	{"main", "."},
}

// layerOf returns the index of the layer of a package; -1 if it is in none.
func layerOf(room string) int {
	layer, longest := -1, ""
	for i, l := range layers {
		for under := range strings.FieldsSeq(l.paths) {
			if (room == under || strings.HasPrefix(room, under+"/")) && len(under) > len(longest) {
				layer, longest = i, under
			}
		}
	}
	return layer
}

// TestImports checks that no package imports one of a layer above, that test helpers are imported
// only by tests and test helpers, that only mcp imports the SDK, and that only main imports
// packages of internal/app from outside.
func TestImports(t *testing.T) {
	t.Parallel()
	const module, sdk = "vademecum/", "github.com/modelcontextprotocol/"
	isOfTests := func(room string) bool {
		return strings.HasSuffix(room, "test") || strings.Contains(room, "test/") || room == "internal/e2e"
	}
	seen := 0
	err := filepath.WalkDir(repository, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != repository && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir // tools for packaging are not part of the program
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		room, err := filepath.Rel(repository, filepath.Dir(p))
		if err != nil {
			return err
		}
		room = filepath.ToSlash(room)
		if layerOf(room) < 0 && !isOfTests(room) {
			t.Errorf("%s is in no layer", room)
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if strings.HasPrefix(path, sdk) && room != "mcp" {
				t.Errorf("%s imports the SDK: only mcp may", p)
			}
			other, ours := strings.CutPrefix(path, module)
			if !ours || isOfTests(room) {
				continue
			}
			if seen++; isOfTests(other) {
				t.Errorf("%s imports %s, which helps tests", p, other)
			}
			if layerOf(other) > layerOf(room) {
				t.Errorf("%s, of the layer %s, imports %s, of %s above it", p, layers[layerOf(room)].name, other, layers[layerOf(other)].name)
			}
		}
		return nil
	})
	if err != nil || seen < 50 {
		t.Errorf("%d imports seen, %v", seen, err)
	}
}

// storeRooms are the packages that store catalogues, by store. Only package storage opens them; the
// commands that maintain a database are given one.
var storeRooms = map[string][]string{
	"index/store/memory":   {"index/store/location"},
	"index/store/sqlite":   {"index/store/location"},
	"index/store/postgres": {"index/store/location", "internal/app/cli"},
}

// storeOf is the store that a package is part of; "" for one that is part of none.
func storeOf(room string) string {
	for store := range storeRooms {
		if room == store || strings.HasPrefix(room, store+"/") {
			return store
		}
	}
	return ""
}

// TestStoresAreApart checks that only the package that opens a store knows which one it is: the
// rest of the index, and the tools, neither import nor mention one.
func TestStoresAreApart(t *testing.T) {
	t.Parallel()
	opened := make(map[string]bool)
	err := filepath.WalkDir(repository, func(p string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && p != repository && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return err
		}
		room, err := filepath.Rel(repository, filepath.Dir(p))
		if err != nil {
			return err
		}
		room = filepath.ToSlash(room)
		if store := storeOf(room); store != "" || strings.HasSuffix(room, "test") {
			return nil // a part of a store, or a test helper
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), p, text, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			store := storeOf(strings.TrimPrefix(strings.Trim(spec.Path.Value, `"`), "vademecum/"))
			if store == "" {
				continue
			}
			if opened[store] = true; !slices.Contains(storeRooms[store], room) {
				t.Errorf("%s imports the store %s", p, store)
			}
		}
		if inIndex := room == "index" || strings.HasPrefix(room, "index/") || strings.HasPrefix(room, "mcp"); !inIndex || room == "index/store/location" {
			return nil
		}
		for _, name := range []string{"sqlite", "postgres", "pgvector"} {
			if strings.Contains(strings.ToLower(string(text)), name) {
				t.Errorf("%s mentions %s", p, name)
			}
		}
		return nil
	})
	if err != nil || len(opened) != len(storeRooms) {
		t.Errorf("of %d stores %v are opened, %v", len(storeRooms), opened, err)
	}
}
