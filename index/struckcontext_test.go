package index

import "testing"

// TestWithoutLitter checks what is shown of marks around nothing.
func TestWithoutLitter(t *testing.T) {
	for line, want := range map[string]string{
		"- **** 12 mg":             "- 12 mg",
		"____ 12 mg":               "12 mg",
		"**Adults:** 12 mg":        "**Adults:** 12 mg",
		"> > Bromfane 5 mg > 2":    "Bromfane 5 mg > 2",
		"| Kestrofen | | oral |":   "| Kestrofen | – | oral |",
		"| Kestrofen | | | oral |": "| Kestrofen | – | – | oral |",
		"a || b":                   "a || b",
	} {
		if got := withoutLitter(line); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
}
