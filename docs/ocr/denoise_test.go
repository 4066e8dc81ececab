package ocr

import (
	"bytes"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"testing"

	"vademecum/docs/extract/extracttest"
	"vademecum/docs/ocr/ocrtest"
)

// noisy returns a page with noise of a standard deviation in shades.
func noisy(t *testing.T, page []byte, deviation float64) []byte {
	t.Helper()
	decoded, err := png.Decode(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	chance, grey := rand.New(rand.NewPCG(1, 2)), decoded.(*image.Gray)
	for i, shade := range grey.Pix {
		grey.Pix[i] = uint8(min(max(float64(shade)+deviation*chance.NormFloat64(), 0), 255))
	}
	return encoded(t, grey)
}

func encoded(t *testing.T, page image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, page); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestNoisyPage is read by the program that is installed as a clean one is.
func TestNoisyPage(t *testing.T) {
	r := New(Options{Program: AutoProgram, Languages: "eng", PagesDir: t.TempDir()})
	extracttest.SkipNotInstalled(t, r.Open(t.Context()))
	page, err := r.Recognise(t.Context(), noisy(t, printed(t, "Metoprolol in the evening", "The next visit is in two weeks"), 45), "")
	if want := "Metoprolol in the evening\nThe next visit is in two weeks\n"; err != nil || page.Text != want {
		t.Errorf("it reads %+v, %v", page, err)
	}
}

// TestReadAgain: an unsure page is read again, as it is, where it is noisy, and not otherwise.
func TestReadAgain(t *testing.T) {
	clean := printed(t, "Metoprolol in the evening")
	for _, test := range []struct {
		name, program string
		page          []byte
		want          int
	}{
		{"clean", ocrtest.LowConfidence, clean, 1}, {"noisy", ocrtest.LowConfidence, noisy(t, clean, 45), 2}, {"noisy and sure", ocrtest.Working, noisy(t, clean, 45), 1},
	} {
		program := ocrtest.Program(t, test.program)
		page, err := New(Options{Program: program, PagesDir: t.TempDir()}).Recognise(t.Context(), test.page, "")
		read := ocrtest.Read(t, program)
		if err != nil || page.Text == "" || len(read) != test.want || len(slices.Compact(read)) != test.want {
			t.Errorf("%s: it has %+v of %v, %v", test.name, page, read, err)
		}
	}
}

// TestMedians: a spot goes, a line and the edge stay, and what is no grey picture is left alone.
func TestMedians(t *testing.T) {
	page := image.NewGray(image.Rect(0, 0, 9, 7))
	for y := range 7 {
		for x := 5; x < 9; x++ {
			page.Pix[y*page.Stride+x] = 200
		}
	}
	spots := image.NewGray(page.Rect)
	copy(spots.Pix, page.Pix)
	spots.Pix[3*page.Stride+2], spots.Pix[3*page.Stride+7] = 255, 0
	smooth, differing := medians(spots)
	if !bytes.Equal(smooth.Pix, page.Pix) || differing != 2 {
		t.Errorf("%d pixels differ, it becomes %v", differing, smooth.Pix)
	}
	for name, raw := range map[string][]byte{"no picture": []byte("text"), "colours": encoded(t, image.NewRGBA(page.Rect)), "a pixel": encoded(t, image.NewGray(image.Rect(0, 0, 1, 1)))} {
		if _, ok := denoised(raw); ok {
			t.Errorf("%s is noisy", name)
		}
	}
}
