// Package picture draws picture files and rendered pages, and prepares them for OCR.
package picture

import (
	"bytes"
	"image"
	_ "image/gif" // registers the format, like the imports below
	"image/jpeg"
	"image/png"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/draw"
	_ "golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"vademecum/docs/extract"
)

// maxPixels is the maximum number of pixels of a picture, which takes four bytes per pixel while it
// is drawn.
const maxPixels = 60_000_000

// Draw draws a picture file in PNG, JPEG, GIF, BMP, TIFF or WebP as requested.
func Draw(raw []byte, request extract.DrawingRequest, _ extract.ProgressReporter) ([]byte, error) {
	pages := CountPages(raw)
	if request.Page > pages {
		return nil, extract.Skip("there is no page %d: it has %d", request.Page, pages)
	}
	raw = movePageFirst(raw, request.Page)
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return nil, errDamaged
	}
	if err := checkPixels(config); err != nil {
		return nil, err
	}
	picture, _, err := image.Decode(bytes.NewReader(raw))
	if err != nil {
		return nil, errDamaged
	}
	picture = applyOrientation(picture, raw)
	if request.DotsPerInch > 0 {
		return prepareScan(picture)
	}
	return EncodePart(picture, request)
}

// checkPixels returns an error if a picture is too large to be decoded.
func checkPixels(c image.Config) error {
	if c.Width <= 0 || c.Height <= 0 || c.Width > maxPixels/c.Height {
		return extract.Skip("the picture is too large (%d × %d pixels)", c.Width, c.Height)
	}
	return nil
}

var errDamaged = extract.Skip("the picture is damaged or of an unsupported type")

// EncodePart encodes the requested area of a picture: as a PNG or, if MaxBytes is set, as a JPEG of
// at most that many bytes.
func EncodePart(picture image.Image, request extract.DrawingRequest) ([]byte, error) {
	part := areaRectangle(picture.Bounds(), request.Area)
	if request.MaxBytes == 0 {
		var out bytes.Buffer
		encoder := png.Encoder{CompressionLevel: png.BestSpeed}
		longest := longestShown * float64(max(100, min(request.ZoomPercent, mostZoom))) / 100
		scale := min(1, longest/float64(max(part.Dx(), part.Dy())))
		shown := scalePart(picture, part, max(1, int(float64(part.Dx())*scale)), max(1, int(float64(part.Dy())*scale)))
		mark(shown, picture.Bounds(), part, request)
		err := encoder.Encode(&out, shown)
		return out.Bytes(), err
	}
	return encodeWithin(picture, part, request.MaxBytes)
}

// areaRectangle returns the rectangle of pixels that an area covers in a picture with the bounds
// all.
func areaRectangle(all image.Rectangle, a extract.PercentArea) image.Rectangle {
	if a.IsWholePage() {
		return all
	}
	at := func(from, length int, percent float64) int { return from + int(float64(length)*percent/100+.5) }
	part := image.Rect(at(all.Min.X, all.Dx(), a.Left), at(all.Min.Y, all.Dy(), a.Top), at(all.Min.X, all.Dx(), a.Right), at(all.Min.Y, all.Dy(), a.Bottom)).Intersect(all)
	if part.Empty() {
		return all
	}
	return part
}

// longestShown is the maximum side length, in pixels, of a picture that people view on a screen;
// pages are drawn at the same size.
const longestShown = 1600

// mostZoom is the maximum enlargement, in percent.
const mostZoom = 300

// longestSide is the maximum side length, in pixels, of a picture for a model: models do not see
// more (docs.claude.com, vision, 2026).
const longestSide = 1568

// Steps by which a picture is reduced until it has a requested size in bytes.
const (
	firstQuality = 80
	lastQuality  = 40
	lessQuality  = 20
	lessSize     = 0.8
	leastSide    = 200 // minimum side length in pixels
)

// encodeWithin returns a part of a picture as a JPEG of at most that many bytes, as large and as
// good as possible.
func encodeWithin(picture image.Image, part image.Rectangle, maxBytes int) ([]byte, error) {
	scale := min(1, longestSide/float64(max(part.Dx(), part.Dy())))
	for {
		var shown image.Image
		coloured := scalePart(picture, part, max(1, int(float64(part.Dx())*scale)), max(1, int(float64(part.Dy())*scale)))
		if shown = coloured; isGrey(coloured) {
			shown = toGrey(coloured)
		}
		var out bytes.Buffer
		for quality := firstQuality; quality >= lastQuality; quality -= lessQuality {
			out.Reset()
			if err := jpeg.Encode(&out, shown, &jpeg.Options{Quality: quality}); err != nil {
				return nil, err
			}
			if out.Len() <= maxBytes {
				return out.Bytes(), nil
			}
		}
		if scale *= lessSize; scale*float64(max(part.Dx(), part.Dy())) < leastSide {
			return out.Bytes(), nil
		}
	}
}

// scalePart draws a part of a picture in the given size on a white background.
func scalePart(picture image.Image, part image.Rectangle, width, height int) *image.RGBA {
	paper := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(paper, paper.Rect, image.White, image.Point{}, draw.Src)
	var by draw.Scaler = draw.CatmullRom
	if part.Dx() == width {
		by = draw.NearestNeighbor
	}
	by.Scale(paper, paper.Rect, picture, part, draw.Over, nil)
	return paper
}

// isGrey reports whether a picture has no colours.
func isGrey(shown *image.RGBA) bool {
	const most = 24 // maximum difference between the colours of a pixel, of 255
	for i := 0; i+3 < len(shown.Pix); i += 4 {
		r, g, b := int(shown.Pix[i]), int(shown.Pix[i+1]), int(shown.Pix[i+2])
		if max(r, g, b)-min(r, g, b) > most {
			return false
		}
	}
	return true
}
