package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

var orders = []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian}

func grey(width, height int) *image.Gray { return image.NewGray(image.Rect(0, 0, width, height)) }

// TestPages checks that a TIFF has those pages that are not reduced versions of others, and that
// each is drawn.
func TestPages(t *testing.T) {
	for _, order := range orders {
		raw := extracttest.TIFF(order, extracttest.TIFFPage{Picture: grey(30, 20)}, extracttest.TIFFPage{Picture: grey(10, 10), IsReduced: true}, extracttest.TIFFPage{Picture: grey(40, 10)})
		if n := CountPages(raw); n != 2 {
			t.Errorf("%v: there are %d pages", order, n)
		}
		for page, width := range map[int]int{1: 30, 2: 40, 3: 0} {
			shown, err := Draw(raw, extract.DrawingRequest{Page: page}, nil)
			config, _, _ := image.DecodeConfig(bytes.NewReader(shown))
			if skipped := errors.As(err, new(*extract.SkipError)); config.Width != width || skipped != (width == 0) || skipped && !strings.HasSuffix(err.Error(), "there is no page 3: it has 2") {
				t.Errorf("%v: page %d is %d wide, %v", order, page, config.Width, err)
			}
		}
		if HasMissingTIFFPages(raw) {
			t.Errorf("%v: a whole file is cut short", order)
		}
		circle := bytes.Clone(raw)
		order.(binary.ByteOrder).PutUint32(circle[len(circle)-4:], order.(binary.ByteOrder).Uint32(circle[4:]))
		for name, damaged := range map[string][]byte{"in a circle": circle, "truncated": raw[:len(raw)-30], "without a directory": raw[:8], "empty": nil} {
			if n := CountPages(damaged); n < 1 || n > 2 {
				t.Errorf("%v: %s, there are %d pages", order, name, n)
			}
			if got, want := HasMissingTIFFPages(damaged), name == "truncated" || name == "without a directory"; got != want {
				t.Errorf("%v: %s, it is cut short: %v", order, name, got)
			}
		}
	}
}

func TestOrientation(t *testing.T) {
	source := grey(3, 2)
	copy(source.Pix, "123456")
	for orientation, want := range []string{"123 456", "123 456", "321 654", "654 321", "456 123", "14 25 36", "41 52 63", "63 52 41", "36 25 14", "123 456"} {
		for _, order := range orders {
			seen := applyOrientation(source, extracttest.TIFF(order, extracttest.TIFFPage{Picture: source, Orientation: orientation}))
			var rows [][]byte
			for y := range seen.Bounds().Dy() {
				var row []byte
				for x := range seen.Bounds().Dx() {
					shade, _, _, _ := seen.At(x, y).RGBA()
					row = append(row, byte(shade>>8))
				}
				rows = append(rows, row)
			}
			if got := string(bytes.Join(rows, []byte(" "))); got != want {
				t.Errorf("%d is seen as %s, want %s", orientation, got, want)
			}
		}
	}
}

// TestPhotographOnItsSide checks that a JPEG of a camera is drawn upright.
func TestPhotographOnItsSide(t *testing.T) {
	raw := encoded(t, func(out *bytes.Buffer) error { return jpeg.Encode(out, chart(800, 400), nil) })
	const clockwise = 6
	exif := append([]byte("Exif\x00\x00"), extracttest.TIFF(binary.BigEndian, extracttest.TIFFPage{Picture: grey(1, 1), Orientation: clockwise})...)
	segments := []byte("\xFF\xE0\x00\x04ab\xFF\xE1") // a segment of another kind comes first
	raw = slices.Concat(raw[:2], binary.BigEndian.AppendUint16(segments, uint16(2+len(exif))), exif, raw[2:])
	for _, dots := range []int{0, 300} {
		shown, err := Draw(raw, extract.DrawingRequest{Page: 1, DotsPerInch: dots}, nil)
		if err != nil {
			t.Fatal(err)
		}
		decoded, _, err := image.Decode(bytes.NewReader(shown))
		if err != nil {
			t.Fatal(err)
		}
		b := decoded.Bounds()
		_, left, _, _ := decoded.At(b.Dx()/4, b.Dy()/4).RGBA()
		_, right, _, _ := decoded.At(b.Dx()*3/4, b.Dy()/4).RGBA()
		if b.Dy() != 2*b.Dx() || left < 0x6000 || right > 0x6000 {
			t.Errorf("with %d dots an inch it is %v, its green %x and %x", dots, b, left, right)
		}
	}
}

// FuzzTags checks that the pages of any file can be counted and its picture oriented.
func FuzzTags(f *testing.F) {
	f.Add(extracttest.TIFF(binary.LittleEndian, extracttest.TIFFPage{Picture: grey(2, 2), Orientation: 6}, extracttest.TIFFPage{Picture: grey(2, 2)}))
	f.Add([]byte("\xFF\xD8\xFF\xE1\x00\x10Exif\x00\x00MM\x00*\x00\x00\x00\x08"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		last := movePageFirst(raw, CountPages(raw))
		if o := readOrientation(last); len(last) != len(raw) || o < 1 || o > 8 {
			t.Errorf("of %d bytes there are %d, with the orientation %d", len(raw), len(last), o)
		}
	})
}
