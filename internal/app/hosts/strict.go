package hosts

import (
	"encoding/json"

	"github.com/tailscale/hujson"

	"vademecum/internal/base/message"
)

// strictness is what some hosts refuse in a file although others accept it, as tests with them have
// shown: comments, trailing commas or a byte order mark. They then ignore the whole file.
var strictness = map[string]struct{ comments, commas, mark bool }{
	"claude-code": {comments: true, commas: true},
	"gemini":      {commas: true, mark: true},
	"qwen":        {commas: true, mark: true},
}

// strictReadError returns why the host cannot read a file that this program can read; nil if it
// can.
func (h Host) strictReadError(raw []byte) error {
	text, form := decode(raw)
	if _, err := h.format.parse(text); err != nil {
		return nil // editing the file reports it
	}
	if _, isJSON := h.format.(jsonFormat); !isJSON {
		return nil
	}
	return h.checkStrictly(text, form)
}

// checkStrictly returns why the host cannot read a text that can be parsed; nil if it can.
func (h Host) checkStrictly(text []byte, form encoding) error {
	strict := strictness[h.ID]
	if form.bom && strict.mark {
		return message.Errorf("it begins with a byte order mark, which %s cannot read: save it as UTF-8 without one", h.Title)
	}
	if isBlank(text) || json.Valid(text) {
		return nil
	}
	root, err := hujson.Parse(text)
	switch {
	case err != nil:
		return err
	case strict.commas && hasTrailingComma(root):
		return message.Errorf("it has a comma after the last member, which %s cannot read: remove it", h.Title)
	case strict.comments:
		return message.Errorf("it has comments, which %s cannot read: remove them", h.Title)
	}
	return nil
}

// hasTrailingComma reports whether a text has a comma before a closing bracket.
func hasTrailingComma(root hujson.Value) bool {
	for v := range root.All() {
		switch v := v.Value.(type) {
		case *hujson.Object:
			if n := len(v.Members); n > 0 && v.Members[n-1].Value.AfterExtra != nil {
				return true
			}
		case *hujson.Array:
			if n := len(v.Elements); n > 0 && v.Elements[n-1].AfterExtra != nil {
				return true
			}
		}
	}
	return false
}
