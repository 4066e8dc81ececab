package memindex

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"vademecum/index/blob"
)

// A section of a snapshot is stored as its length and its blocks: blockBytes of content each, the
// last one less. A block is its stored length, the stored bytes and their CRC-32C. It is compressed
// if its stored length is not that of its content. Integers are little-endian.
const (
	blockBytes    = 256 << 10
	lengthBytes   = 8 // of a section
	storedBytes   = 4 // of the stored length of a block
	checksumBytes = 4
)

// leastSaved is the share of a block that compression must save: postings and vectors hardly become
// shorter, and a start reads all of them.
const leastSaved = 1. / 5

// writeSection writes the length of a section, and then its bytes in blocks.
func writeSection(w io.Writer, s blob.Section) error {
	if _, err := w.Write(binary.LittleEndian.AppendUint64(nil, uint64(s.Length))); err != nil {
		return err
	}
	blocks := blockWriter{to: w}
	if err := s.Write(&blocks); err != nil {
		return err
	}
	return blocks.flush()
}

// blockWriter divides what is written to it into blocks.
type blockWriter struct {
	to      io.Writer
	content []byte // of the next block
	packed  []byte // buffer for the compressed block, reused
}

// Write implements io.Writer.
func (w *blockWriter) Write(b []byte) (n int, err error) {
	for n < len(b) {
		some := min(len(b)-n, blockBytes-len(w.content))
		w.content = append(w.content, b[n:n+some]...)
		n += some
		if len(w.content) < blockBytes {
			break
		}
		if err := w.flush(); err != nil {
			return n, err
		}
	}
	return n, nil
}

// flush writes the block, unless it is empty.
func (w *blockWriter) flush() error {
	if len(w.content) == 0 {
		return nil
	}
	stored := w.content
	w.packed = blob.AppendCompressed(w.packed[:0], w.content)
	if float64(len(w.packed)) <= (1-leastSaved)*float64(len(w.content)) {
		stored = w.packed
	}
	for _, part := range [][]byte{
		binary.LittleEndian.AppendUint32(nil, uint32(len(stored))), stored, binary.LittleEndian.AppendUint32(nil, blob.Checksum(stored)),
	} {
		if _, err := w.to.Write(part); err != nil {
			return err
		}
	}
	w.content = w.content[:0]
	return nil
}

// sectionPosition is the place of a section in a snapshot.
type sectionPosition struct {
	length int64 // of the content
	blocks []blockPosition
}

type blockPosition struct {
	offset int64 // of the stored bytes
	stored int   // number of stored bytes
}

// locateSection returns the position of the section that begins at an offset of a file of the given
// size, and the end of the section. The length of a section is at most blockBytes for each block in
// the file, so the file's size limits the memory that is allocated for it.
func locateSection(f io.ReaderAt, offset, size int64) (at sectionPosition, end int64, err error) {
	frame := make([]byte, lengthBytes)
	if _, err := f.ReadAt(frame, offset); err != nil {
		return at, 0, errNoSnapshot
	}
	end = offset + lengthBytes
	at.length = int64(binary.LittleEndian.Uint64(frame))
	for left := at.length; left > 0; left -= blockBytes {
		if _, err := f.ReadAt(frame[:storedBytes], end); err != nil {
			return at, 0, errNoSnapshot
		}
		b := blockPosition{end + storedBytes, int(binary.LittleEndian.Uint32(frame))}
		end = b.offset + int64(b.stored) + checksumBytes
		if b.stored == 0 || int64(b.stored) > min(left, blockBytes) || end > size {
			return at, 0, errNoSnapshot
		}
		at.blocks = append(at.blocks, b)
	}
	if at.length < 0 {
		return at, 0, errNoSnapshot
	}
	return at, end, nil
}

// readSection reads a section into a slice of its length, and verifies its checksums.
func readSection(f io.ReaderAt, at sectionPosition, content []byte) error {
	var packed []byte
	for _, b := range at.blocks {
		block := content[:min(len(content), blockBytes)]
		content = content[len(block):]
		stored := block
		if b.stored < len(block) {
			packed = slices.Grow(packed[:0], b.stored)[:b.stored]
			stored = packed
		}
		if err := readVerified(f, b.offset, stored); err != nil {
			return err
		}
		if b.stored == len(block) {
			continue
		}
		plain, err := blob.AppendDecompressed(block[:0:len(block)], stored)
		if err != nil || len(plain) != len(block) {
			return errNoSnapshot
		}
		copy(block, plain) // already there, unless it did not fit
	}
	return nil
}

// readVerified fills stored with the bytes at an offset, which are followed by their checksum.
func readVerified(f io.ReaderAt, offset int64, stored []byte) error {
	sum := make([]byte, checksumBytes)
	if _, err := f.ReadAt(stored, offset); err != nil {
		return fmt.Errorf("%w: %w", errNoSnapshot, err)
	}
	if _, err := f.ReadAt(sum, offset+int64(len(stored))); err != nil {
		return fmt.Errorf("%w: %w", errNoSnapshot, err)
	}
	if blob.Checksum(stored) != binary.LittleEndian.Uint32(sum) {
		return errNoSnapshot
	}
	return nil
}
