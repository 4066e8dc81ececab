package web

import (
	"encoding/json"
	"slices"
	"testing"
)

// TestContentOf checks that every value that a JSON parser could take for the name of a tool is
// found.
func TestContentOf(t *testing.T) {
	for body, want := range map[string]bodyContent{
		`{"id":1,"method":"tools/call","params":{"name":"index_docs"}}`:                          {asks: true, named: []string{"index_docs"}},
		`{"id":1,"method":"tools/call","params":{"name":"a","Name":"index_docs"}}`:               {asks: true, named: []string{"a", "index_docs"}},
		`{"id":1,"params":{"name":"index_docs"},"Params":{"NAME":"a"},"method":"tools/call"}`:    {asks: true, named: []string{"index_docs", "a"}},
		`{"id":1,"method":"tools/call","params":{"na\u006de":"index\u005fdocs"}}`:                {asks: true, named: []string{"index_docs"}},
		`{"id":1,"paramſ":{"name":"index_docs"},"method":"tools/call"}`:                          {asks: true, named: []string{"index_docs"}},
		`[{"method":"a"},{"id":1,"method":"tools/call","params":{"name":"index_docs"}}]`:         {asks: true, named: []string{"index_docs"}},
		`{"method":"notifications/initialized"}`:                                                 {},
		`{"id":1,"method":"initialize","params":{"clientInfo":{"name":"index_docs"}}}`:           {asks: true, opens: true},
		`{"id":1,"method":"subscriptions/listen","params":{"_meta":{"a":[1,{"name":"b"}]}}}`:     {asks: true, opens: true},
		`{"id":1,"method":"tools/call","params":{"arguments":{"name":"index_docs"},"name":"a"}}`: {asks: true, named: []string{"a"}},
		`{"id":1,"params":[1]}`: {asks: true, unclear: true},
		`{"id":1} {"id":2}`:     {asks: true, unclear: true},
		`{"id":1`:               {asks: true, unclear: true},
		``:                      {unclear: true},
		`7`:                     {unclear: true},
	} {
		got := inspectCalls([]byte(body))
		if got.asks != want.asks || got.opens != want.opens || got.unclear != want.unclear || !slices.Equal(got.named, want.named) {
			t.Errorf("%s: %+v, want %+v", body, got, want)
		}
	}
}

// FuzzContentOf checks that no name that encoding/json finds is missed.
func FuzzContentOf(f *testing.F) {
	f.Add(`{"id":1,"method":"tools/call","params":{"name":"index_docs"}}`)
	f.Add(`[{"params":{"Name":"a","name":"b"}}]`)
	f.Fuzz(func(t *testing.T, body string) {
		var m struct{ Params struct{ Name string } }
		got := inspectCalls([]byte(body))
		if err := json.Unmarshal([]byte(body), &m); err != nil || m.Params.Name == "" {
			return
		}
		if !got.unclear && !slices.Contains(got.named, m.Params.Name) {
			t.Errorf("%s calls %q, not %q", body, m.Params.Name, got.named)
		}
	})
}
