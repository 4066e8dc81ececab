package lazyregexp

import (
	"reflect"
	"regexp"
	"testing"
)

func TestMethods(t *testing.T) {
	const expression, text = `(b)(c)?`, "abc ab"
	ours, theirs := reflect.ValueOf(New(expression)), reflect.ValueOf(regexp.MustCompile(expression))
	for i := range ours.NumMethod() {
		name := ours.Type().Method(i).Name
		got, want := ours.Method(i), theirs.MethodByName(name)
		if !want.IsValid() || got.Type() != want.Type() {
			t.Errorf("%s is not a method of regexp.Regexp", name)
			continue
		}
		if got, want := call(got, text), call(want, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// call calls a method of a regular expression with text and returns its first result.
func call(method reflect.Value, text string) any {
	args := []reflect.Value{}
	for i := range method.Type().NumIn() {
		var arg any
		switch in := method.Type().In(i); {
		case in.Kind() == reflect.Int:
			arg = -1
		case in.Kind() == reflect.Func:
			arg = func(s string) string { return s + s }
		case i > 0:
			arg = "<$1>"
		default:
			arg = text
		}
		args = append(args, reflect.ValueOf(arg).Convert(method.Type().In(i)))
	}
	return method.Call(args)[0].Interface()
}

func TestInvalid(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic for an invalid expression")
		}
	}()
	New(`(`)
}
