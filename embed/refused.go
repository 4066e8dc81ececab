package embed

import (
	"maps"
	"slices"

	"vademecum/internal/base/message"
)

// RefusedTextsError maps the indexes of the texts of a call for which a model returns no vector to
// the reasons.
type RefusedTextsError map[int]error

func (r RefusedTextsError) Error() string { return r.Message().String() }

// Message returns the text of Error as a message.
func (r RefusedTextsError) Message() message.Message {
	places := slices.Sorted(maps.Keys(r))
	switch len(places) {
	case 0:
		return message.New("the model refuses no text")
	case 1:
		return message.New("the model refuses a text: %v", r[places[0]])
	}
	return message.New("the model refuses %d texts, the first of them: %v", len(r), r[places[0]])
}
