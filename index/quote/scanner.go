package quote

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"vademecum/index/match"
)

// Scanner looks for the places of quotations in texts, and for places that are like them. It
// may be used by several goroutines at once.
type Scanner struct {
	passes []*pass // one for each way in which they are folded
}

// NewScanner returns a Scanner for quotations.
func NewScanner(quotes []Quotation) *Scanner {
	var s Scanner
	for _, targets := range []bool{false, true} {
		p := pass{targets: targets}
		for i, q := range quotes {
			if q.targets == targets {
				p.addQuote(i, q)
			}
		}
		if len(p.needles) > 0 {
			p.prepare()
			s.passes = append(s.passes, &p)
		}
	}
	return &s
}

// Scan looks through a text. It returns what it found of quotations.
func (s *Scanner) Scan(text string) (all []Found) {
	for _, p := range s.passes {
		all = append(all, p.scan(text)...)
	}
	return all
}

// pass looks for quotations in texts folded in one way. It tells where much of a quotation
// stands by seeds, as BLAST does (Altschul and others, 1990).
type pass struct {
	targets bool // see folder
	needles []needle
	seeds   map[uint64][]seed
	bitmap  []uint64 // of hashes of seeds: most places of a text are told apart by it
	shift   int
	states  sync.Pool
}

// needle is a part of a quotation.
type needle struct {
	part
	quote  int
	parts  int // that the quotation has, from its first needle on; 0 for the others
	offset int // of its first seed among all
	seeds  int // how many it has
}

// seed is a place in a needle.
type seed struct{ needle, offset int32 }

// seedSize is how many bytes of a folded text a seed has: two characters of Chinese.
const seedSize = 6

// seedAt reads the bytes of a seed. It takes two more to be there.
func seedAt(folded []byte) uint64 { return binary.LittleEndian.Uint64(folded) & (1<<(8*seedSize) - 1) }

var padding = make([]byte, 8-seedSize)

// mostSeeds bounds in how many places of a needle a seed counts: "ha ha ha" has few seeds.
const mostSeeds = 4

// addQuote adds the needles of a quotation.
func (s *pass) addQuote(i int, q Quotation) {
	for k, p := range q.parts {
		n := needle{part: p, quote: i}
		if k == 0 {
			n.parts = len(q.parts)
		}
		s.needles = append(s.needles, n)
	}
}

// prepare makes seeds of the needles.
func (s *pass) prepare() {
	s.seeds = make(map[uint64][]seed)
	total := 0
	for i := range s.needles {
		n := &s.needles[i]
		n.offset = total
		total += len(n.folded)
		padded := append(slices.Clone(n.folded), padding...)
		for at := 0; at+seedSize <= len(n.folded); at++ {
			key := seedAt(padded[at:])
			if all := s.seeds[key]; len(all) < mostSeeds || all[len(all)-mostSeeds].needle != int32(i) {
				s.seeds[key] = append(all, seed{int32(i), int32(at)})
				n.seeds++
			}
		}
	}
	logSize := max(12, bits.Len(uint(len(s.seeds)))+5) // one bit in 32 is set at most
	s.shift = 64 - logSize
	s.bitmap = make([]uint64, 1<<(logSize-6))
	for key := range s.seeds {
		h := s.hash(key)
		s.bitmap[h/64] |= 1 << (h % 64)
	}
	s.states.New = func() any { return &state{seen: make([]int, total), counts: make([]count, len(s.needles))} }
}

// hash is Fibonacci hashing (Knuth, The Art of Computer Programming, 6.4).
func (s *pass) hash(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> s.shift }

// state is what one text is looked through with.
type state struct {
	folded []byte
	counts []count
	seen   []int // for each seed, the last bucket that had it
	base   int   // number of the first bucket of the text, as numbers of none are used twice
}

// count counts seeds of a needle in pieces of a text that are as long as it is, so that any
// place of it lies in two of them.
type count struct {
	bucket      int // in the text
	now, before int // different seeds in it, and in the one before
	best, at    int // most of both, and the bucket
	exact       []int
}

func (c *count) add(bucket int, isNew bool) {
	if bucket != c.bucket {
		if c.before = 0; bucket == c.bucket+1 {
			c.before = c.now
		}
		c.bucket, c.now = bucket, 0
	}
	if isNew {
		c.now++
	}
	if c.now+c.before > c.best {
		c.best, c.at = c.now+c.before, bucket
	}
}

// Found is what a text has of a quotation.
type Found struct {
	Quote int
	// Exact are the places of its parts, where all of them stand in their order; else nil.
	Exact []match.Range
	// Parts are what there is of each part, unless Exact.
	Parts []Likeness
}

// Likeness is how much of a part of a quotation stands in a text, close together.
type Likeness struct {
	Seeds  int  // of it, that were found
	Exact  bool // it stands there as it is
	window match.Range
}

// mostExact is how many places of one needle in one text are looked at.
const mostExact = 10_000

func (s *pass) scan(text string) []Found {
	st := s.states.Get().(*state)
	defer s.states.Put(st)
	f := folder{text: text, targets: s.targets, out: st.folded[:0]}
	f.fold()
	st.folded = f.out
	for i := range st.counts {
		st.counts[i] = count{exact: st.counts[i].exact[:0], bucket: -2}
	}
	s.count(st)
	return s.judge(st, text)
}

