package embed

import (
	"maps"
	"slices"

	"vademecum/internal/base/message"
)

// RefusedTexts says why a model gives no vectors to some of the texts of a call, by
// their place in it. It is an error.
type RefusedTexts map[int]error

func (r RefusedTexts) Error() string { return r.Message().String() }

// Message returns what Error does in both languages.
func (r RefusedTexts) Message() message.Message {
	places := slices.Sorted(maps.Keys(r))
	switch len(places) {
	case 0:
		return message.New("the model refuses no text")
	case 1:
		return message.New("the model refuses a text: %v", r[places[0]])
	}
	return message.New("the model refuses %d texts, the first of them: %v", len(r), r[places[0]])
}
