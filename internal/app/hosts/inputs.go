package hosts

import (
	"bytes"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// inputsFormat edits the list of inputs for which VS Code asks the user. It is in the same file as
// the servers.
type inputsFormat struct{ jsonFormat }

func (inputsFormat) put(text []byte, path []string, entry configEntry) ([]byte, error) {
	root, object, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	at, err := memberIndex(object, path[0])
	if err != nil {
		return nil, err
	}
	unit := indentOf(object)
	if at < 0 {
		value, err := formatValue([]configEntry{entry}, unit, unit)
		if err != nil {
			return nil, err
		}
		appendMember(object, path[0], value, "", unit)
		return root.Pack(), nil
	}
	list, ok := object.Members[at].Value.Value.(*hujson.Array)
	if !ok {
		return nil, errForm
	}
	inner := unit + unit
	value, err := formatValue(entry, inner, unit)
	if err != nil {
		return nil, err
	}
	if item := itemIndex(list, path[1]); item >= 0 {
		list.Elements[item].Value = value
	} else {
		appendItem(list, value, unit, inner)
	}
	return root.Pack(), nil
}

func (inputsFormat) remove(text []byte, path []string) ([]byte, error) {
	root, object, err := parseObject(text)
	if err != nil {
		return nil, err
	}
	at, err := memberIndex(object, path[0])
	if err != nil || at < 0 {
		return text, err
	}
	list, ok := object.Members[at].Value.Value.(*hujson.Array)
	if !ok {
		return text, nil
	}
	item := itemIndex(list, path[1])
	if item < 0 {
		return text, nil
	}
	if removeItemAt(list, item); len(list.Elements) == 0 && isBlank(list.AfterExtra) {
		removeMemberAt(object, at)
	}
	return root.Pack(), nil
}

func parseObject(text []byte) (root hujson.Value, object *hujson.Object, err error) {
	if isBlank(text) {
		text = []byte("{}\n")
	}
	if root, err = parseJSON(text); err != nil {
		return root, nil, err
	}
	object, ok := root.Value.(*hujson.Object)
	if !ok {
		return root, nil, errForm
	}
	return root, object, nil
}

// itemIndex returns the index of the item with a name in a list; -1 if there is none.
func itemIndex(list *hujson.Array, name string) int {
	return slices.IndexFunc(list.Elements, func(v hujson.Value) bool {
		parsed, err := jsonFormat{}.parse(v.Pack())
		return err == nil && itemName(parsed) == name
	})
}

// appendItem adds an item to a list, after the others and the comments that follow them.
func appendItem(list *hujson.Array, value hujson.ValueTrimmed, indent, inner string) {
	comments, rest := splitBlank(list.AfterExtra)
	item := hujson.Value{BeforeExtra: hujson.Extra(comments + "\n" + inner), Value: value}
	if n := len(list.Elements); n > 0 && list.Elements[n-1].AfterExtra != nil {
		item.AfterExtra = hujson.Extra{} // keep a trailing comma if there was one
	}
	if !strings.Contains(rest, "\n") {
		rest = "\n" + indent
	}
	list.AfterExtra = hujson.Extra(rest)
	list.Elements = append(list.Elements, item)
}

// removeItemAt removes an item of a list, and keeps the comments around it.
func removeItemAt(list *hujson.Array, at int) {
	item := list.Elements[at]
	before := hujson.Extra(bytes.TrimRight(item.BeforeExtra, " \t\r\n"))
	if at < len(list.Elements)-1 {
		next := &list.Elements[at+1]
		next.BeforeExtra = joinExtras(before, item.AfterExtra, next.BeforeExtra)
		list.Elements = slices.Delete(list.Elements, at, at+1)
		return
	}
	list.Elements = list.Elements[:at]
	list.AfterExtra = joinExtras(before, item.AfterExtra, list.AfterExtra)
	if at > 0 && item.AfterExtra == nil {
		last := &list.Elements[at-1]
		list.AfterExtra = joinExtras(last.AfterExtra, list.AfterExtra)
		last.AfterExtra = nil
	}
}
