package chm

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"vademecum/docs/extract"
)

// magic is what every file begins with.
const magic = "ITSF"

// An entry is a file in an archive.
type entry struct {
	name         string
	packed       bool
	start, bytes int // in its section
}

// An archive is the files in one of compiled HTML help (ITSF), most of which are
// packed together.
type archive struct {
	raw     []byte
	files   int // where those that are not packed begin
	entries []entry
	byName  map[string]int // by names in lower case

	packed   []byte // of the others
	frames   []int  // where each frame of these begins
	size     int    // bytes of these unpacked
	interval int    // frames after which the packing begins anew
	slots    int
	left     int // bytes that may still be unpacked
}

// numberAt returns the number in so many bytes, 4 or 8, the lowest first, or 0 beyond
// the end. Those of 2 GB and more, which no file has, become the largest.
func numberAt(b []byte, at, size int) int {
	if at < 0 || at > len(b)-size {
		return 0
	}
	if size == 8 {
		return int(min(binary.LittleEndian.Uint64(b[at:]), math.MaxInt32))
	}
	return int(min(binary.LittleEndian.Uint32(b[at:]), math.MaxInt32))
}

// within returns size bytes from there, or nil if there are not as many.
func within(b []byte, at, size int) []byte {
	if at < 0 || size < 0 || at > len(b) || size > len(b)-at {
		return nil
	}
	return b[at : at+size]
}

// openArchive reads the list of the files.
func openArchive(raw []byte) (*archive, error) {
	if !bytes.HasPrefix(raw, []byte(magic)) {
		return nil, errDamaged
	}
	a := &archive{raw: raw, byName: make(map[string]int), left: extract.MaxUnpacked}
	const sections = 56 // behind version, size, date, language and two identifiers
	list, size := numberAt(raw, sections+16, 8), numberAt(raw, sections+24, 8)
	a.files = list + size
	if numberAt(raw, 4, 4) >= 3 {
		a.files = numberAt(raw, sections+32, 8)
	}
	if err := a.readList(raw[min(list, len(raw)):]); err != nil {
		return nil, err
	}
	return a, nil
}

// readList reads the chunks of the directory (ITSP), of which those with entries
// (PMGL) count.
func (a *archive) readList(b []byte) error {
	header, size := numberAt(b, 8, 4), numberAt(b, 16, 4)
	if !bytes.HasPrefix(b, []byte("ITSP")) || size < 64 || header > len(b) {
		return errDamaged
	}
	b = b[header:]
	for range len(b) / size {
		if chunk := b[:size]; bytes.HasPrefix(chunk, []byte("PMGL")) {
			if err := a.readChunk(chunk); err != nil {
				return err
			}
		} else if !bytes.HasPrefix(chunk, []byte("PMGI")) {
			break
		}
		b = b[size:]
	}
	return nil
}

// readChunk reads the entries of a chunk.
func (a *archive) readChunk(chunk []byte) error {
	const head = 20
	r := listReader(chunk[head:max(len(chunk)-numberAt(chunk, 4, 4), head)])
	for len(r) > 0 {
		name := string(r.bytes(r.number()))
		section, start, size := r.number(), r.number(), r.number()
		if len(a.entries) >= maxEntries {
			return extract.ErrTooManyFiles
		}
		if folded := foldedName(name); folded != "" && size > 0 {
			if _, taken := a.byName[folded]; !taken {
				a.byName[folded] = len(a.entries)
			}
			a.entries = append(a.entries, entry{name, section != 0, start, size})
		}
	}
	return nil
}

// maxEntries bounds the files, which are pictures for the most part.
const maxEntries = 10 * extract.MaxEntries

// foldedName returns a name as they are compared.
func foldedName(name string) string { return strings.ToLower(strings.TrimPrefix(name, "/")) }

// A listReader reads the directory.
type listReader []byte

// number reads a number of seven bits a byte, all but the last with the highest bit
// set. Those of 2 GB and more become the largest.
func (r *listReader) number() int {
	n := uint64(0)
	for len(*r) > 0 {
		c := (*r)[0]
		*r = (*r)[1:]
		n = min(n<<7|uint64(c&0x7F), math.MaxInt32)
		if c&0x80 == 0 {
			break
		}
	}
	return int(n)
}

