package doctor

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFindingsAreInChinese checks that the texts of findings come from message.New, whose Chinese
// other tests require, or are the same in all languages, like commands.
func TestFindingsAreInChinese(t *testing.T) {
	sources, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	findings := 0
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
			if isFinding(n) {
				findings++
			}
			for _, text := range untranslatedTexts(n) {
				if words.MatchString(text) && !toType.MatchString(text) {
					t.Errorf("%s: %q is not in Chinese", files.Position(n.Pos()), text)
				}
			}
			return true
		})
	}
	if findings < 60 {
		t.Errorf("only %d findings were looked at", findings)
	}
}

var (
	words  = regexp.MustCompile(`[a-z]{2,} +[a-z]{2,}`)
	toType = regexp.MustCompile(`^(sudo|doas|brew|winget|vademecum) `)
)

// isFinding reports whether an expression creates a Finding.
func isFinding(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.CompositeLit:
		of, ok := n.Type.(*ast.Ident)
		return ok && of.Name == "Finding"
	case *ast.CallExpr:
		of, ok := n.Fun.(*ast.SelectorExpr)
		return ok && of.Sel.Name == "newFinding"
	}
	return false
}

// untranslatedTexts returns the string literals in a finding, or in what may become a part of one,
// that are not arguments of a call such as message.New.
func untranslatedTexts(n ast.Node) (all []string) {
	switch n.(type) {
	case *ast.AssignStmt, *ast.ReturnStmt, *ast.KeyValueExpr, *ast.ValueSpec:
	default:
		if !isFinding(n) {
			return nil
		}
	}
	ast.Inspect(n, func(inner ast.Node) bool {
		if call, ok := inner.(*ast.CallExpr); ok && !isFinding(call) {
			return false
		}
		if of, ok := inner.(*ast.BasicLit); ok && of.Kind == token.STRING {
			text, _ := strconv.Unquote(of.Value) // the parser has accepted the literal
			all = append(all, text)
		}
		return true
	})
	return all
}
