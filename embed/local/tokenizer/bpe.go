package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// bpe joins adjacent tokens, beginning with single bytes, by the merges in the order in which they
// were learned (Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword
// Units", 2016).
type bpe struct {
	vocabulary   map[string]int32 // keyed by the bytes of tokens
	byteTokens   [256]int32       // tokens of single bytes; -1 if there is none
	merges       map[[2]int32]mergeRule
	ignoreMerges bool // a piece that is a token is not split
}

// mergeRule is the token that two adjacent tokens merge into, and its rank.
type mergeRule struct{ rank, token int32 }

func parseBPE(parts modelParts) (model, error) {
	var settings struct {
		Whole    bool     `json:"ignore_merges"`
		Fallback bool     `json:"byte_fallback"`
		Dropout  *float64 `json:"dropout"`
		Prefix   string   `json:"continuing_subword_prefix"`
		Suffix   string   `json:"end_of_word_suffix"`
	}
	if err := parts.decodeSettings(&settings); err != nil {
		return nil, err
	}
	if settings.Fallback || settings.Dropout != nil && *settings.Dropout != 0 || settings.Prefix != "" || settings.Suffix != "" {
		return nil, errors.New("byte_fallback, dropout, prefixes and suffixes of the model BPE are not supported")
	}
	vocabulary, err := readVocabulary(parts.vocabulary)
	if err != nil {
		return nil, err
	}
	b := &bpe{vocabulary: make(map[string]int32, len(vocabulary)), merges: make(map[[2]int32]mergeRule, len(vocabulary)), ignoreMerges: settings.Whole}
	for name, token := range vocabulary {
		if text, ok := decodeByteLetters(name); ok {
			b.vocabulary[text] = token
		}
	}
	for i := range b.byteTokens {
		b.byteTokens[i] = -1
		if token, ok := b.vocabulary[string([]byte{byte(i)})]; ok {
			b.byteTokens[i] = token
		}
	}
	err = eachElement(parts.merges, func(value []byte) error { return b.addMerge(value, vocabulary) })
	return b, err
}

// addMerge adds a merge, which is written as an array of two tokens or as both separated by a
// space.
func (b *bpe) addMerge(value []byte, vocabulary map[string]int32) error {
	var pair []string
	if len(value) == 0 || value[0] != '[' {
		both, err := unquote(value)
		if err != nil {
			return err
		}
		pair = strings.Split(both, " ")
	} else if err := json.Unmarshal(value, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("the merge %.40q is not of two tokens", value)
	}
	left, hasLeft := vocabulary[pair[0]]
	right, hasRight := vocabulary[pair[1]]
	token, ok := vocabulary[pair[0]+pair[1]]
	if !hasLeft || !hasRight || !ok {
		return fmt.Errorf("the merge of %.40q and %.40q is not in the vocabulary", pair[0], pair[1])
	}
	b.merges[[2]int32{left, right}] = mergeRule{int32(len(b.merges)), token}
	return nil
}

// byteOfLetter maps the characters in vocabularies to bytes: printable ones of Latin-1 to
// themselves, and those from U+0100 to the other bytes, in order (GPT-2).
var byteOfLetter = func() (of [512]int16) {
	for i := range of {
		of[i] = -1
	}
	next := 256
	for i := range 256 {
		if '!' <= i && i <= '~' || '¡' <= i && i <= '¬' || '®' <= i {
			of[i] = int16(i)
		} else {
			of[next] = int16(i)
			next++
		}
	}
	return of
}()

// decodeByteLetters returns the bytes that the letters stand for.
func decodeByteLetters(name string) (text string, ok bool) {
	bytes := make([]byte, 0, len(name))
	for _, r := range name {
		if int(r) >= len(byteOfLetter) || byteOfLetter[r] < 0 {
			return "", false
		}
		bytes = append(bytes, byte(byteOfLetter[r]))
	}
	return string(bytes), true
}

func (b *bpe) vocabularySize() int { return largestToken(b.vocabulary) + 1 }

func (b *bpe) appendTokens(some []int32, piece string) []int32 {
	if b.ignoreMerges {
		if token, ok := b.vocabulary[piece]; ok {
			return append(some, token)
		}
	}
	w := bpeWord{bpe: b, symbols: make([]symbol, 0, len(piece))}
	for i := range len(piece) {
		if token := b.byteTokens[piece[i]]; token >= 0 {
			at := int32(len(w.symbols))
			w.symbols = append(w.symbols, symbol{token, at - 1, at + 1})
		}
	}
	for i := range w.symbols {
		w.addCandidate(int32(i))
	}
	for len(w.candidates) > 0 {
		w.mergeCandidate(w.popCandidate())
	}
	for at := int32(0); int(at) < len(w.symbols); at = w.symbols[at].next {
		some = append(some, w.symbols[at].token)
	}
	return some
}

// bpeWord is a piece of text whose tokens are being merged.
type bpeWord struct {
	*bpe
	symbols    []symbol
	candidates []candidate // a heap: no parent is greater than its children
}

// symbol is a token with the indexes of its neighbours.
type symbol struct{ token, previous, next int32 }

// candidate is a pair of neighbours that can be joined, given by the index of the left one.
type candidate struct {
	mergeRule
	at int32
}

func (c candidate) precedes(o candidate) bool {
	return c.rank < o.rank || c.rank == o.rank && c.at < o.at
}

// addCandidate adds the pair of the symbol at an index and the next one to the candidates, if a
// merge rule joins them.
func (w *bpeWord) addCandidate(at int32) {
	if at < 0 || int(at) >= len(w.symbols) || int(w.symbols[at].next) >= len(w.symbols) {
		return
	}
	m, ok := w.merges[[2]int32{w.symbols[at].token, w.symbols[w.symbols[at].next].token}]
	if !ok {
		return
	}
	h := append(w.candidates, candidate{m, at})
	for i := len(h) - 1; i > 0 && h[i].precedes(h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	w.candidates = h
}

// popCandidate removes and returns the candidate of lowest rank.
func (w *bpeWord) popCandidate() candidate {
	h := w.candidates
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && h[child+1].precedes(h[child]) {
			child++
		}
		if !h[child].precedes(h[i]) {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	w.candidates = h
	return first
}

const gone = -1 // token of a symbol that was joined with the previous one

// mergeCandidate merges a candidate, unless its tokens have changed since it was added.
func (w *bpeWord) mergeCandidate(c candidate) {
	left := &w.symbols[c.at]
	if left.token == gone || int(left.next) >= len(w.symbols) {
		return
	}
	right := &w.symbols[left.next]
	if m, ok := w.merges[[2]int32{left.token, right.token}]; !ok || m.token != c.token {
		return
	}
	left.token, left.next = c.token, right.next
	right.token = gone
	if int(left.next) < len(w.symbols) {
		w.symbols[left.next].previous = c.at
	}
	w.addCandidate(left.previous)
	w.addCandidate(c.at)
}
