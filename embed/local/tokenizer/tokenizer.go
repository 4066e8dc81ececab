// Package tokenizer splits texts into the tokens of a model, as defined by a tokenizer.json of the
// tokenizers library (https://huggingface.co/docs/tokenizers, "Components"): added tokens,
// normalizers, pre-tokenizers, one of the models WordPiece, Unigram and byte-level BPE, and the
// tokens that a post-processor adds. Components that the models of package transformer do not use
// result in an error that names them.
package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
)

// Tokenizer splits texts into tokens. It is immutable and safe for concurrent use.
type Tokenizer struct {
	// tokens that are searched for before and after normalisation
	raw, normalized            addedTokens
	normalize                  normalizer
	split                      splitter
	model                      model
	prefixTokens, suffixTokens []int32 // added around the tokens of every text
	postProcessor              component
	vocabularySize             int
}

// model splits a piece of a text into tokens.
type model interface {
	// appendTokens appends the tokens of a piece.
	appendTokens(some []int32, piece string) []int32
	// vocabularySize returns the largest token plus one.
	vocabularySize() int
}

// component is a part of tokenizer.json with a field "type".
type component struct {
	kind string
	text json.RawMessage
}

func (c *component) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return err
	}
	c.kind, c.text = head.Type, append(c.text, text...)
	return nil
}

// decodeSettings decodes the settings of a component.
func (c component) decodeSettings(settings any) error {
	if err := json.Unmarshal(c.text, settings); err != nil {
		return fmt.Errorf("%s: %w", c.kind, err)
	}
	return nil
}

func (c component) unsupported(what string) error {
	return fmt.Errorf("the %s %.40q is not supported", what, c.kind)
}

