package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// A snapshot is what a folder's catalogue is in memory, in one file beside it,
// laid out to be loaded fast: a start reads it and then what has changed since.
// It is a copy that may be lost at any time. Sections follow each other, each
// with its length and a CRC-32C; numbers are little-endian.
const (
	snapshotSuffix = ".snapshot"
	temporary      = ".tmp-" // follows the name of one that is being written
	snapshotMagic  = "VdMcSnap"
	snapshotFormat = 1
)

var errNoSnapshot = errors.New("no snapshot that fits")

// snapshotHead says what a snapshot is of.
type snapshotHead struct {
	catalogue  string // its id
	model      string // whose vectors these are
	change     int64  // the last one that is in it
	vector     int64  // the row of the last vector looked at
	documents  int
	chunks     int
	headings   int
	terms      int
	trigrams   int
	dimensions int
}

func (h *snapshotHead) encode() []byte {
	out := appendBytes(nil, []byte(h.catalogue))
	out = appendBytes(out, []byte(h.model))
	for _, n := range []int64{h.change, h.vector} {
		out = binary.AppendVarint(out, n)
	}
	for _, n := range []int{h.documents, h.chunks, h.headings, h.terms, h.trigrams, h.dimensions} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return out
}

func decodeSnapshotHead(blob []byte) (h snapshotHead, err error) {
	r := reader{rest: blob}
	h.catalogue, h.model = string(r.bytes()), string(r.bytes())
	h.change, h.vector = r.signed(), r.signed()
	h.documents, h.chunks, h.headings = r.number(), r.number(), r.number()
	h.terms, h.trigrams, h.dimensions = r.number(), r.number(), r.number()
	return h, r.err
}

// The sections in their order. Vectors come last, in pieces.
const (
	headSection = iota
	documentSection
	chunkSection
	termSection
	postingSection
	tableSection
	lengthSection
	trigramSection
	presenceSection
	vectorSections
)

// pieceChunks is how many chunks a piece of vectors is of.
const pieceChunks = 2048

// writeSnapshot saves sections beside a catalogue, in place of those before.
func writeSnapshot(file string, sections func(write func([]byte) error) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+temporary+"*")
	if err != nil {
		return reasonOnly(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err = w.WriteString(snapshotMagic + string(rune(snapshotFormat))); err != nil {
		return err
	}
	if err = sections(func(section []byte) error { return writeSection(w, section) }); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

func writeSection(w io.Writer, section []byte) error {
	frame := binary.LittleEndian.AppendUint64(nil, uint64(len(section)))
	frame = binary.LittleEndian.AppendUint32(frame, checksumOf(section))
	if _, err := w.Write(frame); err != nil {
		return err
	}
	_, err := w.Write(section)
	return err
}

const frameBytes = 12

// snapshotFile is a snapshot that is being read.
type snapshotFile struct {
	*os.File
	sections []sectionAt
	head     snapshotHead
}

type sectionAt struct {
	offset, length int64
	checksum       uint32
}

// openSnapshot finds the sections of a snapshot; the error matches
// errNoSnapshot when the file is none, or not whole.
func openSnapshot(file string) (*snapshotFile, error) {
	f, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoSnapshot
	}
	if err != nil {
		return nil, err
	}
	s := &snapshotFile{File: f}
	if err := s.readFrames(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *snapshotFile) readFrames() error {
	info, err := s.Stat()
	if err != nil {
		return err
	}
	mark := make([]byte, len(snapshotMagic)+1)
	if _, err := s.ReadAt(mark, 0); err != nil || string(mark) != snapshotMagic+string(rune(snapshotFormat)) {
		return errNoSnapshot
	}
	frame := make([]byte, frameBytes)
	for at := int64(len(mark)); at < info.Size(); {
		if _, err := s.ReadAt(frame, at); err != nil {
			return errNoSnapshot
		}
		length := int64(binary.LittleEndian.Uint64(frame))
		at += frameBytes
		if length < 0 || length > info.Size()-at {
			return errNoSnapshot
		}
		s.sections = append(s.sections, sectionAt{at, length, binary.LittleEndian.Uint32(frame[8:])})
		at += length
	}
	if len(s.sections) < vectorSections {
		return errNoSnapshot
	}
	blob, err := s.section(headSection, nil)
	if err != nil {
		return err
	}
	if s.head, err = decodeSnapshotHead(blob); err != nil {
		return errNoSnapshot
	}
	return nil
}

// section reads one section, into buffer if it is large enough.
func (s *snapshotFile) section(n int, buffer []byte) ([]byte, error) {
	at := s.sections[n]
	if int64(cap(buffer)) < at.length {
		buffer = make([]byte, at.length)
	}
	buffer = buffer[:at.length]
	if _, err := s.ReadAt(buffer, at.offset); err != nil {
		return nil, fmt.Errorf("%w: %w", errNoSnapshot, err)
	}
	if checksumOf(buffer) != at.checksum {
		return nil, errNoSnapshot
	}
	return buffer, nil
}
