package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stores lists the packages that implement an index store or its contract, with all below
// them.
var stores = []string{
	"index/store/catalog", "index/store/location", "index/live", "index/memindex", "index/store/memory", "index/store/postgres",
	"index/roots", "index/search",
}

// TestNoAssertionsOnStores guards the contract of stores: outside of its own package no
// code finds out which store it has, by a type assertion or a type switch.
func TestNoAssertionsOnStores(t *testing.T) {
	t.Parallel()
	files := 0
	err := filepath.WalkDir(repository, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && p != repository && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		files++
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, p, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, at := range assertionsOnStores(file) {
			t.Errorf("%s asks which store it has: what it needs belongs into the contract", set.Position(at))
		}
		return nil
	})
	if err != nil || files < 300 {
		t.Errorf("%d files read, %v", files, err)
	}
}

// TestAssertionsOnStores checks that each form of such an assertion is found, and nothing else.
func TestAssertionsOnStores(t *testing.T) {
	t.Parallel()
	source := `package p

import (
	"io"
	"vademecum/index/store/catalog"
	pg "vademecum/index/store/postgres"
)

func f(c catalog.Catalog, r io.Reader) {
	_, _ = c.(*pg.Catalog)
	_ = c.(catalog.Mender)
	switch c.(type) {
	case nil:
	case *pg.Catalog:
	}
	_ = r.(io.Closer)
}
`
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, at := range assertionsOnStores(file) {
		lines = append(lines, set.Position(at).Line)
	}
	if want := []int{10, 11, 14}; !slices.Equal(lines, want) {
		t.Errorf("found in lines %v, want %v", lines, want)
	}
}

// assertionsOnStores returns where a file asserts or switches to a type of a store.
func assertionsOnStores(file *ast.File) (found []token.Pos) {
	ofStore := make(map[string]bool) // by the name under which the file imports the package
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		inside, ours := strings.CutPrefix(imported, "vademecum/")
		ofStore[name] = ours && slices.ContainsFunc(stores, func(s string) bool { return inside == s || strings.HasPrefix(inside, s+"/") })
	}
	check := func(asked ast.Expr) {
		if star, ok := asked.(*ast.StarExpr); ok {
			asked = star.X
		}
		if selected, ok := asked.(*ast.SelectorExpr); ok {
			if name, ok := selected.X.(*ast.Ident); ok && ofStore[name.Name] {
				found = append(found, asked.Pos())
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeAssertExpr:
			check(n.Type) // nil in a type switch
		case *ast.TypeSwitchStmt:
			for _, clause := range n.Body.List {
				for _, asked := range clause.(*ast.CaseClause).List {
					check(asked)
				}
			}
		}
		return true
	})
	return found
}
