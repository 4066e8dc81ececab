package tokenizer

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// charsMap is a compiled SentencePiece table for replacing characters (Kudo and Richardson,
// "SentencePiece", 2018): the size of a trie in 4 bytes, the trie, and the replacements, each
// terminated by a zero byte. The trie is a double array of the Darts-clone library, whose units are
// described where they are read.
type charsMap struct {
	units        []uint32
	replacements string
}

func parsePrecompiled(c component) (normalizer, error) {
	var settings struct {
		Map string `json:"precompiled_charsmap"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	table, err := base64.StdEncoding.DecodeString(settings.Map)
	if err != nil {
		return nil, errors.New("the precompiled_charsmap is no base64")
	}
	if len(table) < 4 {
		return nil, errors.New("the precompiled_charsmap is cut off")
	}
	size := binary.LittleEndian.Uint32(table)
	table = table[4:]
	if int64(size) > int64(len(table)) || size%4 != 0 {
		return nil, errors.New("the precompiled_charsmap is cut off")
	}
	m := &charsMap{units: make([]uint32, size/4), replacements: string(table[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(table[4*i:])
	}
	for replacement := range strings.SplitSeq(m.replacements, "\x00") {
		if err := checkReplacement(replacement); err != nil {
			return nil, err
		}
	}
	return m.normalize, nil
}

// shortestMatch returns the replacement for the shortest prefix of a text in the table.
func (m *charsMap) shortestMatch(text string) (replacement string, ok bool) {
	at := uint32(0)
	if len(m.units) == 0 {
		return "", false
	}
	for i := range len(text) {
		at ^= m.childOffset(at) ^ uint32(text[i])
		if int64(at) >= int64(len(m.units)) {
			return "", false
		}
		unit := m.units[at]
		if unit&(1<<31|0xff) != uint32(text[i]) { // the label identifies a unit as a child
			return "", false
		}
		if unit>>8&1 == 0 { // not the end of a key
			continue
		}
		leaf := at ^ m.childOffset(at)
		if int64(leaf) >= int64(len(m.units)) {
			return "", false
		}
		value := m.units[leaf] & (1<<31 - 1)
		if int64(value) > int64(len(m.replacements)) {
			return "", false
		}
		replacement, _, _ = strings.Cut(m.replacements[value:], "\x00")
		return replacement, true
	}
	return "", false
}

// childOffset returns the offset of the children of a unit of the double array.
func (m *charsMap) childOffset(at uint32) uint32 {
	unit := m.units[at]
	return unit >> 10 << (unit & (1 << 9) >> 6)
}

// normalize replaces characters, or a character together with its combining characters if the table
// has that. Like the tokenizers library, it looks up only short clusters as a whole, and then their
// prefixes.
func (m *charsMap) normalize(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	const short = 6 // bytes
	for len(text) > 0 {
		whole := text[:clusterLength(text)]
		text = text[len(whole):]
		if len(whole) < short {
			if replacement, ok := m.shortestMatch(whole); ok {
				b.WriteString(replacement)
				continue
			}
		}
		for len(whole) > 0 {
			_, n := utf8.DecodeRuneInString(whole)
			one := whole[:n]
			whole = whole[n:]
			if replacement, ok := m.shortestMatch(one); ok {
				one = replacement
			}
			b.WriteString(one)
		}
	}
	return b.String()
}

// clusterLength returns the length of the first grapheme cluster of a text (Unicode Standard Annex
// 29). The rules on Hangul, flags and joined emoji are not needed: these clusters are not short,
// and nothing in a table begins with their later characters.
func clusterLength(text string) int {
	r, n := utf8.DecodeRuneInString(text)
	if r == '\r' && strings.HasPrefix(text, "\r\n") {
		return 2
	}
	if isControl(r) {
		return n
	}
	for n < len(text) {
		next, size := utf8.DecodeRuneInString(text[n:])
		if !isExtender(next) && !(isPrepended(r) && !isControl(next)) {
			break
		}
		r, n = next, n+size
	}
	return n
}

// isControl reports whether a character is always a cluster of its own.
func isControl(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r != nonJoiner && r != joiner && !isPrepended(r) && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// isExtender reports whether a character belongs to the previous one.
func isExtender(r rune) bool {
	const nonJoiner, joiner = '\u200c', '\u200d'
	return r == nonJoiner || r == joiner || unicode.Is(unicode.M, r) || 0x1f3fb <= r && r <= 0x1f3ff ||
		r == 0xe33 || r == 0xeb3 || r == 0xff9e || r == 0xff9f
}

// isPrepended reports whether a character belongs to the next one.
func isPrepended(r rune) bool {
	return unicode.Is(unicode.Prepended_Concatenation_Mark, r) || r == 0xd4e
}
