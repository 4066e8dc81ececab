package index

import (
	"slices"
	"strings"

	"vademecum/index/lexical/analysis"
)

// Run is a part of a text. Hit says that it has words of the question, Beside that it
// has what counts beside them.
type Run struct {
	Text        string
	Hit, Beside bool
}

// Words are the words of questions that are worth to be seen in a text.
type Words struct {
	marks  analysis.Marks
	beside analysis.Marks // words written like those
	parts  analysis.Parts // of words
}

// WordsOf are the words of a question and its other wordings.
func WordsOf(question string, also ...string) Words {
	return Words{marks: analysis.NewMarks(append([]string{question}, also...)...)}
}

// Words returns the words of the question that was answered, with those that are written like
// them and were found instead, or beside them.
func (a Answer) Words(question string) Words {
	w := WordsOf(question)
	w.beside = make(analysis.Marks)
	for _, alike := range a.Alike {
		if alike.Instead || beginAlike(alike.Asked, alike.Term) {
			w.beside[alike.Term] = true
		}
	}
	return w
}

// beginAlike tells of two words whether people see why one counts beside the other, as
// mammogram does beside mammography: invent beside stent is worth too little to be seen.
func beginAlike(a, b string) bool {
	const alike = 4 // bytes
	return len(a) >= alike && strings.HasPrefix(b, a[:alike])
}

// With takes in words that were found beside those of a question.
func (w Words) With(beside ...string) Words {
	w.beside = analysis.NewMarks(beside...)
	return w
}

// WithParts takes in the parts of the words of a question: what is only related is
// found by them.
func (w Words) WithParts(question string) Words {
	w.parts = analysis.NewParts(question)
	return w
}

// Runs parts a text where the words stand in it. All runs together are the text.
func (w Words) Runs(text string) (runs []Run) {
	at := 0
	for _, s := range w.marks.In(text) {
		runs = append(w.besideIn(runs, text[at:s[0]]), Run{Text: text[s[0]:s[1]], Hit: true})
		at = s[1]
	}
	return w.besideIn(runs, text[at:])
}

// besideIn adds the runs of a text that has no word of the question.
func (w Words) besideIn(runs []Run, text string) []Run {
	spans := append(w.beside.In(text), w.parts.In(text)...)
	slices.SortFunc(spans, func(a, b [2]int) int { return a[0] - b[0] })
	at := 0
	for _, s := range spans {
		if s[0] < at {
			continue // it is both
		}
		if at < s[0] {
			runs = append(runs, Run{Text: text[at:s[0]]})
		}
		runs = append(runs, Run{Text: text[s[0]:s[1]], Beside: true})
		at = s[1]
	}
	if at < len(text) {
		runs = append(runs, Run{Text: text[at:]})
	}
	return runs
}

// Taken is a word of a question that occurs nowhere, and the words that were found
// instead.
type Taken struct {
	Word  string
	Found []string
}

// mostInstead is how many words are named for each that occurs nowhere.
const mostInstead = 4

// Taken tells which words of the question were taken for others, as they stand in the
// passages.
func (a Answer) Taken(question string) (all []Taken) {
	at := make(map[string]int)
	for _, alike := range a.Alike {
		if !alike.Instead {
			continue
		}
		i, known := at[alike.Asked]
		if !known {
			words := analysis.Marks{alike.Asked: true}.Words(question)
			if len(words) == 0 {
				continue // it is one of several other wordings
			}
			i = len(all)
			at[alike.Asked] = i
			all = append(all, Taken{Word: words[0]})
		}
		all[i].add(analysis.Marks{alike.Term: true}, a.Passages)
	}
	return slices.DeleteFunc(all, func(t Taken) bool { return len(t.Found) == 0 })
}

// add adds the words in the passages that are meant.
func (t *Taken) add(meant analysis.Marks, passages []Passage) {
	for _, p := range passages {
		for _, word := range meant.Words(p.Text) {
			if len(t.Found) < mostInstead && !slices.Contains(t.Found, word) {
				t.Found = append(t.Found, word)
			}
		}
	}
}
