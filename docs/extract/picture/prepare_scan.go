package picture

import (
	"bufio"
	"bytes"
	"image"
	"image/png"
	"io"
	"math"

	"vademecum/docs/extract"
)

// Limits on the size of pictures for OCR.
const (
	leastScanned = 400        // minimum pixels of the shorter side; smaller pictures are icons or ornaments
	mostScanned  = 10_000_000 // maximum pixels, to which larger photographs are reduced; A4 at 300 dpi has 8.7 million
	finelyDrawn  = 2000       // pixels of the longer side below which a picture is one for the screen: it is doubled, so that letters are as large as on paper
)

// errSmall does not name the size, because thousands of such files may be grouped by their reason.
var errSmall = extract.Skip("too small to contain a page of text")

// CheckHeaderForOCR checks by the header of a picture file whether OCR is worthwhile. If not, the error
// is a *extract.SkipError; any other error is a read error of the file. A TIFF always passes: it
// may have several pages, whose headers may be anywhere.
func CheckHeaderForOCR(file io.Reader) error {
	kept := &errorKeeper{from: file}
	buffered := bufio.NewReader(kept)
	head, _ := buffered.Peek(headerSize)
	if _, ok := parseTIFF(head); ok {
		return nil
	}
	config, _, err := image.DecodeConfig(buffered)
	switch {
	case kept.err != nil:
		return kept.err
	case err != nil:
		return errDamaged
	case min(config.Width, config.Height) < leastScanned:
		return errSmall
	}
	return checkPixels(config)
}

// An errorKeeper keeps the read error of a file, which decoders would report as the end of the
// file.
type errorKeeper struct {
	from io.Reader
	err  error
}

func (k *errorKeeper) Read(p []byte) (int, error) {
	n, err := k.from.Read(p)
	if err != nil && err != io.EOF {
		k.err = err
	}
	return n, err
}

// prepareScan returns a picture as a grey PNG suitable for OCR.
func prepareScan(shown image.Image) ([]byte, error) {
	all := shown.Bounds()
	if min(all.Dx(), all.Dy()) < leastScanned {
		return nil, errSmall
	}
	scale := min(1, math.Sqrt(mostScanned/float64(all.Dx()*all.Dy())))
	if max(all.Dx(), all.Dy()) < finelyDrawn {
		scale = 2
	}
	return EncodePageForOCR(toGrey(scalePart(shown, all, max(1, int(float64(all.Dx())*scale)), max(1, int(float64(all.Dy())*scale)))))
}

// EncodePageForOCR encodes a page for OCR as a PNG, rotated so that its lines are horizontal. The PNG
// records the rotation (see layout.RotationOfPNG).
func EncodePageForOCR(page *image.Gray) ([]byte, error) {
	var out bytes.Buffer
	level, turn := deskew(page)
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(&out, level); err != nil {
		return nil, err
	}
	return turn.AddToPNG(out.Bytes()), nil
}

// toGrey converts an opaque picture to grey, by the luma of ITU-R BT.601.
func toGrey(coloured *image.RGBA) *image.Gray {
	out := image.NewGray(coloured.Rect)
	for i := range out.Pix {
		pixel := coloured.Pix[4*i:][:3]
		out.Pix[i] = uint8((299*int(pixel[0]) + 587*int(pixel[1]) + 114*int(pixel[2])) / 1000)
	}
	return out
}
