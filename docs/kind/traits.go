package kind

import (
	"encoding/binary"

	"vademecum/internal/base/script"
)

// Traits are properties of a passage that are stored with its text.
type Traits struct {
	Kind     Kind
	Language script.Language // language of the whole document, since a passage may be too short
	IsSure   bool            // whether the document is prose and Language is certain
	Sketch   Sketch
}

// TraitsBytes is the size of stored traits.
const TraitsBytes = 2 + 2*sketchLength

// LanguageByte is the position of the language in stored traits.
const LanguageByte = 1

// SureLanguage returns the language of the document if it is certain, otherwise Unknown.
func (m Traits) SureLanguage() script.Language {
	if !m.IsSure {
		return script.Unknown
	}
	return m.Language
}

// SureBit marks a certain language in the language byte. There are far fewer than 128 languages.
const SureBit = 0x80

// AppendTo appends the stored form of the traits to b.
func (m Traits) AppendTo(b []byte) []byte {
	language := byte(m.Language)
	if m.IsSure {
		language |= SureBit
	}
	b = append(b, byte(m.Kind), language)
	for _, n := range m.Sketch {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	return b
}

// ParseTraits is the inverse of AppendTo. ok is false if b is invalid.
func ParseTraits(b []byte) (m Traits, ok bool) {
	if len(b) != TraitsBytes || b[0] >= byte(count) || !script.IsLanguage(b[LanguageByte]&^SureBit) {
		return Traits{}, false
	}
	m.Kind, m.Language, m.IsSure = Kind(b[0]), script.Language(b[LanguageByte]&^SureBit), b[LanguageByte]&SureBit != 0
	for i := range m.Sketch {
		m.Sketch[i] = binary.LittleEndian.Uint16(b[2+2*i:])
	}
	return m, true
}
