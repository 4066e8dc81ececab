package lexical

// termTable numbers the terms. It is a hash table with linear probing that is
// saved as it is: to make a map of some hundred thousand terms would be most of
// the time of a start.
type termTable struct {
	names []string // by number; "" when the number is free
	free  []int32  // numbers to give out again
	slots []int32  // numbers in the order of their hashes; noTerm: free
}

const noTerm = -1

// hashTerm is FNV-1a with 32 bits (RFC 9923), folded once as the table goes by
// the lowest of them.
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
		if n := t.slots[i]; n == noTerm || t.names[n] == string(term) {
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

func (t *termTable) count() int { return len(t.names) - len(t.free) }

// add numbers a term that is not in the table.
func (t *termTable) add(term string) int32 {
	n := int32(len(t.names))
	if last := len(t.free) - 1; last >= 0 {
		n, t.free = t.free[last], t.free[:last]
		t.names[n] = term
	} else {
		t.names = append(t.names, term)
	}
	if 4*t.count() > 3*len(t.slots) {
		t.arrange()
		return n
	}
	t.slots[termPlace(t, term)] = n
	return n
}

// drop takes terms out, by their numbers.
func (t *termTable) drop(numbers []int32) {
	for _, n := range numbers {
		t.names[n] = ""
	}
	t.free = append(t.free, numbers...)
	t.arrange()
}

// isWhole tells whether the slots are those of a table that finds each of its
// terms, and comes to an end with any other: with each term once, at a place that
// is not behind a free one, and with free ones.
func (t *termTable) isWhole() bool {
	if len(t.names) == 0 && len(t.slots) == 0 {
		return true
	}
	if len(t.slots)&(len(t.slots)-1) != 0 || len(t.slots) <= len(t.names) {
		return false
	}
	taken := 0
	for _, n := range t.slots {
		if n == noTerm {
			continue
		}
		if taken++; n < 0 || int(n) >= len(t.names) {
			return false
		}
	}
	if taken != len(t.names) {
		return false
	}
	for n, name := range t.names {
		if t.slots[termPlace(t, name)] != int32(n) {
			return false
		}
	}
	return true
}

// arrange makes the slots anew, at least half of them free.
func (t *termTable) arrange() {
	size := 16
	for size < 2*t.count() {
		size *= 2
	}
	t.slots = make([]int32, size)
	for i := range t.slots {
		t.slots[i] = noTerm
	}
	for n, name := range t.names {
		if name != "" {
			t.slots[termPlace(t, name)] = int32(n)
		}
	}
}
