package kind

import (
	"encoding/binary"

	"vademecum/internal/base/script"
)

// Traits is what is kept of what a passage is like, beside its text.
type Traits struct {
	Kind     Kind
	Language script.Language // of the whole document: a passage may be too short to tell
	IsSure   bool            // the document is prose that surely is in Language
	Sketch   Sketch
}

// TraitsBytes is the length of traits in an index.
const TraitsBytes = 2 + 2*sketchLength

// LanguageByte is where the language stands in the bytes of traits.
const LanguageByte = 1

// SureLanguage is the language of the document if that is sure, or else Unknown.
func (m Traits) SureLanguage() script.Language {
	if !m.IsSure {
		return script.Unknown
	}
	return m.Language
}

// SureBit marks the byte of a language that is sure. There are far fewer than 128 of them.
const SureBit = 0x80

// AppendTo appends the bytes of traits.
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

// ParseTraits is the inverse of AppendTo; ok is false when these are not the bytes of
// traits.
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
