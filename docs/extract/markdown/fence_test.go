package markdown

import "testing"

func TestFenceMark(t *testing.T) {
	for line, want := range map[string]string{
		"```": "```", "~~~~ text": "~~~~", "```go": "```", "~~~ a ~~~ b": "~~~",
		"``": "", "```code``` in a sentence": "", "~~struck~~": "", " ```": "", "a ```": "", "": "",
	} {
		if got := FenceMark(line); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}
