package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/internal/base/message"

	"github.com/spf13/cobra"
)

func TestManual(t *testing.T) {
	checkPages(t, message.English, "\\- print the passages", ".SH SYNOPSIS\n", "(default 5)\n")
}

func TestChineseManual(t *testing.T) {
	checkPages(t, message.Chinese, "\\- 打印能回答问题的段落\n", ".SH 概要\n", "（默认 5）\n")
}

// checkPages checks that the manual pages of all commands use only known markup, and that the page
// of search contains some texts.
func checkPages(t *testing.T, language message.Language, texts ...string) {
	folder := t.TempDir()
	root := (&program{release: "1.2.3"}).rootCommand()
	if err := (manPages{"1.2.3", "2026-11-22", language}).writePages(root, folder); err != nil {
		t.Fatal(err)
	}
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		page, err := os.ReadFile(filepath.Join(folder, pageName(c)+".1"))
		if shown := !c.Hidden && c.Name() != "help"; (err == nil) != shown {
			t.Errorf("%s: a page: %t, want one: %t", c.CommandPath(), err == nil, shown)
		}
		for i, line := range strings.Split(string(page), "\n") {
			if strings.HasPrefix(line, "'") || strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".TH ") && !strings.HasPrefix(line, ".SH ") && !strings.HasPrefix(line, ".B ") && line != ".TP" && line != ".PP" && line != ".nf" && line != ".fi" {
				t.Errorf("%s, line %d: %q is no request of ours", c.CommandPath(), i+1, line)
			}
		}
		for _, sub := range c.Commands() {
			check(sub)
		}
	}
	check(root)
	page, err := os.ReadFile(filepath.Join(folder, "vademecum-search.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range append(texts,
		".TH VADEMECUM\\-SEARCH 1 \"2026-11-22\" \"vademecum 1.2.3\" Vademecum\n",
		"\\fB\\-\\-top\\-k\\fR \\fIN\\fR\n",
		"\\fBvademecum\\fR(1)\n",
	) {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

func TestRoff(t *testing.T) {
	if got, want := escapeRoff("a\\b --c\n.d\n'e'"), "a\\eb \\-\\-c\n\\&.d\n\\&'e'"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
