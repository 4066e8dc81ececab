package kind

import (
	"encoding/binary"

	"vademecum/internal/base/script"
)

// Traits are properties of a passage that are stored with its text.
type Traits struct {
	Kind                   Kind
	Language               script.Language // language of the whole document, since a passage may be too short
	IsProseLanguageCertain bool            // whether the document is prose and Language is certain
	MinHash                MinHash
}

// TraitsBytes is the size of stored traits in bytes.
const TraitsBytes = 2 + 2*sketchLength

// LanguageOffset is the position of the language in stored traits.
const LanguageOffset = 1

// CertainLanguage returns the language of the document if it is certain, otherwise the unknown one.
func (m Traits) CertainLanguage() script.Language {
	if !m.IsProseLanguageCertain {
		return script.UnknownLanguage
	}
	return m.Language
}

// CertainLanguageBit marks a certain language in the language byte. There are far fewer than 128 languages.
const CertainLanguageBit = 0x80

// AppendTo appends the stored form of the traits to b.
func (m Traits) AppendTo(b []byte) []byte {
	language := byte(m.Language)
	if m.IsProseLanguageCertain {
		language |= CertainLanguageBit
	}
	b = append(b, byte(m.Kind), language)
	for _, n := range m.MinHash {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	return b
}

// ParseTraits is the inverse of AppendTo. ok is false if b is invalid.
func ParseTraits(b []byte) (m Traits, ok bool) {
	if len(b) != TraitsBytes || b[0] >= byte(count) || !script.IsValidLanguage(b[LanguageOffset]&^CertainLanguageBit) {
		return Traits{}, false
	}
	m.Kind, m.Language, m.IsProseLanguageCertain = Kind(b[0]), script.Language(b[LanguageOffset]&^CertainLanguageBit), b[LanguageOffset]&CertainLanguageBit != 0
	for i := range m.MinHash {
		m.MinHash[i] = binary.LittleEndian.Uint16(b[2+2*i:])
	}
	return m, true
}
