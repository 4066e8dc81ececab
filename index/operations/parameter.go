package operations

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vademecum/index"
)

// Parameter is a parameter of an Operation, or a field of the object that it returns.
type Parameter struct {
	Name          string
	Description   string      // description for models
	Aliases       []string    // other names that models use for it, in lower case and without separators
	IsRequired    bool        // a call must have it
	MissingAdvice string      // what to give, for the error "NAME is missing: ..."; "" if Check reports that
	AllowedValues []string    // the values that are allowed; nil means any
	Min, Max      int         // limits of a number; Max also limits the length of a list; 0 means no limit
	ItemFields    []Parameter // fields of each object in a list of objects; nil for other types
	Usage         string      // description of the flag of the same name; "" if the command has none

	// Target is a pointer to the variable to be set: a *string, *bool, *int, *[]string or
	// *map[string]string, or a json.Unmarshaler, whose error continues a sentence that begins with the
	// name and "must be".
	Target any
}

// IsList reports whether values are lists, of texts or of objects with ItemFields.
func (p Parameter) IsList() bool {
	if p.ItemFields != nil {
		return true
	}
	switch v := p.Target.(type) {
	case *[]string:
		return true
	case filterValue:
		return v.isList()
	}
	return false
}

var errNoObject = errors.New("arguments must be an object of named parameters")

// Parse decodes the arguments of a call, a JSON object or null, into the variables of the parameters,
// and checks them. The error says in one line what is wrong and what is accepted. The note names
// arguments that are ignored because the operation does not have them, as hosts add some of their
// own; "" if there are none.
func (o Operation) Parse(arguments json.RawMessage) (note string, err error) {
	var given map[string]json.RawMessage
	if !isNull(arguments) && json.Unmarshal(arguments, &given) != nil {
		return "", errNoObject
	}
	if note, err = o.dropUnknown(given); err != nil {
		return "", err
	}
	for _, p := range o.Parameters {
		if err := p.parse(given[p.Name]); err != nil {
			return "", err
		}
	}
	for _, p := range o.Parameters {
		if p.MissingAdvice != "" && isNull(given[p.Name]) {
			return "", errors.New(p.Name + " is missing: " + p.MissingAdvice)
		}
	}
	if o.Check == nil {
		return note, nil
	}
	return note, o.Check()
}

// parse decodes the argument for a parameter into its Target.
func (p Parameter) parse(raw json.RawMessage) error {
	if isNull(raw) {
		return nil
	}
	into := p.Target
	switch v := into.(type) {
	case filterValue:
		return v.parse(raw)
	case *bool:
		into = (*lenientBool)(v)
	case *[]string:
		into = (*lenientList)(v)
	case *int:
		into = new(LenientInt)
	}
	var wrongType *json.UnmarshalTypeError
	switch err := json.Unmarshal(raw, into); {
	case errors.As(err, &wrongType):
		return fmt.Errorf("%s must be a text, got %s", p.Name, wrongType.Value)
	case err != nil:
		return fmt.Errorf("%s must be %w", p.Name, err)
	}
	if v, ok := p.Target.(*int); ok {
		n := into.(*LenientInt)
		if n.value < p.Min || n.value > p.Max {
			return fmt.Errorf("%s must be a whole number from %d to %d, got %s", p.Name, p.Min, p.Max, n.text)
		}
		*v = n.value
	}
	return nil
}

// dropUnknown removes arguments that the operation does not have, and returns a note that names them.
// An argument that was probably meant for a parameter is an error.
func (o Operation) dropUnknown(given map[string]json.RawMessage) (note string, err error) {
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.ContainsFunc(o.Parameters, func(p Parameter) bool { return p.Name == name }) {
			continue
		}
		if meant := o.meant(name); meant != "" && given[meant] == nil {
			return "", fmt.Errorf("unknown parameter %s of %s: did you mean %s?", quoteName(name), o.Name, meant)
		}
		unknown = append(unknown, quoteName(name))
	}
	if len(unknown) == 0 {
		return "", nil
	}
	const named = 3
	if more := len(unknown) - named; more > 0 {
		unknown = append(unknown[:named], fmt.Sprintf("%d more", more))
	}
	return "Ignored, as " + o.Name + " has no such parameter: " + strings.Join(unknown, ", ") + ".", nil
}

// meant returns the name of the parameter that a wrong name probably means; "" if there is none.
func (o Operation) meant(name string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	name = plain(name)
	for _, p := range o.Parameters {
		if own := plain(p.Name); name == own || name == own+"s" || name+"s" == own || slices.Contains(p.Aliases, name) {
			return p.Name
		}
	}
	return ""
}

// filterParameters returns the parameters that select documents. If isBrief is set, they have no
// descriptions, because models find those in another operation.
func filterParameters(f *index.Filter, isBrief bool) (all []Parameter) {
	for _, p := range index.FilterParameters {
		if p.Name == "" {
			continue
		}
		about := p.Description
		if isBrief {
			about = ""
		}
		all = append(all, Parameter{Name: p.Name, Description: about, Aliases: p.Aliases, Usage: p.Usage, Target: filterValue{p, f}})
	}
	return all
}

// filterValue is the Target of a filter parameter: it adds the conditions for the given values to a
// filter.
type filterValue struct {
	index.FilterParameter
	filter *index.Filter
}

// maxConditions is the maximum number of tags and of front matter conditions, since the answer
// names each that no document satisfies.
const maxConditions = 32

// Set adds the condition for the value of a flag.
func (v filterValue) Set(value string) error { return v.Add(v.filter, value) }

func (v filterValue) parse(raw json.RawMessage) error {
	values, err := v.values(raw)
	if err != nil {
		return fmt.Errorf("%s must be %w", v.Name, err)
	}
	if len(values) > maxConditions {
		return fmt.Errorf("%s holds at most %d", v.Name, maxConditions)
	}
	for _, value := range values {
		if err := v.Set(value); err != nil {
			return fmt.Errorf("%s %w, got %s", v.Name, err, quoteName(value))
		}
	}
	if after, before := v.filter.DateRange(); before != 0 && after > before.UpperBound() {
		return fmt.Errorf("after %s and before %s: no date is both", after, before)
	}
	return nil
}

// values returns the values in an argument. A date may also be a number.
func (v filterValue) values(raw json.RawMessage) (all []string, err error) {
	switch v.ValueForm {
	case index.ListValue:
		err = json.Unmarshal(raw, (*lenientList)(&all))
	case index.KeyValuePairsValue:
		err = json.Unmarshal(raw, (*keyValues)(&all))
	case index.DateValue:
		all = []string{strings.TrimSpace(strings.Trim(string(raw), `"`))}
	default:
		all = make([]string, 1)
		var wrongType *json.UnmarshalTypeError
		if errors.As(json.Unmarshal(raw, &all[0]), &wrongType) {
			err = fmt.Errorf("a text, got %s", wrongType.Value)
		}
	}
	if len(all) == 1 && all[0] == "" && !v.isList() {
		return nil, err
	}
	return all, err
}

func (v filterValue) isList() bool {
	return v.ValueForm == index.ListValue || v.ValueForm == index.KeyValuePairsValue
}

// pathNames are the other names that models use for a path.
var pathNames = func() []string {
	at := slices.IndexFunc(index.FilterParameters, func(p index.FilterParameter) bool { return p.Name == "path" })
	return index.FilterParameters[at].Aliases
}()
