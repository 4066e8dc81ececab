package extracttest

import (
	"encoding/binary"
	"image"
)

// TIFFPage is a page of a TIFF.
type TIFFPage struct {
	Picture     *image.Gray
	Orientation int // value of the Orientation tag
	IsReduced   bool
}

// TIFF returns an uncompressed file with the given grey pages.
func TIFF(order binary.AppendByteOrder, pages ...TIFFPage) []byte {
	put := order.(binary.ByteOrder)
	file := []byte("II*\x00\x00\x00\x00\x00")
	if put == binary.ByteOrder(binary.BigEndian) {
		file = []byte("MM\x00*\x00\x00\x00\x00")
	}
	next := 4 // offset of the field with the offset of the next page
	for _, p := range pages {
		strip := len(file)
		file = append(file, p.Picture.Pix...)
		put.PutUint32(file[next:], uint32(len(file)))
		size, reduced := p.Picture.Rect.Size(), 0
		if p.IsReduced {
			reduced = 1
		}
		entries := [][2]int{{254, reduced}, {256, size.X}, {257, size.Y}, {258, 8}, {259, 1}, {262, 1}, {273, strip}, {274, p.Orientation}, {277, 1}, {278, size.Y}, {279, len(p.Picture.Pix)}}
		file = order.AppendUint16(file, uint16(len(entries)))
		for _, e := range entries {
			const long = 4
			file = order.AppendUint16(order.AppendUint16(file, uint16(e[0])), long)
			file = order.AppendUint32(order.AppendUint32(file, 1), uint32(e[1]))
		}
		next = len(file)
		file = append(file, 0, 0, 0, 0)
	}
	return file
}
