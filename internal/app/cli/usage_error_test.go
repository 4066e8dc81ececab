package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestUsageErrorsAreMessages checks that usage errors have translations.
func TestUsageErrorsAreMessages(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	files := token.NewFileSet()
	for _, path := range sources {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			wrong, ok := n.(*ast.CompositeLit)
			if name, isName := wrongType(wrong); !ok || !isName || name != "usageError" {
				return true
			}
			found++
			ast.Inspect(wrong, func(n ast.Node) bool {
				if of, ok := n.(*ast.SelectorExpr); ok && (of.Sel.Name == "Errorf" || of.Sel.Name == "New") {
					if pkg, ok := of.X.(*ast.Ident); ok && pkg.Name != "message" {
						t.Errorf("%s: %s.%s is in English alone", files.Position(n.Pos()), pkg.Name, of.Sel.Name)
					}
				}
				return true
			})
			return true
		})
	}
	if found < 60 {
		t.Errorf("only %d mistakes were found", found)
	}
}

// wrongType returns the name of the type of a literal, if it has one.
func wrongType(of *ast.CompositeLit) (string, bool) {
	if of == nil {
		return "", false
	}
	name, ok := of.Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return name.Name, true
}
