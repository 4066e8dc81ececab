package charset

import "testing"

// TestOf checks the codes that are most frequent in documents, under all names that the symbol
// fonts have there.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		font string
		code byte
		want rune
	}{
		{"Symbol", 0x22, '∀'}, {"SymbolMT", 0x24, '∃'}, {"ABCDEF+Symbol", 0xAE, '→'}, {"Symbol", 0xDE, '⇒'}, {"Symbol", 0xB7, '•'},
		{"Symbol", 0x2E, '.'}, {"Symbol", 0xFE, '⎭'}, {"Symbol", 0x61, 'α'}, {"Symbol", 0x20, ' '}, {"Symbol", 0x9F, 0}, {"Symbol", 0x10, 0},
		{"Wingdings", 0xA7, '▪'}, {"Wingdings-Regular", 0x6E, '■'}, {"XYZABC+Wingdings", 0xD8, '➢'}, {"Wingdings", 0x4A, '☺'}, {"Wingdings", 0x76, '❖'},
		{"Wingdings", 0x8C, '❶'}, {"Wingdings", 0xE0, '→'}, {"Wingdings", 0xF0, '⇨'}, {"Wingdings", 0xFB, '✗'}, {"Wingdings", 0xFC, '✓'}, {"Wingdings", 0xFE, '☑'},
		{"Wingdings 2", 0x50, '✓'}, {"Wingdings2", 0x52, '☑'}, {"Wingdings 3", 0x7D, 0}, {"Helvetica", 0xB7, 0}, {"SymbolOfHealth", 0xB7, 0}, {"", 0xB7, 0},
	} {
		if got := SymbolCharacter(c.font, c.code); got != c.want {
			t.Errorf("%s %#x is %q, want %q", c.font, c.code, got, c.want)
		}
	}
}

func TestText(t *testing.T) {
	if got := ReplaceSymbolCodes("Symbol", "a \uF0AE b \uF09F"); got != "a → b \uF09F" {
		t.Errorf("it is %q", got)
	}
	if got := ReplaceSymbolCodes("", "\uF0AE"); got != "\uF0AE" {
		t.Errorf("of no font it is %q", got)
	}
}
