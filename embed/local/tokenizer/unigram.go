package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"
)

// unigram takes the tokens whose probabilities have the largest product (Kudo, "Subword
// Regularization", 2018).
type unigram struct {
	vocabulary map[string]int32
	scores     []float64    // logarithms of the probabilities
	longest    map[rune]int // bytes of the longest token that begins with a character
	unknown    int32
	least      float64 // score of a character that no token has
}

func parseUnigram(c component) (model, error) {
	var settings struct {
		Vocabulary []scored `json:"vocab"`
		Unknown    *int     `json:"unk_id"`
		Bytes      bool     `json:"byte_fallback"`
	}
	if err := c.read(&settings); err != nil {
		return nil, err
	}
	switch {
	case settings.Bytes:
		return nil, errors.New("byte_fallback of the model Unigram is not supported")
	case settings.Unknown == nil || *settings.Unknown < 0 || *settings.Unknown >= len(settings.Vocabulary):
		return nil, errors.New("the model Unigram has no unk_id in its vocabulary")
	}
	u := &unigram{
		vocabulary: make(map[string]int32, len(settings.Vocabulary)),
		scores:     make([]float64, len(settings.Vocabulary)),
		longest:    make(map[rune]int),
		unknown:    int32(*settings.Unknown),
	}
	for i, s := range settings.Vocabulary {
		u.vocabulary[s.name] = int32(i)
		u.scores[i] = s.score
		u.least = min(u.least, s.score)
		first, _ := utf8.DecodeRuneInString(s.name)
		u.longest[first] = max(u.longest[first], len(s.name))
	}
	const penalty = 10 // SentencePiece's
	u.least -= penalty
	return u, nil
}

// scored is a token with its score, written as an array of both.
type scored struct {
	name  string
	score float64
}

func (s *scored) UnmarshalJSON(text []byte) error {
	pair := [2]any{&s.name, &s.score}
	if err := json.Unmarshal(text, &pair); err != nil {
		return fmt.Errorf("an entry of the vocabulary: %w", err)
	}
	return nil
}

func (u *unigram) words() int { return len(u.scores) }

// tokens finds the best way to each place of the piece from those before it.
func (u *unigram) tokens(some []int32, piece string) []int32 {
	if token, ok := u.vocabulary[piece]; ok && utf8.RuneCountInString(piece) == 1 {
		return append(some, token)
	}
	type way struct {
		score float64
		from  int32 // -1: there is none yet
		token int32
	}
	ways := make([]way, len(piece)+1)
	for i := range ways {
		ways[i].from = -1
	}
	reach := func(from, to int, token int32, score float64) {
		if score += ways[from].score; ways[to].from < 0 || score > ways[to].score {
			ways[to] = way{score, int32(from), token}
		}
	}
	for at := 0; at < len(piece); {
		r, n := utf8.DecodeRuneInString(piece[at:])
		single := false
		for to := at + n; to <= min(len(piece), at+u.longest[r]); {
			if token, ok := u.vocabulary[piece[at:to]]; ok {
				reach(at, to, token, u.scores[token])
				single = single || to == at+n
			}
			if to == len(piece) {
				break
			}
			_, size := utf8.DecodeRuneInString(piece[to:])
			to += size
		}
		if !single {
			reach(at, at+n, u.unknown, u.least)
		}
		at += n
	}
	before := len(some)
	for at := len(piece); at > 0; at = int(ways[at].from) {
		// Several unknown characters in a row are one token.
		if token := ways[at].token; token != u.unknown || len(some) == before || some[len(some)-1] != token {
			some = append(some, token)
		}
	}
	slices.Reverse(some[before:])
	return some
}
