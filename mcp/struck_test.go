package mcp

import (
	"strings"
	"testing"
)

// TestStruckOut checks what models read of struck-out text: that quotations and places are struck out, and
// what holds instead.
func TestStruckOut(t *testing.T) {
	t.Parallel()
	c := connect(t, serve(t, folder(t, map[string]string{
		"dose.md": "# Dose\n\nDose: ~~40 mg~~ 20 mg daily\n\n- ~~Stop it before an operation.~~\n",
		"old.md":  "Dose: 20 mg in winter, or 40 mg.\n",
		"twin.md": "# Another\n\nDose: 20 mg in winter, or 40 mg.\n\n" + strings.Repeat("The garden of the ward is looked after by its nurse. ", 20) + "\n",
	}), Options{ResultsMode: ResultsText}), "test")
	for _, tt := range []struct {
		tool, arguments string
		want            []string
	}{
		{"check_quotes", `{"quotes": ["Dose: 40 mg", "Stop it before an operation", "Dose: 20 mg daily"]}`, []string{
			"3 quotations: 1 exact, 2 struck out\n[1] struck out: dose.md, line 3: file://",
			"\nin the document:\n```\nDose: ~~40 mg~~ 20 mg daily\n```\nstill valid:\n```\nDose: 20 mg daily\n```",
			"\nin the document:\n```\n- ~~Stop it before an operation.~~\n```\nno part of it is still valid (it is struck out there, in whole or in part, and is no longer valid)\n[3] exact: dose.md, line 3",
		}},
		{"find_in_docs", `{"text": "40 mg"}`, []string{"3 places in 3 documents", "L3 Dose: ~~⟦40 mg⟧~~ 20 mg daily (struck out)\n"}},
		{"find_in_docs", `{"text": "dose: 20 mg"}`, []string{"3 places in 3 documents", "L3 ⟦Dose: ~~40 mg~~ 20 mg⟧ daily\n"}},
		{"retrieve_docs", `{"query": "dose in winter", "brief": true}`, []string{"\nsame line in: "}},
	} {
		got := allText(c.call(tt.tool, tt.arguments))
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s of %s has not\n%s\nbut\n%s", tt.tool, tt.arguments, want, got)
			}
		}
	}
}
