package index

import "unicode/utf8"

// Budget is the space left in an answer. Texts are measured as JSON strings, because these are
// transmitted, and some hosts count them.
type Budget struct{ Characters, Bytes int }

// Subtract returns the difference of r and s.
func (r Budget) Subtract(s Budget) Budget {
	return Budget{r.Characters - s.Characters, r.Bytes - s.Bytes}
}

// Add returns the sum of r and s.
func (r Budget) Add(s Budget) Budget { return Budget{r.Characters + s.Characters, r.Bytes + s.Bytes} }

// HasRoomFor reports whether s fits in r.
func (r Budget) HasRoomFor(s Budget) bool { return s.Characters <= r.Characters && s.Bytes <= r.Bytes }

// FittingBytes returns how many bytes of text fit into the budget, without splitting a character.
func (r Budget) FittingBytes(text string) int {
	for i, c := range text {
		s := escapedSize(c)
		if !r.HasRoomFor(s) {
			return i
		}
		r = r.Subtract(s)
	}
	return len(text)
}

// escapedSize returns the size of a character in a JSON string, as encoding/json writes it.
func escapedSize(c rune) Budget {
	switch {
	case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
		return Budget{2, 2}
	case c < ' ' || c == utf8.RuneError || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029':
		return Budget{6, 6}
	}
	return Budget{1, utf8.RuneLen(c)}
}
