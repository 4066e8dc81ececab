package extracttest

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
)

const (
	sectorSize = 512
	miniSize   = 64
	miniCutoff = 4096

	listedInHeader = 109 // sectors of the FAT
	listedInSector = sectorSize/4 - 1

	noSector  = 0xFFFFFFFF
	lastOne   = 0xFFFFFFFE
	tableMark = 0xFFFFFFFD
	listMark  = 0xFFFFFFFC
)

// CompoundFile returns a compound file ([MS-CFB]) with the given streams. The arguments are
// alternately a name and a content. The part of a name before the last "/" is the path of the
// storage that contains the stream.
func CompoundFile(namesAndContents ...string) []byte {
	c := compoundWriter{entries: []compoundEntry{{name: "Root Entry", kind: 5}}, folders: map[string]int{"": 0}}
	for i := 0; i < len(namesAndContents); i += 2 {
		c.addStream(namesAndContents[i], namesAndContents[i+1])
	}
	return c.fileBytes()
}

// A compoundWriter builds a compound file.
type compoundWriter struct {
	entries    []compoundEntry
	folders    map[string]int // index in entries of each storage, by path
	data       []byte         // sectors of streams, without those of the FAT
	fat        []uint32       // FAT entries of these sectors
	miniStream []byte
	miniFAT    []uint32
}

type compoundEntry struct {
	name     string
	kind     byte // 1 storage, 2 stream, 5 root
	children []int
	start    uint32
	size     int
}

// addStream adds a stream, and creates the storages in its path that do not exist.
func (c *compoundWriter) addStream(path, content string) {
	folder, name := splitPath(path)
	at := c.storageEntry(folder)
	e := compoundEntry{name: name, kind: 2, size: len(content)}
	if len(content) < miniCutoff {
		e.start = c.addMiniStream(content)
	} else {
		e.start = c.addSectors([]byte(content))
	}
	c.entries[at].children = append(c.entries[at].children, len(c.entries))
	c.entries = append(c.entries, e)
}

// splitPath splits a path at its last "/".
func splitPath(path string) (folder, name string) {
	i := strings.LastIndexByte(path, '/')
	return path[:max(i, 0)], path[i+1:]
}

// storageEntry returns the index of the storage with that path. It creates the storage if
// necessary.
func (c *compoundWriter) storageEntry(path string) int {
	if i, ok := c.folders[path]; ok {
		return i
	}
	outer, name := splitPath(path)
	parent := c.storageEntry(outer)
	i := len(c.entries)
	c.entries[parent].children = append(c.entries[parent].children, i)
	c.entries = append(c.entries, compoundEntry{name: name, kind: 1})
	c.folders[path] = i
	return i
}

func (c *compoundWriter) addMiniStream(content string) uint32 {
	start := uint32(len(c.miniFAT))
	if content == "" {
		return lastOne
	}
	c.miniStream = append(c.miniStream, content...)
	c.miniStream = padTo(c.miniStream, miniSize)
	for len(c.miniFAT) < len(c.miniStream)/miniSize {
		c.miniFAT = append(c.miniFAT, uint32(len(c.miniFAT))+1)
	}
	c.miniFAT[len(c.miniFAT)-1] = lastOne
	return start
}

func (c *compoundWriter) addSectors(content []byte) uint32 {
	start := uint32(len(c.fat))
	if len(content) == 0 {
		return lastOne
	}
	c.data = padTo(append(c.data, content...), sectorSize)
	for len(c.fat) < len(c.data)/sectorSize {
		c.fat = append(c.fat, uint32(len(c.fat))+1)
	}
	c.fat[len(c.fat)-1] = lastOne
	return start
}

func padTo(b []byte, size int) []byte {
	return append(b, make([]byte, (size-len(b)%size)%size)...)
}

