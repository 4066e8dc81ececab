package mcp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// TestLongLines checks that a message that is refused for its length takes at most twice that in
// memory, for the line and the pieces in which it is read, and that the refusal has its ID. Calls
// of index_docs may be as long.
func TestLongLines(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures, and finds no races")
	}
	const long = 2 * longMessage
	x := strings.Repeat("x", long)
	call := func(tool string) string {
		return `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"` + tool + `","arguments":{"docs":["` + x + `"]}}}`
	}
	for _, c := range []struct{ line, want string }{
		{x, "null -32700"},
		{call("retrieve_docs"), "7 -32600"},
		{`{"jsonrpc":"2.0","id":"` + x + `","method":"ping"}`, "null -32600"},
		{`{"jsonrpc":"2.0","method":"a","params":{"a":"` + x + `"}}`, "null -32600"},
		{`{"jsonrpc":"2.0","id":1,"result":{"a":"` + x + `"}}`, ""},
		{call("index_docs"), "7 0"},
	} {
		in := []byte(c.line + "\n")
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, out := exchange(t, in)
		runtime.ReadMemStats(&after)
		var a struct {
			ID    any
			Error struct{ Code int }
		}
		got := ""
		if json.Unmarshal(out, &a) == nil {
			got = strings.Replace(fmt.Sprint(a.ID, " ", a.Error.Code), "<nil>", "null", 1)
		}
		if got != c.want {
			t.Errorf("%.60s… gets %q, want %q", c.line, got, c.want)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > uint64(2*len(in)+longMessage) && !strings.HasSuffix(c.want, " 0") {
			t.Errorf("%.60s… of %d MB takes %d MB", c.line, len(in)>>20, took>>20)
		}
	}
}

// TestMembers checks that an object is split like by encoding/json.
func TestMembers(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{}`, ` { } `, `{"a":1}`, "{\n\t\"a\" : 1 ,\r\n \"b\" :\t[1, {\"c\":\"}\"}] , \"c\":\"\\\"}\\\\\"}",
		`{"\u0061\"":null,"b":true,"c":-1.5e3,"d":"","":[]}`, `{"a":{"b":{"c":[[],{}]}},"d":"[{"}`, `{"héé":"日本","x":"\ud83d\ude00"}`,
		`[1]`, `"a"`, `1`, `null`,
	} {
		var want map[string]json.RawMessage
		_ = json.Unmarshal([]byte(text), &want)
		got, repeated := objectMembers([]byte(text))
		if len(got) != len(want) || (got == nil) != (want == nil) || repeated != "" {
			t.Errorf("%s is %q, want %q", text, got, want)
		}
		for name, value := range want {
			if !bytes.Equal(got[name], value) {
				t.Errorf("%s: %q is %s, want %s", text, name, got[name], value)
			}
		}
	}
	if got, repeated := objectMembers([]byte(`{"a":1,"b":2,"a":3}`)); repeated != "a" || string(got["a"]) != "3" {
		t.Errorf("what is repeated is %q: %s", repeated, got)
	}
}

// FuzzMembers compares objectMembers with encoding/json.
func FuzzMembers(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\"}"}],"c":-1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var want map[string]json.RawMessage
		if !json.Valid(text) || json.Unmarshal(text, &want) != nil || want == nil {
			return
		}
		got, _ := objectMembers(text)
		if len(got) != len(want) {
			t.Fatalf("%s has %q, want %q", text, got, want)
		}
		for name, value := range want {
			if !bytes.Equal(got[name], value) {
				t.Errorf("%q is %s, want %s", name, got[name], value)
			}
		}
	})
}
