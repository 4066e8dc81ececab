package djvu

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
)

// sample returns a file in testdata. These were made by DjVuLibre 3.5.28: cjb2 and djvused made the
// pages of harbour.djvu, with a compressed text layer on the first and third, djvm joined them, and
// djvmcvt converted the result to indirect.djvu.
func sample(t testing.TB, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

const harbourText = "Harbour regulations\nof 1911\n\nNo lamp oil may be landed after sun\u00AD\nset without a permit.\n\n码头在大雾天鸣钟三次。\n"

func TestDjVu(t *testing.T) {
	c, err := Read(sample(t, "harbour.djvu"), extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || c.Text != harbourText || c.ExtractionNote.String() != "1 of 3 pages has no text (scanned)" || c.Form != extract.PlainText {
		t.Errorf("note %q, %v\ngot  %q\nwant %q", c.ExtractionNote, err, c.Text, harbourText)
	}
	want := []extract.Part{{Kind: extract.Page, Number: 1, Name: "Lamp oil"}, {Kind: extract.Page, Number: 3, Name: "雾钟", StartByte: strings.Index(harbourText, "码头")}}
	if len(c.Parts) != 2 || c.Parts[0] != want[0] || c.Parts[1] != want[1] {
		t.Errorf("parts %+v", c.Parts)
	}
}

func TestLayers(t *testing.T) {
	for _, test := range []struct {
		name  string
		file  []byte
		text  string
		pages []int
		note  string
	}{
		{"one page", extracttest.DjVu("Ring the bell.\n"), "Ring the bell.\n", []int{1}, ""},
		{"signs between parts", extracttest.DjVu("Left\vRight\x1Done \n\x1Ftwo-\nthree\x0CA-\nB\n\n\n"), "Left\n\nRight\n\none\n\ntwo\u00AD\nthree\n\nA-\nB\n", []int{1}, ""},
		{"pages", extracttest.DjVu("One", "", "Three\xFF", ""), "One\n\nThree\uFFFD\n", []int{1, 3}, "2 of 4 pages have no text (scanned)"},
		{"a size that lies", []byte("AT&TFORM\x00\x00\x00\x14DJVUTXTa\x00\x00\x00\x08\xFF\xFF\xFFwords"), "words\n", []int{1}, ""},
	} {
		c, err := Read(test.file, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != test.text || c.ExtractionNote.String() != test.note {
			t.Errorf("%s: %q, note %q, %v", test.name, c.Text, c.ExtractionNote, err)
		}
		for i, p := range c.Parts {
			if len(c.Parts) != len(test.pages) || p.Number != test.pages[i] {
				t.Errorf("%s: parts %+v", test.name, c.Parts)
			}
		}
	}
}

// directoryOf returns a file with several pages whose directory gives starts as their offsets.
func directoryOf(rest []byte, starts ...int) []byte {
	d := []byte{0x81, byte(len(starts) >> 8), byte(len(starts))}
	for _, s := range starts {
		d = binary.BigEndian.AppendUint32(d, uint32(s))
	}
	all := append([]byte("DJVM"), extracttest.DjVuChunk("DIRM", d)...)
	return append([]byte("AT&T"), extracttest.DjVuChunk("FORM", append(all, rest...))...)
}

func TestDamagedDjVu(t *testing.T) {
	whole := sample(t, "harbour.djvu")
	c, err := Read(whole[:len(whole)-100], extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || !strings.HasPrefix(c.Text, "Harbour regulations") || c.ExtractionNote.String() != "1 of 3 pages has no text (scanned); page 3 could not be read completely" {
		t.Errorf("a part: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	packed := bytes.Index(whole, []byte("TXTz"))
	flipped := bytes.Clone(whole)
	for i := range 60 {
		flipped[packed+12+i] ^= 0x55
	}
	c, err = Read(flipped, extract.NoProgress)
	extracttest.CheckContent(t, c, err)
	if err != nil || !strings.Contains(c.ExtractionNote.String(), "page 1 could not be read completely") || !strings.Contains(c.Text, "码头") {
		t.Errorf("a damaged layer: %q, note %q, %v", c.Text, c.ExtractionNote, err)
	}
	page := extracttest.DjVu(strings.Repeat(" ", 1000))[len("AT&T"):]
	many := make([]int, 10_000)
	for i := range many {
		many[i] = 24 + 3 + 4*len(many) + 1
	}
	nested := make([]int, 30_000)
	deep := []byte{}
	for i := range nested {
		nested[i] = 24 + 3 + 4*len(nested) + 1 + 12*i
		deep = append(deep, "FORM\x7F\xFF\xFF\xFFDJVU"...)
	}
	for _, test := range []struct {
		name   string
		file   []byte
		reason string
	}{
		{"words", []byte("no DjVu"), errDamaged.Error()},
		{"the beginning", []byte(magic), errDamaged.Error()},
		{"a picture", extracttest.DjVu(""), errScanned.Error()},
		{"pictures", extracttest.DjVu("", "", ""), errScanned.Error()},
		{"a picture of another kind", []byte("AT&TFORM\x00\x00\x00\x04PM44"), errDamaged.Error()},
		{"indirect", sample(t, "indirect.djvu"), errIndirect.Error()},
		{"no directory", []byte("AT&TFORM\x00\x00\x00\x04DJVM"), errIndirect.Error()},
		{"no page where there should be", directoryOf(nil, 1<<30, 7), errDamaged.Error()},
		{"the same page again and again", directoryOf(page, many...), errDamaged.Error()},
		{"too many parts", directoryOf(nil, make([]int, extract.MaxArchiveEntries+1)...), extract.ErrTooManyFiles.Error()},
		{"pages in pages", directoryOf(deep, nested...), errDamaged.Error()},
		{"packed noise", []byte("AT&TFORM\x00\x00\x00\x14DJVUTXTz\x00\x00\x00\x08\xA5\x13\x55\xFF\xFFnoi"), errDamaged.Error()},
		{"too much", extracttest.DjVu(slices.Repeat([]string{strings.Repeat("too many words ", 1<<20)}, 3)...), extract.ErrTooMuchText.Error()},
	} {
		t.Log(test.name)
		_, err := Read(test.file, extract.NoProgress)
		extracttest.WantSkip(t, err, test.reason)
	}
}

// TestUnpackLimit checks that the decompressed size is limited for a file as a whole.
func TestUnpackLimit(t *testing.T) {
	whole := sample(t, "harbour.djvu")
	at := bytes.Index(whole, []byte("TXTz"))
	packed := whole[at+8 : at+8+numberAt(whole, at+4, 4)]
	u := bzzDecoder{remainingBytes: 1000}
	plain, err := u.decode(packed)
	if err != nil || !strings.HasPrefix(layerText(plain), "Harbour") {
		t.Errorf("%q, %v", plain, err)
	}
	for range 20 {
		_, err = u.decode(packed)
	}
	extracttest.WantSkip(t, err, extract.ErrTooMuchText.Error())
}

func FuzzDjVu(f *testing.F) {
	f.Add(sample(f, "harbour.djvu"))
	f.Add(sample(f, "indirect.djvu"))
	f.Add(extracttest.DjVu("One", "", "Three"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}
