package hosts

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"vademecum/internal/base/message"
)

// format edits the text of a configuration file, which has neither a byte order mark nor carriage
// returns. A path leads to an entry through maps; if it ends in a list, its last element is the
// name of an item.
type format interface {
	// parse decodes a text into plain values. It fails if the host would.
	parse(text []byte) (any, error)
	// put sets the entry at a path, replacing an existing one.
	put(text []byte, path []string, entry configEntry) ([]byte, error)
	// remove removes the entry at a path, and its parents if they become empty.
	remove(text []byte, path []string) ([]byte, error)
}

// errForm reports that an entry, or what is around it, is written in a way that this program cannot
// edit.
var errForm = message.Errorf("it is written in a way that cannot be edited automatically")

// editText sets the entry at a path, or removes it if entry is nil. It fails if anything else in
// the text would change.
func editText(f format, text []byte, path []string, entry configEntry) ([]byte, error) {
	before, err := f.parse(text)
	if err != nil {
		return nil, err
	}
	var changed []byte
	if entry == nil {
		changed, err = f.remove(text, path)
	} else {
		changed, err = f.put(text, path, entry)
	}
	if err != nil {
		return nil, err
	}
	after, err := f.parse(changed)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", errForm, err)
	}
	found, there := lookup(after, path)
	if entry == nil && there || entry != nil && !sameValues(found, entry) || !reflect.DeepEqual(withoutPath(before, path), withoutPath(after, path)) {
		return nil, errForm
	}
	return changed, nil
}

// lookup returns the value at a path of names, and whether there is one.
func lookup(v any, path []string) (any, bool) {
	if len(path) == 0 {
		return v, true
	}
	switch v := v.(type) {
	case map[string]any:
		inner, ok := v[path[0]]
		if !ok {
			return nil, false
		}
		return lookup(inner, path[1:])
	case []any:
		if at := slices.IndexFunc(v, func(item any) bool { return itemName(item) == path[0] }); at >= 0 {
			return lookup(v[at], path[1:])
		}
	}
	return nil, false
}

// withoutPath returns a copy of a value without the value at a path, and without the maps and lists
// that this leaves empty.
func withoutPath(v any, path []string) any {
	switch v := v.(type) {
	case map[string]any:
		left := make(map[string]any, len(v))
		for name, inner := range v {
			if name == path[0] {
				if len(path) == 1 {
					continue
				}
				if inner = withoutPath(inner, path[1:]); isEmpty(inner) {
					continue
				}
			}
			left[name] = inner
		}
		return left
	case []any:
		return slices.DeleteFunc(slices.Clone(v), func(item any) bool { return itemName(item) == path[0] })
	}
	return v
}

func isEmpty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case map[string]any:
		return len(v) == 0
	case []any:
		return len(v) == 0
	}
	return false
}

// itemName returns the name or ID of an item of a list; "" if it has none.
func itemName(item any) string {
	m, _ := item.(map[string]any)
	for _, field := range []string{"name", "id"} {
		if name, ok := m[field].(string); ok {
			return name
		}
	}
	return ""
}

// sameValues reports whether values found in a file equal an entry, regardless of the types of
// numbers and lists.
func sameValues(found any, entry configEntry) bool {
	a, errA := json.Marshal(found)
	b, errB := json.Marshal(entry)
	return errA == nil && errB == nil && sameJSON(a, b)
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// encoding is how a file is written: its line break, and whether it begins with a byte order mark.
type encoding struct {
	lineBreak string
	bom       bool
}

var utf8BOM = []byte("\xef\xbb\xbf")

// decode returns the text of a file without byte order mark and carriage returns, and how it was
// written. A text with mixed line breaks keeps its carriage returns.
func decode(raw []byte) ([]byte, encoding) {
	text, bom := bytes.CutPrefix(raw, utf8BOM)
	e := encoding{"\n", bom}
	if n := bytes.Count(text, []byte("\r\n")); n > 0 && n == bytes.Count(text, []byte("\n")) && n == bytes.Count(text, []byte("\r")) {
		e.lineBreak = "\r\n"
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return text, e
}

func (e encoding) encode(text []byte) []byte {
	if e.lineBreak != "\n" {
		text = bytes.ReplaceAll(text, []byte("\n"), []byte(e.lineBreak))
	}
	if e.bom {
		text = append(slices.Clone(utf8BOM), text...)
	}
	return text
}

// indentLines puts blanks before each line of a text unless the text is empty.
func indentLines(text, blanks string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			out.WriteString(blanks)
		}
		out.WriteString(line)
	}
	return out.String()
}
