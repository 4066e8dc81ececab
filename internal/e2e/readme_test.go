package e2e

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vademecum/internal/app/manual"
	"vademecum/internal/base/message"
)

// section is what a part of a README under a heading must have in common with its translation.
type section struct {
	heading string
	blocks  []string   // of code, without comments
	tables  [][]string // the shape of each, as the number of cells in its rows
	code    []string   // between backticks in the text
}

// TestReadmesAlike checks that the Chinese README and manual have the same sections as the English
// ones, with the same commands, code and flags, and tables of the same shape.
func TestReadmesAlike(t *testing.T) {
	t.Parallel()
	readAlike(t, "README.md", "README.zh-CN.md")
	for _, topic := range manual.Topics {
		const folder = "internal/app/manual/"
		readAlike(t, folder+manual.FileName(topic, message.English), folder+manual.FileName(topic, message.Chinese))
	}
}

func readAlike(t *testing.T, inEnglish, inChinese string) {
	t.Helper()
	english, chinese := sections(t, inEnglish), sections(t, inChinese)
	if len(english) != len(chinese) {
		t.Errorf("%s has %d sections, and %d in Chinese", inEnglish, len(english), len(chinese))
		return
	}
	for i, e := range english {
		c := chinese[i]
		name := inEnglish + ", " + e.heading + " / " + c.heading
		if !slices.Equal(e.blocks, c.blocks) {
			t.Errorf("%s: code differs:\n%s\n--\n%s", name, strings.Join(e.blocks, "\n"), strings.Join(c.blocks, "\n"))
		}
		if !slices.EqualFunc(e.tables, c.tables, slices.Equal) {
			t.Errorf("%s: tables differ: %v, %v", name, e.tables, c.tables)
		}
		for _, code := range missing(e.code, c.code) {
			t.Errorf("%s: only in English: %s", name, code)
		}
		for _, code := range missing(c.code, e.code) {
			t.Errorf("%s: only in Chinese: %s", name, code)
		}
	}
}

func missing(of, in []string) []string {
	return slices.DeleteFunc(slices.Clone(of), func(s string) bool { return slices.Contains(in, s) })
}

var (
	comment    = regexp.MustCompile(` +# .*`)
	inlineCode = regexp.MustCompile("`[^`]+`")
)

func sections(t *testing.T, name string) (all []section) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(repository, name))
	if err != nil {
		t.Fatal(err)
	}
	var table []string
	inBlock := false
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimRight(line, "\r\n")
		fence := strings.HasPrefix(line, "```")
		if !inBlock && strings.HasPrefix(line, "#") {
			all = append(all, section{heading: line})
		}
		if len(all) == 0 {
			t.Fatalf("%s begins without a heading", name)
		}
		last := &all[len(all)-1]
		if row := !inBlock && strings.HasPrefix(line, "|"); row {
			table = append(table, strings.Repeat("|", strings.Count(line, "|")))
		} else if table != nil {
			last.tables = append(last.tables, table)
			table = nil
		}
		switch {
		case fence:
			inBlock = !inBlock
			fallthrough
		case inBlock:
			last.blocks = append(last.blocks, comment.ReplaceAllString(line, ""))
		default:
			last.code = append(last.code, inlineCode.FindAllString(line, -1)...)
		}
	}
	return all
}

// TestPackagesNamed checks that each package in the table of the program's structure exists.
func TestPackagesNamed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for line := range strings.Lines(string(text)) {
		first, _, _ := strings.Cut(strings.TrimPrefix(line, "| "), " | ")
		if !strings.HasPrefix(line, "| `") {
			continue
		}
		for _, code := range inlineCode.FindAllString(first, -1) {
			seen++
			path := strings.TrimSuffix(strings.Trim(code, "`"), "/…")
			if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(path))); err != nil {
				t.Errorf("the table names %s: %v", path, err)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d packages were seen", seen)
	}
}

// namedPath matches a file or folder named in the text for contributors.
var namedPath = regexp.MustCompile("`([a-z0-9]+(?:/[a-z0-9_]+)+(?:[.][a-z.]+)?)`")

// TestFilesNamed: each file and folder named in the guide for contributors exists.
func TestFilesNamed(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(repository, ".github", "CONTRIBUTING.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, adding, found := strings.Cut(string(text), "\n## How to add\n")
	adding, _, _ = strings.Cut(adding, "\n## ")
	if rows := strings.Count(adding, "\n| a "); !found || rows < 12 {
		t.Fatalf("there are %d things to add, want 12 at least", rows)
	}
	for _, m := range namedPath.FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(filepath.Join(repository, filepath.FromSlash(m[1]))); err != nil {
			t.Errorf("it names %s: %v", m[1], err)
		}
	}
}
