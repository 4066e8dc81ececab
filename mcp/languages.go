package mcp

import (
	"vademecum/index"
	"vademecum/internal/script"
)

// What a language has that hosts are told of: they translate their questions into it. One
// in fifty documents is the share of folders and tags, too; a few that quote or practise a
// language make none of a folder, but in one of ten each counts.
const (
	leastLanguage      = 3  // documents, or
	leastLanguageFew   = 10 // one in so many
	leastLanguageShare = 50 // and one in so many
)

// mainLanguages returns the names of the languages that a part of the documents is in, and of how
// many the language is known.
func mainLanguages(counted []index.Tally) (main []index.Tally, all int) {
	for _, l := range counted {
		if l.Name != "" {
			all += l.Documents
		}
	}
	for _, l := range counted {
		isMany := l.Documents >= leastLanguage && l.Documents*leastLanguageShare >= all
		if l.Name != "" && (isMany || l.Documents*leastLanguageFew >= all) {
			main = append(main, index.Tally{Name: script.LanguageName(l.Name), Documents: l.Documents})
		}
	}
	return main, all
}
