package tokenizer

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"
)

// unigram chooses the tokens whose product of probabilities is largest (Kudo, "Subword
// Regularization", 2018).
type unigram struct {
	vocabulary     map[string]int32
	scores         []float64    // logarithms of the probabilities
	longestByFirst map[rune]int // by first character, the bytes of the longest token
	unknown        int32
	unknownScore   float64 // score of a character that is in no token
}

func parseUnigram(parts modelParts) (model, error) {
	var settings struct {
		Unknown *int `json:"unk_id"`
		Bytes   bool `json:"byte_fallback"`
	}
	if err := parts.decodeSettings(&settings); err != nil {
		return nil, err
	}
	if settings.Bytes {
		return nil, errors.New("byte_fallback of the model Unigram is not supported")
	}
	count := min(bytes.Count(parts.vocabulary, []byte{'['}), mostTokens)
	u := &unigram{vocabulary: make(map[string]int32, count), scores: make([]float64, 0, count), longestByFirst: make(map[rune]int)}
	if err := eachElement(parts.vocabulary, u.addToken); err != nil {
		return nil, err
	}
	if settings.Unknown == nil || *settings.Unknown < 0 || *settings.Unknown >= len(u.scores) || len(u.scores) > mostTokens {
		return nil, errors.New("the model Unigram has no unk_id in its vocabulary")
	}
	u.unknown = int32(*settings.Unknown)
	const penalty = 10 // the value of SentencePiece
	u.unknownScore -= penalty
	return u, nil
}

// addToken adds a token, which is written as an array of its name and its score.
func (u *unigram) addToken(entry []byte) error {
	var name string
	var score float64
	at := 0
	err := eachElement(entry, func(value []byte) (err error) {
		switch at++; at {
		case 1:
			name, err = unquote(value)
		case 2:
			score, err = strconv.ParseFloat(string(bytes.TrimSpace(value)), 64)
		}
		return err
	})
	if err != nil || at != 2 {
		return fmt.Errorf("the entry %.40q of the vocabulary is no token with its score", entry)
	}
	if err := checkToken(name); err != nil {
		return err
	}
	u.vocabulary[name] = int32(len(u.scores))
	u.scores = append(u.scores, score)
	u.unknownScore = min(u.unknownScore, score)
	first, _ := utf8.DecodeRuneInString(name)
	u.longestByFirst[first] = max(u.longestByFirst[first], len(name))
	return nil
}

func (u *unigram) vocabularySize() int { return len(u.scores) }

// appendTokens appends the tokens of the division of a piece that has the highest sum of scores. It
// finds the best division of each prefix from those of shorter ones (the Viterbi algorithm).
func (u *unigram) appendTokens(some []int32, piece string) []int32 {
	if token, ok := u.vocabulary[piece]; ok && utf8.RuneCountInString(piece) == 1 {
		return append(some, token)
	}
	type way struct {
		score float64
		from  int32 // -1 if there is none yet
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
		for to := at + n; to <= min(len(piece), at+u.longestByFirst[r]); {
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
			reach(at, at+n, u.unknown, u.unknownScore)
		}
		at += n
	}
	before := len(some)
	for at := len(piece); at > 0; at = int(ways[at].from) {
		// Several consecutive unknown characters are one token.
		if token := ways[at].token; token != u.unknown || len(some) == before || some[len(some)-1] != token {
			some = append(some, token)
		}
	}
	slices.Reverse(some[before:])
	return some
}
