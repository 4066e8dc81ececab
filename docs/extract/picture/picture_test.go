package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"vademecum/docs/extract"
)

// chart returns a picture whose upper left quarter is red and the rest grey with noise.
func chart(width, height int) *image.RGBA {
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.RGBA{uint8(x*7+y*13) | 0x80, 0, 0, 255}
			c.G, c.B = c.R, c.R
			if x < width/2 && y < height/2 {
				c = color.RGBA{200, 0, 0, 255}
			}
			picture.Set(x, y, c)
		}
	}
	return picture
}

func encoded(t *testing.T, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := encode(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestInspectHeader checks that files that are too small, too large or no pictures are recognised
// by their headers, and that others pass.
func TestInspectHeader(t *testing.T) {
	asPNG := func(wide, high int) []byte {
		return encoded(t, func(out *bytes.Buffer) error {
			return png.Encode(out, image.NewPaletted(image.Rect(0, 0, wide, high), color.Palette{color.White}))
		})
	}
	photo := encoded(t, func(out *bytes.Buffer) error { return jpeg.Encode(out, chart(800, 500), nil) })
	for name, test := range map[string]struct {
		raw  []byte
		want string
	}{
		"an icon":         {asPNG(48, 48), "too small to contain a page of text"},
		"a banner":        {asPNG(2000, leastScanned-1), "too small to contain a page of text"},
		"a scan":          {asPNG(leastScanned, leastScanned), ""},
		"a photograph":    {photo, ""},
		"its first bytes": {photo[:1000], ""},
		"too large":       {asPNG(leastScanned, maxPixels/leastScanned+1), "the picture is too large (400 × 150001 pixels)"},
		"no picture":      {[]byte("no picture"), errDamaged.Error()},
		"empty":           {nil, errDamaged.Error()},
		"a TIFF":          {encoded(t, func(out *bytes.Buffer) error { return tiff.Encode(out, chart(40, 30), nil) }), ""},
	} {
		got := ""
		if err := CheckHeaderForOCR(bytes.NewReader(test.raw)); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("of %s it says %q, want %q", name, got, test.want)
		}
	}
	fault := errors.New("the drive is gone")
	if err := CheckHeaderForOCR(io.MultiReader(bytes.NewReader(photo[:100]), iotest.ErrReader(fault))); err != fault {
		t.Errorf("of a file that cannot be read it says %v", err)
	}
}

func TestDraw(t *testing.T) {
	picture := chart(800, 400)
	for name, raw := range map[string][]byte{
		"png":  encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, picture) }),
		"jpeg": encoded(t, func(out *bytes.Buffer) error { return jpeg.Encode(out, picture, nil) }),
		"gif":  encoded(t, func(out *bytes.Buffer) error { return gif.Encode(out, picture, nil) }),
		"bmp":  encoded(t, func(out *bytes.Buffer) error { return bmp.Encode(out, picture) }),
		"tiff": encoded(t, func(out *bytes.Buffer) error { return tiff.Encode(out, picture, nil) }),
	} {
		for _, most := range []int{0, 100_000, 20_000, 5_000} {
			shown, err := Draw(raw, extract.DrawingRequest{Page: 1, MaxBytes: most}, nil)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			decoded, format, err := image.Decode(bytes.NewReader(shown))
			if err != nil || most > 0 && (len(shown) > most || format != "jpeg") || most == 0 && format != "png" {
				t.Errorf("%s in %d bytes is %s of %d bytes, %v", name, most, format, len(shown), err)
				continue
			}
			b := decoded.Bounds()
			if r, g, _, _ := decoded.At(b.Dx()/4, b.Dy()/4).RGBA(); r>>8 < 150 || g>>8 > 60 || b.Dx() < b.Dy()*19/10 {
				t.Errorf("%s in %d bytes is %v, its upper left %d %d", name, most, b, r>>8, g>>8)
			}
		}
		right, err := Draw(raw, extract.DrawingRequest{Page: 1, MaxBytes: 50_000, Area: extract.PercentArea{Left: 50, Right: 100, Bottom: 50}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		decoded, _, err := image.Decode(bytes.NewReader(right))
		if err != nil || decoded.Bounds().Dx() != 400 || decoded.Bounds().Dy() != 200 {
			t.Errorf("%s: a quarter of it is %v, %v", name, decoded.Bounds(), err)
		}
		if _, ok := decoded.(*image.Gray); !ok {
			t.Errorf("%s: what has no colours is %T", name, decoded)
		}
	}
}

func TestRefused(t *testing.T) {
	whole := encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, chart(100, 100)) })
	huge := bytes.Clone(whole)
	copy(huge[16:24], []byte{0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30}) // 30,000 × 30,000 pixels
	binary.BigEndian.PutUint32(huge[29:], crc32.ChecksumIEEE(huge[12:29]))
	for name, c := range map[string]struct {
		raw  []byte
		page int
	}{"nothing": {nil, 1}, "a text": {[]byte("no picture"), 1}, "a truncated one": {whole[:len(whole)/2], 1}, "a huge one": {huge, 1}, "a second page": {whole, 2}} {
		if _, err := Draw(c.raw, extract.DrawingRequest{Page: c.page, MaxBytes: 1000}, nil); !errors.As(err, new(*extract.SkipError)) || name == "a huge one" && !strings.Contains(err.Error(), "too large") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzDraw checks that any file is drawn within the limit or refused.
func FuzzDraw(f *testing.F) {
	var out bytes.Buffer
	if err := png.Encode(&out, chart(20, 10)); err != nil {
		f.Fatal(err)
	}
	f.Add(out.Bytes(), 0.0, 50.0)
	f.Add([]byte("GIF89a"), 10.0, 20.0)
	f.Add([]byte("II*\x00\x08\x00\x00\x00"), 10.0, 5.0)
	f.Fuzz(func(t *testing.T, raw []byte, from, to float64) {
		if config, _, err := image.DecodeConfig(bytes.NewReader(raw)); err == nil && config.Width*config.Height > 1_000_000 {
			return // such a picture only takes long
		}
		shown, err := Draw(raw, extract.DrawingRequest{Page: 1, MaxBytes: 10_000, Area: extract.PercentArea{Left: from, Top: from, Right: to, Bottom: to}}, nil)
		if err == nil && len(shown) > 10_000 {
			t.Fatalf("%d bytes are shown", len(shown))
		}
	})
}

// TestScan checks that a picture for OCR is grey, limited in size and has letters as large as on
// paper, and that a small picture is refused.
func TestScan(t *testing.T) {
	for _, test := range []struct{ width, height, wantWidth, wantHeight int }{
		{399, 3000, 0, 0}, {3000, 399, 0, 0}, {400, 400, 800, 800}, {1999, 1000, 3998, 2000}, {2000, 1000, 2000, 1000}, {8000, 5000, 4000, 2500},
	} {
		frame := image.Rect(0, 0, test.width, test.height)
		var drawn image.Image = image.NewRGBA(frame)
		if test.width > 2000 {
			drawn = image.NewGray(frame) // colours would take seconds to compress
		}
		raw := encoded(t, func(out *bytes.Buffer) error { return png.Encode(out, drawn) })
		scanned, err := Draw(raw, extract.DrawingRequest{Page: 1, DotsPerInch: 300}, nil)
		if test.wantWidth == 0 {
			if !errors.Is(err, errSmall) {
				t.Errorf("%d × %d: %v", test.width, test.height, err)
			}
			continue
		}
		config, format, err := image.DecodeConfig(bytes.NewReader(scanned))
		if err != nil || format != "png" || config.ColorModel != color.GrayModel || config.Width != test.wantWidth || config.Height != test.wantHeight {
			t.Errorf("%d × %d is %s of %d × %d, %v", test.width, test.height, format, config.Width, config.Height, err)
		}
	}
}
