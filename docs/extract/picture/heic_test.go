package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// photograph returns a HEIC picture whose upper left quarter is red. heif-enc made it from a JPEG
// with the given segments.
func photograph(t *testing.T, segments string) []byte {
	t.Helper()
	encoder, err := exec.LookPath("heif-enc")
	extracttest.SkipNotInstalled(t, err)
	picture := image.NewRGBA(image.Rect(0, 0, 320, 200))
	draw.Draw(picture, picture.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(picture, image.Rect(0, 0, 160, 100), image.NewUniform(color.RGBA{200, 0, 0, 255}), image.Point{}, draw.Src)
	var photo bytes.Buffer
	if err := jpeg.Encode(&photo, picture, nil); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "in.jpg"), filepath.Join(dir, "out.heic")
	if err := os.WriteFile(from, bytes.Join([][]byte{photo.Bytes()[:2], []byte(segments), photo.Bytes()[2:]}, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	if said, err := exec.Command(encoder, "-o", to, from).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	raw, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// turned returns a file with one picture that is to be rotated anticlockwise by a number of quarter
// turns: with a property for that after the others, and an association of the picture with it
// (ISO/IEC 23008-12, 6.5.10).
func turned(raw []byte, quarters byte) []byte {
	property := []byte{0, 0, 0, 9, 'i', 'r', 'o', 't', quarters}
	grow := func(name string, by int) {
		size := raw[bytes.Index(raw, []byte(name))-4:]
		binary.BigEndian.PutUint32(size, binary.BigEndian.Uint32(size)+uint32(by))
	}
	properties := bytes.Index(raw, []byte("ipco"))
	end := properties - 4 + int(binary.BigEndian.Uint32(raw[properties-4:]))
	number := byte(1)
	for at := properties + 4; at < end; at += int(binary.BigEndian.Uint32(raw[at:])) {
		number++
	}
	uses := bytes.Index(raw, []byte("ipma"))
	last := uses - 4 + int(binary.BigEndian.Uint32(raw[uses-4:]))
	raw[uses+14]++ // after the flags come the number of pictures, the first picture, and how many properties it has
	base := raw[bytes.Index(raw, []byte("iloc"))+16:]
	binary.BigEndian.PutUint32(base, binary.BigEndian.Uint32(base)+uint32(len(property))+1)
	grow("ipco", len(property))
	grow("ipma", 1)
	grow("iprp", len(property)+1)
	grow("meta", len(property)+1)
	return slices.Concat(raw[:end], property, raw[end:last], []byte{0x80 | number}, raw[last:])
}

// exif says that a picture is to be rotated clockwise. That applies in a JPEG, but not in HEIC.
const exif = "\xFF\xE1\x00\x22Exif\x00\x00II*\x00\x08\x00\x00\x00\x01\x00\x12\x01\x03\x00\x01\x00\x00\x00\x06\x00\x00\x00\x00\x00\x00\x00"

// TestJPEG converts pictures with the installed program, and checks that they are upright.
func TestJPEG(t *testing.T) {
	if !HasHEICConverter() {
		extracttest.SkipNotInstalled(t, ErrNoHEICConverter)
	}
	for name, test := range map[string]struct {
		raw  []byte
		size image.Point
		red  image.Point // where the red quarter is displayed
	}{
		"upright":       {photograph(t, ""), image.Pt(320, 200), image.Pt(80, 50)},
		"by Exif":       {photograph(t, exif), image.Pt(320, 200), image.Pt(80, 50)},
		"anticlockwise": {turned(photograph(t, ""), 1), image.Pt(200, 320), image.Pt(50, 240)},
		"upside down":   {turned(photograph(t, ""), 2), image.Pt(320, 200), image.Pt(240, 150)},
		"clockwise":     {turned(photograph(t, ""), 3), image.Pt(200, 320), image.Pt(150, 80)},
	} {
		if !IsHEIC(test.raw) {
			t.Fatalf("it begins with %q", test.raw[:16])
		}
		converted, err := HEICToJPEG(t.Context(), test.raw)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		shown, err := jpeg.Decode(bytes.NewReader(converted))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(converted, []byte("Exif\x00")) {
			t.Errorf("%s: it tells once more how it is to be turned", name)
		}
		size := shown.Bounds().Size()
		r, g, _, _ := shown.At(test.red.X, test.red.Y).RGBA()
		other, green, _, _ := shown.At(size.X-test.red.X, size.Y-test.red.Y).RGBA()
		if size != test.size || r>>8 < 150 || g>>8 > 60 || other>>8 < 200 || green>>8 < 200 {
			t.Errorf("%s: it is %v, red and green at %v are %d %d, on the other side %d %d", name, size, test.red, r>>8, g>>8, other>>8, green>>8)
		}
	}
}

// TestDamaged checks that a file that only begins like a picture is at fault, and that no temporary
// file is left.
func TestDamaged(t *testing.T) {
	if !HasHEICConverter() {
		extracttest.SkipNotInstalled(t, ErrNoHEICConverter)
	}
	t.Setenv("TMPDIR", t.TempDir())
	for name, raw := range map[string][]byte{"noise": []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic noise"), "truncated": photograph(t, "")[:300]} {
		if converted, err := HEICToJPEG(t.Context(), raw); !errors.As(err, new(*extract.SkipError)) || bytes.ContainsAny([]byte(err.Error()), "\n") {
			t.Errorf("%s becomes %d bytes, %v", name, len(converted), err)
		}
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) != 0 {
		t.Errorf("there are %v, %v", left, err)
	}
}

func TestNoConverter(t *testing.T) {
	installed.Lock()
	installed.at = installed.at.Add(-2 * lookAgain)
	installed.Unlock()
	t.Setenv("PATH", t.TempDir())
	t.Cleanup(func() { // other tests search for the program again
		installed.Lock()
		defer installed.Unlock()
		installed.at = installed.at.Add(-2 * lookAgain)
	})
	if HasHEICConverter() {
		t.Skip("one is found where it was installed")
	}
	if _, err := HEICToJPEG(t.Context(), []byte("a picture")); !errors.Is(err, ErrNoHEICConverter) {
		t.Errorf("it says %v", err)
	}
}

func TestIsHEIC(t *testing.T) {
	for raw, want := range map[string]bool{"\x00\x00\x00\x18ftypheic\x00\x00": true, "\x00\x00\x00\x1Cftypmif1....": true, "\x00\x00\x00\x1Cftypisom....": false, "\xFF\xD8\xFF\xE0 a HEICToJPEG ....": false, "": false} {
		if got := IsHEIC([]byte(raw)); got != want {
			t.Errorf("%q: %v", raw, got)
		}
	}
}

// TestWithoutExif checks that everything except Exif is kept, whatever the bytes are.
func TestWithoutExif(t *testing.T) {
	for raw, want := range map[string]string{
		"\xFF\xD8\xFF\xE0\x00\x04ab\xFF\xE1\x00\x03x\xFF\xDA\x00\x02rest": "\xFF\xD8\xFF\xE0\x00\x04ab\xFF\xDA\x00\x02rest",
		"\xFF\xD8\xFF\xE1\xFF\xFFcut":                                     "\xFF\xD8\xFF\xE1\xFF\xFFcut", "\xFF": "\xFF", "": "", "\xFF\xD8\xFF\xE1": "\xFF\xD8\xFF\xE1",
	} {
		if got := string(withoutExif([]byte(raw))); got != want {
			t.Errorf("%q becomes %q, want %q", raw, got, want)
		}
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 3))); err != nil || !bytes.Equal(withoutExif(picture.Bytes()), picture.Bytes()) {
		t.Errorf("what is no HEICToJPEG changes, %v", err)
	}
}
