package kind

import (
	"encoding/binary"

	"vademecum/internal/script"
)

// Traits is what is kept of what a passage is like, beside its text.
type Traits struct {
	Kind     Kind
	Language script.Language // of the whole document: a passage may be too short to tell
	Sketch   Sketch
}

// TraitsBytes is the length of traits in an index.
const TraitsBytes = 2 + 2*sketchLength

// LanguageByte is where the language stands in the bytes of traits.
const LanguageByte = 1

// AppendTo appends the bytes of traits.
func (m Traits) AppendTo(b []byte) []byte {
	b = append(b, byte(m.Kind), byte(m.Language))
	for _, n := range m.Sketch {
		b = binary.LittleEndian.AppendUint16(b, n)
	}
	return b
}

// ParseTraits is the inverse of AppendTo; ok is false when these are not the bytes of
// traits.
func ParseTraits(b []byte) (m Traits, ok bool) {
	if len(b) != TraitsBytes || b[0] >= byte(count) || !script.IsLanguage(b[1]) {
		return Traits{}, false
	}
	m.Kind, m.Language = Kind(b[0]), script.Language(b[1])
	for i := range m.Sketch {
		m.Sketch[i] = binary.LittleEndian.Uint16(b[2+2*i:])
	}
	return m, true
}
