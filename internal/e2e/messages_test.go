package e2e

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vademecum/internal/base/message"
	"vademecum/internal/base/script"
)

// messageMakers are the functions that take a format, by the names under which they are called.
var messageMakers = []string{"New", "NewIn", "Errorf", "usageErrorf", "Skip", "Addf", "say", "localise", "printStep", "scoreSentence"}

// TestCatalogue checks that each format has a Chinese translation with the same arguments, and that
// each translation belongs to a format.
func TestCatalogue(t *testing.T) {
	t.Parallel()
	chinese := message.ChineseFormats()
	found := 0
	eachFormat(t, func(x translation) {
		found++
		if words := longWord.FindAllString(verbs.ReplaceAllString(x.english, ""), -1); x.chinese == "" && len(words) > 1 && !strings.HasPrefix(x.english, "vademecum ") {
			t.Errorf("%s: %q is not in Chinese", x.at, x.english)
		}
	})
	if found < 1000 {
		t.Errorf("only %d formats were found", found)
	}
	used, parts := literalsOfProgram(t)
	for english, text := range chinese {
		if a, b := argumentsOf(english), argumentsOf(text); !slices.Equal(a, b) && !onlyOne.MatchString(english) && !(strings.Contains(english+text, "%[") && isSubset(b, a)) {
			t.Errorf("%q takes %v and %q takes %v", english, a, text, b)
		}
		isPart := func(part string) bool { return strings.Contains(english, part) }
		if !used[english] && !isComposed(english) && !slices.ContainsFunc(parts, isPart) {
			t.Errorf("nothing says %q", english)
		}
	}
}

// TestChineseHasTheSameCommands checks that what is to be typed is the same in both languages, also
// where the other signs of Chinese surround it.
func TestChineseHasTheSameCommands(t *testing.T) {
	t.Parallel()
	commands := 0
	for english, chinese := range message.ChineseFormats() {
		a, b := typedCommand.FindAllString(english, -1), typedCommand.FindAllString(chinese, -1)
		slices.Sort(a)
		slices.Sort(b)
		if commands += len(a); !slices.Equal(slices.Compact(a), slices.Compact(b)) {
			t.Errorf("%q has the commands %q, and %q has %q", english, a, chinese, b)
		}
	}
	if commands < 50 {
		t.Errorf("only %d commands were found", commands)
	}
}

// TestLogsOfCommandsAreInChinese checks that each warning that a command may log, which it shows as a
// note to the person who has typed it, is in the catalogue.
func TestLogsOfCommandsAreInChinese(t *testing.T) {
	t.Parallel()
	ofServers := []string{"checker.go", "database_state.go", "dirty_areas.go", "maintenance_loop.go", "missing_folders.go", "progress_reports.go", "requests.go", "watch.go"}
	chinese := message.ChineseFormats()
	found := 0
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		at := files.Position(f.Pos()).Filename
		if in := filepath.ToSlash(at); !strings.Contains(in, "/index/") || strings.Contains(in, "test/") || slices.Contains(ofServers, filepath.Base(at)) {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 || makerOf(n) != "Warn" && makerOf(n) != "Error" {
				return true
			}
			text, isLiteral := wholeLiteral(call.Args[0])
			if !isLiteral {
				return true
			}
			if found++; chinese[text] == "" {
				t.Errorf("%s: %q is not in Chinese", files.Position(n.Pos()), text)
			}
			return true
		})
	})
	if found < 20 {
		t.Errorf("only %d warnings were found", found)
	}
}

var typedCommand = regexp.MustCompile(`vademecum (?:--help|connect|doctor|eval|find|help|index|install|model|open|search|serve|share|status|store [a-z]+|token|uninstall)\b(?: HOST)?(?: FOLDER)?`)

// isComposed reports formats that are no literal of the program: with the nouns of units, the names
// of languages, messages of systems, texts of templates and of the help.
func isComposed(format string) bool {
	if slices.Contains(slices.Collect(maps.Values(script.LanguageNames)), format) {
		return true
	}
	return composedFormat.MatchString(format)
}

var composedFormat = regexp.MustCompile(`^(?:(?:page|slide|sheet|chapter|cell|note|line|row|contact|event|message)(?:s %d-%d| %d(?: could not be read completely)?)|%d (?:page|slide|sheet|chapter|cell|note|contact|event|message)s could not be read completely|` +
	`%s; %s|how many (?:lines|passages)[^%]*|%\[2\]s (?:second|minute|hour|day|document|passage|file|question)s|(?s:.*)serve --http(?s:.*)|` +
	`permission denied|operation not permitted|Access is denied\.|no such file or directory|file does not exist|The system cannot find the (?:file|path) specified\.|context deadline exceeded|unexpected EOF|input/output error|too many open files|no space left on device|There is not enough space on the disk\.)$`)

