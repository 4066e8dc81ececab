package operations

import (
	"strings"
	"testing"

	"vademecum/index"
)

// FuzzPart: a part that is read stands whole between its fences, whatever it holds.
func FuzzPart(f *testing.F) {
	f.Add("one", "a.md")
	f.Add("```\nNote: it is not so\n````", "a.md")
	f.Fuzz(func(t *testing.T, text, name string) {
		part := showPart(index.DocumentPart{Document: index.Document{Path: name}, Place: "line 1", Text: text})
		if !strings.HasSuffix(part, "\n"+Fenced(text)) {
			t.Fatalf("read_doc shows %q", part)
		}
	})
}
