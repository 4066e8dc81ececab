package tokenizer

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// modelParts holds the parts of the file that define how pieces are split into tokens.
type modelParts struct {
	component          // the other settings of the model
	vocabulary, merges []byte
}

// parseModel parses the part of the file with the vocabulary. inBytes means that the model
// processes bytes rather than characters.
func parseModel(text []byte, inBytes bool) (model, error) {
	var parts modelParts
	settings := make(map[string]json.RawMessage)
	err := eachMember(text, func(name string, value []byte) error {
		switch name {
		case "vocab":
			parts.vocabulary = value
		case "merges":
			parts.merges = value
		default:
			settings[name] = value
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	small, err := json.Marshal(settings)
	if err != nil {
		return nil, err
	}
	if err := parts.UnmarshalJSON(small); err != nil {
		return nil, err
	}
	parts.inferKind()
	switch {
	case parts.kind == "WordPiece" && !inBytes:
		return parseWordPiece(parts)
	case parts.kind == "Unigram" && !inBytes:
		return parseUnigram(parts)
	case parts.kind == "BPE" && inBytes:
		return parseBPE(parts)
	case parts.kind == "BPE":
		return nil, errors.New("the model BPE is supported with ByteLevel alone")
	}
	return nil, parts.unsupported("model")
}

// inferKind infers the kind of a model from its parts if the file does not state it, as in files of
// 2020, like the tokenizers library.
func (p *modelParts) inferKind() {
	switch {
	case p.kind != "":
	case p.merges != nil:
		p.kind = "BPE"
	case bytes.HasPrefix(bytes.TrimSpace(p.vocabulary), []byte{'['}):
		p.kind = "Unigram"
	case bytes.Contains(p.text, []byte(`"max_input_chars_per_word"`)):
		p.kind = "WordPiece"
	}
}

// wordPiece takes the longest prefix of a word that is a token, and continues with the rest (Wu et
// al., "Google's Neural Machine Translation System", 2016).
type wordPiece struct {
	vocabulary    map[string]int32
	unknown       int32
	prefix        string // precedes tokens that do not begin a word
	maxWordLength int    // maximum characters of a word
	maxTokenBytes int    // maximum bytes of a token
}

func parseWordPiece(parts modelParts) (model, error) {
	var settings struct {
		Unknown string `json:"unk_token"`
		Prefix  string `json:"continuing_subword_prefix"`
		Most    int    `json:"max_input_chars_per_word"`
	}
	if err := parts.decodeSettings(&settings); err != nil {
		return nil, err
	}
	if err := checkToken(settings.Prefix); err != nil {
		return nil, err
	}
	vocabulary, err := readVocabulary(parts.vocabulary)
	if err != nil {
		return nil, err
	}
	unknown, ok := vocabulary[settings.Unknown]
	if !ok {
		return nil, fmt.Errorf("the vocabulary has no token %.40q for what is unknown", settings.Unknown)
	}
	w := &wordPiece{vocabulary: vocabulary, unknown: unknown, prefix: settings.Prefix, maxWordLength: settings.Most}
	for name := range vocabulary {
		w.maxTokenBytes = max(w.maxTokenBytes, len(name))
	}
	return w, nil
}

func (w *wordPiece) vocabularySize() int { return largestToken(w.vocabulary) + 1 }

func largestToken(vocabulary map[string]int32) int {
	n := int32(-1)
	for _, token := range vocabulary {
		n = max(n, token)
	}
	return int(n)
}

func (w *wordPiece) appendTokens(some []int32, piece string) []int32 {
	if len(piece) > w.maxWordLength && utf8.RuneCountInString(piece) > w.maxWordLength {
		return append(some, w.unknown)
	}
	before := len(some)
	key := make([]byte, 0, w.maxTokenBytes)
	for first := true; piece != ""; first = false {
		key = key[:0]
		if !first {
			key = append(key, w.prefix...)
		}
		start := len(key)
		key = append(key, piece[:min(len(piece), w.maxTokenBytes)]...)
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
