package page

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"vademecum/docs/formats"
	"vademecum/index"
	"vademecum/internal/base/message"
)

// saidIn returns the English sentences in the templates and in the package.
func saidIn(t *testing.T) map[string]bool {
	t.Helper()
	all := make(map[string]bool)
	for pattern, find := range map[string]*regexp.Regexp{
		"templates/*.html": regexp.MustCompile(`\bt "([^"]+)"`),
		"*.go":             regexp.MustCompile(`(?:\.Say\(|askToken\([^"\n]*|Name: |otherPlaces\{How: )"([^"]+)"`),
	} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range find.FindAllStringSubmatch(string(text), -1) {
				all[m[1]] = true
			}
		}
	}
	for _, p := range index.FilterParameters {
		if p.Field != "" {
			all[p.Label], all[p.Hint] = true, true
		}
	}
	for kind := range formats.ExtensionsByKind() {
		all[kind] = true
	}
	return all
}

// notSaid matches texts that are the same in each language, and parts of counts.
var notSaid = regexp.MustCompile(`^(%\[2\]s |vademecum|Vademecum|nDCG@10|MRR@10|Recall@\d+|English|中文|[\d-]+|__Host-.*)$`)

// TestChinese checks that every sentence has a Chinese translation with the same values.
func TestChinese(t *testing.T) {
	verbs := regexp.MustCompile(`%[.\d]*[a-z]`)
	chinese := message.ChineseFormats()
	for english := range saidIn(t) {
		said, ok := chinese[english]
		if !ok && !notSaid.MatchString(english) {
			t.Errorf("not in Chinese: %q", english)
		}
		if a, b := verbs.FindAllString(english, -1), verbs.FindAllString(said, -1); ok && strings.Join(a, "") != strings.Join(b, "") {
			t.Errorf("%q has %v and %q has %v", english, a, said, b)
		}
	}
}

func TestNumbers(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567", -1234: "-1,234", -123: "-123"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s", n, got)
		}
	}
	for d, want := range map[time.Duration]string{10 * time.Second: "less than a minute ago", 61 * time.Second: "1 minute ago", 3 * time.Hour: "3 hours ago", 80 * time.Hour: "3 days ago"} {
		if got := locales[0].Ago(time.Now().Add(-d)); got != want {
			t.Errorf("%s: %s", d, got)
		}
	}
	if got := locales[1].Ago(time.Now().Add(-3 * time.Hour)); got != "3 小时前" {
		t.Error(got)
	}
}
