package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"vademecum/docs/extract"
)

// JSON values, whose members are in the order of the file.
type (
	object []member
	array  []any // each element is an object, array, string, json.Number, bool or nil
)

// A member is a member of a JSON object.
type member struct {
	name  string
	value any
}

// get returns the value at a path of member names, such as "text/div", or nil.
func (o object) get(path string) any {
	name, rest, isPath := strings.Cut(path, "/")
	for _, m := range o {
		if m.name != name {
			continue
		}
		if inner, isObject := m.value.(object); isPath && isObject {
			return inner.get(rest)
		} else if !isPath {
			return m.value
		}
	}
	return nil
}

// without returns the object without the members of a name.
func (o object) without(name string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return m.name == name })
}

// text returns the string or number at a path, or "".
func (o object) text(path string) string {
	switch v := o.get(path).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// firstText returns the first non-empty text at one of the paths.
func (o object) firstText(paths ...string) string {
	for _, path := range paths {
		if s := o.text(path); s != "" {
			return s
		}
	}
	return ""
}

// objects returns the objects in the array at a path, or the single object there.
func (o object) objects(path string) []object {
	switch v := o.get(path).(type) {
	case object:
		return []object{v}
	case array:
		var all []object
		for _, e := range v {
			if inner, ok := e.(object); ok {
				all = append(all, inner)
			}
		}
		return all
	}
	return nil
}

var errDamagedJSON = extract.Skip("damaged JSON")

// A jsonWalk walks through JSON and passes the objects at one path to a function, each as soon as
// it has been read, to save memory.
type jsonWalk struct {
	d     *json.Decoder
	items string // path of these objects: member names, and * for the elements of an array
	on    func(object)
	other func(path, text string) // called for every string, number and boolean outside these objects; may be nil
	count int                     // number of values in the current object
}

// walkJSON walks through a text, which may contain several values. The error is a
// *extract.SkipError.
func (w *jsonWalk) walkJSON(text io.Reader) error {
	w.d = json.NewDecoder(text)
	w.d.UseNumber()
	for {
		err := w.walkValue("", 0)
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return damagedJSON(err)
		}
	}
}

func damagedJSON(err error) error {
	if errors.As(err, new(*extract.SkipError)) {
		return err
	}
	return errDamagedJSON
}

// walkValue walks through the next value, which is at path.
func (w *jsonWalk) walkValue(path string, depth int) error {
	if path == w.items {
		w.count = 0
		v, err := w.readValue(depth)
		if o, ok := v.(object); ok && (err == nil || len(o) > 0) {
			w.on(o)
		}
		return err
	}
	t, err := w.d.Token()
	if err != nil {
		return err
	}
	switch t := t.(type) {
	case json.Delim:
		return w.eachMember(t, depth, func(name string) error { return w.walkValue(strings.TrimPrefix(path+"/"+name, "/"), depth+1) })
	case string:
		w.tellOther(path, t)
	case json.Number:
		w.tellOther(path, t.String())
	case bool:
		w.tellOther(path, strconv.FormatBool(t))
	}
	return nil
}

func (w *jsonWalk) tellOther(path, text string) {
	if w.other != nil {
		w.other(path, text)
	}
}

// eachMember calls read for every member of an object, or element of an array, whose opening
// delimiter was open.
func (w *jsonWalk) eachMember(open json.Delim, depth int, read func(name string) error) error {
	if depth >= extract.MaxNestingDepth {
		return extract.ErrNestedTooDeeply
	}
	for w.d.More() {
		name := "*"
		if open == '{' {
			key, err := w.d.Token()
			if err != nil {
				return err
			}
			name, _ = key.(string) // json.Decoder accepts only strings as keys
		}
		if err := read(name); err != nil {
			return unexpectedEnd(err)
		}
	}
	_, err := w.d.Token()
	return unexpectedEnd(err)
}

// unexpectedEnd returns err, or io.ErrUnexpectedEOF for io.EOF, which is an error within a value.
func unexpectedEnd(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// maxValues is the maximum number of values in one object, which take more memory than their
// source.
const maxValues = 200_000

// readValue returns the next value. If there is an error, it also returns what was read before it.
func (w *jsonWalk) readValue(depth int) (any, error) {
	if w.count++; w.count > maxValues {
		return nil, extract.ErrTooMuchText
	}
	t, err := w.d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('{'):
		var o object
		err := w.eachMember('{', depth, func(name string) error {
			v, err := w.readValue(depth + 1)
			if v != nil {
				o = append(o, member{name, v})
			}
			return err
		})
		return o, err
	case json.Delim('['):
		var a array
		err := w.eachMember('[', depth, func(string) error {
			v, err := w.readValue(depth + 1)
			if v != nil {
				a = append(a, v)
			}
			return err
		})
		return a, err
	}
	return t, nil
}

// pathsOf returns the strings, numbers and booleans at the start of a JSON text, by their paths.
func pathsOf(start []byte) map[string]string {
	paths := make(map[string]string)
	w := jsonWalk{items: "\x00", other: func(path, text string) {
		if _, isKnown := paths[path]; !isKnown {
			paths[path] = text
		}
	}}
	_ = w.walkJSON(bytes.NewReader(start)) // the error is due to the truncated text
	return paths
}

// number returns the integer at a path, or 0.
func (o object) number(path string) int {
	n, err := strconv.Atoi(o.text(path))
	if err != nil {
		return 0
	}
	return n
}
