package mobi

import "vademecum/docs/extract"

// A huffmanDecoder decodes HUFF/CDIC compression: Huffman codes stand for phrases, which may
// themselves be compressed.
type huffmanDecoder struct {
	codes       [256]huffmanCode // lookup table by the first eight bits of a code
	minCode     [33]uint32       // smallest code of each length in bits, left-aligned in 32 bits
	maxCode     [33]uint32       // largest code of each length in bits, left-aligned and padded with ones
	phrases     []phrase         // phrases by their numbers
	phraseBytes int              // bytes of decompressed phrases held in memory
}

// A huffmanCode is an entry of the lookup table for the first eight bits of a code.
type huffmanCode struct {
	length  int    // length of the code in bits; 0 if there is no such code
	isExact bool   // whether all codes that begin with these bits have this length; otherwise it is their minimum length
	maxCode uint32 // largest code of this length
}

// A phrase is the text that a code stands for.
type phrase struct {
	data    []byte
	isPlain bool // whether data is uncompressed
	isOpen  bool // whether data is being decompressed, which reveals cycles
}

// Limits that are far above the values in valid files.
const (
	maxPhrases  = 1 << 20
	maxPhrase   = 1 << 16 // bytes of a phrase
	maxUnpacked = 64 << 20
	maxRecord   = 1 << 20 // bytes of text in a record
	maxNested   = 32      // depth of nested phrases
)

// readHuffman reads the codes and the phrases, which are in the records after them.
func (b *book) readHuffman() (*huffmanDecoder, error) {
	h := new(huffmanDecoder)
	if err := h.readCodes(b.record(b.headerRecord + b.firstHuffmanRecord)); err != nil {
		return nil, err
	}
	for i := 1; i < b.huffmanRecords; i++ {
		record := b.record(b.headerRecord + b.firstHuffmanRecord + i)
		if record == nil {
			break
		}
		if err := h.readPhrases(record); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func (h *huffmanDecoder) readCodes(record []byte) error {
	if string(sliceAt(record, 0, 4)) != "HUFF" {
		return errDamaged
	}
	first := sliceAt(record, numberAt(record, 8), 4*256)
	lengths := sliceAt(record, numberAt(record, 12), 4*64)
	if first == nil || lengths == nil {
		return errDamaged
	}
	for i := range h.codes {
		v := uint32At(first, 4*i)
		c := huffmanCode{length: int(v & 0x1F), isExact: v&0x80 != 0}
		c.maxCode = fillWithOnes(v>>8, c.length)
		h.codes[i] = c
	}
	for n := 1; n <= 32; n++ {
		h.minCode[n] = uint32(uint64(uint32At(lengths, 8*(n-1))) << (32 - n))
		h.maxCode[n] = fillWithOnes(uint32At(lengths, 8*(n-1)+4), n)
	}
	return nil
}

// fillWithOnes left-aligns a code of that number of bits in 32 bits and pads it with ones.
func fillWithOnes(code uint32, bits int) uint32 {
	return uint32((uint64(code)+1)<<(32-bits) - 1)
}

func (h *huffmanDecoder) readPhrases(record []byte) error {
	if string(sliceAt(record, 0, 4)) != "CDIC" {
		return errDamaged
	}
	const table = 16
	bits := numberAt(record, 12)
	count := min(numberAt(record, 8)-len(h.phrases), 1<<min(bits, 20), (len(record)-table)/2)
	if len(h.phrases)+max(count, 0) > maxPhrases {
		return errDamaged
	}
	for i := range max(count, 0) {
		at := table + uint16At(record, table+2*i)
		size := uint16At(record, at)
		data := sliceAt(record, at+2, size&0x7FFF)
		if data == nil {
			return errDamaged
		}
		h.phrases = append(h.phrases, phrase{data: data, isPlain: size&0x8000 != 0})
	}
	return nil
}

// unpack decompresses a record and appends its text to dst.
func (h *huffmanDecoder) unpack(dst, record []byte) ([]byte, error) {
	return h.appendUnpacked(dst, record, maxRecord, 0)
}

// appendUnpacked decompresses packed and appends the result to dst. It fails if the result has more
// than maxBytes.
func (h *huffmanDecoder) appendUnpacked(dst, packed []byte, maxBytes, nested int) ([]byte, error) {
	limit := len(dst) + maxBytes
	r := bitReader{packed: packed}
	for {
		number, ok := h.nextPhrase(&r)
		if !ok {
			return dst, nil
		}
		data, err := h.unpackPhrase(number, nested)
		if err != nil {
			return dst, err
		}
		if dst = append(dst, data...); len(dst) > limit {
			return dst, errDamaged
		}
	}
}

const noPhrase = -1 // stands for bits that are not a code

// nextPhrase reads a code and returns the number of its phrase. ok is false at the end, where the
// remaining bits only pad the last byte.
func (h *huffmanDecoder) nextPhrase(r *bitReader) (number int, ok bool) {
	bits := r.peek()
	c := h.codes[bits>>24]
	length, most := c.length, c.maxCode
	if length == 0 {
		return noPhrase, true
	}
	if !c.isExact {
		for length < 32 && bits < h.minCode[length] {
			length++
		}
		most = h.maxCode[length]
	}
	if r.bitOffset += length; r.bitOffset > 8*len(r.packed) {
		return 0, false
	}
	return int((most - bits) >> (32 - length)), true
}

// unpackPhrase returns the bytes of a phrase, and keeps them decompressed for the next time.
func (h *huffmanDecoder) unpackPhrase(number, nested int) ([]byte, error) {
	if number < 0 || number >= len(h.phrases) || nested > maxNested {
		return nil, errDamaged
	}
	p := &h.phrases[number]
	switch {
	case p.isPlain:
		return p.data, nil
	case p.isOpen:
		return nil, errDamaged
	}
	p.isOpen = true
	data, err := h.appendUnpacked(nil, p.data, maxPhrase, nested+1)
	p.isOpen = false
	if err != nil {
		return nil, err
	}
	if h.phraseBytes += len(data); h.phraseBytes > maxUnpacked {
		return nil, extract.ErrUnpackedTooLarge
	}
	p.data, p.isPlain = data, true
	return data, nil
}

// A bitReader reads bits, starting with the highest of each byte. Bits beyond the end are 0.
type bitReader struct {
	packed    []byte
	bitOffset int
}

// peek returns the next 32 bits.
func (r *bitReader) peek() uint32 {
	var bits uint64
	for i := range 5 {
		bits <<= 8
		if at := r.bitOffset/8 + i; at < len(r.packed) {
			bits |= uint64(r.packed[at])
		}
	}
	return uint32(bits >> (8 - r.bitOffset%8))
}
