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
		`{"id":1}`, "  {\"id\":2}  \r", "", "broken", `{"id":`, `[1,2]`, strings.Repeat("x", maxLine+1), `{"last":true}`,
	}, "\n") // the last line has no end
	reader, writer := filterLines(io.NopCloser(strings.NewReader(in)), closer{&out})
	passed, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	if want := "{\"id\":1}\n{\"id\":2}\n[1,2]\n{\"last\":true}\n"; string(passed) != want {
		t.Errorf("passed %q, want %q", passed, want)
	}
	answers := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(answers) != 3 || !strings.Contains(answers[0], "-32700") || !strings.Contains(answers[2], "longer than 64 MB") {
		t.Errorf("answers %q", answers)
	}
	if _, err := writer.Write([]byte("x")); err != nil || !strings.HasSuffix(out.String(), "x") {
		t.Errorf("the writer does not write: %v", err)
	}
}
