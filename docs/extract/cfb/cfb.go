// Package cfb reads compound files ([MS-CFB]), the format in which Outlook, and Office before 2007,
// save documents: a file system within a file.
//
// The library github.com/richardlehane/mscfb v1.0.9 was evaluated and rejected, although it is
// maintained and freely licensed. It stores the names of all enclosing folders with each folder, so
// its memory grows with the square of the depth (2 GB for a file of 2 MB), and it took 12 s to read
// one stream of 40 MB.
package cfb

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"vademecum/docs/extract"
)

// Signature is the start of every compound file.
const Signature = "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"

// errDamaged is the reason to skip a compound file whose directory cannot be read.
var errDamaged = extract.Skip("damaged compound file")

const (
	headerSize = 512
	entrySize  = 128
	miniShift  = 6 // binary logarithm of the size of sectors in the mini stream

	headerSectors = 109        // number of FAT sectors that the header lists
	lastSector    = 0xFFFFFFFA // last sector number; higher numbers have special meanings
	noEntry       = 0xFFFFFFFF
)

// File is an open compound file. It is not safe for concurrent use, because all streams share one
// limit on the bytes read.
type File struct {
	Root *Storage

	raw            []byte
	sectorShift    int      // binary logarithm of the size of sectors
	fat            []uint32 // file allocation table: for each sector, the next one of its stream
	miniStream     []byte   // the stream that contains the small streams
	miniFAT        []uint32
	miniCutoff     uint64 // size in bytes from which a stream has sectors of its own
	entries        []directoryEntry
	remainingBytes int // bytes that may still be read from streams
}

// A Storage is a folder in a compound file, which contains streams and further storages.
type Storage struct {
	Name     string
	Storages []*Storage // nested storages in the order of the directory, which is by name

	file     *File
	children map[string]*Storage       // nested storages by lower-case name: case is ignored ([MS-CFB] 2.6.4)
	streams  map[string]directoryEntry // directory entries of the streams, by lower-case name
}

// A directoryEntry is an entry in the directory of a compound file: a stream or a storage.
type directoryEntry struct {
	name               string
	kind               byte
	left, right, child uint32
	start              uint32
	size               uint64
}

// Types of directory entries.
const (
	storageEntry = 1
	streamEntry  = 2
	rootEntry    = 5
)

// Open reads the FAT and the directory of a compound file. A truncated file is read up to its end.
// The error is errDamaged, or the SkipError of an exceeded limit.
func Open(raw []byte) (*File, error) {
	if len(raw) < headerSize || !bytes.HasPrefix(raw, []byte(Signature)) {
		return nil, errDamaged
	}
	f := &File{raw: raw, sectorShift: int(binary.LittleEndian.Uint16(raw[30:])), miniCutoff: uint64(uint32At(raw, 56)), remainingBytes: extract.MaxUnpackedBytes}
	if f.sectorShift != 9 && f.sectorShift != 12 {
		return nil, errDamaged
	}
	f.readFAT()
	if err := f.readEntries(); err != nil {
		return nil, err
	}
	var err error
	if f.miniFAT, err = f.readUint32s(uint32At(raw, 60)); err != nil {
		return nil, err
	}
	if f.miniStream, err = f.readChain(f.entries[0].start, f.entries[0].size); err != nil {
		return nil, err
	}
	f.Root = &Storage{file: f}
	return f, f.readStorage(f.Root, f.entries[0].child, 0, make([]bool, len(f.entries)))
}

// uint32At returns the little-endian uint32 at an offset.
func uint32At(b []byte, at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }

// sectorBytes returns the bytes of sector n: less than a whole sector at the end of a truncated
// file, and none beyond it.
func (f *File) sectorBytes(n uint32) []byte {
	start := (int64(n) + 1) << f.sectorShift
	if n >= lastSector || start >= int64(len(f.raw)) {
		return nil
	}
	return f.raw[start:min(int64(len(f.raw)), start+1<<f.sectorShift)]
}

// readFAT reads the file allocation table (FAT), which gives the next sector of the same stream for
// each sector. A FAT with more entries than the file has sectors is cut off; chain lengths are
// limited by it, so that cycles end.
func (f *File) readFAT() {
	sectors := len(f.raw) >> f.sectorShift
	add := func(n uint32) bool {
		s, had := f.sectorBytes(n), len(f.fat)
		for i := 0; i+4 <= len(s) && len(f.fat) < sectors; i += 4 {
			f.fat = append(f.fat, uint32At(s, i))
		}
		return len(f.fat) > had && len(f.fat) < sectors
	}
	for i := range headerSectors {
		if !add(uint32At(f.raw, 76+4*i)) {
			return
		}
	}
	list := f.sectorBytes(uint32At(f.raw, 68))
	for len(list) == 1<<f.sectorShift {
		last := len(list) - 4
		for i := 0; i < last; i += 4 {
			if !add(uint32At(list, i)) {
				return
			}
		}
		list = f.sectorBytes(uint32At(list, last))
	}
}

