package kind

import "vademecum/internal/script"

// Mark is what is kept of what a passage is like, beside its text.
type Mark struct {
	Kind     Kind
	Language script.Language // of the whole document: a passage may be too short to tell
}

// MarkBytes is the length of a mark in an index.
const MarkBytes = 2

// AppendTo appends the bytes of a mark.
func (m Mark) AppendTo(b []byte) []byte { return append(b, byte(m.Kind), byte(m.Language)) }

// MarkOf is the inverse of AppendTo; ok is false when these are not the bytes of a
// mark.
func MarkOf(b []byte) (m Mark, ok bool) {
	if len(b) != MarkBytes || b[0] >= byte(count) || !script.IsLanguage(b[1]) {
		return Mark{}, false
	}
	return Mark{Kind(b[0]), script.Language(b[1])}, true
}
