package index

import "unicode/utf8"

// Budget is how much may still be sent in one answer, counted as a string of JSON:
// that is what crosses the wire and what some hosts count.
type Budget struct{ Characters, Bytes int }

// Without is what is left of r when s is taken.
func (r Budget) Without(s Budget) Budget {
	return Budget{r.Characters - s.Characters, r.Bytes - s.Bytes}
}

// Plus is what r and s take together.
func (r Budget) Plus(s Budget) Budget { return Budget{r.Characters + s.Characters, r.Bytes + s.Bytes} }

// HasRoomFor reports whether s has a place in r.
func (r Budget) HasRoomFor(s Budget) bool { return s.Characters <= r.Characters && s.Bytes <= r.Bytes }

// FittingBytes returns how many bytes of text there is room for, at the end of a
// character.
func (r Budget) FittingBytes(text string) int {
	for i, c := range text {
		s := escapedSize(c)
		if !r.HasRoomFor(s) {
			return i
		}
		r = r.Without(s)
	}
	return len(text)
}

// escapedSize is what a character takes in a string of JSON, as encoding/json
// writes it.
func escapedSize(c rune) Budget {
	switch {
	case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
		return Budget{2, 2}
	case c < ' ' || c == utf8.RuneError || c == '<' || c == '>' || c == '&' || c == '\u2028' || c == '\u2029':
		return Budget{6, 6}
	}
	return Budget{1, utf8.RuneLen(c)}
}
