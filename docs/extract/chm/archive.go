package chm

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"

	"vademecum/docs/extract"
)

// magic is the start of every CHM file.
const magic = "ITSF"

// A fileEntry is a file in an archive.
type fileEntry struct {
	name         string
	isCompressed bool
	start, size  int // offset and size in bytes within the section of the archive that contains the file
}

// An archive is the set of files in a CHM file (ITSF), most of which are compressed together.
type archive struct {
	raw               []byte
	uncompressedStart int // offset of the section of uncompressed files
	entries           []fileEntry
	byName            map[string]int // index in entries, by lower-case name

	compressedData   []byte // the section of compressed files
	frameStarts      []int  // offsets of the frames in compressedData; the last element is its length
	uncompressedSize int    // length of the compressed files once decompressed
	resetInterval    int    // number of frames after which the compressor is reset
	positionSlots    int
	remainingBytes   int // bytes that may still be unpacked
}

// numberAt returns the little-endian number of size bytes, 4 or 8, at an offset, or 0 beyond the
// end. Numbers of 2 GB and more, which no file needs, become the largest int32.
func numberAt(b []byte, at, size int) int {
	if at < 0 || at > len(b)-size {
		return 0
	}
	if size == 8 {
		return int(min(binary.LittleEndian.Uint64(b[at:]), math.MaxInt32))
	}
	return int(min(binary.LittleEndian.Uint32(b[at:]), math.MaxInt32))
}

// sliceAt returns size bytes at an offset, or nil if there are fewer.
func sliceAt(b []byte, at, size int) []byte {
	if at < 0 || size < 0 || at > len(b) || size > len(b)-at {
		return nil
	}
	return b[at : at+size]
}

// openArchive reads the directory of a CHM file.
func openArchive(raw []byte) (*archive, error) {
	if !bytes.HasPrefix(raw, []byte(magic)) {
		return nil, errDamaged
	}
	a := &archive{raw: raw, byName: make(map[string]int), remainingBytes: extract.MaxUnpackedBytes}
	const sections = 56 // offset of the table of sections, after the version, size, date, language and two identifiers
	list, size := numberAt(raw, sections+16, 8), numberAt(raw, sections+24, 8)
	a.uncompressedStart = list + size
	if numberAt(raw, 4, 4) >= 3 {
		a.uncompressedStart = numberAt(raw, sections+32, 8)
	}
	if err := a.readDirectory(raw[min(list, len(raw)):]); err != nil {
		return nil, err
	}
	return a, nil
}

// readDirectory reads the chunks of the directory (ITSP). Only the chunks with entries (PMGL) are
// used.
func (a *archive) readDirectory(b []byte) error {
	header, size := numberAt(b, 8, 4), numberAt(b, 16, 4)
	if !bytes.HasPrefix(b, []byte("ITSP")) || size < 64 || header > len(b) {
		return errDamaged
	}
	b = b[header:]
	for range len(b) / size {
		if chunk := b[:size]; bytes.HasPrefix(chunk, []byte("PMGL")) {
			if err := a.readDirectoryChunk(chunk); err != nil {
				return err
			}
		} else if !bytes.HasPrefix(chunk, []byte("PMGI")) {
			break
		}
		b = b[size:]
	}
	return nil
}

// readDirectoryChunk reads the file entries of one chunk of the directory.
func (a *archive) readDirectoryChunk(chunk []byte) error {
	const head = 20
	r := directoryReader(chunk[head:max(len(chunk)-numberAt(chunk, 4, 4), head)])
	for len(r) > 0 {
		name := string(r.readBytes(r.readNumber()))
		section, start, size := r.readNumber(), r.readNumber(), r.readNumber()
		if len(a.entries) >= maxEntries {
			return extract.ErrTooManyFiles
		}
		if folded := lowerName(name); folded != "" && size > 0 {
			if _, taken := a.byName[folded]; !taken {
				a.byName[folded] = len(a.entries)
			}
			a.entries = append(a.entries, fileEntry{name, section != 0, start, size})
		}
	}
	return nil
}

// maxEntries is the maximum number of files read from the directory: most of them are pictures.
const maxEntries = 10 * extract.MaxArchiveEntries

// lowerName returns a name in the form used for comparison.
func lowerName(name string) string { return strings.ToLower(strings.TrimPrefix(name, "/")) }

// A directoryReader reads the fields of directory entries.
type directoryReader []byte

