package layout

import (
	"bytes"
	"image"
	"image/png"
	"math"
	"reflect"
	"testing"

	"vademecum/docs/extract"
)

// letter returns a rotated page with two lines of two words.
func letter() Page {
	word := func(from, to, x, y, width int, begins bool) Word {
		return Word{extract.CharacterRange{From: from, To: to}, image.Rect(x, y, x+width, y+40), begins}
	}
	return Page{
		Rotation: Rotation{OriginalWidth: 2480, OriginalHeight: 3508, AngleRadians: -7.3 * math.Pi / 180}, precedingCharacters: 12,
		Words: []Word{word(0, 4, 400, 300, 120, true), word(5, 10, 540, 300, 160, false), word(11, 15, 400, 360, 120, true), word(16, 20, 540, 364, 120, false)},
	}
}

// TestPack checks that Parse returns what Pack has encoded, except for differences of less than a
// step.
func TestPack(t *testing.T) {
	want := letter()
	packed := want.Pack()
	got, ok := Parse(packed)
	if !ok || got.precedingCharacters != want.precedingCharacters || got.Rotation.OriginalWidth != 2480 || got.Rotation.OriginalHeight != 3508 || math.Abs(got.Rotation.AngleRadians-want.Rotation.AngleRadians) > 1e-4 || len(got.Words) != len(want.Words) {
		t.Fatalf("it is %+v, %v", got, ok)
	}
	for i, w := range got.Words {
		had := want.Words[i]
		if w.CharacterRange != had.CharacterRange || w.BeginsLine != had.BeginsLine || !had.Box.In(w.Box) || !w.Box.In(had.Box.Inset(-want.Rotation.step())) {
			t.Errorf("%+v becomes %+v", had, w)
		}
	}
	if most := 10 + 8*len(want.Words); len(packed) > most {
		t.Errorf("it takes %d bytes, want at most %d", len(packed), most)
	}
	if behind, _ := Parse(AddPrecedingCharacters(packed, 30)); behind.precedingCharacters != 42 || !reflect.DeepEqual(behind.Words, got.Words) {
		t.Errorf("behind 30 characters it is %+v", behind)
	}
	for _, damaged := range []string{"", "\x00", packed[:len(packed)-1], "\x01\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00"} {
		if p, ok := Parse(damaged); ok || AddPrecedingCharacters(damaged, 1) != "" {
			t.Errorf("%q is %+v", damaged, p)
		}
	}
}

// TestBands checks that the areas of characters are in their lines, also for parts of words, and
// that other characters have none.
func TestBands(t *testing.T) {
	p := letter()
	p.Rotation.AngleRadians = 0
	for _, test := range []struct {
		of   extract.CharacterRange
		want []image.Rectangle
	}{
		{extract.CharacterRange{From: 12, To: 32}, []image.Rectangle{image.Rect(400, 300, 700, 340), image.Rect(400, 360, 660, 404)}},
		{extract.CharacterRange{From: 17, To: 22}, []image.Rectangle{image.Rect(540, 300, 700, 340)}},
		{extract.CharacterRange{From: 14, To: 16}, []image.Rectangle{image.Rect(460, 300, 520, 340)}},
		{extract.CharacterRange{From: 0, To: 12}, nil}, {extract.CharacterRange{}, nil}, {extract.CharacterRange{From: 33, To: 90}, nil},
	} {
		got := p.LineAreas(test.of)
		if len(got) != len(test.want) {
			t.Errorf("%v is at %v, want %v", test.of, got, test.want)
			continue
		}
		for i, box := range test.want {
			from, to := got[i][0], got[i][2]
			outer := image.Rect(int(from.X*2480), int(from.Y*3508), int(to.X*2480), int(to.Y*3508))
			if !box.In(outer) || !outer.In(box.Inset(-10)) {
				t.Errorf("%v is at %v, want about %v", test.of, outer, box)
			}
		}
	}
}

// TestBefore checks that ToOriginal keeps the middle of a page in place, and that positions to the
// right of it fall as the lines do.
func TestBefore(t *testing.T) {
	turn := Rotation{OriginalWidth: 1001, OriginalHeight: 801, AngleRadians: math.Pi / 6}
	width, height := turn.RotatedSize()
	x, y := turn.ToOriginal(float64(width-1)/2+100, float64(height-1)/2)
	if math.Abs(x-(500+100*math.Cos(math.Pi/6))) > 1e-9 || math.Abs(y-(400+50)) > 1e-9 {
		t.Errorf("it is at %v, %v", x, y)
	}
	if width, height := (Rotation{OriginalWidth: 3, OriginalHeight: 2}).RotatedSize(); width != 3 || height != 2 {
		t.Errorf("a page that is level becomes %d × %d", width, height)
	}
}

// TestPNG checks that the rotation stored in a PNG can be read, and that the PNG is still valid.
func TestPNG(t *testing.T) {
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	if turn, ok := RotationOfPNG(out.Bytes()); ok {
		t.Errorf("one without a turn tells %+v", turn)
	}
	want := Rotation{OriginalWidth: 28, OriginalHeight: 19, AngleRadians: 0.1}
	told := want.AddToPNG(out.Bytes())
	if got, ok := RotationOfPNG(told); !ok || got != want {
		t.Errorf("it tells %+v, %v", got, ok)
	}
	if picture, err := png.Decode(bytes.NewReader(told)); err != nil || picture.Bounds().Dx() != 30 {
		t.Errorf("it is %v, %v", picture, err)
	}
	for n := range len(told) {
		RotationOfPNG(told[:n])
	}
}

// FuzzParse checks that the areas of any page that can be parsed are within bounds.
func FuzzParse(f *testing.F) {
	f.Add(letter().Pack())
	f.Add("\x01\x01\x00\x00\x01\x01\x00\x00\x01\x01")
	f.Fuzz(func(t *testing.T, packed string) {
		p, ok := Parse(packed)
		if !ok {
			return
		}
		for _, w := range p.Words {
			if w.From < 0 || w.To < w.From || w.Box.Min.X < 0 || w.Box.Min.Y < 0 || w.Box.Max.X < w.Box.Min.X {
				t.Fatalf("a word is %+v", w)
			}
		}
		p.LineAreas(extract.CharacterRange{From: 0, To: 1 << 20})
		if again, ok := Parse(p.Pack()); !ok || len(again.Words) != len(p.Words) {
			t.Fatalf("packed again, it is %+v, %v", again, ok)
		}
	})
}
