// The characters that the fonts Symbol, Wingdings and Wingdings 2 show for character codes. Files
// contain these codes, as bytes or as U+F020 to U+F0FF, instead of Unicode characters.

package charset

import "strings"

// SymbolCharacter returns the Unicode character that a symbol font shows for a code. It returns 0
// if the font is not a symbol font or the character is unknown.
func SymbolCharacter(font string, code byte) rune {
	if table := lookupFont(font); table != nil && code >= firstCode {
		return table[code-firstCode]
	}
	return 0
}

// IsSymbolFont reports whether name is the name of a known symbol font.
func IsSymbolFont(name string) bool { return lookupFont(name) != nil }

// ReplaceSymbolCodes replaces the codes of a symbol font in text by Unicode characters.
func ReplaceSymbolCodes(font, text string) string {
	if font == "" {
		return text
	}
	return strings.Map(func(r rune) rune {
		if !IsSymbolCode(r) {
			return r
		}
		if shown := SymbolCharacter(font, byte(r)); shown != 0 {
			return shown
		}
		return r
	}, text)
}

// IsSymbolCode reports whether r is a code of a symbol font.
func IsSymbolCode(r rune) bool { return 0xF020 <= r && r <= 0xF0FF }

// firstCode is the code of the first character of each font, the space.
const firstCode = 0x20

// A fontTable has a character for each code from first on; 0 if Unicode has none.
type fontTable [256 - firstCode]rune

// lookupFont returns the table of a font, or nil. PDFs write font names in many ways:
// "ABCDEF+Wingdings-Regular", "SymbolMT", "Wingdings2".
func lookupFont(font string) *fontTable {
	if _, name, ok := strings.Cut(font, "+"); ok {
		font = name
	}
	font = strings.NewReplacer(" ", "", "-", "", ",", "").Replace(strings.ToLower(font))
	switch {
	case strings.HasPrefix(font, "wingdings2"):
		return &wingdings2Table
	case strings.HasPrefix(font, "wingdings3"):
		return nil
	case strings.HasPrefix(font, "wingdings"):
		return &wingdingsTable
	case font == "symbol", strings.HasPrefix(font, "symbolmt"), strings.HasPrefix(font, "symbolneu"), strings.HasPrefix(font, "symbolps"),
		strings.HasPrefix(font, "symbolregular"), strings.HasPrefix(font, "symbolbold"), strings.HasPrefix(font, "symbolitalic"),
		strings.HasPrefix(font, "standardsymbols"), strings.HasPrefix(font, "mtsymbol"), strings.HasPrefix(font, "euclidsymbol"):
		return &symbolTable
	}
	return nil
}

// newFontTable builds a table from rows of sixteen characters, in which "." stands for a character
// without a Unicode equivalent and "␠" for a space.
func newFontTable(rows ...string) (t fontTable) {
	at := 0
	for _, row := range rows {
		for _, r := range strings.ReplaceAll(row, " ", "") {
			switch r {
			case '␠':
				t[at] = ' '
			case '.':
			default:
				t[at] = r
			}
			at++
		}
	}
	return t
}

