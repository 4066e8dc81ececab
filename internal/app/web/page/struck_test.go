package page

import (
	"strings"
	"testing"

	"vademecum/index"
)

// TestStruckExcerpts checks that the plain text of a passage marks what is struck out, but no subscript, and that
// an excerpt that begins or ends within struck-out text has both marks.
func TestStruckExcerpts(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"Dose: ~~40 mg~~ **20 mg** of H~2~O":   "Dose: ~~40 mg~~ 20 mg of H2O",
		"好呀~\u2060~明天见~\u2060~":                "好呀~~明天见~~",
		"- ~~**all** of it~~\n- ~~*one*~~ two": "• ~~all of it~~\n• ~~one~~ two",
	} {
		if got := plainText(source, "text/markdown"); got != want {
			t.Errorf("%q is %q, want %q", source, got, want)
		}
	}
	old := "~~The spacer helps children.~~\n" + strings.Repeat("Nothing is said here.\n", 20) + "The spacer helps nobody.\n"
	if runs := excerptOf(old, "", index.NewHighlightWords("spacer")).Runs; strings.Contains(runs[0].Text, "~~") {
		t.Errorf("the excerpt begins with what is struck out: %v", runs)
	}
	text := "~~" + strings.Repeat("Nothing is said here. ", 60) + "The spacer helps. " + strings.Repeat("Nothing is said here. ", 60) + "End.~~"
	var got strings.Builder
	for _, r := range excerptOf(text, "", index.NewHighlightWords("spacer")).Runs {
		got.WriteString(r.Text)
	}
	if shown := got.String(); !strings.HasPrefix(shown, "~~") || !strings.HasSuffix(shown, "~~") || !strings.Contains(shown, "spacer") || len(shown) > len(text)/2 {
		t.Errorf("the excerpt is %q", shown)
	}
}