// count counts seeds, and finds places of whole needles.
func (s *pass) count(st *state) {
	folded := st.folded
	last := 0
	padded := append(folded, padding...)
	for at := 0; at+seedSize <= len(folded); at++ {
		key := seedAt(padded[at:])
		if h := s.hash(key); s.bitmap[h/64]>>(h%64)&1 == 0 {
			continue
		}
		for _, seed := range s.seeds[key] {
			n := &s.needles[seed.needle]
			c := &st.counts[seed.needle]
			bucket := at / len(n.folded)
			last = max(last, bucket)
			seen := &st.seen[n.offset+int(seed.offset)]
			number := st.base + bucket + 1
			c.add(bucket, *seen != number)
			*seen = number
			if seed.offset == 0 && len(c.exact) < mostExact && bytes.HasPrefix(folded[at:], n.folded) {
				c.exact = append(c.exact, at)
			}
		}
	}
	st.base += last + 1
	for i, n := range s.needles {
		if len(n.folded) >= seedSize {
			continue
		}
		c := &st.counts[i]
		for at := 0; len(c.exact) < mostExact; at++ {
			next := bytes.Index(folded[at:], n.folded)
			if next < 0 {
				break
			}
			at += next
			c.exact = append(c.exact, at)
		}
	}
}

// judge makes of counts what is told of a text.
func (s *pass) judge(st *state, text string) (all []Found) {
	exact := s.verify(st, text)
	for i := 0; i < len(s.needles); {
		n := s.needles[i]
		parts := n.parts
		f := Found{Quote: n.quote, Exact: inOrder(exact[i : i+parts])}
		if f.Exact == nil {
			f.Parts = make([]Likeness, parts)
			any := false
			for k := range f.Parts {
				f.Parts[k] = s.likeness(i+k, &st.counts[i+k], len(st.folded), len(exact[i+k]) > 0)
				any = any || f.Parts[k].Seeds > 0
			}
			if !any {
				i += parts
				continue
			}
		}
		all = append(all, f)
		i += parts
	}
	return all
}

// leastSeeds is the share of its seeds, one in so many, that is needed for a likeness.
const leastSeeds = 8

// likeness is that of a needle, without seeds where it has too few.
func (s *pass) likeness(i int, c *count, length int, isExact bool) Likeness {
	size, most := len(s.needles[i].folded), max(1, s.needles[i].seeds)
	if isExact || len(c.exact) > 0 { // as a piece of a word, or in another case
		at := c.exact[0]
		l := Likeness{Seeds: most, Exact: isExact, window: match.Range{Start: at, End: at + size}}
		return l
	}
	if c.best*leastSeeds < most {
		return Likeness{}
	}
	return Likeness{Seeds: c.best, window: match.Range{Start: max(0, (c.at-1)*size), End: min(length, (c.at+1)*size)}}
}

// verify returns where needles stand in a text just as they are, in their order.
func (s *pass) verify(st *state, text string) [][]match.Range {
	exact := make([][]match.Range, len(s.needles))
	var wanted []match.Range
	for i, c := range st.counts {
		for _, at := range c.exact {
			wanted = append(wanted, match.Range{Start: at, End: at + len(s.needles[i].folded)})
		}
	}
	if len(wanted) == 0 {
		return exact
	}
	chars := charsIn(text, s.targets, wanted)
	for i, c := range st.counts {
		p := s.needles[i].part
		for _, at := range c.exact {
			if these := charsAt(chars, at, len(p.chars)); these != nil && p.isJust(these, text) {
				exact[i] = append(exact[i], rangeOf(these))
			}
		}
	}
	return exact
}

// charsAt returns so many characters from a place of a folded text on, nil where none begins.
func charsAt(chars []char, at, count int) []char {
	first, found := slices.BinarySearchFunc(chars, at, func(c char, at int) int { return c.at - at })
	if !found || first+count > len(chars) {
		return nil
	}
	return chars[first : first+count]
}

// rangeOf is where characters stand in their text.
func rangeOf(chars []char) match.Range {
	return match.Range{Start: chars[0].start, End: chars[len(chars)-1].end}
}

// charsIn returns the characters of some ranges of a folded text.
func charsIn(text string, targets bool, ranges []match.Range) (all []char) {
	slices.SortFunc(ranges, func(a, b match.Range) int { return a.Start - b.Start })
	merged := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &merged[len(merged)-1]; r.Start <= last.End {
			last.End = max(last.End, r.End)
		} else {
			merged = append(merged, r)
		}
	}
	f := folder{text: text, targets: targets}
	next := 0
	f.keep = func(c *char) {
		for next < len(merged) && merged[next].End <= c.at {
			next++
		}
		if next < len(merged) && c.at >= merged[next].Start {
			all = append(all, *c)
		}
	}
	f.fold()
	return all
}

// inOrder chooses a place of each part after that of the one before, nil if there is none.
func inOrder(parts [][]match.Range) (chosen []match.Range) {
	end := 0
	for _, places := range parts {
		at := slices.IndexFunc(places, func(r match.Range) bool { return r.Start >= end })
		if at < 0 {
			return nil
		}
		chosen = append(chosen, places[at])
		end = places[at].End
	}
	return chosen
}
