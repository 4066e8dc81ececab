package picture

import (
	"image"
	"image/color"
)

// upright returns a picture as its file says that it is to be seen: cameras store what their
// sensor sees, however they are held.
func upright(picture image.Image, raw []byte) image.Image {
	pixels, isReadable := picture.(image.RGBA64Image)
	if o := orientationOf(raw); o > 1 && isReadable {
		return oriented{pixels, o}
	}
	return picture
}

// orientationOf returns where the first row and column of a picture are to be seen, from 1 to 8;
// 1, upper and left, where its file says nothing.
func orientationOf(raw []byte) int {
	t, ok := tagsOf(raw)
	if !ok {
		t, ok = tagsOf(exifOf(raw))
	}
	if !ok {
		return 1
	}
	entries, _, _ := t.directory(t.first())
	if o := t.value(entries, tagOrientation); 1 <= o && o <= 8 {
		return o
	}
	return 1
}

// oriented is a picture that is seen turned or mirrored.
type oriented struct {
	image.RGBA64Image
	orientation int
}

func (o oriented) Bounds() image.Rectangle {
	size := o.RGBA64Image.Bounds().Size()
	if o.isOnSide() {
		return image.Rect(0, 0, size.Y, size.X)
	}
	return image.Rect(0, 0, size.X, size.Y)
}

// isOnSide tells whether rows are seen as columns.
func (o oriented) isOnSide() bool { return o.orientation >= 5 }

func (o oriented) At(x, y int) color.Color { return o.RGBA64At(x, y) }

func (o oriented) RGBA64At(x, y int) color.RGBA64 {
	if o.isOnSide() {
		x, y = y, x
	}
	all := o.RGBA64Image.Bounds()
	switch o.orientation { // the first row is seen below, or on the right
	case 3, 4, 6, 7:
		y = all.Dy() - 1 - y
	}
	switch o.orientation { // the first column is seen on the right, or below
	case 2, 3, 7, 8:
		x = all.Dx() - 1 - x
	}
	return o.RGBA64Image.RGBA64At(all.Min.X+x, all.Min.Y+y)
}
