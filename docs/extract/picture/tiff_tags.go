package picture

import (
	"bytes"
	"encoding/binary"
)

// A tiffFile reads the directories (IFDs) of a TIFF, one for each page (TIFF 6.0, section 2),
// or those of the Exif data of a JPEG (CIPA DC-008).
type tiffFile struct {
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

// parseTIFF returns the tags of a TIFF; not ok if it is none.
func parseTIFF(raw []byte) (t tiffFile, ok bool) {
	switch {
	case len(raw) < headerSize:
	case bytes.HasPrefix(raw, []byte("II*\x00")):
		return tiffFile{raw, binary.LittleEndian}, true
	case bytes.HasPrefix(raw, []byte("MM\x00*")):
		return tiffFile{raw, binary.BigEndian}, true
	}
	return tiffFile{}, false
}

// findExif returns the TIFF with the tags that a camera has put into a JPEG; nil if there is none.
func findExif(raw []byte) []byte {
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

// firstDirectory returns where the first directory begins.
func (t tiffFile) firstDirectory() int { return int(t.order.Uint32(t.raw[4:])) }

// readDirectory returns the entries of a directory and where the next one begins, 0 after the
// last; not ok if it is damaged.
func (t tiffFile) readDirectory(at int) (entries []byte, next int, ok bool) {
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

// tagValue returns that of a tag which is a small number; 0 if it is not there.
func (t tiffFile) tagValue(entries []byte, tag uint16) int {
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

// CountPages returns the number of pages of a picture file: one, unless it is a TIFF.
func CountPages(raw []byte) int {
	all, _ := pageDirectories(raw)
	return max(1, len(all))
}

// IsCutShort reports whether a file is a TIFF with more pages than can be found in it.
func IsCutShort(raw []byte) bool {
	_, ok := pageDirectories(raw)
	return !ok
}

// pageDirectories lists where the directories of the pages of a TIFF begin, none of another file;
// not ok if one of them cannot be read.
func pageDirectories(raw []byte) (all []int, ok bool) {
	t, ok := parseTIFF(raw)
	if !ok {
		return nil, true
	}
	const most = 2000          // more are hardly meant
	seen := make(map[int]bool) // they may go round in a circle
	for at := t.firstDirectory(); at != 0 && !seen[at] && len(seen) < most; {
		seen[at] = true
		entries, next, ok := t.readDirectory(at)
		if !ok {
			return all, false
		}
		if t.tagValue(entries, tagSubfile)&isReduced == 0 {
			all = append(all, at)
		}
		at = next
	}
	return all, true
}

// movePageFirst returns a file that has a page of another as its first, which is the one that is
// decoded. The page must be there.
func movePageFirst(raw []byte, number int) []byte {
	if number <= 1 {
		return raw
	}
	t, _ := parseTIFF(bytes.Clone(raw))
	all, _ := pageDirectories(raw)
	t.order.PutUint32(t.raw[4:], uint32(all[number-1]))
	return t.raw
}
