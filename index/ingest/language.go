package ingest

import (
	"strings"

	"vademecum/docs"
	"vademecum/docs/chunk"
	"vademecum/docs/kind"
	"vademecum/internal/base/script"
)

// languageOf returns the language of a document. isSure means that it was detected in sentences. For
// programs, data and lists of links it is only the most likely language, which is good enough to find
// them.
func languageOf(d docs.Document, chunks []chunk.Chunk, kinds []kind.Kind) (l script.Language, isSure bool) {
	if d.IsProse() {
		if l = script.CertainLanguageOf(proseOf(chunks, kinds)); l != script.UnknownLanguage {
			return l, true
		}
	}
	return script.LanguageOf(d.Text), false
}

// proseBytes is the amount of prose, in bytes, that suffices to detect its language.
const proseBytes = 8 << 10

// proseOf returns the beginning of the prose of a document: its chunks of kind Text.
func proseOf(chunks []chunk.Chunk, kinds []kind.Kind) string {
	var prose strings.Builder
	for i, c := range chunks {
		if kinds[i] != kind.OrdinaryText {
			continue
		}
		prose.WriteString(c.Text)
		prose.WriteByte('\n')
		if prose.Len() >= proseBytes {
			break
		}
	}
	return prose.String()
}
