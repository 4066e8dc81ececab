package mcp

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

func TestFilterLines(t *testing.T) {
	var out bytes.Buffer
	in := strings.Join([]string{
		`{"jsonrpc":"2.0","id":1,"method":"a"}`, "  {\"jsonrpc\":\"2.0\",\"method\":\"b\"}  \r", "",
		`{"jsonrpc":"2.0","id":"x","result":{}}`, `{"jsonrpc":"2.0","id":null,"error":{}}`,
		"broken", `{"id":`, strings.Repeat("x", maxLine+1),
		`[{"jsonrpc":"2.0","id":1,"method":"a"}]`, "42", `"text"`, "null", "{}", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"1.0","id":1,"method":"a"}`,
		`{"id":1,"method":"a"}`, `{"jsonrpc":"2.0","id":1.5,"method":"a"}`, `{"jsonrpc":"2.0","id":{},"method":"a"}`, `{"jsonrpc":"2.0","id":1,"method":7}`,
		`{"jsonrpc":"2.0","id":2,"method":"last"}`,
	}, "\n") // the last line has no end
	filter := filterLines(io.NopCloser(strings.NewReader(in)), closer{&out})
	passed, err := io.ReadAll(filter)
	if err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(string(passed), "\n"); len(lines) != 6 || lines[1] != `{"jsonrpc":"2.0","method":"b"}` || !strings.Contains(lines[4], "last") {
		t.Errorf("passed %q", passed)
	}
	if parse, invalid := strings.Count(out.String(), "-32700"), strings.Count(out.String(), "-32600"); parse != 3 || invalid != 11 {
		t.Errorf("%d parse errors and %d invalid requests: %s", parse, invalid, &out)
	}
	if _, err := filter.answers.Write([]byte("x")); err != nil || !strings.HasSuffix(out.String(), "x") {
		t.Errorf("the writer does not write: %v", err)
	}
}