func (c *compoundWriter) fileBytes() []byte {
	root := &c.entries[0]
	root.size = len(c.miniStream)
	root.start = c.addSectors(c.miniStream)
	miniTable := c.addSectors(padTo(uint32Bytes(c.miniFAT), sectorSize))
	directory := c.addSectors(padTo(c.directoryBytes(), sectorSize))

	// The sectors of the FAT follow the others, and then the list of the FAT sectors for which the
	// header has no room. The FAT includes all of these.
	tables, lists := 0, 0
	for tables*sectorSize/4 < len(c.fat)+tables+lists {
		tables++
		lists = (max(tables-listedInHeader, 0) + listedInSector - 1) / listedInSector
	}
	first := len(c.fat)
	for range tables {
		c.fat = append(c.fat, tableMark)
	}
	for range lists {
		c.fat = append(c.fat, listMark)
	}
	list := make([]uint32, max(tables, listedInHeader))
	for i := range list {
		list[i] = noSector
		if i < tables {
			list[i] = uint32(first + i)
		}
	}
	table := uint32Bytes(c.fat)
	for len(table)%sectorSize > 0 {
		table = append(table, 0xFF)
	}
	header := c.headerBytes(directory, miniTable, tables, lists, first+tables)
	return slices.Concat(header, uint32Bytes(list[:listedInHeader]), c.data, table, difatSectors(list[listedInHeader:], first+tables))
}

// headerBytes returns the header without the list of FAT sectors at its end.
func (c *compoundWriter) headerBytes(directory, miniTable uint32, tables, lists, firstList int) []byte {
	header := make([]byte, 76)
	copy(header, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1")
	copy(header[24:], "\x3E\x00\x03\x00\xFE\xFF\x09\x00\x06\x00")
	list := uint32(lastOne)
	if lists > 0 {
		list = uint32(firstList)
	}
	for at, n := range map[int]uint32{
		44: uint32(tables), 48: directory, 56: miniCutoff, 60: miniTable,
		64: uint32((len(c.miniFAT)*4 + sectorSize - 1) / sectorSize), 68: list, 72: uint32(lists),
	} {
		binary.LittleEndian.PutUint32(header[at:], n)
	}
	return header
}

// difatSectors returns the sectors, from number first on, that list the FAT sectors. The last entry
// in each is the number of the next one.
func difatSectors(list []uint32, first int) []byte {
	var b []byte
	for at := 0; at < len(list); at += listedInSector {
		first++
		next := uint32(first)
		if at+listedInSector >= len(list) {
			next = lastOne
		}
		for i := at; i < at+listedInSector; i++ {
			n := uint32(noSector)
			if i < len(list) {
				n = list[i]
			}
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		b = binary.LittleEndian.AppendUint32(b, next)
	}
	return b
}

// directoryBytes returns the directory entries. The children of a storage are sorted, each the
// right sibling of the previous one.
func (c *compoundWriter) directoryBytes() []byte {
	right, child := make([]uint32, len(c.entries)), make([]uint32, len(c.entries))
	for i := range c.entries {
		right[i], child[i] = noSector, noSector
	}
	for i, e := range c.entries {
		slices.SortFunc(e.children, func(a, b int) int {
			a16, b16 := c.entries[a].name, c.entries[b].name
			return cmp.Or(cmp.Compare(len(a16), len(b16)), strings.Compare(strings.ToUpper(a16), strings.ToUpper(b16)))
		})
		last := &child[i]
		for _, n := range e.children {
			*last = uint32(n)
			last = &right[n]
		}
	}
	var b []byte
	for i, e := range c.entries {
		name := utf16.Encode([]rune(e.name))
		at := len(b)
		for _, unit := range name {
			b = binary.LittleEndian.AppendUint16(b, unit)
		}
		b = append(b, make([]byte, at+64-len(b))...)
		b = binary.LittleEndian.AppendUint16(b, uint16(2*len(name)+2))
		b = append(b, e.kind, 1)
		for _, n := range []uint32{noSector, right[i], child[i]} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		b = append(b, make([]byte, 36)...)
		b = binary.LittleEndian.AppendUint32(b, e.start)
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
	}
	return b
}

// uint32Bytes encodes numbers as little-endian 32-bit words.
func uint32Bytes(all []uint32) []byte {
	var b []byte
	for _, n := range all {
		b = binary.LittleEndian.AppendUint32(b, n)
	}
	return b
}
