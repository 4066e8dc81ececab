package e2e

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// chineseData are the packages whose Chinese is not text for people but the language of
// documents and questions.
var chineseData = map[string]string{
	"docs/chunk":              "headings and the heads and feet of pages",
	"docs/extract":            "names that programs give to what they write, numbers and days",
	"docs/kind":               "what documents are called, and what leads to another",
	"docs/meta":               "fields, days and names of files",
	"embed":                   "what a model wants before a question",
	"embed/local":             "texts for its tests",
	"index/store/catalog":     "texts for its tests",
	"index/indextest":         "texts for tests",
	"index/lexical/analysis":  "the analysis of Chinese text",
	"index/store/postgres":    "texts for its tests",
	"index/quote":             "words that turn a sentence into its opposite",
	"index/ranking":           "what drafts, lists and languages are called",
	"index/search":            "texts for its tests",
	"internal/app/cli":        "an example of a command",
	"internal/base/message":   "the catalogue",
	"internal/base/script":    "words that only connect others",
	"internal/app/web/render": "the field of tags",
}

// TestChineseStandsInTheCatalogue checks that no source file outside of the catalogue contains
// Chinese text for people.
func TestChineseStandsInTheCatalogue(t *testing.T) {
	t.Parallel()
	eachSourceFile(t, func(files *token.FileSet, f *ast.File) {
		ast.Inspect(f, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING || !hasHan(literal.Value) {
				return true
			}
			at := files.Position(n.Pos())
			in, err := filepath.Rel(repository, filepath.Dir(at.Filename))
			if err != nil {
				t.Fatal(err)
			}
			for in = filepath.ToSlash(in); chineseData[in] == "" && strings.Contains(in, "/"); {
				in = in[:strings.LastIndex(in, "/")]
			}
			if chineseData[in] == "" {
				t.Errorf("%s: %s", at, literal.Value)
			}
			return true
		})
	})
}
