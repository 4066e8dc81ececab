package memindex

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"vademecum/index/blob"
	"vademecum/index/lexical"
)

// A snapshot is a file beside the catalogue of a folder that contains the index of the folder in a
// form that loads fast: a process that starts reads it, and then later changes from the catalogue.
// It is a cache, and may be lost at any time. It consists of sections, see writeSection.
const (
	SnapshotSuffix = ".snapshot"
	temporary      = ".tmp-" // follows the name of the snapshot while that is being written
	snapshotMagic  = "VdMcSnap"
	snapshotFormat = 8
)

var errNoSnapshot = errors.New("no snapshot that fits")

// snapshotHead identifies the catalogue, the model and the state of a snapshot.
type snapshotHead struct {
	token      string // also stored in the catalogue
	model      string // model of the vectors
	change     int64  // last change in the snapshot
	vector     int64  // row of the last vector read
	documents  int
	headings   int
	words      lexical.SnapshotSize
	dimensions int
}

func (h *snapshotHead) encode() []byte {
	out := blob.AppendBytes(nil, h.token)
	out = blob.AppendBytes(out, h.model)
	for _, n := range []int64{h.change, h.vector} {
		out = binary.AppendVarint(out, n)
	}
	for _, n := range []int{h.documents, h.words.Chunks, h.headings, h.words.Terms, h.words.Trigrams, h.dimensions} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return out
}

func decodeSnapshotHead(b []byte) (h snapshotHead, err error) {
	r := blob.Reader{Rest: b}
	h.token, h.model = string(r.Bytes()), string(r.Bytes())
	h.change, h.vector = r.SignedNumber(), r.SignedNumber()
	h.documents, h.words.Chunks, h.headings = r.Number(), r.Number(), r.Number()
	h.words.Terms, h.words.Trigrams, h.dimensions = r.Number(), r.Number(), r.Number()
	return h, r.Err
}

// The sections of a snapshot in order. Those of the vectors come last.
const (
	headSection         = iota
	documentTextSection // strings of the documents, concatenated
	documentSection
	chunkTextSection
	chunkSection
	lexicalSections // first of the sections of package lexical
	vectorSections  = lexicalSections + lexical.SnapshotSectionCount
)

// snapshots is the state of the snapshots of an Index.
type snapshots struct {
	saving   sync.Mutex // held while a snapshot is written or leftovers are removed
	pictured sync.Map   // snapshotState of the last snapshot, by folder
}

// writeFile writes sections to a temporary file and renames it to the snapshot.
func (all *snapshots) writeFile(file string, sections iter.Seq[blob.Section]) (err error) {
	all.saving.Lock()
	defer all.saving.Unlock()
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+temporary+"*")
	if err != nil {
		return err
	}
	saved := false
	defer func() { // also after a panic
		if !saved {
			f.Close()
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if _, err = w.WriteString(snapshotMagic + string(rune(snapshotFormat))); err != nil {
		return err
	}
	for s := range sections {
		if err = writeSection(w, s); err != nil {
			return err
		}
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = errors.Join(f.Close(), os.Rename(f.Name(), file)); err != nil {
		return err
	}
	saved = true
	return nil
}

// snapshotFile is a snapshot opened for reading.
type snapshotFile struct {
	*os.File
	sections []sectionPosition
	head     snapshotHead
}

// openSnapshot opens a snapshot and locates its sections. The error matches errNoSnapshot if the
// file is not a snapshot or is truncated.
func openSnapshot(file string) (*snapshotFile, error) {
	if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() { // opening a pipe would block
		return nil, errNoSnapshot
	}
	f, err := os.Open(file)
	if err != nil { // for any reason; a snapshot is optional
		return nil, fmt.Errorf("%w: %w", errNoSnapshot, err)
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
	for at := int64(len(mark)); at < info.Size(); {
		section, end, err := locateSection(s, at, info.Size())
		if err != nil {
			return err
		}
		s.sections = append(s.sections, section)
		at = end
	}
	if len(s.sections) <= vectorSections {
		return errNoSnapshot
	}
	b, err := s.section(headSection, nil)
	if err != nil {
		return err
	}
	if s.head, err = decodeSnapshotHead(b); err != nil {
		return errNoSnapshot
	}
	return nil
}

// section reads a section and verifies its checksums. It uses buffer if that is large enough.
func (s *snapshotFile) section(n int, buffer []byte) ([]byte, error) {
	length := int(s.sections[n].length)
	content := slices.Grow(buffer[:0], length)[:length]
	return content, s.readInto(n, content)
}

// readInto reads a section into a slice of its length.
func (s *snapshotFile) readInto(n int, content []byte) error {
	return readSection(s, s.sections[n], content)
}

// sectionsFrom provides the sections of a snapshot starting with first as blob.SectionReader.
type sectionsFrom struct {
	file  *snapshotFile
	first int
}

var _ blob.SectionReader = sectionsFrom{}

// Length implements blob.SectionReader.
func (s sectionsFrom) Length(n int) int { return int(s.file.sections[s.first+n].length) }

// Read implements blob.SectionReader.
func (s sectionsFrom) Read(n int, content []byte) error { return s.file.readInto(s.first+n, content) }
