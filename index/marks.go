package index

import "vademecum/index/lexical"

// Run is a part of a text. Hit says that it has words of the question.
type Run struct {
	Text string
	Hit  bool
}

// Words are those of questions that are worth to be seen in a text.
type Words struct{ marks lexical.Marks }

// WordsOf are the words of a question and its other wordings.
func WordsOf(question string, also ...string) Words {
	return Words{lexical.NewMarks(append([]string{question}, also...)...)}
}

// Runs parts a text where the words stand in it. All runs together are the text.
func (w Words) Runs(text string) (runs []Run) {
	at := 0
	for _, s := range w.marks.In(text) {
		if at < s[0] {
			runs = append(runs, Run{Text: text[at:s[0]]})
		}
		runs = append(runs, Run{Text: text[s[0]:s[1]], Hit: true})
		at = s[1]
	}
	if at < len(text) {
		runs = append(runs, Run{Text: text[at:]})
	}
	return runs
}
