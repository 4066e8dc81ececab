package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

// filterSchema adds the filter parameters to the schema of a tool.
func filterSchema(properties map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
	for _, name := range filterOrder {
		switch p := filterParameter(name); p.Form {
		case index.ListValue, index.PairsValue:
			properties[name] = textsSchema(p.About, 0)
		default:
			properties[name] = textSchema(p.About)
		}
	}
	return properties
}

// briefFilterSchema is filterSchema without descriptions, for a tool beside one that has them.
func briefFilterSchema(properties map[string]*jsonschema.Schema) map[string]*jsonschema.Schema {
	filterSchema(properties)
	for _, name := range filterOrder {
		properties[name].Description = ""
	}
	return properties
}

// filterOrder is the order of the filter parameters.
var filterOrder = func() (names []string) {
	for _, p := range index.FilterParameters {
		if p.Name != "" {
			names = append(names, p.Name)
		}
	}
	return names
}()

// filterParameter returns the filter parameter with a name; the zero value if there is none.
func filterParameter(name string) index.FilterParameter {
	for _, p := range index.FilterParameters {
		if name != "" && (p.Name == name || p.Field == name) {
			return p
		}
	}
	return index.FilterParameter{}
}

// maxConditions is the maximum number of tags and of front matter conditions, since the answer
// names each that no document satisfies.
const maxConditions = 32

// filterOf returns the filter of a call.
func filterOf(req *mcp.CallToolRequest) (f index.Filter, err error) {
	var given map[string]json.RawMessage
	if err := parseArguments(req, &given); err != nil {
		return f, err
	}
	for _, name := range filterOrder {
		p := filterParameter(name)
		values, err := parameterValues(given[name], p.Form)
		if err != nil {
			return f, fmt.Errorf("%s must be %w", name, err)
		}
		if len(values) > maxConditions {
			return f, fmt.Errorf("%s holds at most %d", name, maxConditions)
		}
		for _, v := range values {
			if err := p.Add(&f, v); err != nil {
				return f, fmt.Errorf("%s %w, got %s", name, err, quoteName(v))
			}
		}
	}
	if after, before := f.DateRange(); before != 0 && after > before.LastDate() {
		return f, fmt.Errorf("after %s and before %s: no date is both", after, before)
	}
	return f, nil
}

// parameterValues returns the values of a parameter. A date may also be a number.
func parameterValues(raw json.RawMessage, form index.ValueForm) (all []string, err error) {
	var one string
	switch {
	case isNull(raw):
		return nil, nil
	case form == index.ListValue:
		err = json.Unmarshal(raw, (*lenientList)(&all))
		return all, err
	case form == index.PairsValue:
		err = json.Unmarshal(raw, (*keyValues)(&all))
		return all, err
	case form == index.DateValue:
		one = strings.TrimSpace(strings.Trim(string(raw), `"`))
	default:
		var wrongType *json.UnmarshalTypeError
		if err := json.Unmarshal(raw, &one); errors.As(err, &wrongType) {
			return nil, fmt.Errorf("a text, got %s", wrongType.Value)
		}
	}
	if one == "" {
		return nil, nil
	}
	return []string{one}, nil
}

// keyValues is a list of "key=value", which models also send as a single string or as an object.
type keyValues []string

func (e *keyValues) UnmarshalJSON(b []byte) error {
	var object map[string]any
	if b[0] == '"' {
		var one string
		if json.Unmarshal(b, &one) == nil && json.Unmarshal([]byte(one), &object) != nil {
			return (*lenientList)(e).UnmarshalJSON(b)
		}
	} else if json.Unmarshal(b, &object) != nil {
		return (*lenientList)(e).UnmarshalJSON(b)
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
