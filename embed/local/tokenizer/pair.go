package tokenizer

import (
	"errors"
	"fmt"
	"slices"
)

// PairTemplate joins two texts for a model that scores one by the other. It is immutable and safe
// for concurrent use.
type PairTemplate struct {
	tokenizer *Tokenizer
	parts     []pairPart
}

// pairPart is one of the two texts, or special tokens around them.
type pairPart struct {
	text    pairText
	tokens  []int32 // special tokens, if it is not a text
	typeOne bool    // its tokens are of type 1 rather than 0
}

type pairText int

const (
	noText pairText = iota
	firstText
	secondText
)

// PairTemplate returns the pair template of the tokenizer, which embedding models need not have.
func (t *Tokenizer) PairTemplate() (*PairTemplate, error) {
	parts, err := parsePairParts(t.postProcessor)
	if err != nil {
		return nil, err
	}
	p := &PairTemplate{t, parts}
	if n := p.SpecialTokenCount(); n > mostAround {
		return nil, fmt.Errorf("it puts %d tokens around two texts, of %d at most", n, mostAround)
	}
	order := []pairText{}
	for i, part := range parts {
		if part.text != noText {
			order = append(order, part.text)
		}
		if i > 0 && parts[i-1].typeOne && !part.typeOne {
			return nil, errors.New("tokens of type 0 after those of type 1 are not supported")
		}
	}
	if !slices.Equal(order, []pairText{firstText, secondText}) {
		return nil, errors.New("it does not say how two texts are put together")
	}
	return p, nil
}

// SpecialTokenCount returns how many tokens are added around two texts.
func (p *PairTemplate) SpecialTokenCount() (n int) {
	for _, part := range p.parts {
		n += len(part.tokens)
	}
	return n
}

// UsesTokenTypes reports whether the tokens of the two texts differ in type, so that some are of type 1.
func (p *PairTemplate) UsesTokenTypes() bool { return p.parts[len(p.parts)-1].typeOne }

// Tokens returns the tokens of two texts, at most maxTokens including the special tokens, and how
// many of them are of type 0. The first text takes at most half of the room.
func (p *PairTemplate) Tokens(first, second string, maxTokens int) (tokens []int32, typeZeroCount int) {
	room := maxTokens - p.SpecialTokenCount()
	a := p.tokenizer.appendText(nil, first, room/2)
	b := p.tokenizer.appendText(nil, second, room-len(a))
	for _, part := range p.parts {
		switch part.text {
		case firstText:
			tokens = append(tokens, a...)
		case secondText:
			tokens = append(tokens, b...)
		default:
			tokens = append(tokens, part.tokens...)
		}
		if !part.typeOne {
			typeZeroCount = len(tokens)
		}
	}
	return tokens, typeZeroCount
}

// parsePairParts parses a post-processor's template for two texts; it returns nil if there is none.
func parsePairParts(c component) ([]pairPart, error) {
	steps, err := c.steps()
	if err != nil {
		return nil, err
	}
	for _, step := range steps {
		if parts, err := parsePairStep(step); parts != nil || err != nil {
			return parts, err
		}
	}
	return nil, nil
}

// parsePairStep parses a post-processor that is not a sequence.
func parsePairStep(c component) ([]pairPart, error) {
	switch c.kind {
	case "BertProcessing", "RobertaProcessing":
		return parseFixedPair(c)
	case "TemplateProcessing":
		return parsePairTemplate(c)
	}
	return nil, nil
}

func parseFixedPair(c component) ([]pairPart, error) {
	var settings struct {
		Separator  specialToken `json:"sep"`
		Classifier specialToken `json:"cls"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	begin, separator := pairPart{tokens: []int32{settings.Classifier.id}}, pairPart{tokens: []int32{settings.Separator.id}}
	if c.kind == "RobertaProcessing" { // two separators, and a single type
		return []pairPart{begin, {text: firstText}, separator, separator, {text: secondText}, separator}, nil
	}
	end := separator
	end.typeOne = true
	return []pairPart{begin, {text: firstText}, separator, {text: secondText, typeOne: true}, end}, nil
}

func parsePairTemplate(c component) (parts []pairPart, err error) {
	type element struct {
		ID   string `json:"id"`
		Type int    `json:"type_id"`
	}
	var settings struct {
		Pair   []map[string]element `json:"pair"`
		Tokens map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, err
	}
	for _, one := range settings.Pair {
		for kind, e := range one {
			part := pairPart{typeOne: e.Type == 1, tokens: settings.Tokens[e.ID].IDs}
			switch {
			case e.Type < 0 || e.Type > 1:
				return nil, fmt.Errorf("tokens of type %d are not supported", e.Type)
			case kind == "Sequence" && e.ID == "A":
				part = pairPart{text: firstText, typeOne: part.typeOne}
			case kind == "Sequence" && e.ID == "B":
				part = pairPart{text: secondText, typeOne: part.typeOne}
			case kind != "SpecialToken" || part.tokens == nil:
				return nil, errors.New("TemplateProcessing names a token that it does not have")
			}
			parts = append(parts, part)
		}
	}
	return parts, nil
}
