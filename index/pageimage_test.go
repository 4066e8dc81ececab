package index

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/index/indextest"
	"vademecum/index/notice"
	"vademecum/index/sync"
)

// photo is a PNG of a colour.
func photo(t *testing.T) string {
	t.Helper()
	picture := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range picture.Pix {
		picture.Pix[i] = []byte{0, 0, 200, 255}[i%4]
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// deck is a presentation of one slide with a picture and next to no text.
func deck(t *testing.T) string {
	t.Helper()
	return string(extracttest.Zip(t,
		"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Type="x/slide" Target="slides/slide1.xml"/></Relationships>`,
		"ppt/slides/slide1.xml", `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>Quokka</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
		"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="a" Type="x/image" Target="../media/photo.png"/></Relationships>`,
		"ppt/media/photo.png", photo(t)))
}

// TestLook: pages with text and without, scans and pictures are shown, and nothing else.
func TestLook(t *testing.T) {
	t.Parallel()
	box := "0 0 1 rg 100 500 300 200 re f" // a page of a drawing, and no text
	n := indextest.NewNotesFolder(t, map[string]string{
		"paper.pdf": twoPages("heart"), "scan.pdf": string(extracttest.PDF("", box, box)), "half.pdf": string(extracttest.PDF("", extracttest.PDFLines("The figure of axolotls follows."), box)),
		"photo.png": photo(t), "a.md": "# Heart\n\nText.\n", "sound.mp3": "ID3", "broken.pdf": "%PDF-1.4 obj", ".hidden.png": photo(t), "broken.png": photo(t)[:90],
		"deck.pptx": deck(t),
	})
	ix := open(t, t.TempDir(), indextest.NewCountingModel(t), n.Dir)
	mustSync(t, ix, sync.Scope{})
	passage := mustSearch(t, ix, Query{Text: "heart of the patient", TopK: 1}).Passages[0]
	for ref, place := range map[string]string{
		"paper.pdf": "page 1", "paper.pdf#page=2": "page 2", passage.URI: "page 2", "scan.pdf": "page 1", "scan.pdf#page=2": "page 2", "half.pdf#page=2": "page 2", "photo.png": "", "photo": "",
		"deck.pptx": "slide 1", "deck.pptx#slide=1": "slide 1",
	} {
		look, err := ix.pageImage(t.Context(), PageImageQuery{Ref: ref, MaxBytes: 50_000})
		if ref == "photo" && errors.Is(err, ErrNotFound) {
			continue // it is no note
		}
		if err != nil || look.Place.String() != place || len(look.JPEG) > 50_000 {
			t.Errorf("%s is shown as %s %q in %d bytes, %v", ref, look.Path, look.Place, len(look.JPEG), err)
			continue
		}
		if _, err := jpeg.Decode(bytes.NewReader(look.JPEG)); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
	whole, err := ix.pageImage(t.Context(), PageImageQuery{Ref: "scan.pdf", MaxBytes: 50_000})
	if err != nil {
		t.Fatal(err)
	}
	part, err := ix.pageImage(t.Context(), PageImageQuery{Ref: "scan.pdf", MaxBytes: 50_000, Area: extract.PercentArea{Left: 20, Top: 20, Right: 50, Bottom: 35}})
	if err != nil {
		t.Fatal(err)
	}
	if picture, err := jpeg.Decode(bytes.NewReader(part.JPEG)); err != nil || picture.Bounds().Dx() < 600 { // of the page these are 330
		t.Errorf("the part is shown in %v, %v", picture.Bounds(), err)
	}
	if blue(t, part.JPEG) < 2*blue(t, whole.JPEG) {
		t.Errorf("of the part %.2f is blue, of the page %.2f", blue(t, part.JPEG), blue(t, whole.JPEG))
	}
	for ref, want := range map[string]string{
		"a.md": "a.md: it has no pages that can be shown as images: read it as text", "sound.mp3": "sound.mp3: it cannot be shown: ", "scan.pdf#page=9999": "there is no page 9999: it has 2", "scan.pdf#L3": "#L3 is not a page of the document",
		"broken.pdf": "broken.pdf: ", "broken.png": "damaged", "deck.pptx#slide=2": "deck.pptx: there is no slide 2: it has 1", "deck.pptx#slide=0": "there is no slide 0", ".hidden.png": ErrNotFound.Error(), "../../etc/passwd": "",
	} {
		if look, err := ix.pageImage(t.Context(), PageImageQuery{Ref: ref, MaxBytes: 50_000}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s is shown as %s in %d bytes (%v), want %q", ref, look.Path, len(look.JPEG), err, want)
		}
	}
	n.Write("photo.png", base64.StdEncoding.EncodeToString([]byte("no picture any more")))
	if _, err := ix.pageImage(t.Context(), PageImageQuery{Ref: "photo.png", MaxBytes: 50_000}); err == nil {
		t.Error("a picture that is gone is shown")
	}
	sparse := mustSearch(t, ix, Query{Text: "axolotls figure", TopK: 1}).Passages[0]
	if !sparse.PageHasLittleText || sparse.Path != "half.pdf" || passage.PageHasLittleText {
		t.Errorf("%s has little text: %t; %s: %t", sparse.Path, sparse.PageHasLittleText, passage.Path, passage.PageHasLittleText)
	}
	if a := mustSearch(t, ix, Query{Text: "what is on scan.pdf"}); len(a.Notes) == 0 || a.Notes[0].Kind != notice.NamedFileNotIndexed {
		t.Errorf("a question that names a scan has the notes %v", a.Notes)
	}
}

// blue is the share of a picture that is blue.
func blue(t *testing.T, raw []byte) float64 {
	t.Helper()
	picture, err := jpeg.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	n, b := 0, picture.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			if c := color.RGBAModel.Convert(picture.At(x, y)).(color.RGBA); c.B > 150 && c.R < 100 {
				n++
			}
		}
	}
	return float64(n) / float64(b.Dx()*b.Dy())
}
