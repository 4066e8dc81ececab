package analysis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"vademecum/internal/base/script"
)

// Weights of the terms of a question that are not its own words.
const (
	functionPart = 0.1  // a function word: in a small collection its document frequency alone would not distinguish it from a rare word
	askingPart   = 0.3  // what only asks, where words are not distinguished: with .1 and with .5 medical Chinese loses .0014 and .0034
	specialPart  = 0.25 // a part of a term that is searched as a whole, see specialToken
	placePart    = 3    // an article that begins a line: it is what was asked for; of 660 questions for articles of made-up laws all find them first with 2 and more, two do not with 1 and 203 with 0; of 19 to real laws 1 more does with 3
	identPart    = 0.3  // a part of an identifier that is one word: "OpenSSL"
	seamPart     = 0.6  // a word joined or split between letters and digits: "gpt4", "gpt 4"
)

// Question is the weighted terms of a query, by their frequency in it.
type Question struct {
	Content map[string]float64  // each is a reason to answer
	Seams   map[string]float64  // so are these, but their absence does not count
	Names   map[string]float64  // for the search of names: the content without parts of wholes, split between letters and digits
	Forms   map[string][]string // what counts as a term of the content too: stems of its word in other languages
	Wholes  map[string][]string // compounds in the index of which a term of the content is a part
	Next    map[string]string   // the pair of characters after each in the content, if they share one
	Support map[string]float64  // only add to what others found: function words, single characters of longer runs
}

// NewQuestion analyses a query.
func NewQuestion(text string) Question {
	text = normalizeQuestion(text)
	q := questionOf(text)
	q.addOtherWritings(text)
	return q
}

// questionOf returns the question in a normalised text.
func questionOf(text string) Question {
	q := Question{Content: make(map[string]float64), Names: make(map[string]float64), Seams: make(map[string]float64), Forms: make(map[string][]string), Next: make(map[string]string), Support: make(map[string]float64)}
	isPart := make([]bool, len(text)) // of what is asked for as a whole
	for _, w := range specialTokens(text) {
		q.Content[w.term]++
		if w.written != "" {
			q.Forms[w.term] = []string{w.written}
			q.Names[w.written]++
		} else {
			q.Names[w.term]++
		}
		if w.isPlace {
			q.Content[w.lineStartTerm()] += placePart
		}
		for i := w.start; i < w.end; i++ {
			isPart[i] = true
		}
	}
	rows := functionRows(text)
	for r := range runsOf(text) {
		if r.unspaced {
			q.addGrams(text[r.start:r.end], isPart[r.start:r.end])
			continue
		}
		q.addWord(text[r.start:r.end], isPart[r.start], rows)
		q.addIdentifierParts(text[r.start:r.end])
	}
	if len(q.Content) == 0 {
		return Question{Content: q.Support, Seams: q.Seams, Names: q.Support, Forms: q.Forms}
	}
	return q
}

// addWord adds the terms of a word, which is ignored if it is a function word in one of some
// languages.
func (q *Question) addWord(word string, isPart bool, rows []*language) {
	isFunctionWord := isFunctionWordIn(rows, word)
	for i, t := range appendWord(nil, word) {
		switch {
		case isFunctionWord, IsFunctionTerm(t):
			q.Support[t] += functionPart
		case isPart:
			q.Content[t] += specialPart
		case i > 0:
			q.Seams[t] += identPart
			q.Names[t]++
		default:
			q.Content[t]++
			q.Names[t]++
		}
	}
}

