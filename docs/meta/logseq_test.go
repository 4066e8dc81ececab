package meta

import (
	"strings"
	"testing"
)

func TestLogseqPage(t *testing.T) {
	const iso = "{;; :journal/page-title-format \"do\"\n :journals-directory \"daily/\"\n :journal/page-title-format \"EEEE, yyyy/MM/dd\"}"
	for _, tt := range []struct{ file, config, want string }{
		{"pages/Kitchen___Salt.md", "", "Kitchen/Salt"},
		{"pages/Why%3F.md", "{}", "Why?"},
		{"pages/%E5%8E%A8%E6%88%BF___%E7%9B%90.md", "", "厨房/盐"},
		{"pages/100%.md", "", "100%"},
		{"pages/a%00%FF%252F.md", "", "a%00%FF%252F"},
		{"pages/a%252F.md", "", "a%2F"},
		{"pages/____a.md", "", "_a"},
		{"pages/snake_case__name.md", "", "snake_case__name"},
		{"journals/2024_03_05.md", "", "Mar 5th, 2024"},
		{"journals/2024_03_22.org", "{:meta/version 1}", "Mar 22nd, 2024"},
		{"journals/2024_03_13.md", "", "Mar 13th, 2024"},
		{"daily/2024-03-05.md", iso, "Tuesday, 2024/03/05"},
		{"pages/2024_03_05.md", "", "2024_03_05"},
	} {
		if got := LogseqPageName(tt.file, tt.config, "- text\ntitle:: no\n"); got != tt.want {
			t.Errorf("%s is %q, want %q", tt.file, got, tt.want)
		}
	}
	if got := LogseqPageName("pages/a___b.md", "", "icon:: x\ntitle:: A, or B\n\n- text"); got != "A, or B" {
		t.Errorf("titled page is %q", got)
	}
	for format, want := range map[string]string{"dd-MM-yy": "05-03-24", "d MMMM yyyy": "5 March 2024", "E 'o''clock' M": "Tue oclock 3", "": ""} {
		if got := Date(20240305).format(format); got != want {
			t.Errorf("%q is %q, want %q", format, got, want)
		}
	}
}

func TestMayBeLogseqPage(t *testing.T) {
	for file, want := range map[string]bool{"a/Kitchen___Salt.md": true, "Why%3F.org": true, "2024_03_05.md": true, "Salt.md": false, "a___b.txt": false, "a___b/c.md": false} {
		if MayHaveLogseqName(file) != want {
			t.Errorf("%s: %v", file, !want)
		}
	}
}

func FuzzLogseqPage(f *testing.F) {
	f.Add("journals/2024_03_05___%41.md", `{:journal/page-title-format "do"}`)
	f.Fuzz(func(t *testing.T, file, config string) {
		if got := LogseqPageName(file, config, ""); strings.HasPrefix(got, "/") {
			t.Errorf("%q is %q", file, got)
		}
	})
}
