package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// bpe joins neighbouring tokens, those of the merge that was learned first before others,
// beginning with single bytes (Sennrich, Haddow and Birch, "Neural Machine Translation of
// Rare Words with Subword Units", 2016).
type bpe struct {
	vocabulary map[string]int32 // by bytes
	bytes      [256]int32       // tokens of single bytes, -1 for those that are none
	merges     map[[2]int32]merge
	whole      bool // a piece that is a token is not cut
}

// merge is what two tokens become.
type merge struct{ rank, token int32 }

func parseBPE(c component) (model, error) {
	var settings struct {
		Vocabulary map[string]int32 `json:"vocab"`
		Merges     []joined         `json:"merges"`
		Whole      bool             `json:"ignore_merges"`
		Fallback   bool             `json:"byte_fallback"`
		Dropout    *float64         `json:"dropout"`
		Prefix     string           `json:"continuing_subword_prefix"`
		Suffix     string           `json:"end_of_word_suffix"`
	}
	if err := c.read(&settings); err != nil {
		return nil, err
	}
	if settings.Fallback || settings.Dropout != nil && *settings.Dropout != 0 || settings.Prefix != "" || settings.Suffix != "" {
		return nil, errors.New("byte_fallback, dropout, prefixes and suffixes of the model BPE are not supported")
	}
	if err := checkVocabulary(settings.Vocabulary, new(int)); err != nil {
		return nil, err
	}
	b := &bpe{vocabulary: make(map[string]int32, len(settings.Vocabulary)), merges: make(map[[2]int32]merge, len(settings.Merges)), whole: settings.Whole}
	for name, token := range settings.Vocabulary {
		if text, ok := fromLetters(name); ok {
			b.vocabulary[text] = token
		}
	}
	for i := range b.bytes {
		b.bytes[i] = -1
		if token, ok := b.vocabulary[string([]byte{byte(i)})]; ok {
			b.bytes[i] = token
		}
	}
	for rank, pair := range settings.Merges {
		left, hasLeft := settings.Vocabulary[pair.left]
		right, hasRight := settings.Vocabulary[pair.right]
		token, ok := settings.Vocabulary[pair.left+pair.right]
		if !hasLeft || !hasRight || !ok {
			return nil, fmt.Errorf("the merge of %.40q and %.40q is not in the vocabulary", pair.left, pair.right)
		}
		b.merges[[2]int32{left, right}] = merge{int32(rank), token}
	}
	return b, nil
}

// joined are two tokens, written as an array or with a space between.
type joined struct{ left, right string }

func (j *joined) UnmarshalJSON(text []byte) error {
	var pair []string
	if json.Unmarshal(text, &pair) != nil {
		var both string
		if err := json.Unmarshal(text, &both); err != nil {
			return err
		}
		pair = strings.Split(both, " ")
	}
	if len(pair) != 2 {
		return errors.New("a merge is not of two tokens")
	}
	j.left, j.right = pair[0], pair[1]
	return nil
}

// letters are the characters that stand for bytes in vocabularies: printable ones of
// Latin-1 for themselves, the others for what is left, in order (GPT-2).
var letters = func() (of map[rune]byte) {
	of = make(map[rune]byte)
	next := rune(256)
	for i := range rune(256) {
		if '!' <= i && i <= '~' || '¡' <= i && i <= '¬' || '®' <= i {
			of[i] = byte(i)
		} else {
			of[next] = byte(i)
			next++
		}
	}
	return of
}()

// fromLetters returns the bytes that letters stand for.
func fromLetters(name string) (text string, ok bool) {
	bytes := make([]byte, 0, len(name))
	for _, r := range name {
		b, ok := letters[r]
		if !ok {
			return "", false
		}
		bytes = append(bytes, b)
	}
	return string(bytes), true
}

func (b *bpe) words() int { return largest(b.vocabulary) + 1 }

func (b *bpe) tokens(some []int32, piece string) []int32 {
	if b.whole {
		if token, ok := b.vocabulary[piece]; ok {
			return append(some, token)
		}
	}
	w := word{bpe: b, symbols: make([]symbol, 0, len(piece))}
	for i := range len(piece) {
		if token := b.bytes[piece[i]]; token >= 0 {
			at := int32(len(w.symbols))
			w.symbols = append(w.symbols, symbol{token, at - 1, at + 1})
		}
	}
	for i := range w.symbols {
		w.propose(int32(i))
	}
	for len(w.candidates) > 0 {
		w.join(w.take())
	}
	for at := int32(0); int(at) < len(w.symbols); at = w.symbols[at].next {
		some = append(some, w.symbols[at].token)
	}
	return some
}

// word is a piece while its tokens are joined.
type word struct {
	*bpe
	symbols    []symbol
	candidates []candidate // a heap: no parent is after its children
}

// symbol is a token with the places of those beside it.
type symbol struct{ token, previous, next int32 }

// candidate is a pair of neighbours that can be joined, by the place of the left one.
type candidate struct {
	merge
	at int32
}

func (c candidate) before(o candidate) bool {
	return c.rank < o.rank || c.rank == o.rank && c.at < o.at
}

// propose makes the symbol at a place and the next one a candidate.
func (w *word) propose(at int32) {
	if at < 0 || int(at) >= len(w.symbols) || int(w.symbols[at].next) >= len(w.symbols) {
		return
	}
	m, ok := w.merges[[2]int32{w.symbols[at].token, w.symbols[w.symbols[at].next].token}]
	if !ok {
		return
	}
	h := append(w.candidates, candidate{m, at})
	for i := len(h) - 1; i > 0 && h[i].before(h[(i-1)/2]); i = (i - 1) / 2 {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
	}
	w.candidates = h
}

// take removes the first candidate.
func (w *word) take() candidate {
	h := w.candidates
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for i := 0; ; {
		child := 2*i + 1
		if child >= last {
			break
		}
		if child+1 < last && h[child+1].before(h[child]) {
			child++
		}
		if !h[child].before(h[i]) {
			break
		}
		h[i], h[child] = h[child], h[i]
		i = child
	}
	w.candidates = h
	return first
}

const gone = -1 // as the token of a symbol that was joined with the one before it

// join joins a candidate, unless what stands there has changed since.
func (w *word) join(c candidate) {
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
	w.propose(left.previous)
	w.propose(c.at)
}
