package live

import (
	"hash/maphash"
	"iter"

	"vademecum/index/search"
)

// locationTable finds the numbers of documents by location. It is a hash table with linear probing,
// which takes 10 to 20 bytes per document where a map of locations takes 80, and has no pointers
// for the garbage collector to follow.
type locationTable struct {
	table []tableEntry // the length is a power of two, or 0
	count int
}

// tableEntry is an entry for a document.
type tableEntry struct {
	hash   uint32
	number uint32 // document number plus 1; 0 if free
}

// placeSeed is the seed of all hashes of locations.
var placeSeed = maphash.MakeSeed()

func hashOf(at search.Location) uint32 {
	return uint32(maphash.String(placeSeed, at.Path)>>32) + uint32(at.Folder)*0x9e3779b1
}

// newLocationTable returns an empty table with capacity for a number of documents.
func newLocationTable(documents int) locationTable {
	if documents == 0 {
		return locationTable{}
	}
	size := 8
	for size-size/8 < documents {
		size *= 2
	}
	return locationTable{table: make([]tableEntry, size)}
}

// find yields the numbers of the documents that may be at a location. Others may be among them, because
// several locations may have the same hash.
func (p *locationTable) find(at search.Location) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		if len(p.table) == 0 {
			return
		}
		hash := hashOf(at)
		for i := p.firstIndex(hash); p.table[i].number != 0; i = p.nextIndex(i) {
			if p.table[i].hash == hash && !yield(p.table[i].number-1) {
				return
			}
		}
	}
}

func (p *locationTable) firstIndex(hash uint32) int { return int(hash) & (len(p.table) - 1) }

func (p *locationTable) nextIndex(i int) int { return (i + 1) & (len(p.table) - 1) }

// add adds a document that is not in the table.
func (p *locationTable) add(at search.Location, number uint32) {
	if p.count+1 > len(p.table)-len(p.table)/8 {
		larger := newLocationTable(2 * (p.count + 1))
		for _, one := range p.table {
			if one.number != 0 {
				larger.putEntry(one)
			}
		}
		p.table = larger.table
	}
	p.putEntry(tableEntry{hashOf(at), number + 1})
	p.count++
}

func (p *locationTable) putEntry(one tableEntry) {
	i := p.firstIndex(one.hash)
	for p.table[i].number != 0 {
		i = p.nextIndex(i)
	}
	p.table[i] = one
}

// remove removes a document. It then moves up later entries, until the next free one, if they are
// still found there, so that no gap interrupts a probe.
func (p *locationTable) remove(at search.Location, number uint32) {
	if len(p.table) == 0 {
		return
	}
	gap := p.firstIndex(hashOf(at))
	for p.table[gap].number != number+1 {
		if p.table[gap].number == 0 {
			return
		}
		gap = p.nextIndex(gap)
	}
	for i := p.nextIndex(gap); p.table[i].number != 0; i = p.nextIndex(i) {
		far := (i - p.firstIndex(p.table[i].hash)) & (len(p.table) - 1) // distance from the slot of its hash
		if far >= (i-gap)&(len(p.table)-1) {
			p.table[gap], gap = p.table[i], i
		}
	}
	p.table[gap] = tableEntry{}
	p.count--
}

// DocumentAt returns the document at a location, or nil if there is none.
func (m *Documents) DocumentAt(at search.Location) *search.Document {
	for n := range m.places.find(at) {
		if d := m.numbered[n]; d.Path == at.Path && d.Folder == at.Folder {
			return d
		}
	}
	return nil
}

// All yields all documents, by number. The caller may remove documents that were already yielded.
func (m *Documents) All(yield func(*search.Document) bool) {
	for _, d := range m.numbered {
		if d != nil && !yield(d) {
			return
		}
	}
}
