package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// German, Dutch, the languages of Scandinavia and Finnish write as one word what English writes as
// several: Stromrechnung is a Rechnung. Which words have which parts is told by the words of a
// library: a part has to be a word of its own there.

// leastPart is how many letters a part of a compound has at least. Shorter ones are the beginnings
// and ends of too many words.
const leastPart = 4

// linkingElements stand between the parts of a compound, where they are no endings that the stemmer
// takes off.
var linkingElements = []string{"", "s", "n", "en", "es", "er", "e"}

// compoundLanguages are those that have compounds.
var compoundLanguages = sync.OnceValue(func() (rows []*language) {
	for _, code := range []string{"de", "nl", "sv", "da", "no", "fi"} {
		rows = append(rows, languageOf[code])
	}
	return rows
})

// Part is a word of a question as it may be a part of compounds.
type Part struct {
	Root  string   // what all of them have of it
	Stems []string // its terms in the languages that have compounds
}

// PartOf returns a term of a question, which has some forms, as a part: without a root where it is none.
func PartOf(term string, forms []string) (p Part) {
	if IsFieldTerm(term) || IsUnspacedTerm(term) || strings.ContainsAny(term, "0123456789_") {
		return p
	}
	const before = "worter" // of a longer word the stemmer of English takes more: "fahrer" of "busfahrer" is "fahr"
	atEnd := strings.TrimPrefix(stemEnglishWord(before+term), before)
	root := term[:sharedPrefix(term, atEnd)]
	for _, l := range compoundLanguages() {
		prefix := string(stemField) + l.code + ":"
		for _, form := range forms {
			if stem, ok := strings.CutPrefix(form, prefix); ok {
				root = root[:sharedPrefix(root, stem)]
				p.Stems = append(p.Stems, form)
			}
		}
		for _, word := range []string{term, atEnd} {
			if stem := l.stemTerm(word); stem != "" && !slices.Contains(p.Stems, stem) {
				p.Stems = append(p.Stems, stem)
			}
		}
	}
	if len(p.Stems) > 0 && len(root) >= leastPart && utf8.ValidString(root) {
		p.Root = root
	}
	return p
}

func sharedPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// Compound is a word that has another for one of its two parts, as a language has it.
type Compound struct {
	Form   string   // the term of its stem
	Rests  []string // terms, one of which the other part is, if that is a word
	IsHead bool     // the part is the second one, which says what the whole is, and no short one
}

// leastHead is how many letters a word has that says, at the end of one, what that is, whatever stands
// before it: Termin in Zahnarzttermin.
const leastHead = 5

// CompoundsWith reads a word as a compound of a part whose root it has: of each language in which it
// may be one.
func (p Part) CompoundsWith(word string) (all []Compound) {
	if len(word) < len(p.Root)+leastPart || len(word) > maxTermBytes {
		return nil
	}
	head, isFirst := strings.LastIndex(word, p.Root), strings.HasPrefix(word, p.Root)
	if head < leastPart && !isFirst || head > 0 && !utf8.RuneStart(word[head]) {
		return nil
	}
	for _, l := range compoundLanguages() {
		c := Compound{Form: l.stemTerm(word)}
		if head >= leastPart && slices.Contains(p.Stems, l.stemTerm(word[head:])) {
			c.Rests, c.IsHead = l.firstParts(word[:head]), len(word)-head >= leastHead
		}
		if isFirst {
			c.Rests = append(c.Rests, l.partsBehind(p, word)...)
		}
		if len(c.Rests) > 0 {
			all = append(all, c)
		}
	}
	return all
}

// firstParts are the stems that the first part of a compound may have.
func (l *language) firstParts(part string) (stems []string) {
	for _, link := range linkingElements {
		word, ok := strings.CutSuffix(part, link)
		if !ok || utf8.RuneCountInString(word) < leastPart {
			continue
		}
		if stem := l.stemTerm(word); stem != "" && !slices.Contains(stems, stem) {
			stems = append(stems, stem)
		}
	}
	return stems
}

// mostEnding is how much longer than its root the first part of a compound is at most.
const mostEnding = 4

// partsBehind are the stems that the second part of a compound may have whose first is a part.
func (l *language) partsBehind(p Part, word string) (stems []string) {
	isOfPart := func(stem string) bool { return slices.Contains(p.Stems, stem) }
	for at := len(p.Root); at <= min(len(p.Root)+mostEnding, len(word)-leastPart); at++ {
		if !utf8.RuneStart(word[at]) || !slices.ContainsFunc(l.firstParts(word[:at]), isOfPart) {
			continue
		}
		if rest := l.stemTerm(word[at:]); rest != "" && !slices.Contains(stems, rest) {
			stems = append(stems, rest)
		}
	}
	return stems
}
