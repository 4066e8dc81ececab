package lexical

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"vademecum/index/rank"
)

// A field is where a term stands that is no word of the text: its mark begins the
// term, and is a character that no word has.
type field byte

const (
	wholeField   field = 1 + iota // see whole
	placeField                    // the number of an article that begins a line
	headingField                  // the heading right above a chunk
	folderField                   // the folders of a document
	fileField                     // the name of its file
	titleField                    // its title
	aliasField                    // the first of its other names; the next have the numbers that follow
	lastField    = aliasField + mostAliases - 1
)

// mostAliases is how many other names of a document are looked at.
const mostAliases = 8

// isMarked tells whether a term stands in a field.
func isMarked[T string | []byte](term T) bool { return len(term) > 0 && field(term[0]) <= lastField }

// unmarked is a term without the mark of its field.
func unmarked(t string) string {
	if isMarked(t) {
		return t[1:]
	}
	return t
}

// Names is what a chunk and its document are called. Those of a document are given
// with its first chunk only.
type Names struct {
	File    string   // without its extension
	Title   string   // of the document
	Aliases []string // other names of it
	Folders []string // above it
	Heading string   // right above the chunk
}

// A posting of a name holds its size in the place of the frequency: how much of it
// a question can have, in quarters of a word. Numbers are a quarter: a name is
// remembered by its words, and what has a date or a number before it is asked for
// without.
const (
	wordSize    = 4
	numeralSize = 1
)

// nameTerms lists the different terms by which a name is found, without marks. Folders
// and headings are those of many chunks.
func nameTerms(name string) []string {
	namesKnown.mu.RLock()
	terms, ok := namesKnown.terms[name]
	namesKnown.mu.RUnlock()
	if ok {
		return terms
	}
	terms = termsOfName(name)
	namesKnown.mu.Lock()
	defer namesKnown.mu.Unlock()
	if len(namesKnown.terms) >= mostNames {
		clear(namesKnown.terms)
	}
	namesKnown.terms[strings.Clone(name)] = terms
	return terms
}

// namesKnown remembers the terms of names, which are not changed.
var namesKnown = struct {
	mu    sync.RWMutex
	terms map[string][]string
}{terms: make(map[string][]string)}

// mostNames is how many are remembered.
const mostNames = 1 << 10

func termsOfName(name string) []string {
	q := NewQuestion(spaced(name))
	var terms []string
	for t := range q.names {
		t = withoutZeros(t)
		if !slices.Contains(terms, t) {
			terms = append(terms, t)
		}
	}
	slices.Sort(terms)
	return terms
}

// spaced is a name with spaces for the underscores that stand for them. Those between
// digits part the numbers of a date.
func spaced(name string) string {
	isDigit := func(at int) bool { return 0 <= at && at < len(name) && '0' <= name[at] && name[at] <= '9' }
	words := []byte(name)
	for i, c := range words {
		if c == '_' && !(isDigit(i-1) && isDigit(i+1)) {
			words[i] = ' '
		} else if c == '_' {
			words[i] = '-'
		}
	}
	return string(words)
}

// termSize is what a term adds to the size of a name.
func termSize(t string) int {
	if t = unmarked(t); t != "" && '0' <= t[0] && t[0] <= '9' {
		return numeralSize
	}
	return wordSize
}

func sizeOf(terms []string) int {
	size := 0
	for _, t := range terms {
		size += termSize(t)
	}
	return size
}

// count adds the terms of the names to those of a chunk.
func (n Names) count(counts map[string]int) {
	put := func(f field, name string) {
		terms := nameTerms(name)
		size := sizeOf(terms)
		for _, t := range terms {
			counts[string(f)+t] = size
			if f == fileField && counts[t] == 0 && isNumeral(t) { // it had zeros before it
				counts[t]++
			}
		}
	}
	put(fileField, n.File)
	if n.Title != n.File {
		put(titleField, n.Title)
	}
	for i, alias := range n.Aliases[:min(len(n.Aliases), mostAliases)] {
		put(aliasField+field(i), alias)
	}
	put(folderField, strings.Join(n.Folders, " "))
	put(headingField, n.Heading)
}

// A name is worth the square of the share of it that a question has, times this and,
// for the rest, the share of the question that it answers. What is called as was
// asked is 1; a word of a long name is next to nothing. On 162 questions to eleven
// real folders names give 13 more the right passage first; with the share itself in
// place of its square one fewer, with its cube four fewer.
const (
	nameAlone  = 0.3
	exactly    = 0.99 // of both, but for what floats lose
	exactWorth = 1.5
)

