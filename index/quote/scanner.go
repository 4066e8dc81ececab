package quote

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"math/bits"
	"slices"
	"sync"

	"vademecum/docs/struck"
	"vademecum/index/match"
)

// Scanner searches texts for quotations, and for similar places. It may be used by several
// goroutines at once.
type Scanner struct {
	passes []*scanPass // one for each set of folding options, with and without marks of struck-out text
}

// NewScanner returns a Scanner for quotations.
func NewScanner(quotes []Quotation) *Scanner {
	var s Scanner
	for i, q := range quotes {
		at := slices.IndexFunc(s.passes, func(p *scanPass) bool {
			return p.foldingOptions == q.foldingOptions && p.marksStruck == q.marksStruck
		})
		if at < 0 {
			at = len(s.passes)
			s.passes = append(s.passes, &scanPass{foldingOptions: q.foldingOptions, marksStruck: q.marksStruck})
		}
		s.passes[at].addQuote(i, q)
	}
	for _, p := range s.passes {
		p.indexSeeds()
	}
	return &s
}

// Scan searches a text, and returns what it found for each quotation: one Match, or two if the text has
// struck-out words, the second of which includes these. It returns the error of ctx if that ends.
func (s *Scanner) Scan(ctx context.Context, text string) (all []Match, err error) {
	stretches := struck.Find(text)
	for _, p := range s.passes {
		found, err := p.scanReadings(ctx, text, stretches)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// scanPass searches texts folded with the same options for quotations. It finds similar places by
// seeds, as BLAST does (Altschul and others, 1990).
type scanPass struct {
	foldingOptions
	marksStruck bool // the quotations mark words as struck out
	needles     []searchedPart
	seeds       map[uint64][]seed
	bitmap      []uint64 // hashes of the seeds; it rules out most places of a text
	shift       int
	states      sync.Pool
}

// searchedPart is a needle: a quotation, or a part of one, that is searched for.
type searchedPart struct {
	quotedPart
	quote  int
	parts  int // how many of the following needles are its parts
	offset int // index of its first seed among those of all needles
	seeds  int // number of its seeds
}

// seed is the position of seedSize bytes in a needle. Texts are searched for these bytes first.
type seed struct{ needle, offset int32 }

// seedSize is the length of a seed in bytes of the folded text: two Chinese characters.
const seedSize = 6

// seedKeyAt returns the bytes of a seed as a number. It requires two bytes more than seedSize.
func seedKeyAt(folded []byte) uint64 {
	return binary.LittleEndian.Uint64(folded) & (1<<(8*seedSize) - 1)
}

var padding = make([]byte, 8-seedSize)

// mostSeeds is the maximum number of positions in a needle at which the same seed counts: the few different
// seeds of "ha ha ha" occur at many positions.
const mostSeeds = 4

// addQuote adds the needles of a quotation: the whole and its parts.
func (s *scanPass) addQuote(i int, q Quotation) {
	s.needles = append(s.needles, searchedPart{quotedPart: q.whole, quote: i, parts: len(q.parts)})
	for _, p := range q.parts {
		s.needles = append(s.needles, searchedPart{quotedPart: p, quote: i})
	}
}

// indexSeeds indexes the seeds of the needles.
func (s *scanPass) indexSeeds() {
	s.seeds = make(map[uint64][]seed)
	total := 0
	for i := range s.needles {
		n := &s.needles[i]
		n.offset = total
		total += len(n.folded)
		padded := append(slices.Clone(n.folded), padding...)
		for at := 0; at+seedSize <= len(n.folded); at++ {
			key := seedKeyAt(padded[at:])
			if all := s.seeds[key]; len(all) < mostSeeds || all[len(all)-mostSeeds].needle != int32(i) {
				s.seeds[key] = append(all, seed{int32(i), int32(at)})
				n.seeds++
			}
		}
	}
	logSize := max(12, bits.Len(uint(len(s.seeds)))+5) // at most one bit in 32 is set
	s.shift = 64 - logSize
	s.bitmap = make([]uint64, 1<<(logSize-6))
	for key := range s.seeds {
		h := s.hash(key)
		s.bitmap[h/64] |= 1 << (h % 64)
	}
	s.states.New = func() any {
		return &scanState{seen: make([]int, total), base: 2, counts: make([]seedCount, len(s.needles))}
	}
}

// hash returns the Fibonacci hash of a key (Knuth, The Art of Computer Programming, 6.4).
func (s *scanPass) hash(key uint64) uint64 { return key * 0x9e3779b97f4a7c15 >> s.shift }

// scanState is the working memory for scanning a text.
type scanState struct {
	folded []byte
	counts []seedCount
	seen   []int // for each seed, the last bucket that contained it
	base   int   // number of the first bucket of the text: numbers are never reused
}

// seedCount counts the seeds of a needle in buckets of a text. A bucket is as long as the needle,
// so that any place of the needle is within two adjacent buckets.
type seedCount struct {
	bucket      int // current bucket of the text
	now, before int // number of distinct seeds in it, and in the previous one
	both        int // number of distinct seeds in both
	// maximum number of distinct seeds in two adjacent buckets, and the second of these
	best, at int
	exact    []int

	coreLength, coreAt int // the longest match around the core of the needle, if no seed was found
}

// add counts a seed in a bucket. last is the bucket in which the seed was found before, if that is
// one of this text.
func (c *seedCount) add(bucket, last int) {
	if bucket != c.bucket {
		if c.before = 0; bucket == c.bucket+1 {
			c.before = c.now
		}
		c.bucket, c.now, c.both = bucket, 0, 0
	}
	if last != bucket {
		c.now++
	}
	if last == bucket-1 {
		c.both++
	}
	if n := c.now + c.before - c.both; n > c.best {
		c.best, c.at = n, bucket
	}
}

// Match is what a text contains of a quotation.
type Match struct {
	// index of the quotation among those of the Scanner
	QuoteIndex int
	// Exact lists the places of its parts if all of them are found in order; nil otherwise.
	Exact []match.Range
	// StruckOut lists their places if words are struck out there that the quotation does not mark; nil if
	// there are none, or Exact is not nil.
	StruckOut []match.Range
	// Parts is what was found of each part, if Exact and StruckOut are nil.
	Parts []PartialMatch
}

// PartialMatch is how much of a part of a quotation is found close together in a text.
type PartialMatch struct {
	SeedCount int         // number of seeds of the part that were found
	Exact     match.Range // place of an exact match; zero if there is none
	StruckOut match.Range // place that would be one if no words were struck out; zero if there is none
	// range of the folded text where the most seeds of the part were found; zero if Exact or
	// StruckOut is set
	window     match.Range
	coreLength int // number of bytes found around the core of the part, if no seed was found

	// ComparesStruckText means that the part is compared with struck-out text too.
	ComparesStruckText bool
}

// Compare orders partial matches of one part: those with more of it first.
func (m PartialMatch) Compare(other PartialMatch) int {
	byCore := func(m PartialMatch) int {
		if m.coreLength == 0 {
			return seedSize
		}
		return m.coreLength
	}
	return cmp.Or(cmp.Compare(other.SeedCount, m.SeedCount), cmp.Compare(byCore(other), byCore(m)))
}

// mostExact is the maximum number of bytes in the places of one needle that are examined in a text.
const mostExact = 1 << 18

// scan searches a text in which the given stretches are struck out.
func (s *scanPass) scan(ctx context.Context, text string, stretches []struck.Stretch) ([]Match, error) {
	st := s.states.Get().(*scanState)
	defer s.states.Put(st)
	f := quoteFolder{foldingOptions: s.foldingOptions, text: text, out: st.folded[:0]}
	err := f.fold(ctx)
	st.folded = f.out
	if err != nil {
		return nil, err
	}
	for i := range st.counts {
		st.counts[i] = seedCount{exact: st.counts[i].exact[:0], bucket: -2}
	}
	s.countSeeds(st)
	exact, struckOut, err := s.exactPlaces(ctx, st, text, stretches)
	if err != nil {
		return nil, err
	}
	return s.findingsOf(st, exact, struckOut), nil
}

// countSeeds counts seeds, and finds the places of whole needles.
func (s *scanPass) countSeeds(st *scanState) {
	folded := st.folded
	last := 0
	padded := append(folded, padding...)
	for at := 0; at+seedSize <= len(folded); at++ {
		key := seedKeyAt(padded[at:])
		if h := s.hash(key); s.bitmap[h/64]>>(h%64)&1 == 0 {
			continue
		}
		for _, seed := range s.seeds[key] {
			n := &s.needles[seed.needle]
			c := &st.counts[seed.needle]
			bucket := at / len(n.folded)
			last = max(last, bucket)
			seen := &st.seen[n.offset+int(seed.offset)]
			c.add(bucket, *seen-st.base)
			*seen = st.base + bucket
			if seed.offset == 0 && len(c.exact)*len(n.folded) < mostExact && bytes.HasPrefix(folded[at:], n.folded) {
				c.exact = append(c.exact, at)
			}
		}
	}
	s.findCores(st)
	st.base += last + 2 // so that no bucket appears to follow one of another text
	for i, n := range s.needles {
		if len(n.folded) >= seedSize {
			continue
		}
		c := &st.counts[i]
		for at := 0; len(c.exact)*len(n.folded) < mostExact; at++ {
			next := bytes.Index(folded[at:], n.folded)
			if next < 0 {
				break
			}
			at += next
			c.exact = append(c.exact, at)
		}
	}
}

// coreSize is the least length of a core in bytes.
const coreSize = 4

// coreOf returns the range of the longest stretch without digits of a needle that is too short for several
// seeds apart: any other number changes all seeds of "Dose: 50 mg". The range is empty if the needle is longer,
// has no digits, or has no stretch of coreSize bytes.
func coreOf(folded []byte) (core match.Range) {
	if len(folded) >= 2*seedSize || !bytes.ContainsAny(folded, "0123456789") {
		return core
	}
	for start := 0; start < len(folded); {
		end := start
		for end < len(folded) && (folded[end] < '0' || folded[end] > '9') {
			end++
		}
		if end-start >= coreSize && end-start > core.End-core.Start {
			core = match.Range{Start: start, End: end}
		}
		start = end + 1
	}
	return core
}

// findCores finds, for each needle that has a core and of which no seed was found, the place where most of the
// needle stands around its core, with a number beside it as in the needle.
func (s *scanPass) findCores(st *scanState) {
	folded := st.folded
	for i, n := range s.needles {
		c, core := &st.counts[i], coreOf(n.folded)
		if core.End == 0 || c.best > 0 || len(c.exact) > 0 {
			continue
		}
		for at := 0; ; at += core.End - core.Start {
			next := bytes.Index(folded[at:], n.folded[core.Start:core.End])
			if next < 0 {
				break
			}
			at += next
			from, to := at, at+core.End-core.Start
			if !(core.Start > 0 && from > 0 && isDigit(rune(folded[from-1])) || core.End < len(n.folded) && to < len(folded) && isDigit(rune(folded[to]))) {
				continue
			}
			for k := core.Start; k > 0 && from > 0 && folded[from-1] == n.folded[k-1]; k-- {
				from--
			}
			for k := core.End; k < len(n.folded) && to < len(folded) && folded[to] == n.folded[k]; k++ {
				to++
			}
			if length := to - from; length > c.coreLength {
				c.coreLength, c.coreAt = length, from
			}
		}
	}
}

// findingsOf returns what a text contains of the quotations, given the counts of seeds in st and the
// places of exact matches by needle, with struckOut those that have struck-out words.
func (s *scanPass) findingsOf(st *scanState, exact, struckOut [][]match.Range) (all []Match) {
	either := make([][]match.Range, len(exact))
	for i := range exact {
		either[i] = slices.Concat(exact[i], struckOut[i])
		slices.SortFunc(either[i], func(a, b match.Range) int { return a.Start - b.Start })
	}
	for i := 0; i < len(s.needles); {
		first, end := i, i+1+s.needles[i].parts
		if end > i+1 {
			first++
		}
		f := Match{QuoteIndex: s.needles[i].quote}
		choose := func(places [][]match.Range) []match.Range {
			chosen := choosePlaces(places[i : i+1])
			if chosen == nil && end > i+1 {
				chosen = choosePlaces(places[first:end])
			}
			return chosen
		}
		if f.Exact = choose(exact); f.Exact == nil {
			f.StruckOut = choose(either)
		}
		isAny := f.Exact != nil || f.StruckOut != nil
		for k := first; k < end && f.Exact == nil && f.StruckOut == nil; k++ {
			l := s.likenessOf(k, &st.counts[k], len(st.folded), exact[k], struckOut[k])
			f.Parts = append(f.Parts, l)
			isAny = isAny || l.SeedCount > 0
		}
		if isAny {
			all = append(all, f)
		}
		i = end
	}
	return all
}

// leastSeeds is the minimum share of its seeds, one in this many, that a similar place must have.
const leastSeeds = 8

// likenessOf returns how much of needle i was found close together in a text, with a SeedCount of 0 if
// that is too little. length is that of the folded text, exact the places of exact matches, struckOut those
// with struck-out words.
func (s *scanPass) likenessOf(i int, c *seedCount, length int, exact, struckOut []match.Range) PartialMatch {
	size, most := len(s.needles[i].folded), max(1, s.needles[i].seeds)
	switch {
	case len(exact) > 0:
		return PartialMatch{SeedCount: most, Exact: exact[0]}
	case len(struckOut) > 0:
		return PartialMatch{SeedCount: most, StruckOut: struckOut[0]}
	case len(c.exact) > 0: // as a piece of a word, or in different case
		return PartialMatch{SeedCount: most, window: match.Range{Start: c.exact[0], End: c.exact[0] + size}}
	case c.coreLength > 0:
		return PartialMatch{SeedCount: 1, window: match.Range{Start: c.coreAt, End: min(length, c.coreAt+size)}, coreLength: c.coreLength}
	case c.best*leastSeeds < most:
		return PartialMatch{}
	}
	return PartialMatch{SeedCount: c.best, window: match.Range{Start: max(0, (c.at-1)*size), End: min(length, (c.at+1)*size)}}
}

// exactPlaces returns the places of exact matches in a text, by needle, and those that would be exact if
// some words were not struck out.
func (s *scanPass) exactPlaces(ctx context.Context, st *scanState, text string, stretches []struck.Stretch) (exact, struckOut [][]match.Range, err error) {
	exact, struckOut = make([][]match.Range, len(s.needles)), make([][]match.Range, len(s.needles))
	var wanted []match.Range
	for i, c := range st.counts {
		for _, at := range c.exact {
			wanted = append(wanted, match.Range{Start: at, End: at + len(s.needles[i].folded)})
		}
	}
	if len(wanted) == 0 {
		return exact, struckOut, nil
	}
	chars, err := charsIn(ctx, text, s.foldingOptions, wanted)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range st.counts {
		p := s.needles[i].quotedPart
		for _, at := range c.exact {
			these := charsAt(chars, at, len(p.chars))
			if these == nil || !p.isExactly(these, text) {
				continue
			}
			switch p.compareStrikes(these, text, stretches) {
			case sameStrikes:
				exact[i] = append(exact[i], rangeOf(these))
			case hasStruck:
				struckOut[i] = append(struckOut[i], rangeOf(these))
			}
		}
	}
	return exact, struckOut, nil
}

// charsAt returns count characters from an offset in the folded text; nil if there are too few.
func charsAt(chars []foldedChar, at, count int) []foldedChar {
	first, found := slices.BinarySearchFunc(chars, at, func(c foldedChar, at int) int { return c.at - at })
	if !found || first+count > len(chars) {
		return nil
	}
	return chars[first : first+count]
}

// rangeOf returns the range of characters in the text.
func rangeOf(chars []foldedChar) match.Range {
	return match.Range{Start: chars[0].start, End: chars[len(chars)-1].end}
}

// charsIn returns the characters in the given ranges of the folded text. It returns the error of
// ctx if that ends.
func charsIn(ctx context.Context, text string, by foldingOptions, ranges []match.Range) (all []foldedChar, err error) {
	slices.SortFunc(ranges, func(a, b match.Range) int { return a.Start - b.Start })
	merged := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &merged[len(merged)-1]; r.Start <= last.End {
			last.End = max(last.End, r.End)
		} else {
			merged = append(merged, r)
		}
	}
	f := quoteFolder{foldingOptions: by, text: text}
	next := 0
	f.keep = func(c *foldedChar) {
		for next < len(merged) && merged[next].End <= c.at {
			next++
		}
		if next < len(merged) && c.at >= merged[next].Start {
			all = append(all, *c)
		}
	}
	if err := f.fold(ctx); err != nil {
		return nil, err
	}
	return all, nil
}

// choosePlaces chooses a place for each part after that of the previous one, with as little text
// between them as possible; nil if there are none.
func choosePlaces(parts [][]match.Range) (chosen []match.Range) {
	for _, first := range parts[0] {
		chain := []match.Range{first}
		for _, places := range parts[1:] {
			end := chain[len(chain)-1].End
			at := slices.IndexFunc(places, func(r match.Range) bool { return r.Start >= end })
			if at < 0 {
				return chosen // there is none for a later place of the first part either
			}
			chain = append(chain, places[at])
		}
		if chosen == nil || spannedLength(chain) < spannedLength(chosen) {
			chosen = chain
		}
		if len(parts) == 1 {
			return chosen
		}
	}
	return chosen
}

// spannedLength returns the length of the text from the first place to the last.
func spannedLength(chain []match.Range) int { return chain[len(chain)-1].End - chain[0].Start }
