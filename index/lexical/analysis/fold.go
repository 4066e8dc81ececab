package analysis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"vademecum/internal/base/script"
)

// foldWord maps variants that readers consider equal to the same form: upper and lower case,
// full-width, half-width and other compatibility forms (Unicode NFKC), Latin and Greek letters with
// and without accents, traditional and simplified Chinese.
func foldWord(word string) string {
	if isASCII(word) {
		return strings.ToLower(word)
	}
	var out strings.Builder
	out.Grow(len(word))
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			out.WriteRune(unicode.ToLower(r))
		case IsAccent(r):
		default:
			out.WriteRune(FoldRune(r))
		}
	}
	return out.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// IsAccent reports whether a character is a combining mark of European scripts.
func IsAccent(r rune) bool { return 0x300 <= r && r <= 0x36f }

// FoldRune maps a character to lower case without accents, and to simplified Chinese. It expects
// normalised text (Unicode NFKC).
func FoldRune(r rune) rune {
	if script.IsUnifiedHan(r) {
		return script.Simplify(r) // Han characters have no case or accents
	}
	r = unicode.ToLower(unicode.ToUpper(r)) // via upper case, so that ς becomes σ
	if base, ok := unaccented()[r]; ok {
		return base
	}
	return r
}

// unaccented maps lower-case Latin and Greek letters with accents to the base letters of their
// canonical decomposition.
var unaccented = sync.OnceValue(func() map[rune]rune {
	m := map[rune]rune{'ø': 'o', 'đ': 'd', 'ł': 'l', 'ß': 's', 'ё': 'е'}
	for _, block := range [][2]rune{{0xc0, 0x24f}, {0x370, 0x3ff}, {0x1e00, 0x1fff}} {
		for r := block[0]; r <= block[1]; r++ {
			base, _ := utf8.DecodeRuneInString(norm.NFD.String(string(r)))
			if base != r && unicode.In(base, unicode.Latin, unicode.Greek) {
				m[r] = base
			}
		}
	}
	return m
})

// greekNames maps Greek letters to their names in running text: a "β-blocker" is a beta blocker.
var greekNames = map[rune]string{
	'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'ε': "epsilon", 'ζ': "zeta", 'η': "eta", 'θ': "theta",
	'κ': "kappa", 'λ': "lambda", 'μ': "mu", 'π': "pi", 'ρ': "rho", 'σ': "sigma", 'τ': "tau", 'φ': "phi", 'χ': "chi", 'ψ': "psi", 'ω': "omega",
}
