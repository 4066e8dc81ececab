package ranking

import (
	"vademecum/docs/kind"
	"vademecum/index/search"
	"vademecum/internal/script"
)

// Question is what is to be answered, as far as it matters here.
type Question struct {
	Text        string
	Traditional bool               // it is in the traditional writing of Chinese
	languages   []script.Language  // that it may be in
	asked       map[kind.Kind]bool // the kinds that it names
}

// NewQuestion looks what a question says of itself.
func NewQuestion(text string) Question {
	return Question{Text: text, languages: script.LikelyLanguages(text), asked: kindsNamed(text)}
}

// Sifted are the candidates that are left, best first.
type Sifted struct {
	Candidates []search.Candidate
	// Versions are the documents that a document stands for beside itself.
	Versions map[*search.Document][]*search.Document
}

// Candidates sifts what was found.
func Candidates(q Question, found []search.Candidate, folders *Folders) Sifted {
	s := Sifted{Candidates: found}
	s.foldVersions(q, folders)
	weigh(q, s.Candidates)
	search.Sort(s.Candidates)
	return s
}
