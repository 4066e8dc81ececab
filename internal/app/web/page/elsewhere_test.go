package page

import (
	"regexp"
	"strings"
	"testing"

	"vademecum/docs/text"
	"vademecum/index"
)

// TestRendererElsewhere checks that texts rendered for the page of hosts have their words and the
// passage marked as on these pages, and that nothing in them runs, loads, or links anywhere except
// to the web.
func TestRendererElsewhere(t *testing.T) {
	const body = "# Salt\n\nSo <script>hit()</script> [little](javascript:hit()) **salt** ![](https://evil.example.com/x.png) [[Note]] <img src=x onerror=hit()>\n\nThe last line.\n"
	words := index.NewHighlightWords("salt")
	d := index.Document{Path: "salt.md", Title: "Salt", MIME: "text/markdown", TextMIME: "text/markdown"}
	from := strings.Index(body, "The last")
	shown := Renderer{}.Passage(index.Passage{Document: d, Text: body}, words, "salt")
	around := Renderer{}.Part(index.DocumentPart{Document: d, Text: body}, 0, len(body), text.Span{StartByte: from, EndByte: len(body)}, words)
	for what, html := range map[string]string{"passage": shown.HTML, "part": around} {
		if !strings.Contains(html, "<mark>salt</mark>") || strings.Contains(html, ` id="`) {
			t.Errorf("the %s is %s", what, html)
		}
		if found := regexp.MustCompile(`(?i)<script|<img|href="[^h]|onerror=[^&]*"|src="`).FindString(html); found != "" {
			t.Errorf("the %s has %q: %s", what, found, html)
		}
	}
	if !strings.Contains(around, `class="in"`) || strings.Contains(shown.HTML, `class="in"`) {
		t.Errorf("the passage is not marked: %s", around)
	}
	var excerpt strings.Builder
	marked := 0
	for _, r := range shown.Excerpt {
		excerpt.WriteString(r.Text)
		if r.IsQueryWord {
			marked++
		}
	}
	if marked == 0 || !strings.Contains(excerpt.String(), "The last line.") || strings.Contains(excerpt.String(), "**") {
		t.Errorf("the excerpt is %q with %d marks", excerpt.String(), marked)
	}
}
