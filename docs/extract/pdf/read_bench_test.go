package pdf

import (
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// BenchmarkRead reads a file of one page. Most of the time goes into opening the file in its own
// instance of the engine.
func BenchmarkRead(b *testing.B) {
	raw := extracttest.PDF("", extracttest.PDFLines("The patient was seen in the morning and again in the evening of that day."))
	for b.Loop() {
		if _, err := Read(raw, extract.NoProgress); err != nil {
			b.Fatal(err)
		}
	}
}
