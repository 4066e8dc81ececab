package mcpapp

import (
	"regexp"
	"strings"
	"testing"

	"vademecum/internal/base/message"
)

// mostBytes is the maximum size of the page: hosts read it before they show anything.
const mostBytes = 60 << 10

// TestPage checks that the page is one small file that loads nothing, and that its policy allows
// only its own script and style.
func TestPage(t *testing.T) {
	page := html()
	if len(page) > mostBytes {
		t.Errorf("the page has %d bytes", len(page))
	}
	if found := regexp.MustCompile(`(?i)https?://|\bsrc="|\bhref="|@import|url\(|\son[a-z]+="|\sstyle="|\beval\b|innerHTML|insertAdjacentHTML|localStorage`).FindAllString(page, -1); found != nil {
		t.Errorf("the page has %q", found)
	}
	if strings.Contains(page, "{{.") || strings.Contains(page, `"TEXTS"`) {
		t.Error("a part is missing")
	}
	between := func(from, to string) string {
		_, rest, _ := strings.Cut(page, from)
		text, _, _ := strings.Cut(rest, to)
		return text
	}
	got := between(`<meta http-equiv="Content-Security-Policy" content="`, `"`)
	want := "default-src 'none'; script-src " + hashSource(between("<script>", "</script>")) + "; style-src " + hashSource(between("<style>", "</style>")) +
		"; img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types vademecum"
	if got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
	if n := strings.Count(page, "<script"); n != 1 {
		t.Errorf("the page has %d scripts", n)
	}
}

// TestTexts checks that the texts with translations are exactly those in the script.
func TestTexts(t *testing.T) {
	said := make(map[string]bool)
	for _, m := range regexp.MustCompile(`\bt\((?:\w+ \? )?"([^"]+)"(?: : "([^"]+)")?`).FindAllStringSubmatch(part("app.js"), -1) {
		for _, english := range m[1:] {
			if english != "" {
				said[english] = true
			}
		}
	}
	for _, m := range texts {
		english := m.String()
		if !said[english] {
			t.Errorf("nothing says %q", english)
		}
		if m.InLanguage(message.Chinese) == english {
			t.Errorf("%q is not in Chinese", english)
		}
		delete(said, english)
	}
	for english := range said {
		t.Errorf("%q is not translated", english)
	}
}
