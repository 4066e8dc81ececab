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
var messageMakers = []string{"New", "Errorf", "usageErrorf", "Skip", "AddLossNote", "say", "scored", "tell", "localise", "printStep", "scoreSentence", "withBoth"}

// TestMessageFormats: both formats of a message take the same arguments, and the second
// is Chinese where it has words.
func TestMessageFormats(t *testing.T) {
	found := 0
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if f, ok := n.(*ast.FuncDecl); ok && takesBoth(f) && !slices.Contains(messageMakers, f.Name.Name) {
				t.Errorf("%s: %s takes both languages, and what it is given is not checked", files.Position(n.Pos()), f.Name.Name)
			}
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
	})
	if found < 500 {
		t.Errorf("only %d messages were found", found)
	}
}

// TestMessagesAreNotTakenApart: nothing looks for the words of a message in a text. What has to
// be known of a message is a value, and not to be had from its English.
func TestMessagesAreNotTakenApart(t *testing.T) {
	const shortest = 10 // letters of words that are taken for those of a message: not "is now"
	var messages strings.Builder
	eachSourceFile(t, func(_ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if english, _, ok := formatsOf(n); ok {
				fmt.Fprintln(&messages, english)
			}
			return true
		})
	})
	looked := 0
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		if strings.HasSuffix(f.Name.Name, "test") { // it is for tests
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			for _, sought := range soughtIn(n) {
				looked++
				for _, words := range wordsInRow.FindAllString(sought, -1) {
					if len(words) >= shortest && strings.Contains(messages.String(), words) {
						t.Errorf("%s: %q is looked for, which a message says", files.Position(n.Pos()), words)
					}
				}
			}
			return true
		})
	})
	if looked < 500 {
		t.Errorf("only %d texts that are looked for were found", looked)
	}
}

// wordsInRow are two words of a text or more, as they stand in a regular expression too.
var wordsInRow = regexp.MustCompile(`[A-Za-z]{2,}(?: [A-Za-z]{2,})+`)

// soughtIn are the texts and regular expressions that a call looks for, and the texts that
// something is compared with.
func soughtIn(n ast.Node) (all []string) {
	var compared []ast.Expr
	switch n := n.(type) {
	case *ast.BinaryExpr:
		if n.Op == token.EQL || n.Op == token.NEQ {
			compared = []ast.Expr{n.X, n.Y}
		}
	case *ast.CaseClause:
		compared = n.List
	}
	for _, of := range compared {
		if text, ok := literal(of); ok {
			all = append(all, text)
		}
	}
	return append(all, soughtByCall(n)...)
}

// soughtByCall are the texts and regular expressions that a call looks for.
func soughtByCall(n ast.Node) (all []string) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return nil
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	of, ok := f.X.(*ast.Ident)
	if !ok || of.Name != "strings" && of.Name != "bytes" && of.Name != "regexp" {
		return nil
	}
	sought := call.Args
	if of.Name != "regexp" && f.Sel.Name != "NewReplacer" { // the first is the text in which it is looked for
		sought = sought[min(1, len(sought)):]
	}
	for _, argument := range sought {
		if text, ok := literal(argument); ok {
			all = append(all, text)
		}
	}
	return all
}

// takesBoth tells whether a function takes an English text and its Chinese before all else.
func takesBoth(f *ast.FuncDecl) bool {
	var names []string
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return len(names) > 1 && names[0] == "english" && names[1] == "chinese"
}

// eachSourceFile parses the files of the program, without its tests.
func eachSourceFile(t *testing.T, use func(files *token.FileSet, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err == nil {
			use(files, f)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// formatsOf are the formats of a call that makes a message.
func formatsOf(n ast.Node) (english, chinese string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) < 2 {
		return "", "", false
	}
	english, isText := literal(call.Args[0])
	chinese, areTexts := literal(call.Args[1])
	return english, chinese, isText && areTexts && slices.Contains(messageMakers, makerOf(call))
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
