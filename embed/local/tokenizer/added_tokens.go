package tokenizer

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// addedToken is a token that is searched for in the text before the model splits it.
type addedToken struct {
	ID         int32  `json:"id"`
	Content    string `json:"content"`
	SingleWord bool   `json:"single_word"`
	LeftStrip  bool   `json:"lstrip"`
	RightStrip bool   `json:"rstrip"`
	Normalized bool   `json:"normalized"`
}

// addedTokens holds added tokens by their first byte.
type addedTokens struct{ byFirstByte [256][]addedToken }

func (a *addedTokens) add(token addedToken) {
	if token.Content != "" {
		a.byFirstByte[token.Content[0]] = append(a.byFirstByte[token.Content[0]], token)
	}
}

// textPart is an added token, or the text between two of them.
type textPart struct {
	text  string
	added bool
	token int32
}

// splitText yields the parts of a text. From the left, it takes the longest token at each position.
func (a *addedTokens) splitText(text string) iter.Seq[textPart] {
	return func(yield func(textPart) bool) {
		rest, at := 0, 0 // everything before rest has been yielded
		for at < len(text) {
			token := a.longestToken(text[at:])
			if token == nil {
				at++
				continue
			}
			from, to := at, at+len(token.Content)
			at = to
			if token.SingleWord && !isWordBoundary(text[:from], text[to:]) {
				continue
			}
			if token.LeftStrip {
				from = max(rest, len(strings.TrimRightFunc(text[:from], unicode.IsSpace)))
			}
			if token.RightStrip {
				to = len(text) - len(strings.TrimLeftFunc(text[to:], unicode.IsSpace))
			}
			if from > rest && !yield(textPart{text: text[rest:from]}) {
				return
			}
			if !yield(textPart{added: true, token: token.ID}) {
				return
			}
			rest, at = to, max(at, to)
		}
		if rest < len(text) {
			yield(textPart{text: text[rest:]})
		}
	}
}

// longestToken returns the longest token at the start of a text; nil if there is none.
func (a *addedTokens) longestToken(text string) (token *addedToken) {
	tokens := a.byFirstByte[text[0]]
	for i := range tokens {
		if t := &tokens[i]; strings.HasPrefix(text, t.Content) && (token == nil || len(t.Content) > len(token.Content)) {
			token = t
		}
	}
	return token
}

// isWordBoundary reports whether no word continues across the boundary between two texts.
func isWordBoundary(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	return (before == "" || !isWord(last)) && (after == "" || !isWord(first))
}

// isWord reports whether \w matches a character in a regular expression.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Nd, r) ||
		unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Pc, r)
}
