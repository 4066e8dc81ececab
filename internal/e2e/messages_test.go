package e2e

import (
	"fmt"
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
	"unicode"
)

// messageMakers are the functions that take an English and a Chinese format, one after
// the other, by the names under which they are called.
var messageMakers = []string{"New", "Errorf", "Skip", "lose", "say", "scored", "tell"}

// TestMessageFormats: both formats of a message take the same arguments, and the second
// is Chinese where it has words.
func TestMessageFormats(t *testing.T) {
	found := 0
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			english, chinese, ok := formatsOf(n)
			if !ok {
				return true
			}
			found++
			if a, b := argumentsOf(english), argumentsOf(chinese); !slices.Equal(a, b) && !(strings.Contains(chinese, "%[") && isSubset(b, a)) {
				t.Errorf("%s: %q takes %v and %q takes %v", files.Position(n.Pos()), english, a, chinese, b)
			}
			if words := longWord.FindAllString(verbs.ReplaceAllString(english, ""), -1); len(words) > 1 && !strings.ContainsFunc(chinese, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
				t.Errorf("%s: %q is not in Chinese: %q", files.Position(n.Pos()), english, chinese)
			}
			return true
		})
		return nil
	})
	if err != nil || found < 250 {
		t.Errorf("%d messages were found: %v", found, err)
	}
}

// formatsOf are the formats of a call that makes a message.
func formatsOf(n ast.Node) (english, chinese string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return "", "", false
	}
	name := ""
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	english, isText := literal(call.Args[0])
	chinese, areTexts := literal(call.Args[1])
	return english, chinese, isText && areTexts && slices.Contains(messageMakers, name)
}

// literal is the text of an expression; of a sum those of its operands, a name as %v.
func literal(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, isLeft := literal(e.X)
		right, isRight := literal(e.Y)
		return left + right, isLeft || isRight
	}
	return "", false
}

var (
	verbs    = regexp.MustCompile(`%(\[\d\])?[-+#]?[.\d]*[a-zA-Z]`)
	longWord = regexp.MustCompile(`[a-z]{3,}`)
)

// isSubset tells whether all has each of some.
func isSubset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// argumentsOf are the numbers of the arguments that a format takes, each with its verb.
func argumentsOf(format string) (all []string) {
	next := 0
	for _, verb := range verbs.FindAllString(strings.ReplaceAll(format, "%%", ""), -1) {
		next++
		if _, number, ok := strings.Cut(verb, "["); ok {
			next = int(number[0] - '0')
		}
		kind := verb[len(verb)-1:]
		if kind == "v" { // of texts they are the same
			kind = "s"
		}
		all = append(all, fmt.Sprint(next, kind))
	}
	slices.Sort(all)
	return all
}
