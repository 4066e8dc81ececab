package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"vademecum/docs/meta"
	"vademecum/index"
)

// filterSchema adds the parameters that say which documents are meant.
func filterSchema(properties map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
	maps.Copy(properties, map[string]*jsonschema.Schema{
		"path":   text("Only documents that this glob means, such as `cardio/**`, `*.md` or a folder's name."),
		"tags":   texts("Only with all of these tags, or tags nested in them.", 0),
		"after":  text("Only of this date or later: `2024`, `2024-11` or `2024-11-05`; the note's own date, else the file's."),
		"before": text("Only of this date or earlier."),
		"where":  texts("Only with this in the front matter: `status=draft`.", 0),
	})
	return properties
}

// filterOrder is the order of those parameters.
var filterOrder = []string{"path", "tags", "after", "before", "where"}

// filterArguments are those parameters as they are sent.
type filterArguments struct {
	Path   string   `json:"path"`
	Tags   wordings `json:"tags"`
	After  when     `json:"after"`
	Before when     `json:"before"`
	Where  equals   `json:"where"`
}

// maxConditions bounds the tags, and what front matter is to say: each that no
// document fulfils is named in the answer.
const maxConditions = 32

// filter returns the filter that was sent.
func (a filterArguments) filter() (index.Filter, error) {
	f := index.Filter{Path: a.Path, Conditions: meta.Conditions{After: a.After.Date, Before: a.Before.Date}}
	if f.After != 0 && f.Before != 0 && f.After > f.Before.Last() {
		return f, fmt.Errorf("after %s and before %s: no date is both", f.After, f.Before)
	}
	if len(a.Tags) > maxConditions || len(a.Where) > maxConditions {
		return f, fmt.Errorf("tags and where hold at most %d each", maxConditions)
	}
	for _, t := range a.Tags {
		if err := f.AddTags(t); err != nil {
			return f, fmt.Errorf("tags %w, got %s", err, quoted(t))
		}
	}
	for _, w := range a.Where {
		if err := f.AddWhere(w); err != nil {
			return f, fmt.Errorf("where %w, got %s", err, quoted(w))
		}
	}
	return f, nil
}

// when is a date; models also send a year as a number.
type when struct{ meta.Date }

func (w *when) UnmarshalJSON(b []byte) (err error) {
	s := strings.TrimSpace(strings.Trim(string(b), `"`))
	if s == "null" || s == "" {
		return nil
	}
	if w.Date, err = meta.ParseDate(s); err != nil {
		const most = 40
		return fmt.Errorf("%w, got %s", err, quoted(strings.ToValidUTF8(s[:min(len(s), most)], "")))
	}
	return nil
}

// equals is a list of "key=value"; models also send one as a text, or an object.
type equals []string

func (e *equals) UnmarshalJSON(b []byte) error {
	var object map[string]any
	if b[0] == '"' {
		var one string
		if json.Unmarshal(b, &one) == nil && json.Unmarshal([]byte(one), &object) != nil {
			return (*wordings)(e).UnmarshalJSON(b)
		}
	} else if json.Unmarshal(b, &object) != nil {
		return (*wordings)(e).UnmarshalJSON(b)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		values, isList := object[key].([]any)
		if !isList {
			values = []any{object[key]}
		}
		for _, v := range values {
			switch v.(type) {
			case string, float64, bool:
				*e = append(*e, fmt.Sprintf("%s=%v", key, v))
			default:
				return errors.New(`a list of texts such as "status=draft"`)
			}
		}
	}
	return nil
}
