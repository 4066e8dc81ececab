package tokenizer

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// A file tokenizer.json may come from anywhere: these limits are above what any known model has,
// and keep the memory and the time for a text within bounds.
const (
	mostText        = 1 << 16 // bytes of a text after each step; a model reads its first tokens
	mostSteps       = 32      // of a normalizer, a pre-tokenizer or a post-processor
	mostNesting     = 4       // of sequences of steps
	mostPattern     = 1 << 12 // bytes of a regular expression
	mostReplacement = 1 << 8  // bytes that a match is replaced by
	mostToken       = 1 << 10 // bytes of a token
	mostTokens      = 1 << 22 // of a vocabulary
	mostAddedTokens = 1 << 14
	mostAround      = 1 << 8 // tokens that are put around a text
)

// firstBytes returns what a text begins with: at most so many bytes, of whole characters.
func firstBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func checkReplacement(text string) error {
	if len(text) > mostReplacement {
		return fmt.Errorf("it replaces a match by %d bytes, of %d at most", len(text), mostReplacement)
	}
	return nil
}

func checkPattern(expression string) error {
	if len(expression) > mostPattern {
		return fmt.Errorf("a regular expression has %d bytes, of %d at most", len(expression), mostPattern)
	}
	return nil
}

func checkToken(name string) error {
	if len(name) > mostToken {
		return fmt.Errorf("a token has %d bytes, of %d at most", len(name), mostToken)
	}
	return nil
}

// steps returns a component, or those of which it is a sequence, also of sequences.
func (c component) steps() ([]component, error) { return c.appendSteps(nil, mostNesting) }

func (c component) appendSteps(some []component, nesting int) ([]component, error) {
	switch {
	case c.kind == "":
		return some, nil
	case c.kind != "Sequence":
		if len(some) == mostSteps {
			return nil, fmt.Errorf("a Sequence has more than %d steps", mostSteps)
		}
		return append(some, c), nil
	case nesting == 0:
		return nil, errors.New("too many sequences stand in one another")
	}
	var settings struct{ Normalizers, PreTokenizers, Processors []component }
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	for _, all := range [][]component{settings.Normalizers, settings.PreTokenizers, settings.Processors} {
		for _, step := range all {
			var err error
			if some, err = step.appendSteps(some, nesting-1); err != nil {
				return nil, err
			}
		}
	}
	return some, nil
}
