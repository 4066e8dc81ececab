package lexical

// termTable numbers the terms. It is a hash table with linear probing that is saved as it is:
// building a map of some hundred thousand terms would be most of the time of a start.
type termTable struct {
	names termNames // "" when the number is free
	free  []int32   // numbers to reuse
	slots []int32   // numbers by hash; noTerm: free
}

const noTerm = -1

// hashTerm is FNV-1a with 32 bits (RFC 9923), folded once as the table uses the lowest bits.
func hashTerm[T string | []byte](term T) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h ^ h>>15
}

// termPlace is the slot of a term, or the one where it would be.
func termPlace[T string | []byte](t *termTable, term T) uint32 {
	mask := uint32(len(t.slots) - 1)
	for i := hashTerm(term) & mask; ; i = (i + 1) & mask {
		if n := t.slots[i]; n == noTerm || t.names.of(n) == string(term) {
			return i
		}
	}
}

// findTerm returns the number of a term, or noTerm.
func findTerm[T string | []byte](t *termTable, term T) int32 {
	if len(t.slots) == 0 {
		return noTerm
	}
	return t.slots[termPlace(t, term)]
}

func (t *termTable) count() int { return t.names.count() - len(t.free) }

// name returns the name of a term, by its number.
func (t *termTable) name(n int32) string { return t.names.of(n) }

// numberCount returns the numbers of all terms, free ones included.
func (t *termTable) numberCount() int32 { return int32(t.names.count()) }

// add numbers a term that is not in the table.
func (t *termTable) add(term string) int32 {
	n := t.numberCount()
	if last := len(t.free) - 1; last >= 0 {
		n, t.free = t.free[last], t.free[:last]
		t.names.set(n, term)
	} else {
		t.names.add(term)
	}
	if 4*t.count() > 3*len(t.slots) {
		t.rehash()
		return n
	}
	t.slots[termPlace(t, term)] = n
	return n
}

// drop removes terms, by number.
func (t *termTable) drop(numbers []int32) {
	for _, n := range numbers {
		t.names.set(n, "")
	}
	t.names.rebuildText()
	t.free = append(t.free, numbers...)
	t.rehash()
}

// emptyTable returns slots for a number of terms, at least half of which stay free.
func emptyTable(terms int) []int32 {
	size := 16
	for size < 2*terms {
		size *= 2
	}
	slots := make([]int32, size)
	for i := range slots {
		slots[i] = noTerm
	}
	return slots
}

// rehash rebuilds the slots.
func (t *termTable) rehash() {
	t.slots = emptyTable(t.count())
	for n := range t.numberCount() {
		if name := t.name(n); name != "" {
			t.slots[termPlace(t, name)] = n
		}
	}
}
