package picture

import (
	"image"
	"image/color"
)

// applyOrientation returns a picture rotated as its metadata says: cameras store pictures as the
// sensor captures them. raw is the file with the metadata.
func applyOrientation(picture image.Image, raw []byte) image.Image {
	pixels, isReadable := picture.(image.RGBA64Image)
	if o := readOrientation(raw); o > 1 && isReadable {
		return orientedImage{pixels, o}
	}
	return picture
}

// readOrientation returns the Exif orientation of a picture, from 1 to 8; 1, upright, if the file
// has none.
func readOrientation(raw []byte) int {
	t, ok := parseTIFF(raw)
	if !ok {
		t, ok = parseTIFF(findExif(raw))
	}
	if !ok {
		return 1
	}
	entries, _, _ := t.readDirectory(t.firstDirectory())
	if o := t.tagValue(entries, tagOrientation); 1 <= o && o <= 8 {
		return o
	}
	return 1
}

// An orientedImage presents a picture rotated or mirrored by its Exif orientation.
type orientedImage struct {
	image.RGBA64Image
	orientation int
}

func (o orientedImage) Bounds() image.Rectangle {
	size := o.RGBA64Image.Bounds().Size()
	if o.swapsAxes() {
		return image.Rect(0, 0, size.Y, size.X)
	}
	return image.Rect(0, 0, size.X, size.Y)
}

// swapsAxes reports whether the rows of the stored picture become columns.
func (o orientedImage) swapsAxes() bool { return o.orientation >= 5 }

func (o orientedImage) At(x, y int) color.Color { return o.RGBA64At(x, y) }

func (o orientedImage) RGBA64At(x, y int) color.RGBA64 {
	if o.swapsAxes() {
		x, y = y, x
	}
	all := o.RGBA64Image.Bounds()
	switch o.orientation { // the first row becomes the bottom row or the right column
	case 3, 4, 6, 7:
		y = all.Dy() - 1 - y
	}
	switch o.orientation { // the first column becomes the right column or the bottom row
	case 2, 3, 7, 8:
		x = all.Dx() - 1 - x
	}
	return o.RGBA64Image.RGBA64At(all.Min.X+x, all.Min.Y+y)
}
