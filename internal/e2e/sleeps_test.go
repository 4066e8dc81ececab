package e2e

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// sleeping are functions of tests that sleep in real time, with the reason, by file and name.
var sleeping = map[string]string{
	"docs/formats/child/child_test.go waitUntil":                            "polls",
	"embed/local/speed_test.go BenchmarkQuestionMeanwhile":                  "lets the work go on that it measures beside",
	"index/crash_test.go pause":                                             "comes to a random moment",
	"index/sync/database_test.go heals":                                     "polls ever more seldom",
	"internal/app/doctor/group_unix_test.go TestStartEndsChildren":          "polls for the end of a process of no parent",
	"internal/app/doctor/start_test.go serve":                               "is a server that does not answer",
	"internal/app/web/attack_test.go poll":                                  "polls",
	"internal/base/external/orphan_linux_test.go TestProgramEndsWithServer": "polls for the end of a process of no parent",
	"internal/e2e/http_page_cost_test.go timeSilence":                       "measures a time in which nothing happens",
	"internal/e2e/http_page_speeds_test.go TestPageSpeeds":                  "measures a time in which nothing happens",
	"internal/e2e/index_killed_test.go TestKillWhileIndexing":               "comes to a random moment",
	"internal/e2e/kit_await_test.go await":                                  "polls",
	"internal/e2e/kit_await_test.go poll":                                   "polls",
	"internal/e2e/servers_start_test.go memoryAtRest":                       "measures after a time in which nothing happens",
	"internal/e2e/servers_struck_test.go TestStruckServers":                 "comes to a random moment",
	"internal/e2e/store_outage_test.go carry":                               "is a slow network",
	"internal/webtest/kit_tab_test.go poll":                                 "polls",
	"mcp/server_test.go eventually":                                         "polls",
}

// inBubbles are functions that tests call in a synctest bubble.
var inBubbles = map[string]bool{"index/sync/checker_test.go": true}

// TestSleeps checks that tests wait for events instead of sleeping: time.Sleep may be called only
// in a synctest bubble or in a listed function.
func TestSleeps(t *testing.T) {
	t.Parallel()
	list := exec.CommandContext(t.Context(), "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*_test.go")
	list.Dir = repository
	files, err := list.Output()
	if err != nil {
		t.Skipf("what belongs to the repository is not known: %v", err)
	}
	found := make(map[string]bool)
	for name := range strings.SplitSeq(strings.TrimRight(string(files), "\x00"), "\x00") {
		if inBubbles[name] {
			continue
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, filepath.Join(repository, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range file.Decls {
			f, isFunc := declared.(*ast.FuncDecl)
			if !isFunc {
				continue
			}
			key := name + " " + f.Name.Name
			for _, at := range realSleeps(f) {
				if found[key] = true; sleeping[key] == "" {
					t.Errorf("%s sleeps: use a bubble of synctest, or a function that polls", fset.Position(at))
				}
			}
		}
	}
	for key := range sleeping {
		if !found[key] {
			t.Errorf("%s does not sleep: take it from the list", key)
		}
	}
}

// realSleeps returns the places where a function calls time.Sleep outside of a bubble.
func realSleeps(f *ast.FuncDecl) (all []token.Pos) {
	ast.Inspect(f, func(n ast.Node) bool {
		if call, isCall := n.(*ast.CallExpr); isCall && names(call.Fun, "synctest", "Test") {
			return false
		}
		if e, isExpr := n.(ast.Expr); isExpr && names(e, "time", "Sleep") {
			all = append(all, e.Pos())
		}
		return true
	})
	return all
}

func names(e ast.Expr, pkg, function string) bool {
	selected, isSelector := e.(*ast.SelectorExpr)
	if !isSelector || selected.Sel.Name != function {
		return false
	}
	x, isIdent := selected.X.(*ast.Ident)
	return isIdent && x.Name == pkg
}
