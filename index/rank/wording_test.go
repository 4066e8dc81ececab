package rank

import (
	"testing"
	"unicode"

	"vademecum/internal/base/script"
)

// TestUnspacedArePlain: characters of writing without spaces are taken as they are.
func TestUnspacedArePlain(t *testing.T) {
	for r := range rune(unicode.MaxRune) {
		if script.IsUnspaced(r) && (unicode.ToLower(r) != r || unicode.IsSpace(r) || isSeparatingMark(r)) {
			t.Errorf("%q is no plain character", r)
		}
	}
}

func TestPlain(t *testing.T) {
	for text, want := range map[string]string{
		"The  *Quick*\nÉcole, isn't?": "the quick école isn t?",
		"高血压 患者。 Ｂ12， 3.5mg":          "高血压患者 ｂ12， 3.5mg",
		"!ready .5 v1.2. <3,5 … ok!!": "!ready .5 v1.2. <3,5 … ok",
		"一２、３":                        "一２、３",
		"***":                         "***",
		"a\xffb":                      "a\uFFFDb",
	} {
		if got := FoldText(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
