package lexical

// termTable numbers the terms. It is a hash table with linear probing that is saved in its memory
// layout, because building a map of some hundred thousand terms would take most of the startup
// time.
type termTable struct {
	names termNames // "" for a free number
	free  []int32   // numbers to reuse
	slots []int32   // term numbers by hash; noTerm if empty
}

const noTerm = -1

// hashTerm is the 32-bit FNV-1a hash (RFC 9923), folded once because the table uses the lowest
// bits.
func hashTerm[T string | []byte](term T) uint32 {
	h := uint32(2166136261)
	for i := range len(term) {
		h = (h ^ uint32(term[i])) * 16777619
	}
	return h ^ h>>15
}

// termPlace returns the slot of a term, or the empty slot where it belongs.
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

// numberCount returns the number of term numbers, including free ones.
func (t *termTable) numberCount() int32 { return int32(t.names.count()) }

// add adds a term that is not in the table and returns its number.
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

// drop removes terms, given by their numbers.
func (t *termTable) drop(numbers []int32) {
	for _, n := range numbers {
		t.names.set(n, "")
	}
	t.names.rebuildText()
	t.free = append(t.free, numbers...)
	t.rehash()
}

// emptyTable returns empty slots for a number of terms, at least twice as many as terms.
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
