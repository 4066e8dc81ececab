package e2e

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/printer"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/index"
	"vademecum/index/glob"
	"vademecum/internal/manual/manualtest"
	"vademecum/internal/message"
	"vademecum/internal/web"
)

// TestManualLimits holds each limit that the manual names to that of the program, row by
// row.
func TestManualLimits(t *testing.T) {
	const mega, kilo, hour = 1 << 20, 1 << 10, 3600
	result := numbersIn(declared(t, "mcp", "resultBudget"))
	if len(result) != 2 {
		t.Fatalf("one result has the limits %v", result)
	}
	want := [][]int{
		{extract.MaxSize / mega},
		{extract.MaxText / mega},
		{extract.MaxUnpacked / mega, extract.MaxEntries},
		{index.MaxQueryRunes},
		{index.MaxAlso},
		{1, index.MaxTopK, index.DefaultTopK},
		result,
		{glob.Longest},
		{value(t, "index/texts", "Max"), value(t, "index/texts", "MaxBytes") / mega, value(t, "index/texts", "maxSize") / mega},
		{value(t, "internal/cli", "textRoom") / mega},
		{web.MaxBody / mega},
		{value(t, "internal/web", "smallBody") / kilo, value(t, "internal/web", "largeOnes")},
		{value(t, "internal/web", "mostMessages")},
		{value(t, "internal/web", "maxOfAddress")},
		{flagDefault(t, "serve", "max-sessions")},
		{value(t, "mcp", "sessionIdle") / 60},
		{flagDefault(t, "serve", "rate-limit")},
		{value(t, "internal/web", "longestTurn")},
		{value(t, "internal/web/signin", "longestIdle") / hour},
		{value(t, "internal/web/signin", "longestStay") / (24 * hour)},
	}
	manualtest.EachLanguage(t, func(t *testing.T, l message.Language) {
		rows := manualtest.TableRows(t, "files", l, 6)
		if len(rows) != len(want) {
			t.Fatalf("%d limits, want %d", len(rows), len(want))
		}
		for i, row := range rows {
			if got := numbersIn(row[0] + " " + row[1]); !slices.Equal(got, want[i]) {
				t.Errorf("%s: the manual says %v, the program has %v", row[0], got, want[i])
			}
		}
	})
}

var number = regexp.MustCompile(`\d[\d,_]*`)

// numbersIn returns the numbers of a text, with what parts thousands left out.
func numbersIn(text string) (all []int) {
	for _, digits := range number.FindAllString(text, -1) {
		n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(digits))
		if err != nil {
			panic(err) // the expression lets nothing else through
		}
		all = append(all, n)
	}
	return all
}

// declared is what a constant or variable of a package below a folder begins as, as its
// source has it.
func declared(t *testing.T, folder, name string) (source string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(repository, filepath.FromSlash(folder)), func(path string, d fs.DirEntry, err error) error {
		if err != nil || source != "" || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			if first := valueIn(d, name); first != nil {
				var out bytes.Buffer
				err = printer.Fprint(&out, files, first)
				source = out.String()
			}
		}
		return err
	})
	if err != nil || source == "" {
		t.Fatalf("%s declares no %s: %v", folder, name, err)
	}
	return source
}

// valueIn is what a declaration gives a name, nil if it does not declare it.
func valueIn(d ast.Decl, name string) ast.Expr {
	group, ok := d.(*ast.GenDecl)
	if !ok {
		return nil
	}
	for _, spec := range group.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Values) != len(v.Names) {
			continue
		}
		for i, n := range v.Names {
			if n.Name == name {
				return v.Values[i]
			}
		}
	}
	return nil
}

// value returns the value of a constant of a package below a folder, a duration in seconds.
func value(t *testing.T, folder, name string) int {
	t.Helper()
	source := strings.NewReplacer("time.Second", "1", "time.Minute", "60", "time.Hour", "3600").Replace(declared(t, folder, name))
	v, err := types.Eval(token.NewFileSet(), nil, token.NoPos, source)
	if err != nil || v.Value == nil {
		t.Fatalf("%s of %s is %q: %v", name, folder, source, err)
	}
	n, _ := constant.Int64Val(v.Value)
	return int(n)
}

// flagDefault is what a number is that a command is not given.
func flagDefault(t *testing.T, command, flag string) int {
	t.Helper()
	help, err := vademecum(t, command, "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(fmt.Sprintf(`--%s N .*\(default (\d+)\)`, flag)).FindSubmatch(help)
	if m == nil {
		t.Fatalf("%s has no number --%s", command, flag)
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}