// readChain returns the bytes of a stream that begins at sector start and has size bytes. It
// returns fewer bytes if the chain ends early.
func (f *File) readChain(start uint32, size uint64) ([]byte, error) {
	data := make([]byte, 0, min(size, uint64(f.remainingBytes), 1<<20))
	for n, steps := start, 0; steps < len(f.fat) && uint64(len(data)) < size; steps++ {
		s := f.sectorBytes(n)
		if f.remainingBytes -= len(s); f.remainingBytes < 0 {
			return nil, extract.ErrUnpackedTooLarge
		}
		data = append(data, s...)
		if len(s) == 0 || n >= uint32(len(f.fat)) {
			break
		}
		n = f.fat[n]
	}
	return data[:min(uint64(len(data)), size)], nil
}

// readMiniChain returns the bytes of a stream in the mini stream, like readChain.
func (f *File) readMiniChain(start uint32, size uint64) ([]byte, error) {
	var data []byte
	for n, steps := start, 0; steps < len(f.miniFAT) && uint64(len(data)) < size; steps++ {
		at := int64(n) << miniShift
		if n >= uint32(len(f.miniFAT)) || at >= int64(len(f.miniStream)) {
			break
		}
		s := f.miniStream[at:min(int64(len(f.miniStream)), at+1<<miniShift)]
		if f.remainingBytes -= len(s); f.remainingBytes < 0 {
			return nil, extract.ErrUnpackedTooLarge
		}
		data = append(data, s...)
		n = f.miniFAT[n]
	}
	return data[:min(uint64(len(data)), size)], nil
}

// untilChainEnd is the size of a stream of unknown size, which ends with its last sector.
const untilChainEnd = ^uint64(0)

// readUint32s returns the numbers in the stream that begins at sector start.
func (f *File) readUint32s(start uint32) ([]uint32, error) {
	data, err := f.readChain(start, untilChainEnd)
	numbers := make([]uint32, 0, len(data)/4)
	for i := 0; i+4 <= len(data); i += 4 {
		numbers = append(numbers, uint32At(data, i))
	}
	return numbers, err
}

// readEntries reads the directory entries of all streams and storages, the root first.
func (f *File) readEntries() error {
	data, err := f.readChain(uint32At(f.raw, 48), untilChainEnd)
	if err != nil {
		return err
	}
	for ; len(data) >= entrySize; data = data[entrySize:] {
		e := directoryEntry{
			kind: data[66], left: uint32At(data, 68), right: uint32At(data, 72), child: uint32At(data, 76),
			start: uint32At(data, 116), size: binary.LittleEndian.Uint64(data[120:]),
		}
		if f.sectorShift == 9 {
			e.size &= 0xFFFFFFFF // the upper half is undefined in files with small sectors
		}
		e.name = entryName(data)
		f.entries = append(f.entries, e)
	}
	if len(f.entries) == 0 || f.entries[0].kind != rootEntry {
		return errDamaged
	}
	return nil
}

// entryName returns the name in a directory entry.
func entryName(data []byte) string {
	length := min(int(binary.LittleEndian.Uint16(data[64:])), 64)/2 - 1 // without the final null
	var units []uint16
	for i := range max(length, 0) {
		units = append(units, binary.LittleEndian.Uint16(data[2*i:]))
	}
	return string(utf16.Decode(units))
}

// readStorage adds the entries of a directory tree with root top to s, in order. It leaves out
// entries already marked in seen, so that each is read only once.
func (f *File) readStorage(s *Storage, top uint32, depth int, seen []bool) error {
	if depth > extract.MaxNestingDepth {
		return extract.ErrNestedTooDeeply
	}
	s.children, s.streams = make(map[string]*Storage), make(map[string]directoryEntry)
	var open []uint32 // entries whose left subtree is being read
	for at := top; ; {
		for at < uint32(len(f.entries)) && !seen[at] {
			seen[at] = true
			open = append(open, at)
			at = f.entries[at].left
		}
		if len(open) == 0 {
			return nil
		}
		e := f.entries[open[len(open)-1]]
		open = open[:len(open)-1]
		switch e.kind {
		case streamEntry:
			s.streams[strings.ToLower(e.name)] = e
		case storageEntry:
			inner := &Storage{Name: e.name, file: f}
			if err := f.readStorage(inner, e.child, depth+1, seen); err != nil {
				return err
			}
			s.Storages, s.children[strings.ToLower(e.name)] = append(s.Storages, inner), inner
		}
		at = e.right
	}
}

// ReadStream returns the bytes of the stream with that name: nil if there is none, and its
// beginning if the file is truncated.
func (s *Storage) ReadStream(name string) ([]byte, error) {
	e, ok := s.streams[strings.ToLower(name)]
	switch {
	case !ok:
		return nil, nil
	case e.size < s.file.miniCutoff:
		return s.file.readMiniChain(e.start, e.size)
	}
	return s.file.readChain(e.start, e.size)
}

// HasStream reports whether there is a stream with that name.
func (s *Storage) HasStream(name string) bool {
	_, ok := s.streams[strings.ToLower(name)]
	return ok
}

// Child returns the nested storage with that name, or nil if there is none. Case is ignored.
func (s *Storage) Child(name string) *Storage { return s.children[strings.ToLower(name)] }
