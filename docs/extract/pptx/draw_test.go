package pptx

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"vademecum/docs/extract"
)

// square returns a PNG with the given side length in pixels, which all have different colours.
func square(t *testing.T, side int) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range picture.Pix {
		picture.Pix[i] = byte(i*7 + i>>8)
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestDraw checks that the largest picture of a slide is drawn, and that a slide without one is
// refused with a reason.
func TestDraw(t *testing.T) {
	raw := pptxOf(t, shapeOf("", run("text")), shapeOf("", run("pictures")),
		"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="a" Type="x/image" Target="../media/small.png"/><Relationship Id="b" Type="x/image" Target="../media/large.PNG"/><Relationship Id="c" Type="x/image" Target="../media/drawing.emf"/><Relationship Id="d" Type="x/image" TargetMode="External" Target="https://example.org/a.png"/></Relationships>`,
		"ppt/media/small.png", square(t, 20), "ppt/media/large.PNG", square(t, 90), "ppt/media/drawing.emf", strings.Repeat("emf", 30_000))
	shown, err := DrawLargestPicture(raw, extract.DrawingRequest{Page: 2}, extract.NoProgress)
	if err != nil {
		t.Fatal(err)
	}
	if config, err := png.DecodeConfig(bytes.NewReader(shown)); err != nil || config.Width != 90 {
		t.Errorf("shown is a picture %d wide, %v", config.Width, err)
	}
	for page, want := range map[int]string{1: "there is no picture on slide 1: read it as text", 3: "there is no slide 3: it has 2"} {
		if _, err := DrawLargestPicture(raw, extract.DrawingRequest{Page: page}, extract.NoProgress); err == nil || err.Error() != want {
			t.Errorf("slide %d: %v, want %q", page, err, want)
		}
	}
	for name, content := range map[string][]byte{"no zip": []byte("x"), "cut off": raw[:len(raw)/2]} {
		if _, err := DrawLargestPicture(content, extract.DrawingRequest{Page: 1}, extract.NoProgress); err == nil {
			t.Errorf("%s is shown", name)
		}
	}
}
