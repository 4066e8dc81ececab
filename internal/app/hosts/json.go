package hosts

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"

	"github.com/tailscale/hujson"

	"vademecum/internal/base/message"
)

// jsonFormat is JSON, possibly with comments and trailing commas, which it keeps.
type jsonFormat struct{}

func (jsonFormat) parse(text []byte) (any, error) {
	if isBlank(text) {
		return map[string]any{}, nil
	}
	plain, err := hujson.Standardize(bytes.Clone(text))
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "hujson: "))
	}
	d := json.NewDecoder(bytes.NewReader(plain))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, ok := v.(map[string]any); !ok {
		return nil, message.Errorf("it contains no object { … }")
	}
	return v, nil
}

func isBlank(text []byte) bool { return len(bytes.Trim(text, " \t\r\n")) == 0 }

func (jsonFormat) put(text []byte, path []string, entry configEntry) ([]byte, error) {
	if isBlank(text) {
		text = []byte("{}\n")
	}
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return nil, errForm
	}
	if err := putMember(object, path, entry, "", indentOf(object)); err != nil {
		return nil, err
	}
	return root.Pack(), nil
}

// putMember sets the entry at a path in an object. indent is the indentation of the object's
// closing brace, unit that of one level.
func putMember(object *hujson.Object, path []string, entry configEntry, indent, unit string) error {
	at, err := memberIndex(object, path[0])
	if err != nil {
		return err
	}
	inner := memberIndent(object, indent+unit)
	if at >= 0 && len(path) > 1 {
		below, ok := object.Members[at].Value.Value.(*hujson.Object)
		if !ok {
			return message.Errorf("%q is not an object { … }", path[0])
		}
		return putMember(below, path[1:], entry, inner, unit)
	}
	for i := len(path) - 1; i > 0; i-- {
		entry = configEntry{{path[i], entry}}
	}
	value, err := formatValue(entry, inner, unit)
	if err != nil {
		return err
	}
	if at >= 0 {
		object.Members[at].Value.Value = value
		return nil
	}
	appendMember(object, path[0], value, indent, inner)
	return nil
}

func (jsonFormat) remove(text []byte, path []string) ([]byte, error) {
	if isBlank(text) {
		return text, nil
	}
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	if _, err := removeMember(&root, path); err != nil {
		return nil, err
	}
	return root.Pack(), nil
}

// parseJSON parses a file. hujson requires a line feed after a comment, which the last line of a
// file need not have.
func parseJSON(text []byte) (hujson.Value, error) {
	root, err := hujson.Parse(bytes.Clone(text))
	if err != nil {
		if ended, err := hujson.Parse(append(bytes.Clone(text), '\n')); err == nil {
			return ended, nil
		}
	}
	return root, err
}

// removeMember removes the member at a path, and the objects on the path that become empty by that. It
// reports whether v is empty afterwards.
func removeMember(v *hujson.Value, path []string) (empty bool, err error) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return false, nil
	}
	at, err := memberIndex(object, path[0])
	if err != nil || at < 0 {
		return false, err
	}
	if len(path) > 1 {
		if empty, err := removeMember(&object.Members[at].Value, path[1:]); err != nil || !empty {
			return false, err
		}
	}
	removeMemberAt(object, at)
	return len(object.Members) == 0 && isBlank(object.AfterExtra), nil
}

// memberIndex returns the index of the member with a name; -1 if there is none. It refuses names
// that occur twice, as parsers differ in which value they use.
func memberIndex(object *hujson.Object, name string) (int, error) {
	at := -1
	for i, m := range object.Members {
		if l, ok := m.Name.Value.(hujson.Literal); ok && l.String() == name {
			if at >= 0 {
				return -1, message.Errorf("it has %q twice", name)
			}
			at = i
		}
	}
	return at, nil
}

// appendMember adds a member to an object, after the others and the comments that follow them.
func appendMember(object *hujson.Object, name string, value hujson.ValueTrimmed, indent, inner string) {
	comments, rest := splitBlank(object.AfterExtra)
	m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}, Value: hujson.Value{BeforeExtra: hujson.Extra(" "), Value: value}}
	m.Name.BeforeExtra = hujson.Extra(comments + "\n" + inner)
	if n := len(object.Members); n > 0 && object.Members[n-1].Value.AfterExtra != nil {
		m.Value.AfterExtra = hujson.Extra{} // keep a trailing comma if there was one
	}
	if !strings.Contains(rest, "\n") {
		rest = "\n" + indent
	}
	object.AfterExtra = hujson.Extra(rest)
	object.Members = append(object.Members, m)
}

// removeMemberAt removes a member of an object, and keeps the comments around it.
func removeMemberAt(object *hujson.Object, at int) {
	m := object.Members[at]
	before := hujson.Extra(bytes.TrimRight(m.Name.BeforeExtra, " \t\r\n"))
	if at < len(object.Members)-1 {
		next := &object.Members[at+1].Name
		next.BeforeExtra = joinExtras(before, m.Value.AfterExtra, next.BeforeExtra)
		object.Members = append(object.Members[:at], object.Members[at+1:]...)
		return
	}
	comma := m.Value.AfterExtra != nil
	after := joinExtras(before, m.Value.AfterExtra, object.AfterExtra)
	object.Members = object.Members[:at]
	if at > 0 {
		last := &object.Members[at-1].Value
		switch {
		case comma && last.AfterExtra == nil:
			last.AfterExtra = hujson.Extra{}
		case !comma:
			after = joinExtras(last.AfterExtra, after)
			last.AfterExtra = nil
		}
	}
	object.AfterExtra = after
}

// joinExtras joins comments and blanks. It adds a line break after a comment that has none, as the
// comment may extend to the end of its line.
func joinExtras(parts ...hujson.Extra) (all hujson.Extra) {
	for _, b := range parts {
		comments, _ := splitBlank(all)
		blanks := b[:len(b)-len(bytes.TrimLeft(b, " \t\r\n"))]
		if comments != "" && !bytes.Contains(blanks, []byte("\n")) {
			comments += "\n"
		}
		all = append(hujson.Extra(comments), b...)
	}
	return all
}

// splitBlank splits what is between two members into the comments and the blanks after them.
func splitBlank(extra hujson.Extra) (comments, blanks string) {
	comments = strings.TrimRight(string(extra), " \t\r\n")
	return comments, string(extra)[len(comments):]
}

// formatValue formats a value that begins at an indentation; unit is that of one level.
func formatValue(v any, indent, unit string) (hujson.ValueTrimmed, error) {
	raw, err := marshalJSON(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, raw, indent, unit); err != nil {
		return nil, err
	}
	parsed, err := hujson.Parse(out.Bytes())
	return parsed.Value, err
}

// indentOf returns the indentation of one level in a file, judging by its first member.
func indentOf(root *hujson.Object) string {
	if unit := memberIndent(root, ""); unit != "" {
		return unit
	}
	return "  "
}

// memberIndent returns the indentation of an object's members, or the given one if the object has
// none on lines of their own.
func memberIndent(object *hujson.Object, or string) string {
	for _, m := range object.Members {
		_, blanks := splitBlank(m.Name.BeforeExtra)
		if at := strings.LastIndexByte(blanks, '\n'); at >= 0 {
			return blanks[at+1:]
		}
	}
	return or
}
