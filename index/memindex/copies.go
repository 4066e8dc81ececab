package memindex

import (
	"context"
	"encoding/binary"

	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
)

// hashPrefix returns the first 16 bits of a content hash. The prefixes of all chunks are stored in a
// separate array, because each query scans all of them for copies: the chunks themselves take 60 times
// the memory.
func hashPrefix(w rank.ChunkTextHash) uint16 { return binary.LittleEndian.Uint16(w[:]) }

// AppendCopies implements search.View.
func (v *view) AppendCopies(_ context.Context, to []search.Chunk, of map[rank.ChunkTextHash]bool, only search.Filter) ([]search.Chunk, error) {
	before := len(to)
	v.store.ReadLocked(func(docs *live.Documents) { to = v.findCopies(docs, to, of, only) })
	search.SortByLocation(to[before:])
	return to, nil
}

func (c *contents) findCopies(docs *live.Documents, to []search.Chunk, of map[rank.ChunkTextHash]bool, only search.Filter) []search.Chunk {
	keep := docs.SlotFilter(only, len(c.chunks))
	var begins [1 << 16 / 64]uint64 // bit set of the prefixes of the wanted hashes
	for w := range of {
		n := hashPrefix(w)
		begins[n/64] |= 1 << (n % 64)
	}
	for s, n := range c.begins {
		if begins[n/64]&(1<<(n%64)) == 0 {
			continue
		}
		if one := &c.chunks[s]; of[one.ContentHash] && one.Document != nil && keep.Has(rank.Slot(s)) {
			to = append(to, *one)
		}
	}
	return to
}
