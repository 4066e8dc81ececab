package live

import (
	"context"
	"encoding/binary"

	"vademecum/index/rank"
	"vademecum/index/search"
)

// beginning is how a wording begins. Those of all chunks are kept side by side, as
// each question looks through all for copies: a chunk is 60 times as long.
func beginning(w rank.Wording) uint16 { return binary.LittleEndian.Uint16(w[:]) }

// Copies appends to a list all chunks that have one of some wordings, in the order of
// their places.
func (st *Store) Copies(_ context.Context, to []search.Chunk, of map[rank.Wording]bool, only search.Filter) ([]search.Chunk, error) {
	st.Mu.RLock()
	defer st.Mu.RUnlock()
	keep := st.filter(only)
	var begins [1 << 16 / 64]uint64 // those of the wordings that are looked for
	for w := range of {
		n := beginning(w)
		begins[n/64] |= 1 << (n % 64)
	}
	before := len(to)
	for s, n := range st.begins {
		if begins[n/64]&(1<<(n%64)) == 0 {
			continue
		}
		if c := &st.Chunks[s]; of[c.Wording] && c.Document != nil && keep.Has(rank.Slot(s)) {
			to = append(to, *c)
		}
	}
	search.SortByPlace(to[before:])
	return to, nil
}
