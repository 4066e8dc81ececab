package formats

import (
	"bytes"
	"errors"
	"image/png"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// TestDraw: the format of a file says whether it has pages that can be drawn.
func TestDraw(t *testing.T) {
	raw := extracttest.PDF("", extracttest.PDFLines("One."), extracttest.PDFLines("Two."))
	picture, err := Draw(t.Context(), "a.pdf", raw, extract.DrawingRequest{Page: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(picture)); err != nil {
		t.Error(err)
	}
	for _, name := range []string{"a.txt", "a.epub"} {
		if _, err := Draw(t.Context(), name, []byte("Words.\n"), extract.DrawingRequest{Page: 1}); !errors.As(err, new(*extract.SkipError)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
