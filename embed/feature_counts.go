package embed

// countTable counts features by hash: a table with open addressing over entries in the order of
// first occurrence, so that sums over them never depend on the size of the table.
type countTable struct {
	entries []countEntry
	slots   []uint32 // 0, or 1 + index in entries; the length is a power of two
}

type countEntry struct {
	hash   uint64
	weight float32
	count  uint32
}

const minSlots = 4096 // enough for a chunk of 600 bytes at half load

func newCountTable() countTable {
	return countTable{
		entries: make([]countEntry, 0, minSlots/2),
		slots:   make([]uint32, minSlots),
	}
}

// reset clears all counts. After a short text it clears few slots, even if an earlier text was
// long.
func (t *countTable) reset() {
	t.entries = t.entries[:0]
	t.slots = t.slots[:minSlots]
	clear(t.slots)
}

// add counts one occurrence of a feature. The weight of a feature must be the same at every
// occurrence.
func (t *countTable) add(hash uint64, weight float32) {
	mask := uint64(len(t.slots) - 1)
	at := hash & mask
	for t.slots[at] != 0 {
		if e := &t.entries[t.slots[at]-1]; e.hash == hash {
			e.count++
			return
		}
		at = (at + 1) & mask
	}
	t.entries = append(t.entries, countEntry{hash, weight, 1})
	t.slots[at] = uint32(len(t.entries))
	if 2*len(t.entries) > len(t.slots) {
		t.grow()
	}
}

func (t *countTable) grow() {
	n := 2 * len(t.slots)
	if n <= cap(t.slots) {
		t.slots = t.slots[:n]
		clear(t.slots)
	} else {
		t.slots = make([]uint32, n)
	}
	mask := uint64(n - 1)
	for i, e := range t.entries {
		at := e.hash & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(i + 1)
	}
}

// hashWord returns the FNV-1a hash over runes instead of bytes, then mixed.
func hashWord(w []rune) uint64 {
	h := uint64(wordSeed)
	for _, r := range w {
		h = (h ^ uint64(r)) * 0x100000001b3
	}
	return mixBits(h)
}

// hashGram returns a multilinear hash of four runes (Lemire and Kaser, "Strongly
// universal string hashing is fast", 2014), then mixed.
func hashGram(seed uint64, a, b, c, d rune) uint64 {
	return mixBits(seed +
		uint64(a)*0xa0761d6478bd642f +
		uint64(b)*0xe7037ed1a0b428db +
		uint64(c)*0x8ebc6af09c88c6e3 +
		uint64(d)*0x589965cc75374cc3)
}

// mixBits returns the finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable
// pseudorandom number generators", 2014).
func mixBits(h uint64) uint64 {
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
