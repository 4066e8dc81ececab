package lexical

import (
	"encoding/binary"
	"slices"

	"vademecum/index/blob"
)

// distances is the number of possible distances between slots. A posting is encoded as the distance of
// its slot from the preceding one in the list, or from -1, with a bit that is set if the frequency
// follows; most frequencies are 1 and omitted. If slots were reused, the next slot may be lower:
// distances wrap around, and none is 0.
const distances = 1 << 25

// distanceBetween returns the distance between two slots, which is at least 1.
func distanceBetween(before, slot uint32) uint32 { return (slot-before-1)&(distances-1) + 1 }

func appendDistance(out []byte, distance uint32, tf byte) []byte {
	if tf == 1 {
		return binary.AppendUvarint(out, uint64(distance)<<1)
	}
	return append(binary.AppendUvarint(out, uint64(distance)<<1|1), tf)
}

// appendList appends a list in compressed form, as delta-encoded varints.
func appendList(out []byte, list []posting) []byte {
	before := uint32(0)
	for _, p := range list {
		slot := uint32(p.slot()) + 1
		out = appendDistance(out, distanceBetween(before, slot), byte(p))
		before = slot
	}
	return out
}

// checkList validates a compressed list of count postings, whose slots must increase and be below
// slots, and returns its size in bytes. The error matches blob.ErrDamaged.
func checkList(b []byte, count, slots int) (size int, err error) {
	rest, slot := b, uint64(0)
	for range count {
		if len(rest) == 0 {
			return 0, blob.ErrDamaged
		}
		head, n := uint64(rest[0]), 1
		if head >= 0x80 {
			if head, n = binary.Uvarint(rest); n <= 0 {
				return 0, blob.ErrDamaged
			}
		}
		if rest = rest[n:]; head&1 == 1 {
			if len(rest) == 0 || rest[0] == 0 {
				return 0, blob.ErrDamaged
			}
			rest = rest[1:]
		}
		if head >= 2*distances {
			return 0, blob.ErrDamaged
		}
		if slot += head >> 1; head < 2 || slot > uint64(slots) {
			return 0, blob.ErrDamaged
		}
	}
	return len(b) - len(rest), nil
}

// packedLists holds compressed lists consecutively, in sections.
type packedLists struct {
	sections [][]byte
	first    []int32  // first term of each section
	ends     []uint32 // end of the list of each term in its section
	counts   []uint32 // number of postings up to and including each term's list
}

// sectionBytes is the minimum size of a section, except in a snapshot.
const sectionBytes = 1 << 20

func (l *packedLists) count() int { return len(l.ends) }

// length returns the number of postings in a list.
func (l *packedLists) length(id int32) int {
	if id == 0 {
		return int(l.counts[0])
	}
	return int(l.counts[id] - l.counts[id-1])
}

// bytes returns a list in compressed form.
func (l *packedLists) bytes(id int32) []byte {
	section, isFirst := slices.BinarySearch(l.first, id)
	from, end := uint32(0), l.ends[id]
	if !isFirst {
		section--
		from = l.ends[id-1]
	}
	return l.sections[section][from:end:end]
}

// size returns the total size of all lists in bytes.
func (l *packedLists) size() (n int) {
	for _, s := range l.sections {
		n += len(s)
	}
	return n
}

// add appends the compressed list of the next term, which has the given number of postings.
func (l *packedLists) add(packed []byte, postings int) {
	last := len(l.sections) - 1
	if last < 0 || len(l.sections[last])+len(packed) > cap(l.sections[last]) {
		l.sections = append(l.sections, make([]byte, 0, max(sectionBytes, len(packed))))
		l.first = append(l.first, int32(len(l.ends)))
		last++
	}
	l.sections[last] = append(l.sections[last], packed...)
	before := uint32(0)
	if n := len(l.counts); n > 0 {
		before = l.counts[n-1]
	}
	l.ends = append(l.ends, uint32(len(l.sections[last])))
	l.counts = append(l.counts, before+uint32(postings))
}

// postingReader decodes a list in blocks.
type postingReader struct {
	plain  []posting // the list, if it is not packed
	rest   []byte    // unread bytes of the packed part or the current piece
	before uint32    // slot of the previous posting, plus 1
	lists  *postingLists
	grown  grownList // the postings added since the list was packed; empty once their last piece is begun
	piece  uint32    // the current piece
	pieces uint16    // number of pieces begun
}

// postingBlock is the maximum number of postings read at a time.
const postingBlock = 128

// next returns the next postings, or none at the end. The result may be stored in buffer.
func (r *postingReader) next(buffer *[postingBlock]posting) []posting {
	if len(r.plain) > 0 {
		all := r.plain
		r.plain = nil
		return all
	}
	n := r.unpack(buffer[:])
	for n < len(buffer) && r.grown.count > 0 {
		if r.grown.count == 1 {
			buffer[n] = r.grown.single()
			r.grown.count = 0
			return buffer[:n+1]
		}
		r.beginPiece()
		n += r.unpack(buffer[n:])
	}
	return buffer[:n]
}

// beginPiece moves on to the next of the pieces that hold the postings added to the list since it
// was packed: at first to the first.
func (r *postingReader) beginPiece() {
	if r.pieces == 0 {
		r.piece, r.before = r.grown.first, 0
	} else {
		r.piece = binary.LittleEndian.Uint32(r.lists.at(r.piece))
	}
	used := pieceSize(r.pieces) - nextBytes
	if r.pieces++; r.piece == r.grown.last {
		used, r.grown.count = int(r.grown.used), 0
	}
	r.rest = r.lists.at(r.piece)[nextBytes:][:used]
}

// unpack decodes postings up to the end of the packed part or the current piece.
func (r *postingReader) unpack(to []posting) int {
	rest, before := r.rest, r.before
	n := 0
	for ; n < len(to) && len(rest) > 0; n++ {
		head, size := uint64(rest[0]), 1
		if head >= 0x80 {
			head, size = binary.Uvarint(rest)
		} else if head == 0 { // marks the end of a piece
			rest = nil
			break
		}
		tf := byte(1)
		if head&1 != 0 {
			tf = rest[size]
			size++
		}
		rest = rest[size:]
		before = (before + uint32(head>>1)) & (distances - 1)
		to[n] = posting(before-1)<<8 | posting(tf)
	}
	r.rest, r.before = rest, before
	return n
}

// appendTo appends the remaining postings to a slice.
func (r *postingReader) appendTo(list []posting) []posting {
	var buffer [postingBlock]posting
	for some := r.next(&buffer); len(some) > 0; some = r.next(&buffer) {
		list = append(list, some...)
	}
	return list
}
