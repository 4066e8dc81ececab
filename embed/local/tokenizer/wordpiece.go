package tokenizer

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// parseModel reads the part of the file with the vocabulary. inBytes says that the model
// is given bytes and not characters.
func parseModel(c component, inBytes bool) (model, error) {
	switch {
	case c.kind == "WordPiece" && !inBytes:
		return parseWordPiece(c)
	case c.kind == "Unigram" && !inBytes:
		return parseUnigram(c)
	case c.kind == "BPE" && inBytes:
		return parseBPE(c)
	case c.kind == "BPE":
		return nil, errors.New("the model BPE is supported with ByteLevel alone")
	}
	return nil, c.unsupported("model")
}

// wordPiece takes the longest beginning of a word that is a token, and so on with the rest
// (Wu et al., "Google's Neural Machine Translation System", 2016).
type wordPiece struct {
	vocabulary map[string]int32
	unknown    int32
	prefix     string // before what does not begin a word
	most       int    // characters of a word
	longest    int    // bytes of a token
}

func parseWordPiece(c component) (model, error) {
	var settings struct {
		Vocabulary map[string]int32 `json:"vocab"`
		Unknown    string           `json:"unk_token"`
		Prefix     string           `json:"continuing_subword_prefix"`
		Most       int              `json:"max_input_chars_per_word"`
	}
	if err := c.read(&settings); err != nil {
		return nil, err
	}
	unknown, ok := settings.Vocabulary[settings.Unknown]
	if !ok {
		return nil, fmt.Errorf("the vocabulary has no token %.40q for what is unknown", settings.Unknown)
	}
	w := &wordPiece{vocabulary: settings.Vocabulary, unknown: unknown, prefix: settings.Prefix, most: settings.Most}
	return w, checkVocabulary(w.vocabulary, &w.longest)
}

// checkVocabulary finds the length of the longest token.
func checkVocabulary(vocabulary map[string]int32, longest *int) error {
	const most = 1 << 22
	for name, token := range vocabulary {
		if token < 0 || token >= most {
			return fmt.Errorf("the token %.40q has the number %d", name, token)
		}
		*longest = max(*longest, len(name))
	}
	return nil
}

func (w *wordPiece) words() int { return largest(w.vocabulary) + 1 }

func largest(vocabulary map[string]int32) int {
	n := int32(-1)
	for _, token := range vocabulary {
		n = max(n, token)
	}
	return int(n)
}

func (w *wordPiece) tokens(some []int32, piece string) []int32 {
	if len(piece) > w.most && utf8.RuneCountInString(piece) > w.most {
		return append(some, w.unknown)
	}
	before := len(some)
	key := make([]byte, 0, w.longest)
	for first := true; piece != ""; first = false {
		key = key[:0]
		if !first {
			key = append(key, w.prefix...)
		}
		start := len(key)
		key = append(key, piece[:min(len(piece), w.longest)]...)
		token, ok := int32(0), false
		for len(key) > start {
			if token, ok = w.vocabulary[string(key)]; ok {
				break
			}
			_, n := utf8.DecodeLastRune(key[start:])
			key = key[:len(key)-n]
		}
		if !ok {
			return append(some[:before], w.unknown)
		}
		some = append(some, token)
		piece = piece[len(key)-start:]
	}
	return some
}
