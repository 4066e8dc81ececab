package lexical

import (
	"encoding/binary"
	"slices"
)

// postingLists holds the postings list of each term, by the number of the term. Lists are
// compressed as in a snapshot, see appendList, to a third of their size. A list has up to two
// separately compressed parts: one that was loaded or compacted, and one with the postings added
// since.
type postingLists struct {
	packed packedLists      // lists of the first terms
	grown  paged[grownList] // lists of all terms; empty until a posting is added
	pages  [][]byte         // memory for the pieces of grown lists
	taken  int              // bytes used in the last page
}

// grownList is the added part of a list. It is stored in pieces, each larger than the one before,
// so that little memory is wasted and nothing is ever moved.
type grownList struct {
	count  uint32 // number of postings
	before uint32 // slot of the last posting, plus 1
	first  uint32 // first piece; for a single posting, which needs no piece, its frequency
	last   uint32 // last piece
	used   uint16 // bytes used in the last piece
	number uint16 // number of the last piece, from 0
}

// A piece is identified by its page and its offset in the page, in units of 1<<unitBits bytes. It
// begins with the identifier of the next piece, followed by postings. A posting never spans two
// pieces. A zero follows the last posting if there is room.
const (
	pageBits     = 16
	pageBytes    = 1 << pageBits
	unitBits     = 2
	nextBytes    = 4
	mostPosting  = 5 // bytes
	leastPiece   = 12
	largestPiece = 1 << 10
)

// pieceSizes are the sizes of the first pieces of a list, in bytes. All further pieces have the
// last size.
var pieceSizes = func() (sizes []int) {
	for size := leastPiece; size < largestPiece; size += size / 3 &^ (1<<unitBits - 1) {
		sizes = append(sizes, size)
	}
	return append(sizes, largestPiece)
}()

func pieceSize(number uint16) int { return pieceSizes[min(int(number), len(pieceSizes)-1)] }

func (l *postingLists) count() int { return max(l.grown.count, l.packed.count()) }

// length returns the number of postings of a term.
func (l *postingLists) length(id int32) int {
	n := 0
	if int(id) < l.packed.count() {
		n = l.packed.length(id)
	}
	if int(id) < l.grown.count {
		n += int(l.grown.at(int(id)).count)
	}
	return n
}

// reader returns a reader at the beginning of the list of a term.
func (l *postingLists) reader(id int32) postingReader {
	r := postingReader{}
	if int(id) < l.packed.count() {
		r.rest = l.packed.bytes(id)
	}
	if int(id) < l.grown.count {
		r.lists, r.grown = l, l.grown.at(int(id))
	}
	return r
}

// add appends a posting to the list of a term, which may be new.
func (l *postingLists) add(id int32, p posting) {
	l.grown.grow(max(int(id)+1, l.packed.count()))
	g := l.grown.change(int(id))
	switch g.count {
	case 0: // most terms occur once, and need no piece
		*g = grownList{count: 1, before: uint32(p.slot()) + 1, first: uint32(p & 0xff)}
		return
	case 1:
		only := g.single()
		first := l.newPiece(0)
		*g = grownList{first: first, last: first}
		l.put(g, only)
	}
	l.put(g, p)
}

// single returns the posting of a list with a single posting.
func (g *grownList) single() posting { return posting(g.before-1)<<8 | posting(g.first) }

// put appends a posting to the last piece, or to a new one if it does not fit.
func (l *postingLists) put(g *grownList, p posting) {
	var room [mostPosting]byte
	slot := uint32(p.slot()) + 1
	b := appendDistance(room[:0], distanceBetween(g.before, slot), byte(p))
	if int(g.used)+len(b) > pieceSize(g.number)-nextBytes {
		next := l.newPiece(g.number + 1)
		binary.LittleEndian.PutUint32(l.at(g.last), next)
		g.last, g.used, g.number = next, 0, g.number+1
	}
	copy(l.at(g.last)[nextBytes+int(g.used):], b)
	g.used += uint16(len(b))
	g.count++
	g.before = slot
}

// newPiece allocates the piece of a list with the given number.
func (l *postingLists) newPiece(number uint16) uint32 {
	size := pieceSize(number)
	if len(l.pages) == 0 || l.taken+size > pageBytes {
		l.pages, l.taken = append(l.pages, make([]byte, pageBytes)), 0
	}
	place := uint32((len(l.pages)-1)<<(pageBits-unitBits) | l.taken>>unitBits)
	l.taken += size
	return place
}

// at returns the bytes of a page from a piece in it to the end of the page.
func (l *postingLists) at(piece uint32) []byte {
	const units = 1<<(pageBits-unitBits) - 1
	return l.pages[piece>>(pageBits-unitBits)][piece&units<<unitBits:]
}

// isCompact reports whether few postings were added since the lists were last compacted.
func (l *postingLists) isCompact() bool { return 4*len(l.pages)*pageBytes <= l.packed.size() }

// compact rewrites all lists as packed lists of the postings to keep, and returns the terms whose
// lists became empty.
func (l *postingLists) compact(keep func(posting) bool) (gone []int32) {
	var all packedLists
	var list []posting
	var packed []byte
	for id := range int32(l.count()) {
		r := l.reader(id)
		list = slices.DeleteFunc(r.appendTo(list[:0]), func(p posting) bool { return !keep(p) })
		if len(list) == 0 && l.length(id) > 0 {
			gone = append(gone, id)
		}
		packed = appendList(packed[:0], list)
		all.add(packed, len(list))
	}
	*l = postingLists{packed: all}
	return gone
}

// snapshot returns an immutable copy. It shares the pieces, to which postings are only appended.
func (l *postingLists) snapshot() postingLists {
	return postingLists{packed: l.packed, grown: l.grown.snapshot(), pages: slices.Clone(l.pages)}
}