func worthOfName(ofName, ofQuestion float64) float32 {
	if ofName > exactly && ofQuestion > exactly {
		return exactWorth
	}
	return float32(ofName * ofName * (nameAlone + (1-nameAlone)*ofQuestion))
}

// scoreNames scores the names of documents, their folders and the headings of
// chunks.
func (x *Index) scoreNames(sc *Scores, asked []askedTerm, total float64) {
	if total == 0 {
		return
	}
	for f := fileField; f <= lastField; f++ {
		x.scoreField(f, asked, total, func(s rank.Slot, ofName, ofQuestion float64) { sc.names.raise(s, worthOfName(ofName, ofQuestion)) })
	}
	x.scoreField(headingField, asked, total, func(s rank.Slot, ofName, ofQuestion float64) { sc.headings.raise(s, worthOfName(ofName, ofQuestion)) })
	x.scoreField(folderField, asked, total, func(s rank.Slot, _, ofQuestion float64) { sc.folders.raise(s, float32(ofQuestion)) })
}

// askedTerm is a term of a question by which names are looked for.
type askedTerm struct {
	inField []byte // the term behind a byte for the mark of a field
	weight  float32
	size    float64 // see termSize
}

// asked weighs the terms of a question by which names are looked for, in the order in
// which they count.
func (x *Index) asked(q Question, instead map[string]float64) (asked []askedTerm, total float64) {
	weights := make(map[string]float64, len(q.names))
	for _, t := range slices.Sorted(maps.Keys(q.names)) { // the sum is the same each time
		weight := q.names[t] * x.idf(findTerm(x.terms, t))
		weights[withoutZeros(t)] += weight
		total += weight
	}
	for t, weight := range instead {
		if weights[t] == 0 {
			weights[t] = weight * x.idf(findTerm(x.terms, t))
		}
	}
	for _, t := range slices.Sorted(maps.Keys(weights)) {
		asked = append(asked, askedTerm{append([]byte{0}, t...), float32(weights[t]), float64(termSize(t))})
	}
	return asked, total
}

// scoreField finds the names in one field that have terms of a question. Each is
// given with the share of its size that is asked for and the share of the question
// that it answers.
func (x *Index) scoreField(f field, asked []askedTerm, total float64, give func(s rank.Slot, ofName, ofQuestion float64)) {
	var weights, sizes *tally
	for _, t := range asked {
		t.inField[0] = byte(f)
		id := findTerm(x.terms, t.inField)
		if id == noTerm {
			continue // as nearly all are in nearly all fields
		}
		if weights == nil {
			weights, sizes = x.blank(), x.blank()
			defer x.recycle(weights)
			defer x.recycle(sizes)
		}
		for _, e := range x.lists.of(id) {
			if s := e.slot(); x.lengths[s] != 0 {
				weights.add(s, t.weight)
				sizes.add(s, float32(t.size/e.tf()))
			}
		}
	}
	if weights == nil {
		return
	}
	for _, s := range weights.touched {
		give(s, min(1, sizes.at(s)), min(1, weights.at(s)/total))
	}
}

// Name is how much a document is called what was asked, by its first chunk: 1 is
// exactly so.
func (sc *Scores) Name(first rank.Slot) float64 { return sc.names.at(first) }

// Heading is the same for the heading right above a chunk.
func (sc *Scores) Heading(s rank.Slot) float64 { return sc.headings.at(s) }

// Folder is the share of the question that the names of a document's folders
// answer, by its first chunk.
func (sc *Scores) Folder(first rank.Slot) float64 { return sc.folders.at(first) }

// TopNames lists the first chunks of the k documents that are called most what was
// asked, of those to keep.
func (sc *Scores) TopNames(k int, keep rank.Filter, chunks rank.Chunks) []rank.Hit {
	return sc.names.top(k, keep, chunks, worthLooking(sc.names))
}

// leastLooked is the worth of a name below which nothing is looked at for its sake: a
// third of a name, or less, is found by the words if at all.
const leastLooked = 0.1

func worthLooking(t *tally) func(rank.Slot) float64 {
	return func(s rank.Slot) float64 {
		if worth := t.at(s); worth >= leastLooked {
			return worth
		}
		return 0
	}
}

// TopFolders lists the first chunks of the k documents whose folders are.
func (sc *Scores) TopFolders(k int, keep rank.Filter, chunks rank.Chunks) []rank.Hit {
	return sc.folders.top(k, keep, chunks, sc.folders.at)
}

// TopHeadings lists the k chunks whose headings are.
func (sc *Scores) TopHeadings(k int, keep rank.Filter, chunks rank.Chunks) []rank.Hit {
	return sc.headings.top(k, keep, chunks, worthLooking(sc.headings))
}
