package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// parseArguments decodes the parameters of a call into a struct. The error says in one line what is
// wrong and what is accepted.
func parseArguments(req *mcp.CallToolRequest, into any) error {
	raw := req.Params.Arguments
	if isNull(raw) || json.Unmarshal(raw, into) == nil {
		return nil
	}
	return explainMistake(raw, into)
}

func isNull(raw json.RawMessage) bool {
	raw = bytes.TrimSpace(raw)
	return len(raw) == 0 || bytes.Equal(raw, []byte("null"))
}

var errNoObject = errors.New("arguments must be an object of named parameters")

// explainMistake returns an error about the first parameter that cannot be decoded into a struct.
func explainMistake(raw json.RawMessage, into any) error {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		return errNoObject
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		one, err := json.Marshal(map[string]json.RawMessage{name: given[name]})
		if err == nil {
			err = json.Unmarshal(one, into)
		}
		var wrongType *json.UnmarshalTypeError
		switch {
		case errors.As(err, &wrongType):
			return fmt.Errorf("%s must be a text, got %s", name, wrongType.Value)
		case err != nil:
			return fmt.Errorf("%s must be %w", name, err)
		}
	}
	return errNoObject
}

// dropUnknownParameters removes parameters that the tool does not have from a call, as hosts add
// some of their own, and returns a note on them; "" if there are none. A parameter that was
// probably meant for a known one is an error.
func dropUnknownParameters(tool *mcp.Tool, req *mcp.CallToolRequest) (note string, err error) {
	var given map[string]json.RawMessage
	if isNull(req.Params.Arguments) || json.Unmarshal(req.Params.Arguments, &given) != nil {
		return "", nil // parseArguments reports it
	}
	known := tool.InputSchema.(*jsonschema.Schema).PropertyOrder
	var unknown []string
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(known, name) {
			continue
		}
		if meant := meantParameter(name, known); meant != "" && given[meant] == nil {
			return "", fmt.Errorf("unknown parameter %s of %s: did you mean %s?", quoteName(name), tool.Name, meant)
		}
		unknown = append(unknown, quoteName(name))
		delete(given, name)
	}
	if len(unknown) == 0 {
		return "", nil
	}
	if req.Params.Arguments, err = json.Marshal(given); err != nil {
		return "", fmt.Errorf("read the parameters of %s: %w", tool.Name, err)
	}
	const named = 3
	if more := len(unknown) - named; more > 0 {
		unknown = append(unknown[:named], fmt.Sprintf("%d more", more))
	}
	return "Ignored, as " + tool.Name + " has no such parameter: " + strings.Join(unknown, ", ") + ".", nil
}

// quoteName quotes a name that a client has sent, on one line.
func quoteName(name string) string {
	const most = 60
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	return strconv.Quote(name)
}

// otherNames maps our parameters to the names that other servers give to them, except for the
// parameters of the filter.
var otherNames = map[string][]string{
	"query":      {"q", "question", "search", "searchquery", "keywords", "prompt"},
	"also":       {"alternatives", "alternativequeries", "queries", "rewordings", "synonyms", "translations", "variants"},
	"top_k":      {"k", "n", "count", "limit", "maxresults", "numresults", "size", "topn"},
	"text":       {"exact", "literal", "needle", "pattern", "phrase", "q", "query", "search", "string", "term"},
	"regexp":     {"isregex", "isregexp", "regex", "regularexpression", "userregex"},
	"case":       {"casesensitive", "exactcase", "matchcase"},
	"quotes":     {"quote", "quotation", "quotations", "texts", "text"},
	"uri":        {"url"},
	"start_line": {"from", "fromline", "line", "linestart", "offset", "start"},
	"end_line":   {"end", "lineend", "to", "toline"},
	"tag_counts": {"counttags", "listtags"},
	"cursor":     {"nextcursor", "pagetoken"},
	"paths":      {"file", "files", "folder", "folders", "path"},
	"force":      {"rebuild", "refresh", "reindex"},
	"docs":       {"documents", "texts"},
}

// meantParameter returns the known parameter that a name probably means; "" if there is none.
func meantParameter(name string, known []string) string {
	plain := func(s string) string {
		return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(s))
	}
	name = plain(name)
	for _, k := range known {
		if own := plain(k); name == own || name == own+"s" || name+"s" == own || slices.Contains(append(otherNames[k], filterParameter(k).Others...), name) {
			return k
		}
	}
	return ""
}

// textList is a list of strings.
type textList []string

func (l *textList) UnmarshalJSON(b []byte) error {
	var wrongType *json.UnmarshalTypeError
	err := json.Unmarshal(b, (*[]string)(l))
	if errors.As(err, &wrongType) {
		return fmt.Errorf("a list of texts, got %s", wrongType.Value)
	}
	return err
}

// lenientList is a list of strings, which models also send as a single string, or as JSON in a
// string. An empty string stands for no list, as some hosts send it for a parameter that is not
// given.
type lenientList textList

func (w *lenientList) UnmarshalJSON(b []byte) error {
	var one string
	if b[0] != '"' || json.Unmarshal(b, &one) != nil {
		return (*textList)(w).UnmarshalJSON(b)
	}
	if strings.TrimSpace(one) == "" {
		return nil
	}
	if json.Unmarshal([]byte(one), (*[]string)(w)) != nil {
		*w = lenientList{one}
	}
	return nil
}

// lenientBool is a bool, which models also send as a string.
type lenientBool bool

func (t *lenientBool) UnmarshalJSON(b []byte) error {
	switch said := strings.ToLower(strings.Trim(string(b), `"`)); said {
	case "true", "false", "null", "":
		*t = said == "true"
		return nil
	default:
		const most = 40
		return errors.New("true or false, got " + strings.ToValidUTF8(said[:min(len(said), most)], ""))
	}
}

// lenientInt is an int, which models also send as 3.0 or "3". A number outside of the range of int
// becomes the largest or smallest int.
type lenientInt struct {
	value int
	set   bool
	said  string
}

func (w *lenientInt) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		return nil
	}
	digits := strings.Trim(string(b), `"`)
	f, err := strconv.ParseFloat(digits, 64)
	tooLarge := errors.Is(err, strconv.ErrRange)
	if err != nil && !tooLarge || math.IsInf(f, 0) && !tooLarge || f != math.Trunc(f) {
		return notWholeError(b)
	}
	w.value, w.set, w.said = int(min(max(f, math.MinInt32), math.MaxInt32)), true, digits
	return nil
}

// notWholeError is the error for a value that is not an integer; it contains the value.
type notWholeError []byte

func (n notWholeError) Error() string {
	const most = 40
	return "a whole number, got " + strings.ToValidUTF8(string(n[:min(len(n), most)]), "")
}