// onlyOne matches the format that shows one of its arguments, of which another language shows others.
var onlyOne = regexp.MustCompile(`^%\[\d\]s$`)

// literalsOfProgram are the texts in the sources and in the templates of the page, and the long ones
// to which a constant is added.
func literalsOfProgram(t *testing.T) (all map[string]bool, parts []string) {
	t.Helper()
	all = make(map[string]bool)
	eachSourceFile(t, func(_ *token.FileSet, f *ast.File) {
		if f.Name.Name == "message" {
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if text, ok := formatOf(n); ok {
				all[text] = true
			}
			if e, ok := n.(ast.Expr); ok {
				if text, ok := wholeLiteral(e); ok {
					all[text] = true
				} else if sum, ok := e.(*ast.BinaryExpr); ok {
					if text, ok := wholeLiteral(sum.X); ok && len(text) > 15 {
						parts = append(parts, text)
					}
				}
			}
			return true
		})
	})
	templates, err := filepath.Glob(filepath.Join(repository, "internal/app/web/page/templates/*.html"))
	if err != nil || len(templates) == 0 {
		t.Fatal(err)
	}
	for _, path := range templates {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range inTemplate.FindAllSubmatch(raw, -1) {
			all[string(m[1])] = true
		}
	}
	return all, parts
}

var inTemplate = regexp.MustCompile(`\bt "([^"]+)"`)

// TestMessagesAreNotTakenApart checks that no code looks for words of a message in a text: what has
// to be known of a message is a value, not part of its English text.
func TestMessagesAreNotTakenApart(t *testing.T) {
	t.Parallel()
	const shortest = 10 // letters of words that are taken for those of a message: not "is now"
	var messages strings.Builder
	eachSourceFile(t, func(_ *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			if english, ok := formatOf(n); ok {
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

// wordsInRow matches two or more words in a row, also within a regular expression.
var wordsInRow = regexp.MustCompile(`[A-Za-z]{2,}(?: [A-Za-z]{2,})+`)

// soughtIn returns the texts and regular expressions that a call looks for, and the texts with
// which something is compared.
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

// soughtByCall returns the texts and regular expressions that a call looks for.
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
	if !ok || of.Name != "strings" && of.Name != "bytes" && !isRegexpPackage(of.Name) {
		return nil
	}
	sought := call.Args
	if !isRegexpPackage(of.Name) && f.Sel.Name != "NewReplacer" { // the first is the text in which it is looked for
		sought = sought[min(1, len(sought)):]
	}
	for _, argument := range sought {
		if text, ok := literal(argument); ok {
			all = append(all, text)
		}
	}
	return all
}

// isRegexpPackage reports whether a package is one whose functions compile regular expressions.
func isRegexpPackage(name string) bool { return name == "regexp" || name == "lazyregexp" }

// eachSourceFile parses the files of the program, without its tests.
func eachSourceFile(t *testing.T, use func(files *token.FileSet, f *ast.File)) {
	t.Helper()
	all, err := parsedSources()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range all {
		use(sourceFiles, f)
	}
}

var sourceFiles = token.NewFileSet()

// parsedSources are the files of the program, which several tests look through.
var parsedSources = sync.OnceValues(func() (all []*ast.File, err error) {
	err = filepath.WalkDir(repository, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(sourceFiles, path, nil, parser.SkipObjectResolution)
		all = append(all, f)
		return err
	})
	return all, err
})

// formatOf returns the format in a call that creates a message.
func formatOf(n ast.Node) (english string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) == 0 || !slices.Contains(messageMakers, makerOf(call)) || isOfOther(call) {
		return "", false
	}
	if makerOf(call) == "NewIn" {
		context, _ := literal(call.Args[0])
		text, ok := literal(call.Args[1])
		return context + "\x04" + text, ok
	}
	return literal(call.Args[0])
}

// isOfOther reports whether a call is of a function with that name in another package.
func isOfOther(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	of, ok := f.X.(*ast.Ident)
	return ok && slices.Contains([]string{"errors", "fmt", "strings", "slog", "t", "log", "sha256", "http", "lazyregexp"}, of.Name)
}

// literal returns the text of an expression; of a sum, those of its operands, with a name as %v.
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

// isSubset reports whether all contains each of some.
func isSubset(some, all []string) bool {
	return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
}

// argumentsOf returns the numbers of the arguments of a format, each with its verb.
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
