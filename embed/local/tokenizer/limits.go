package tokenizer

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// A tokenizer.json may come from anywhere: these limits are above those of any known model, and
// bound the memory and the time for a text.
const (
	// bytes of a text after each step; a model reads only its first tokens
	mostText        = 1 << 16
	mostSteps       = 32      // steps of a normalizer, a pre-tokenizer or a post-processor
	mostNesting     = 4       // nested sequences of steps
	mostPattern     = 1 << 12 // bytes of a regular expression
	mostReplacement = 1 << 8  // bytes of a replacement
	mostToken       = 1 << 10 // bytes of a token
	mostTokens      = 1 << 22 // tokens in a vocabulary
	mostAddedTokens = 1 << 14
	mostAround      = 1 << 8 // special tokens around a text
)

// firstBytes returns the start of a text: at most maxBytes bytes, without splitting a character.
func firstBytes(text string, maxBytes int) string {
	if len(text) <= maxBytes {
		return text
	}
	for maxBytes > 0 && !utf8.RuneStart(text[maxBytes]) {
		maxBytes--
	}
	return text[:maxBytes]
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

// steps returns the steps of a component: for a sequence, those in it, including nested ones;
// otherwise only the component itself.
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
