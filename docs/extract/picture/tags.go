package picture

import (
	"bytes"
	"encoding/binary"
)

// tags are what a file says of its pages: lists of tags in directories, one for each page
// (TIFF 6.0, section 2). A JPEG of a camera has such a list of its own (CIPA DC-008, Exif).
type tags struct {
	raw   []byte
	order binary.ByteOrder
}

const (
	tagSubfile     = 254
	tagOrientation = 274

	isReduced = 1 // bit of tagSubfile: the page is a smaller one of another

	headerSize = 8
	entrySize  = 12
	typeShort  = 3
)

// tagsOf returns the tags of a TIFF; not ok if it is none.
func tagsOf(raw []byte) (t tags, ok bool) {
	switch {
	case len(raw) < headerSize:
	case bytes.HasPrefix(raw, []byte("II*\x00")):
		return tags{raw, binary.LittleEndian}, true
	case bytes.HasPrefix(raw, []byte("MM\x00*")):
		return tags{raw, binary.BigEndian}, true
	}
	return tags{}, false
}

// exifOf returns the TIFF with the tags that a camera has put into a JPEG; nil if there is none.
func exifOf(raw []byte) []byte {
	const start, marker, app1, scan, id = "\xFF\xD8", 0xFF, 0xE1, 0xDA, "Exif\x00\x00"
	if !bytes.HasPrefix(raw, []byte(start)) {
		return nil
	}
	for at := len(start); at+4 <= len(raw) && raw[at] == marker && raw[at+1] != scan; {
		end := at + 2 + int(binary.BigEndian.Uint16(raw[at+2:]))
		if end < at+4 || end > len(raw) {
			return nil
		}
		if exif, ok := bytes.CutPrefix(raw[at+4:end], []byte(id)); ok && raw[at+1] == app1 {
			return exif
		}
		at = end
	}
	return nil
}

// first is where the first directory begins.
func (t tags) first() int { return int(t.order.Uint32(t.raw[4:])) }

// directory returns the entries of a directory and where the next one begins, 0 after the
// last; not ok if it is damaged.
func (t tags) directory(at int) (entries []byte, next int, ok bool) {
	if at < headerSize || at+2 > len(t.raw) {
		return nil, 0, false
	}
	begin := at + 2
	end := begin + entrySize*int(t.order.Uint16(t.raw[at:]))
	if end+4 > len(t.raw) {
		return nil, 0, false
	}
	return t.raw[begin:end], int(t.order.Uint32(t.raw[end:])), true
}

// value returns that of a tag which is a small number; 0 if it is not there.
func (t tags) value(entries []byte, tag uint16) int {
	for ; len(entries) >= entrySize; entries = entries[entrySize:] {
		switch {
		case t.order.Uint16(entries) != tag:
		case t.order.Uint16(entries[2:]) == typeShort:
			return int(t.order.Uint16(entries[8:]))
		default:
			return int(t.order.Uint32(entries[8:]))
		}
	}
	return 0
}

// CountPages returns how many pages a file has that is a picture: one, unless it is a TIFF.
func CountPages(raw []byte) int { return max(1, len(pagesOf(raw))) }

// pagesOf lists where the directories of the pages of a TIFF begin; nil of another file.
func pagesOf(raw []byte) (all []int) {
	t, ok := tagsOf(raw)
	if !ok {
		return nil
	}
	const most = 2000          // more are hardly meant
	seen := make(map[int]bool) // they may go round in a circle
	for at := t.first(); at != 0 && !seen[at] && len(seen) < most; {
		seen[at] = true
		entries, next, ok := t.directory(at)
		if !ok {
			break
		}
		if t.value(entries, tagSubfile)&isReduced == 0 {
			all = append(all, at)
		}
		at = next
	}
	return all
}

// withPageFirst returns a file that has a page of another as its first, which is the one that is
// decoded. The page must be there.
func withPageFirst(raw []byte, number int) []byte {
	if number <= 1 {
		return raw
	}
	t, _ := tagsOf(bytes.Clone(raw))
	t.order.PutUint32(t.raw[4:], uint32(pagesOf(raw)[number-1]))
	return t.raw
}
