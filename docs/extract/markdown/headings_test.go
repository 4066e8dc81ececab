package markdown

import (
	"strings"
	"testing"
)

func TestBelow(t *testing.T) {
	for _, test := range []struct {
		level     int
		text, out string
	}{
		{1, "No heading.\n#hashtag\n", "No heading.\n#hashtag\n"},
		{1, "## Two\n\n### Three\n", "## Two\n\n### Three\n"},
		{2, "Words.\n\n# One\n\n### Three\n", "Words.\n\n### One\n\n##### Three\n"},
		{3, "## Two\n##### Five\n###### Six", "#### Two\n###### Five\n###### Six"},
		{2, "```sh\n# comment\n~~~\n``` x\n````\n# One\n", "```sh\n# comment\n~~~\n``` x\n````\n### One\n"},
		{2, "~~~\n# comment\n", "~~~\n# comment\n"},
		{2, "#\n", "###\n"},
	} {
		if got := MoveHeadingsBelow(test.level, test.text); got != test.out {
			t.Errorf("below %d, %q becomes %q, want %q", test.level, test.text, got, test.out)
		}
	}
}

func FuzzBelow(f *testing.F) {
	f.Add(2, "# One\n```\n# code\n```\n## Two")
	f.Fuzz(func(t *testing.T, level int, text string) {
		got := MoveHeadingsBelow(level%8, text)
		if strings.ReplaceAll(got, "#", "") != strings.ReplaceAll(text, "#", "") {
			t.Errorf("%q becomes %q", text, got)
		}
		for _, depth := range headingOffsets(got) {
			if depth <= min(level%8, maxLevel-1) {
				t.Errorf("%q has a heading of level %d below one of level %d", got, depth, level%8)
			}
		}
	})
}
