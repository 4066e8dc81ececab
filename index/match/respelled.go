package match

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Umlauts, and how they are spelled where keyboards or programs have none.
var umlautSpellings = map[rune]string{'ä': "ae", 'ö': "oe", 'ü': "ue"}

var spelledUmlauts = map[string]string{"ae": "ä", "oe": "ö", "ue": "ü"}

// NewRespelled returns a Matcher of a text with its umlauts and ß spelled in either way: Störung and
// Stoerung find each other. It returns nil if the text has no umlaut in any spelling.
func NewRespelled(text string) Matcher {
	var expression strings.Builder
	expression.WriteString("(?i)")
	runes := []rune(strings.ToLower(norm.NFC.String(strings.Join(strings.Fields(text), " "))))
	hasUmlaut := false
	for i := 0; i < len(runes); i++ {
		spelled, pair := umlautSpellings[runes[i]], ""
		if i+1 < len(runes) {
			pair = string(runes[i : i+2])
		}
		switch {
		case runes[i] == ' ':
			expression.WriteString(`\s+`)
		case spelled != "":
			expression.WriteString("(?:" + string(runes[i]) + "|" + spelled + ")")
			hasUmlaut = true
		case maySpellUmlaut(runes, i):
			expression.WriteString("(?:" + pair + "|" + spelledUmlauts[pair] + ")")
			hasUmlaut = true
			i++
		case pair == "ss":
			expression.WriteString("(?:ss|ß)")
			i++
		case isSharpS(runes[i]):
			expression.WriteString("(?:ss|ß)")
		default:
			expression.WriteString(regexp.QuoteMeta(string(runes[i])))
		}
	}
	if !hasUmlaut {
		return nil
	}
	m, err := NewPattern(expression.String(), true)
	if err != nil { // the text is too long for a pattern
		return nil
	}
	return m
}

// maySpellUmlaut reports whether the letters at i may stand for an umlaut. They do not at the end of a
// word, as in "blue", nor after vowels and q, as in "Bauer" and "Quelle".
func maySpellUmlaut(runes []rune, i int) bool {
	if i+2 >= len(runes) || spelledUmlauts[string(runes[i:i+2])] == "" || !unicode.IsLetter(runes[i+2]) {
		return false
	}
	return i == 0 || !strings.ContainsRune("aeq", runes[i-1])
}
