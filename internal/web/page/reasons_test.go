package page

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vademecum/index/say"
)

// source are the files of the program below a folder, without tests.
func source(t *testing.T, below string) (all []*ast.File) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join("..", "..", "..", below), func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") || strings.Contains(filepath.ToSlash(p), "extracttest") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, 0)
		all = append(all, f)
		return err
	})
	if err != nil || len(all) == 0 {
		t.Fatal(err)
	}
	return all
}

// textOf is a literal, "" of what is none.
func textOf(e ast.Expr) string {
	if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
		text, _ := strconv.Unquote(lit.Value)
		return text
	}
	return ""
}

// nameOf is the last name of an expression that is called.
func calledName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// Where a reason is made: by a call of these, or as what these functions return.
var (
	makesReason = []string{"Skip", "partly", "lose", "finish"}
	givesReason = []string{"note", "missing", "lost", "unread", "expired", "died", "damaged", "ReadDocument", "Remarks", "Kind", "Draw"}
)

// reasonsIn are the reasons that the source of readers holds, with %s for what differs.
func reasonsIn(files []*ast.File) map[string]bool {
	all := make(map[string]bool)
	add := func(exprs ...ast.Expr) {
		for _, e := range exprs {
			ast.Inspect(e, func(n ast.Node) bool {
				if lit, ok := n.(ast.Expr); ok {
					if text := textOf(lit); strings.Contains(text, " ") && !strings.HasPrefix(text, "%") {
						all[text] = true
					}
				}
				return true
			})
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				switch name := calledName(n.Fun); {
				case slices.Contains(makesReason, name):
					add(n.Args...)
				case name == "reasons": // by the ends of names
					for _, element := range n.Args[0].(*ast.CompositeLit).Elts {
						add(element.(*ast.KeyValueExpr).Value)
					}
				}
			case *ast.CompositeLit:
				if calledName(n.Type) != "SkipError" {
					break
				}
				for _, element := range n.Elts {
					if kv, ok := element.(*ast.KeyValueExpr); ok {
						add(kv.Value)
					}
				}
			case *ast.AssignStmt:
				if calledName(n.Lhs[0]) == "Note" {
					add(n.Rhs...)
				}
			case *ast.ValueSpec:
				if name := n.Names[0].Name; strings.HasPrefix(name, "reason") || name == "unread" || name == "pending" {
					add(n.Values...)
				}
			case *ast.FuncDecl:
				if slices.Contains(givesReason, n.Name.Name) && n.Type.Results != nil {
					ast.Inspect(n.Body, func(n ast.Node) bool {
						if r, ok := n.(*ast.ReturnStmt); ok {
							add(r.Results...)
						}
						return true
					})
				}
			}
			return true
		})
	}
	return all
}

var verb = regexp.MustCompile(`%[a-z]`)

// notReasons are texts that stand where reasons do, and are none by themselves.
var notReasons = regexp.MustCompile(`^(draw %s: %w| could not be read completely|s could not be read completely| and %d others|a message|[a-z]+ has .*)$`)

// TestAllReasons: whatever readers of files say they could not do has its Chinese: a
// new reason has to get it. So has each kind of generated file, and each kind of note.
func TestAllReasons(t *testing.T) {
	all := reasonsIn(slices.Concat(source(t, "docs"), source(t, "index/catalog"), source(t, "index/ingest"), source(t, "index/indexer")))
	for _, known := range []string{"larger than 50 MB", "damaged PDF", "not a text format (%s)", "lock file", "permission denied", "cannot be read: ", "waits to be read: ask again", "only pages 1 to %d of %d: %s", "sheet %q is damaged: %v"} {
		if !all[known] {
			t.Errorf("%q is not found in the source", known)
		}
	}
	for english := range all {
		told := verb.ReplaceAllString(english, "7")
		if strings.HasSuffix(told, ": ") {
			told += "7"
		}
		if got := tongues[1].reason(told); got == told && !notReasons.MatchString(english) {
			t.Errorf("not in Chinese: %q", english)
		}
	}
	t.Logf("%d reasons", len(all))
}

// TestAllNotes: each kind of note that there is has Chinese of its own.
func TestAllNotes(t *testing.T) {
	kinds := 0
	for _, f := range source(t, "index/say") {
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || spec.Type == nil || calledName(spec.Type) != "Kind" {
				return true
			}
			kinds++
			n1 := say.Note{Kind: say.Kind(textOf(spec.Values[0])), Path: "PATH", Words: []string{"WORD"}, Model: "MODEL", Why: "WHY", PID: 77, Count: 3, Done: 4, Total: 5}
			if got := tongues[1].Note(n1); got == n1.String() || strings.Contains(got, "%!") {
				t.Errorf("%s: %s", spec.Names[0].Name, got)
			}
			return true
		})
	}
	if kinds < 20 {
		t.Errorf("%d kinds of notes are found", kinds)
	}
}
