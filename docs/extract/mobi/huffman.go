package mobi

import "vademecum/docs/extract"

// Huffman codes of HUFF/CDIC stand for phrases, which may be packed in turn.
type huffman struct {
	codes    [256]code  // by the first eight bits
	least    [33]uint32 // of the codes of a length in bits, from the left
	most     [33]uint32 // of these codes, all ones after them
	phrases  []phrase   // by number
	unpacked int        // bytes of phrases that are kept
}

// A code is what eight bits say of the code that they begin.
type code struct {
	length int    // 0: there is none
	exact  bool   // all codes that begin with these bits have this length, rather than at least it
	most   uint32 // of the codes of its length
}

// A phrase is what a code stands for.
type phrase struct {
	data  []byte
	plain bool // data are not packed
	open  bool // it is being unpacked
}

// Limits of what codes stand for, which sound files are far from.
const (
	maxPhrases  = 1 << 20
	maxPhrase   = 1 << 16 // bytes
	maxUnpacked = 64 << 20
	maxRecord   = 1 << 20 // bytes of text in a record
	maxNested   = 32      // phrases in phrases
)

// readHuffman reads the codes, and the phrases in the records after them.
func (b *book) readHuffman() (*huffman, error) {
	h := new(huffman)
	if err := h.readCodes(b.record(b.first + b.huffman)); err != nil {
		return nil, err
	}
	for i := 1; i < b.huffmans; i++ {
		record := b.record(b.first + b.huffman + i)
		if record == nil {
			break
		}
		if err := h.readPhrases(record); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (h *huffman) readCodes(record []byte) error {
	if string(within(record, 0, 4)) != "HUFF" {
		return errDamaged
	}
	first := within(record, numberAt(record, 8), 4*256)
	lengths := within(record, numberAt(record, 12), 4*64)
	if first == nil || lengths == nil {
		return errDamaged
	}
	for i := range h.codes {
		v := uint32At(first, 4*i)
		c := code{length: int(v & 0x1F), exact: v&0x80 != 0}
		c.most = filled(v>>8, c.length)
		h.codes[i] = c
	}
	for n := 1; n <= 32; n++ {
		h.least[n] = uint32(uint64(uint32At(lengths, 8*(n-1))) << (32 - n))
		h.most[n] = filled(uint32At(lengths, 8*(n-1)+4), n)
	}
	return nil
}

// filled returns a code of some bits at the left of 32, followed by ones.
func filled(code uint32, bits int) uint32 {
	return uint32((uint64(code)+1)<<(32-bits) - 1)
}

func (h *huffman) readPhrases(record []byte) error {
	if string(within(record, 0, 4)) != "CDIC" {
		return errDamaged
	}
	const table = 16
	bits := numberAt(record, 12)
	count := min(numberAt(record, 8)-len(h.phrases), 1<<min(bits, 20), (len(record)-table)/2)
	if len(h.phrases)+max(count, 0) > maxPhrases {
		return errDamaged
	}
	for i := range max(count, 0) {
		at := table + shortAt(record, table+2*i)
		size := shortAt(record, at)
		data := within(record, at+2, size&0x7FFF)
		if data == nil {
			return errDamaged
		}
		h.phrases = append(h.phrases, phrase{data: data, plain: size&0x8000 != 0})
	}
	return nil
}

// unpack appends a record that is unpacked.
func (h *huffman) unpack(dst, record []byte) ([]byte, error) {
	return h.append(dst, record, maxRecord, 0)
}

// append appends what the codes stand for, at most so many bytes.
func (h *huffman) append(dst, packed []byte, most, nested int) ([]byte, error) {
	limit := len(dst) + most
	r := bitReader{packed: packed}
	for {
		number, ok := h.next(&r)
		if !ok {
			return dst, nil
		}
		data, err := h.phrase(number, nested)
		if err != nil {
			return dst, err
		}
		if dst = append(dst, data...); len(dst) > limit {
			return dst, errDamaged
		}
	}
}

const noPhrase = -1 // of bits that are no code

// next reads a code, and returns the number of its phrase, or that there are no
// more: less than a code fills the last byte.
func (h *huffman) next(r *bitReader) (number int, ok bool) {
	bits := r.peek()
	c := h.codes[bits>>24]
	length, most := c.length, c.most
	if length == 0 {
		return noPhrase, true
	}
	if !c.exact {
		for length < 32 && bits < h.least[length] {
			length++
		}
		most = h.most[length]
	}
	if r.at += length; r.at > 8*len(r.packed) {
		return 0, false
	}
	return int((most - bits) >> (32 - length)), true
}

// phrase returns the bytes of a phrase, which it keeps unpacked.
func (h *huffman) phrase(number, nested int) ([]byte, error) {
	if number < 0 || number >= len(h.phrases) || nested > maxNested {
		return nil, errDamaged
	}
	p := &h.phrases[number]
	switch {
	case p.plain:
		return p.data, nil
	case p.open:
		return nil, errDamaged
	}
	p.open = true
	data, err := h.append(nil, p.data, maxPhrase, nested+1)
	p.open = false
	if err != nil {
		return nil, err
	}
	if h.unpacked += len(data); h.unpacked > maxUnpacked {
		return nil, extract.ErrUnpacksTooMuch
	}
	p.data, p.plain = data, true
	return data, nil
}

// A bitReader reads bits from the highest of each byte. Beyond the end they are 0.
type bitReader struct {
	packed []byte
	at     int // in bits
}

// peek returns the next 32 bits.
func (r *bitReader) peek() uint32 {
	var bits uint64
	for i := range 5 {
		bits <<= 8
		if at := r.at/8 + i; at < len(r.packed) {
			bits |= uint64(r.packed[at])
		}
	}
	return uint32(bits >> (8 - r.at%8))
}
