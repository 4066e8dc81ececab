package operations

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"vademecum/internal/base/message"
)

// TestAround: what stands around a passage has the passage in it, begins and ends with a character, with
// a line where there is one, and is not longer than was asked for.
func TestAround(t *testing.T) {
	for _, text := range []string{"one\ntwo\n\nthree\nfour", strings.Repeat("盐é", 6), "盐\n盐盐\n", ""} {
		for from := range len(text) + 1 {
			for to := from; to <= len(text); to++ {
				if startOfCharacter(text, from) != from || startOfCharacter(text, to) != to {
					continue
				}
				for by := range len(text) + 1 {
					first, last := around(text, from, to, by)
					if first > from || last < to || from-first > by+utf8.UTFMax || last-to > by || !utf8.ValidString(text[first:last]) {
						t.Fatalf("around %d-%d of %q by %d is %d-%d", from, to, text, by, first, last)
					}
					if first > 0 && text[first-1] != '\n' && strings.Contains(text[first:from], "\n") {
						t.Fatalf("around %d-%d of %q by %d begins within a line: %q", from, to, text, by, text[first:last])
					}
				}
			}
		}
	}
}

// TestWords: a text goes to the page in all languages, or once where it is the same in all, and without
// what would leave its line.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		m    message.Message
		want string
	}{
		{message.New("page %d", 3), `{"en":"page 3","zh":"第 3 页"}`},
		{"a <b> name", `"a \u003cb\u003e name"`},
		{"a\nb\u202ec", `"a�b�c"`},
		{"", `""`},
	} {
		got, err := json.Marshal(MultilingualText(c.m))
		if err != nil || string(got) != c.want {
			t.Errorf("%q is %s, want %s (%v)", c.m, got, c.want, err)
		}
	}
}

// TestFit: a view that is too large keeps its first entries, and counts the others.
func TestFit(t *testing.T) {
	v := &View{Kind: viewKindPassages}
	for range 40 {
		v.Passages = append(v.Passages, PassageView{Source: Source{Title: strings.Repeat("t", 1500)}, RenderedText: RenderedText{HTML: strings.Repeat("<p>", 1000)}})
	}
	v.fit()
	if size := sizeOf(v); size > mostView || size < mostView/2 {
		t.Errorf("it has %d bytes", size)
	}
	if len(v.Passages)+v.MoreItems != 40 || v.MoreItems == 0 || !v.Passages[0].IsCut {
		t.Errorf("%d passages and %d more", len(v.Passages), v.MoreItems)
	}
	small := &View{Kind: viewKindPassages, Passages: []PassageView{{RenderedText: RenderedText{HTML: "<p>"}}}}
	if small.fit(); small.MoreItems != 0 || small.Passages[0].HTML == "" || small.Passages[0].IsCut {
		t.Errorf("%+v", small.Passages)
	}
}