// readNumber reads a number with seven bits per byte; all bytes but the last have the highest bit
// set. Numbers of 2 GB and more become the largest int32.
func (r *directoryReader) readNumber() int {
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

func (r *directoryReader) readBytes(n int) []byte {
	n = min(n, len(*r))
	b := (*r)[:n]
	*r = (*r)[n:]
	return b
}

// Names of the files that describe the compression.
const (
	packedName  = "::DataSpace/Storage/MSCompressed/Content"
	controlName = "::DataSpace/Storage/MSCompressed/ControlData"
	tableName   = "::DataSpace/Storage/MSCompressed/Transform/{7FC28940-9D31-11D0-9B27-00A0C91E9C7C}/InstanceData/ResetTable"
)

// uncompressedFile returns the content of a file that is stored uncompressed, or nil if there is no
// such file.
func (a *archive) uncompressedFile(name string) []byte {
	i, ok := a.byName[lowerName(name)]
	if !ok || a.entries[i].isCompressed {
		return nil
	}
	return sliceAt(a.raw, a.uncompressedStart+a.entries[i].start, a.entries[i].size)
}

// readCompressionTables reads the parameters and the frame offsets of the compressed files, if
// there are any.
func (a *archive) readCompressionTables() error {
	if !slices.ContainsFunc(a.entries, func(e fileEntry) bool { return e.isCompressed }) {
		return nil
	}
	control, table := a.uncompressedFile(controlName), a.uncompressedFile(tableName)
	if string(sliceAt(control, 4, 4)) != "LZXC" {
		return errDamaged
	}
	unit := 1
	if numberAt(control, 8, 4) >= 2 {
		unit = frameSize
	}
	a.resetInterval = numberAt(control, 12, 4) * unit / frameSize
	a.positionSlots = positionSlotCount(numberAt(control, 16, 4) * unit)
	a.uncompressedSize = numberAt(table, 16, 8)
	if a.resetInterval <= 0 || a.positionSlots == 0 || numberAt(table, 32, 8) != frameSize {
		return errDamaged
	}
	a.readCompressedData()
	at := numberAt(table, 12, 4)
	for i := range min(numberAt(table, 4, 4), len(table)/8) {
		a.frameStarts = append(a.frameStarts, min(numberAt(table, at+8*i, 8), len(a.compressedData)))
	}
	if a.frameStarts = append(a.frameStarts, len(a.compressedData)); !slices.IsSorted(a.frameStarts) {
		return errDamaged
	}
	return nil
}

// readCompressedData locates the compressed bytes. In a truncated file there may be fewer.
func (a *archive) readCompressedData() {
	i, ok := a.byName[lowerName(packedName)]
	if !ok {
		return
	}
	start := min(a.entries[i].start, max(len(a.raw)-a.uncompressedStart, 0))
	packed := a.raw[min(a.uncompressedStart+start, len(a.raw)):]
	a.compressedData = packed[:min(a.entries[i].size, len(packed))]
}

// decompressInterval decompresses the frames of one reset interval. If there is an error, it
// returns the data before it as well.
func (a *archive) decompressInterval(interval int) ([]byte, error) {
	first := interval * a.resetInterval
	last := min(first+a.resetInterval, len(a.frameStarts)-1)
	if first >= last {
		return nil, errDamaged
	}
	l := newLZX(a.positionSlots)
	for i := first; i < last; i++ {
		until := min((i-first+1)*frameSize, a.uncompressedSize-first*frameSize)
		if a.remainingBytes -= frameSize; a.remainingBytes < 0 {
			return nil, extract.ErrUnpackedTooLarge
		}
		if err := l.decodeFrame(a.compressedData[a.frameStarts[i]:a.frameStarts[i+1]], until); err != nil {
			return l.out, err
		}
	}
	return l.out, nil
}

// readFiles calls each with the content of every file, given by their indexes in entries, in the
// order in which they are stored, so that each interval is decompressed only once. damaged means
// that a file could not be decompressed to its end.
func (a *archive) readFiles(files []int, each func(file int, content []byte, damaged bool)) error {
	slices.SortFunc(files, func(i, j int) int { return a.entries[i].start - a.entries[j].start })
	unpacked, interval := []byte(nil), -1
	for _, i := range files {
		e := a.entries[i]
		if !e.isCompressed {
			content := sliceAt(a.raw, a.uncompressedStart+e.start, e.size)
			each(i, content, content == nil)
			continue
		}
		var content []byte
		for at := e.start; at < e.start+e.size; {
			if n := at / (a.resetInterval * frameSize); n != interval {
				var err error
				if unpacked, err = a.decompressInterval(n); err != nil && extract.IsLimitError(err) {
					return err
				}
				interval = n
			}
			part := unpacked[min(at-interval*a.resetInterval*frameSize, len(unpacked)):]
			if part = part[:min(len(part), e.start+e.size-at)]; len(part) == 0 {
				break
			}
			content = append(content, part...)
			at += len(part)
		}
		each(i, content, len(content) < e.size)
	}
	return nil
}