func (r *listReader) bytes(n int) []byte {
	n = min(n, len(*r))
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}

// Names of what says how files are packed together.
const (
	packedName  = "::DataSpace/Storage/MSCompressed/Content"
	controlName = "::DataSpace/Storage/MSCompressed/ControlData"
	tableName   = "::DataSpace/Storage/MSCompressed/Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable"
)

// plain returns a file that is not packed, nil if there is none of that name.
func (a *archive) plain(name string) []byte {
	i, ok := a.byName[foldedName(name)]
	if !ok || a.entries[i].packed {
		return nil
	}
	return within(a.raw, a.files+a.entries[i].start, a.entries[i].bytes)
}

// readTables reads how files are packed together, if any are.
func (a *archive) readTables() error {
	if !slices.ContainsFunc(a.entries, func(e entry) bool { return e.packed }) {
		return nil
	}
	control, table := a.plain(controlName), a.plain(tableName)
	if string(within(control, 4, 4)) != "LZXC" {
		return errDamaged
	}
	unit := 1
	if numberAt(control, 8, 4) >= 2 {
		unit = frameSize
	}
	a.interval = numberAt(control, 12, 4) * unit / frameSize
	a.slots = slots(numberAt(control, 16, 4) * unit)
	a.size = numberAt(table, 16, 8)
	if a.interval <= 0 || a.slots == 0 || numberAt(table, 32, 8) != frameSize {
		return errDamaged
	}
	a.readPacked()
	at := numberAt(table, 12, 4)
	for i := range min(numberAt(table, 4, 4), len(table)/8) {
		a.frames = append(a.frames, min(numberAt(table, at+8*i, 8), len(a.packed)))
	}
	if a.frames = append(a.frames, len(a.packed)); !slices.IsSorted(a.frames) {
		return errDamaged
	}
	return nil
}

// readPacked finds the packed bytes, of a file that was cut off those that there
// are.
func (a *archive) readPacked() {
	i, ok := a.byName[foldedName(packedName)]
	if !ok {
		return
	}
	start := min(a.entries[i].start, max(len(a.raw)-a.files, 0))
	packed := a.raw[min(a.files+start, len(a.raw)):]
	a.packed = packed[:min(a.entries[i].bytes, len(packed))]
}

// unpackFrom unpacks the frames of an interval. What comes before an error is
// returned, too.
func (a *archive) unpackFrom(interval int) ([]byte, error) {
	first := interval * a.interval
	last := min(first+a.interval, len(a.frames)-1)
	if first >= last {
		return nil, errDamaged
	}
	l := newLZX(a.slots)
	for i := first; i < last; i++ {
		until := min((i-first+1)*frameSize, a.size-first*frameSize)
		if a.left -= frameSize; a.left < 0 {
			return nil, extract.ErrUnpacksTooMuch
		}
		if err := l.frame(a.packed[a.frames[i]:a.frames[i+1]], until); err != nil {
			return l.out, err
		}
	}
	return l.out, nil
}

// read calls each with the content of files, in the order in which they are packed,
// for each interval to be unpacked but once. Files that cannot be unpacked to their
// ends are damaged.
func (a *archive) read(files []int, each func(file int, content []byte, damaged bool)) error {
	slices.SortFunc(files, func(i, j int) int { return a.entries[i].start - a.entries[j].start })
	unpacked, interval := []byte(nil), -1
	for _, i := range files {
		e := a.entries[i]
		if !e.packed {
			content := within(a.raw, a.files+e.start, e.bytes)
			each(i, content, content == nil)
			continue
		}
		var content []byte
		for at := e.start; at < e.start+e.bytes; {
			if n := at / (a.interval * frameSize); n != interval {
				var err error
				if unpacked, err = a.unpackFrom(n); err != nil && extract.IsLimit(err) {
					return err
				}
				interval = n
			}
			part := unpacked[min(at-interval*a.interval*frameSize, len(unpacked)):]
			if part = part[:min(len(part), e.start+e.bytes-at)]; len(part) == 0 {
				break
			}
			content = append(content, part...)
			at += len(part)
		}
		each(i, content, len(content) < e.bytes)
	}
	return nil
}