// addGrams adds the characters of a run in a script without spaces, and the pairs of neighbours.
// Those of asking phrases weigh as much as function words.
func (q *Question) addGrams(text string, isPart []bool) {
	characters := []rune(foldWord(text))
	asks, grammar := markAskingPhrases(characters), kanaParticlesOf(characters)
	at, whole := 0, true // position in text; everything before is part of a whole
	before := ""         // the previous pair, if it counts
	for i, r := range characters {
		_, size := utf8.DecodeRuneInString(text[at:])
		part := isPart[at]
		at += size
		q.addGram(string(r), asks[i], part, len(characters) > 1)
		if i > 0 && !grammar.has(characters[i-1], r) {
			pair := string(characters[i-1 : i+1])
			q.addGram(pair, asks[i-1] || asks[i], whole && part, false)
			if before != "" && q.Content[pair] > 0 {
				q.Next[before] = pair
			}
			if before = pair; q.Content[pair] == 0 {
				before = ""
			}
		} else {
			before = ""
		}
		whole = part
	}
}

func (q *Question) addGram(t string, asks, isPart, supports bool) {
	switch {
	case asks:
		q.Support[t] += askingPart
	case IsFunctionTerm(t):
		q.Support[t] += functionPart
	case supports && isPart:
		q.Support[t] += specialPart
	case supports:
		q.Support[t]++
	case isPart:
		q.Content[t] += specialPart
	default:
		q.Content[t]++
		q.Names[t]++
	}
}

// addIdentifierParts adds the parts of "gpt4", which may be written in two words.
func (q *Question) addIdentifierParts(word string) {
	letters := runLength(word, unicode.IsLetter)
	if letters < 2 || letters == len(word) || !isNumeral(word[letters:]) {
		return
	}
	q.Seams[termOfWord(word[:letters])] += seamPart
	q.Support[word[letters:]] += seamPart
	delete(q.Names, termOfWord(word))
	q.Names[termOfWord(word[:letters])]++
	q.Names[word[letters:]]++
}

// addOtherWritings adds other spellings: "gpt4" for "gpt 4", "wifi" for "Wi-Fi", and the stems of
// the words in other languages.
func (q *Question) addOtherWritings(text string) {
	before := wordRun{}
	for r := range runsOf(text) {
		if r.unspaced {
			before = wordRun{}
			continue
		}
		word := text[r.start:r.end]
		if t := termOfWord(word); q.Content[t] > 0 {
			q.Forms[t] = formsOf(word)
		}
		if joined := joinedTerm(text, before, r); joined != "" && q.Content[joined] == 0 {
			q.Seams[joined] += seamPart
			q.Seams[closedForm(joined)] += seamPart
		}
		before = r
	}
}

// joinedTerm returns the term of two words of a question written as one; "" if they are not
// written so.
func joinedTerm(text string, before, r wordRun) string {
	if before.end == 0 {
		return ""
	}
	if t := numberedTerm(text, before, r); t != "" {
		return t
	}
	return openCompound(text, before, r)
}

// numberedTerm returns the term of a word and the number right behind it.
func numberedTerm(text string, before, r wordRun) string {
	word, name := text[r.start:r.end], text[before.start:before.end]
	if before.unspaced || len(name) < 2 || r.start != before.end+1 || !isNumeral(word) ||
		runLength(name, unicode.IsLetter) < len(name) || script.IsFunctionWord(strings.ToLower(name)) {
		return ""
	}
	return foldWord(name) + word
}

func isNumeral(word string) bool {
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// SpacedShare returns the share of a text that is in scripts with spaces, 0 to 1.
func SpacedShare(text string) float64 {
	spaced, all := 0, 0
	for run, unspaced := range wordsAndRuns(text) {
		n := utf8.RuneCountInString(run)
		all += n
		if !unspaced {
			spaced += n
		}
	}
	return float64(spaced) / float64(max(all, 1))
}

// functionStems are the terms of the English function words.
var functionStems = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for _, w := range script.FunctionWords() {
		m[stemEnglishWord(w)] = true
	}
	return m
})

// IsFunctionTerm reports whether a term does not show what a text is about.
func IsFunctionTerm(t string) bool {
	return functionStems()[t] || IsUnspacedTerm(t) && script.IsFunctionWord(t)
}

func IsUnspacedTerm(t string) bool {
	r, _ := utf8.DecodeRuneInString(t)
	return script.IsUnspaced(r)
}
