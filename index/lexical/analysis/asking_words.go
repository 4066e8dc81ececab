package analysis

import (
	"strings"
	"sync"

	"vademecum/internal/base/lazyregexp"
)

// askingWordList lists words with which people ask in German and French, folded. None is a word of
// another language, so that they need not be in a sentence that tells its language: "Was bedeutet
// Err006?"
const askingWordList = `
	wann wer wem wieso weshalb warum wieviel wieviele welcher welches welchem welchen womit wofur woran worauf
	bedeutet bedeuten passiert passieren passierte geschieht geschah heisst heist lautet
	combien pourquoi quoi quelle quels quelles lequel laquelle signifie signifient signifiait`

var askingWords = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for word := range strings.FieldsSeq(askingWordList) {
		m[word] = true
	}
	return m
})

// askingParts matches phrases whose last word only asks: "long" in "how long", "mean" in "what does x
// mean". Elsewhere in a question, these words may say what it is about.
var askingParts = lazyregexp.New(`(?i)\bhow (?:long|often|far|old|many|much|high|big|large|fast|soon|deep|wide|heavy)\b|\bwie (?:oft|lange?|viele?|weit|hoch|alt|gross|schnell|tief|schwer|teuer|breit)\b|\bwie groß(?:\PL|$)|` +
	`\b(?:what|was|que|quoi)\b.*?\b(?:happen(?:s|ed)?|passe|arrive)\b|\b(?:does|do|did)\b.*\b(?:mean|stand for)\W*$|\b(?:number|nummer|numéro)\b|\b[0-9]+[ -]years?[ -]old\b`)

// askingSpans returns the byte ranges of words in a query that only ask.
func askingSpans(text string) (spans []wordRun) {
	for _, at := range askingParts.FindAllStringIndex(text, -1) {
		asked := strings.TrimRightFunc(text[at[0]:at[1]], func(r rune) bool { return !isLetterOrDigit(r) })
		last := strings.LastIndexByte(strings.TrimSuffix(asked, " for"), ' ') + 1
		spans = append(spans, wordRun{start: at[0] + last, end: at[0] + len(asked)})
	}
	return spans
}

// markAskingWords marks the bytes of words in a query that only ask.
func markAskingWords(text string, asks []bool) {
	for _, s := range askingSpans(text) {
		markAll(asks[s.start:s.end])
	}
}
