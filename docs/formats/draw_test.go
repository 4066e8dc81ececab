package formats

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/png"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/picture"
)

// TestDraw checks that the format of a file determines whether its pages can be drawn.
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

// TestPictures checks that a picture which browsers cannot show is drawn for them, and is read if a
// converter is installed.
func TestPictures(t *testing.T) {
	for name, isWeb := range map[string]bool{"a.png": true, "a.JPG": true, "a.tif": false, "a.HEIC": false, "a.heif": false} {
		if !IsPicture(name) || IsBrowserPicture(name) != isWeb || !CanDrawPages(name) {
			t.Errorf("%s: a picture %v, for browsers %v", name, IsPicture(name), IsBrowserPicture(name))
		}
	}
	reason := SkipReason("a.heic", 100)
	if want := picture.HasHEICConverter(); (extract.UnrecognisedPageCount(reason) == 1) != want || IsMissingConverterSkip(reason) == want {
		t.Errorf("a converter is there %v, the reason is %q", want, reason)
	}
	if _, err := Draw(t.Context(), "a.heic", []byte("\x00\x00\x00\x18ftypheic, and no more"), extract.DrawingRequest{Page: 1}); err == nil || errors.Is(err, ErrMissingConverter) == picture.HasHEICConverter() {
		t.Errorf("a damaged one is drawn, %v", err)
	}
	if _, err := Draw(t.Context(), "a.heic", extracttest.TIFF(binary.BigEndian, extracttest.TIFFPage{Picture: image.NewGray(image.Rect(0, 0, 9, 9))}), extract.DrawingRequest{Page: 1}); err != nil {
		t.Errorf("one that is none is not drawn: %v", err)
	}
}

// TestCutTIFF checks that the note on a TIFF some of whose pages are missing says so, whatever is
// recognised on the others.
func TestCutTIFF(t *testing.T) {
	page := extracttest.TIFFPage{Picture: image.NewGray(image.Rect(0, 0, 50, 50))}
	whole := extracttest.TIFF(binary.LittleEndian, page, page, page)
	for length, want := range map[int]string{len(whole): "", len(whole) - 1: "the picture is damaged: what comes after page 2 is missing"} {
		c, err := Read(t.Context(), "fax.tif", whole[:length])
		if err != nil || c.ExtractionNote.String() != want {
			t.Errorf("of %d of %d bytes it says %q, %v, want %q", length, len(whole), c.ExtractionNote, err, want)
		}
	}
}
