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
	OriginalWidth, OriginalHeight int     // size of the page in pixels before the rotation
	AngleRadians                  float64 // angle in radians, anticlockwise
}

// RotatedSize returns the width and height of the page in pixels after the rotation, including added
// margins.
func (t Rotation) RotatedSize() (width, height int) {
	if t.AngleRadians == 0 {
		return t.OriginalWidth, t.OriginalHeight
	}
	sin, cos := math.Sincos(t.AngleRadians)
	w, h := float64(t.OriginalWidth), float64(t.OriginalHeight)
	return int(w*cos + h*math.Abs(sin)), int(w*math.Abs(sin) + h*cos)
}

// ToOriginal converts a position on the rotated page to the position on the original page, both in
// pixels.
func (t Rotation) ToOriginal(x, y float64) (float64, float64) {
	width, height := t.RotatedSize()
	sin, cos := math.Sincos(t.AngleRadians)
	dx, dy := x-float64(width-1)/2, y-float64(height-1)/2
	return float64(t.OriginalWidth-1)/2 + dx*cos - dy*sin, float64(t.OriginalHeight-1)/2 + dx*sin + dy*cos
}

// quad converts a rectangle on the rotated page, in pixels, to an area of the original page.
func (t Rotation) quad(box image.Rectangle) (q extract.Quad) {
	for i, corner := range [4]image.Point{box.Min, {box.Max.X, box.Min.Y}, box.Max, {box.Min.X, box.Max.Y}} {
		x, y := t.ToOriginal(float64(corner.X)-.5, float64(corner.Y)-.5) // pixel centres have integer coordinates
		q[i] = extract.RelativePoint{X: (x + .5) / float64(t.OriginalWidth), Y: (y + .5) / float64(t.OriginalHeight)}
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
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(t.OriginalWidth))
	chunk = binary.BigEndian.AppendUint32(chunk, uint32(t.OriginalHeight))
	chunk = binary.BigEndian.AppendUint64(chunk, math.Float64bits(t.AngleRadians))
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
	return t, t.OriginalWidth > 0 && t.OriginalHeight > 0 && t.OriginalWidth <= most && t.OriginalHeight <= most && math.Abs(t.AngleRadians) <= math.Pi/2
}