// symbolTable is the encoding of Symbol (unicode.org, MAPPINGS/VENDORS/ADOBE/symbol.txt). As a full
// stop in the rows stands for a missing character, the full stop of the font is set afterwards.
var symbolTable = func() fontTable {
	t := newFontTable(
		"␠ ! ∀ # ∃ % & ∋ ( ) ∗ + , − . /", "0 1 2 3 4 5 6 7 8 9 : ; < = > ?",
		"≅ Α Β Χ Δ Ε Φ Γ Η Ι ϑ Κ Λ Μ Ν Ο", "Π Θ Ρ Σ Τ Υ ς Ω Ξ Ψ Ζ [ ∴ ] ⊥ _",
		"‾ α β χ δ ε φ γ η ι ϕ κ λ μ ν ο", "π θ ρ σ τ υ ϖ ω ξ ψ ζ { | } ∼ .",
		". . . . . . . . . . . . . . . .", ". . . . . . . . . . . . . . . .",
		"€ ϒ ′ ≤ ⁄ ∞ ƒ ♣ ♦ ♥ ♠ ↔ ← ↑ → ↓", "° ± ″ ≥ × ∝ ∂ • ÷ ≠ ≡ ≈ … ⏐ ⎯ ↵",
		"ℵ ℑ ℜ ℘ ⊗ ⊕ ∅ ∩ ∪ ⊃ ⊇ ⊄ ⊂ ⊆ ∈ ∉", "∠ ∇ ® © ™ ∏ √ ⋅ ¬ ∧ ∨ ⇔ ⇐ ⇑ ⇒ ⇓",
		"◊ ⟨ ® © ™ ∑ ⎛ ⎜ ⎝ ⎡ ⎢ ⎣ ⎧ ⎨ ⎩ ⎪", ". ⟩ ∫ ⌠ ⎮ ⌡ ⎞ ⎟ ⎠ ⎤ ⎥ ⎦ ⎫ ⎬ ⎭ .",
	)
	t['.'-firstCode] = '.'
	return t
}()

// wingdingsTable is the encoding of Wingdings (Unicode L2/11-052). Among similar characters, it
// uses the most widely supported one.
var wingdingsTable = newFontTable(
	"␠ ✏ ✂ ✁ 👓 🔔 📖 🕯 ☎ ✆ ✉ 🖃 📪 📫 📬 📭", "📁 📂 📄 🗏 🗐 🗄 ⏳ 🖮 🖰 🖲 🖳 🖴 🖫 🖬 ✇ ✍",
	"🖎 ✌ 👌 👍 👎 ☜ ☞ ☝ ☟ 🖐 ☺ 😐 ☹ 💣 ☠ 🏳", "🏱 ✈ ☼ 💧 ❄ 🕆 ✞ 🕈 ✠ ✡ ☪ ☯ ॐ ☸ ♈ ♉",
	"♊ ♋ ♌ ♍ ♎ ♏ ♐ ♑ ♒ ♓ & & ● ❍ ■ □", "□ ❑ ❒ ⬧ ⧫ ◆ ❖ ⬥ ⌧ ⍓ ⌘ ❀ ✿ ❝ ❞ .",
	"⓪ ① ② ③ ④ ⑤ ⑥ ⑦ ⑧ ⑨ ⑩ ⓿ ❶ ❷ ❸ ❹", "❺ ❻ ❼ ❽ ❾ ❿ ❧ ❧ ☙ ☙ ❧ ❧ ☙ ☙ · •",
	"▪ ○ ○ ○ ◉ ◎ ○ ▪ ◻ ▲ ✦ ★ ✶ ✴ ✹ ✵", "⯐ ⌖ ⟡ ⌑ ⯑ ✪ ✰ 🕐 🕑 🕒 🕓 🕔 🕕 🕖 🕗 🕘",
	"🕙 🕚 🕛 ⮰ ⮱ ⮲ ⮳ ⮴ ⮵ ⮶ ⮷ ❦ ❧ ❧ ❧ ❧", "❧ ❧ ❧ ❧ ❧ ⌫ ⌦ ⮘ ➢ ⮙ ⮛ ⮈ ➲ ⮉ ⮋ ←",
	"→ ↑ ↓ ↖ ↗ ↙ ↘ ⬅ ➔ ⬆ ⬇ ↖ ↗ ↙ ↘ ⇦", "⇨ ⇧ ⇩ ⇔ ⇕ ⇖ ⇗ ⇙ ⇘ ▭ ▫ ✗ ✓ ☒ ☑ .",
)

// wingdings2Table has the characters of Wingdings 2 that occur in files.
var wingdings2Table = func() (t fontTable) {
	for code, r := range map[byte]rune{0x4F: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x54: '☒', 0x97: '●', 0xA3: '□'} {
		t[code-firstCode] = r
	}
	return t
}()
