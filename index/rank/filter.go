package rank

// Filter is the set of the slots whose chunks may be in a list, as a bit set; nil admits all.
type Filter []uint64

// NewFilter returns a filter for the given number of slots that admits none yet.
func NewFilter(slots int) Filter { return make(Filter, (slots+63)/64) }

// Add admits the chunk at a slot, which must be below the number of slots.
func (f Filter) Add(s Slot) { f[s/64] |= 1 << (s % 64) }

// Has reports whether a chunk is admitted.
func (f Filter) Has(s Slot) bool {
	return f == nil || int(s/64) < len(f) && f[s/64]&(1<<(s%64)) != 0
}