// Parse parses a tokenizer.json.
func Parse(text []byte) (*Tokenizer, error) {
	var file struct {
		Added         []addedToken
		Normalizer    component
		PreTokenizer  component
		PostProcessor component
	}
	parts := map[string]any{
		"added_tokens": &file.Added, "normalizer": &file.Normalizer,
		"pre_tokenizer": &file.PreTokenizer, "post_processor": &file.PostProcessor,
	}
	var vocabulary []byte
	err := eachMember(text, func(name string, value []byte) error {
		if name == "model" {
			vocabulary = value
		}
		if part, ok := parts[name]; ok {
			return json.Unmarshal(value, part)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t := new(Tokenizer)
	if t.normalize, err = parseNormalizer(file.Normalizer); err != nil {
		return nil, err
	}
	if t.split, err = parseSplitter(file.PreTokenizer); err != nil {
		return nil, err
	}
	if t.model, err = parseModel(vocabulary, file.PreTokenizer.endsWithByteLevel()); err != nil {
		return nil, err
	}
	if t.prefixTokens, t.suffixTokens, err = parsePostProcessor(file.PostProcessor); err != nil {
		return nil, err
	}
	t.postProcessor = file.PostProcessor
	t.vocabularySize = t.model.vocabularySize()
	if len(file.Added) > mostAddedTokens {
		return nil, fmt.Errorf("it has %d added tokens, of %d at most", len(file.Added), mostAddedTokens)
	}
	for _, a := range file.Added {
		if a.Content == "" || a.ID < 0 {
			return nil, errors.New("an added token is empty")
		}
		if err := checkToken(a.Content); err != nil {
			return nil, err
		}
		t.vocabularySize = max(t.vocabularySize, int(a.ID)+1)
		if a.Normalized {
			a.Content = t.normalize(a.Content)
			if err := checkToken(a.Content); err != nil {
				return nil, err
			}
			t.normalized.add(a)
		} else {
			t.raw.add(a)
		}
	}
	return t, nil
}

// VocabularySize returns the largest token plus one.
func (t *Tokenizer) VocabularySize() int { return t.vocabularySize }

// SpecialTokenCount returns how many special tokens are added around a text.
func (t *Tokenizer) SpecialTokenCount() int { return len(t.prefixTokens) + len(t.suffixTokens) }

// Tokens returns the first tokens of a text, at most maxTokens including the special tokens around
// it.
func (t *Tokenizer) Tokens(text string, maxTokens int) []int32 {
	maxTokens = max(maxTokens-len(t.suffixTokens), len(t.prefixTokens))
	tokens := append(make([]int32, 0, min(maxTokens, len(text)/2+8)), t.prefixTokens...)
	return append(t.appendText(tokens, text, maxTokens), t.suffixTokens...)
}

// appendText appends the first tokens of a text, until there are maxTokens tokens.
func (t *Tokenizer) appendText(tokens []int32, text string, maxTokens int) []int32 {
	text = firstBytes(text, mostText)
	start := true
	for p := range t.splitAddedTokens(text) {
		if len(tokens) >= maxTokens {
			break
		}
		if p.added {
			tokens = append(tokens, p.token)
		} else {
			t.split(p.text, start, func(piece string) bool {
				tokens = t.model.appendTokens(tokens, piece)
				return len(tokens) < maxTokens
			})
		}
		start = false
	}
	return tokens[:min(len(tokens), maxTokens)]
}

// splitAddedTokens yields the added tokens of a text and the normalised text between them.
func (t *Tokenizer) splitAddedTokens(text string) iter.Seq[textPart] {
	return func(yield func(textPart) bool) {
		for raw := range t.raw.splitText(text) {
			if raw.added {
				if !yield(raw) {
					return
				}
				continue
			}
			for p := range t.normalized.splitText(t.normalize(raw.text)) {
				if !yield(p) {
					return
				}
			}
		}
	}
}

// parsePostProcessor parses the tokens that a post-processor adds before and after a text.
func parsePostProcessor(c component) (before, after []int32, err error) {
	steps, err := c.steps()
	if err != nil {
		return nil, nil, err
	}
	for _, step := range steps {
		b, a, err := parsePostProcessorStep(step)
		if err != nil {
			return nil, nil, err
		}
		before, after = append(b, before...), append(after, a...)
	}
	return before, after, nil
}

// parsePostProcessorStep parses a post-processor that is not a sequence.
func parsePostProcessorStep(c component) (before, after []int32, err error) {
	switch c.kind {
	case "ByteLevel": // changes only offsets
		return nil, nil, nil
	case "BertProcessing", "RobertaProcessing":
		var settings struct {
			Separator  specialToken `json:"sep"`
			Classifier specialToken `json:"cls"`
		}
		if err := c.decodeSettings(&settings); err != nil {
			return nil, nil, err
		}
		return []int32{settings.Classifier.id}, []int32{settings.Separator.id}, nil
	case "TemplateProcessing":
		return parseTemplate(c)
	}
	return nil, nil, c.unsupported("post-processor")
}

// specialToken is a token with its number, written as an array of both.
type specialToken struct{ id int32 }

func (s *specialToken) UnmarshalJSON(text []byte) error {
	var name string
	pair := [2]any{&name, &s.id}
	return json.Unmarshal(text, &pair)
}

func parseTemplate(c component) (before, after []int32, err error) {
	var settings struct {
		Single []map[string]struct {
			ID string `json:"id"`
		} `json:"single"`
		Tokens map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
	}
	if err := c.decodeSettings(&settings); err != nil {
		return nil, nil, err
	}
	texts := 0
	for _, part := range settings.Single {
		if _, ok := part["Sequence"]; ok {
			texts++
			continue
		}
		token, ok := settings.Tokens[part["SpecialToken"].ID]
		if !ok {
			return nil, nil, errors.New("TemplateProcessing names a token that it does not have")
		}
		if len(before)+len(after)+len(token.IDs) > mostAround {
			return nil, nil, fmt.Errorf("TemplateProcessing puts more than %d tokens around a text", mostAround)
		}
		if texts == 0 {
			before = append(before, token.IDs...)
		} else {
			after = append(after, token.IDs...)
		}
	}
	if texts != 1 {
		return nil, nil, fmt.Errorf("TemplateProcessing has %d places for a text", texts)
	}
	return before, after, nil
}
