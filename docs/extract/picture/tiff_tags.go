package picture

import (
	"bytes"
	"encoding/binary"
)

// A tiffFile reads the directories (IFDs) of a TIFF, one for each page (TIFF 6.0, section 2), or
// those in the Exif data of a JPEG (CIPA DC-008).
type tiffFile struct {
	raw   []byte
	order binary.ByteOrder
}

const (
	tagSubfile     = 254
	tagOrientation = 274

	isReduced = 1 // bit of tagSubfile: the page is a reduced version of another one

	headerSize = 8
	entrySize  = 12
	typeShort  = 3
)

// parseTIFF parses the header of a TIFF. ok is false if raw is not a TIFF.
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

// findExif returns the Exif data of a JPEG, which is a TIFF, or nil if there is none.
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

// firstDirectory returns the offset of the first directory.
func (t tiffFile) firstDirectory() int { return int(t.order.Uint32(t.raw[4:])) }

// readDirectory returns the entries of the directory at an offset, and the offset of the next
// directory, 0 after the last. ok is false if the directory is damaged.
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

// tagValue returns the value of a tag that is a small number, or 0 if the tag is missing.
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

// CountPages returns the number of pages of a picture file: 1, unless it is a TIFF.
func CountPages(raw []byte) int {
	all, _ := pageDirectories(raw)
	return max(1, len(all))
}

// HasMissingTIFFPages reports whether a file is a TIFF some of whose pages cannot be found.
func HasMissingTIFFPages(raw []byte) bool {
	_, ok := pageDirectories(raw)
	return !ok
}

// pageDirectories returns the offsets of the directories of the pages of a TIFF; none for other
// files. ok is false if one of them cannot be read.
func pageDirectories(raw []byte) (all []int, ok bool) {
	t, ok := parseTIFF(raw)
	if !ok {
		return nil, true
	}
	const most = 2000          // maximum number of pages; more are unlikely to be intended
	seen := make(map[int]bool) // offsets already read, as directories may form a cycle
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

// movePageFirst returns a copy of a TIFF with the given page first, since only the first page is
// decoded. The page must exist.
func movePageFirst(raw []byte, number int) []byte {
	if number <= 1 {
		return raw
	}
	t, _ := parseTIFF(bytes.Clone(raw))
	all, _ := pageDirectories(raw)
	t.order.PutUint32(t.raw[4:], uint32(all[number-1]))
	return t.raw
}
