package layout

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"math"

	"vademecum/docs/extract"
)

// A Rotation is the rotation of a page that makes its lines of text horizontal.
type Rotation struct {
	Width, Height int     // size of the page in pixels before the rotation
	Angle         float64 // angle in radians, anticlockwise
}

// Size returns the width and height of the page in pixels after the rotation, including added
// margins.
func (t Rotation) Size() (width, height int) {
	if t.Angle == 0 {
		return t.Width, t.Height
	}
	sin, cos := math.Sincos(t.Angle)
	w, h := float64(t.Width), float64(t.Height)
	return int(w*cos + h*math.Abs(sin)), int(w*math.Abs(sin) + h*cos)
}

// ToOriginal converts a position on the rotated page to the position on the original page, both in
// pixels.
func (t Rotation) ToOriginal(x, y float64) (float64, float64) {
	width, height := t.Size()
	sin, cos := math.Sincos(t.Angle)
	dx, dy := x-float64(width-1)/2, y-float64(height-1)/2
	return float64(t.Width-1)/2 + dx*cos - dy*sin, float64(t.Height-1)/2 + dx*sin + dy*cos
}

// quad converts a rectangle on the rotated page, in pixels, to an area of the original page.
func (t Rotation) quad(box image.Rectangle) (q extract.Quad) {
	for i, corner := range [4]image.Point{box.Min, {box.Max.X, box.Min.Y}, box.Max, {box.Min.X, box.Max.Y}} {
		x, y := t.ToOriginal(float64(corner.X)-.5, float64(corner.Y)-.5) // pixel centres have integer coordinates
		q[i] = extract.Point{X: (x + .5) / float64(t.Width), Y: (y + .5) / float64(t.Height)}
	}
	return q
}

// The picture of a page stores the rotation in a private chunk (PNG, section 5), which other
// programs ignore.
const (
	signature  = "\x89PNG\r\n\x1a\n"
	chunkName  = "tuRn"
	chunkFrame = 12 // bytes of a chunk besides its data: length, name and checksum
	endOfHead  = len(signature) + chunkFrame + 13
	turnSize   = 16
)

// AddToPNG returns the picture of a page, a PNG, with the rotation stored in it.
func (t Rotation) AddToPNG(picture []byte) []byte {
	chunk := binary.BigEndian.AppendUint32(nil, turnSize)
	chunk = append(chunk, chunkName...)
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(t.Width))
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(t.Height))
	chunk = binary.BigEndian.AppendUint64(chunk, math.Float64bits(t.Angle))
	chunk = binary.BigEndian.AppendUint32(chunk, crc32.ChecksumIEEE(chunk[4:]))
	return bytes.Join([][]byte{picture[:endOfHead], chunk, picture[endOfHead:]}, nil)
}

// RotationOfPNG returns the rotation that AddToPNG stored in a PNG; ok is false if there is none.
func RotationOfPNG(picture []byte) (t Rotation, ok bool) {
	if len(picture) < endOfHead+chunkFrame+turnSize || string(picture[endOfHead+4:][:4]) != chunkName {
		return Rotation{}, false
	}
	told := picture[endOfHead+8:]
	t = Rotation{int(binary.BigEndian.Uint32(told)), int(binary.BigEndian.Uint32(told[4:])), math.Float64frombits(binary.BigEndian.Uint64(told[8:]))}
	return t, t.Width > 0 && t.Height > 0 && t.Width <= most && t.Height <= most && math.Abs(t.Angle) <= math.Pi/2
}
