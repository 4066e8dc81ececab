package djvu

import "encoding/binary"

// magic is the start of every DjVu file.
const magic = "AT&TFORM"

// A chunk is a section of a file, or of another chunk, with an identifier and a size (EA IFF 85).
type chunk struct {
	id   string
	data []byte
}

// eachChunk calls each for the chunks in data until it returns false. A truncated chunk
// extends to the end of the data; whole reports that none was truncated.
func eachChunk(data []byte, each func(c chunk) bool) (whole bool) {
	for len(data) >= 8 {
		id, size := string(data[:4]), numberAt(data, 4, 4)
		data = data[8:]
		if size > len(data) {
			each(chunk{id, data})
			return false
		}
		if !each(chunk{id, data[:size]}) {
			return true
		}
		data = data[min(size+size%2, len(data)):]
	}
	return true
}

// numberAt returns the big-endian number of size bytes, at most 4, at an offset, or 0 beyond the
// end. Numbers of 2 GB and more, which no file needs, become the largest int32.
func numberAt(b []byte, at, size int) int {
	if at < 0 || at+size > len(b) {
		return 0
	}
	var word [4]byte
	copy(word[4-size:], b[at:at+size])
	return int(min(binary.BigEndian.Uint32(word[:]), 1<<31-1))
}

// formContent returns the kind of a composite chunk and its content, or "" for other chunks.
func (c chunk) formContent() (kind string, data []byte) {
	if c.id != "FORM" || len(c.data) < 4 {
		return "", nil
	}
	return string(c.data[:4]), c.data[4:]
}

// A pageDirectory lists the parts of a file with several pages (DIRM).
type pageDirectory struct {
	bundled bool
	starts  []int    // offsets of the parts in the file, if it is bundled
	names   []string // names of the parts; nil if they cannot be read
}

const isBundled = 0x80

func (u *bzzDecoder) readDirectory(data []byte) pageDirectory {
	d := pageDirectory{bundled: numberAt(data, 0, 1)&isBundled != 0}
	count, at := numberAt(data, 1, 2), 3
	if d.bundled {
		for range min(count, (len(data)-at)/4) {
			d.starts = append(d.starts, numberAt(data, at, 4))
			at += 4
		}
	}
	if packed, err := u.decode(data[min(at, len(data)):]); err == nil {
		d.names = readPartNames(packed, count)
	}
	return d
}

// readPartNames returns the names of the parts, which are stored after their sizes and flags.
func readPartNames(b []byte, count int) (names []string) {
	flags := b[min(3*count, len(b)):]
	texts := textReader(flags[min(count, len(flags)):])
	for i := range count {
		if len(texts) == 0 {
			return nil
		}
		names = append(names, texts.readUntilNUL())
		for flag := byte(0x80); flag >= 0x40; flag >>= 1 { // a file name if the first flag is set, a title if the second is
			if flags[i]&flag != 0 {
				texts.readUntilNUL()
			}
		}
	}
	return names
}

// A textReader reads strings that are stored one after the other.
type textReader []byte

func (r *textReader) readUntilNUL() string {
	for i, c := range *r {
		if c == 0 {
			text := string((*r)[:i])
			*r = (*r)[i+1:]
			return text
		}
	}
	text := string(*r)
	*r = nil
	return text
}

// readSized reads a string preceded by its length in size bytes.
func (r *textReader) readSized(size int) string {
	n := numberAt(*r, 0, size)
	*r = (*r)[min(size, len(*r)):]
	n = min(n, len(*r))
	text := string((*r)[:n])
	*r = (*r)[n:]
	return text
}
