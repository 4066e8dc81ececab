package kind

import (
	"encoding/binary"

	"vademecum/internal/base/script"
)

// Traits are properties of a passage that are stored beside its text.
type Traits struct {
	Kind     Kind
	Language script.Language // of the whole document: a passage may be too short
	IsSure   bool            // the document is prose that is certainly in Language
	Sketch   Sketch
}

// TraitsBytes is the size of stored traits.
const TraitsBytes = 2 + 2*sketchLength

// LanguageByte is the position of the language in stored traits.
const LanguageByte = 1

// SureLanguage returns the language of the document if that is certain, else Unknown.
func (m Traits) SureLanguage() script.Language {
	if !m.IsSure {
		return script.Unknown
	}
	return m.Language
}

// SureBit in the language byte marks a certain language. There are far fewer than 128 of
// them.
const SureBit = 0x80

// AppendTo appends the stored form of traits.
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

// ParseTraits is the inverse of AppendTo; ok is false for other bytes.
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
