package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"vademecum/index/blob"
	"vademecum/index/catalog"
)

// split cuts a snapshot into the contents of its sections.
func splitSnapshot(t testing.TB, file string) [][]byte {
	t.Helper()
	s, err := openSnapshot(file)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var sections [][]byte
	for n := range s.sections {
		content, err := s.section(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		sections = append(sections, bytes.Clone(content))
	}
	return sections
}

// edited applies edits of six bytes each: which section, what to do, where (two
// bytes) and with what (two).
func edited(sections [][]byte, edits []byte) [][]byte {
	sections = slices.Clone(sections)
	for ; len(edits) >= 6; edits = edits[6:] {
		n := int(edits[0]) % len(sections)
		s := bytes.Clone(sections[n])
		at := int(binary.LittleEndian.Uint16(edits[2:])) % (len(s) + 1)
		value := edits[4:6]
		switch edits[1] % 5 {
		case 0:
			copy(s[at:], value[:1])
		case 1:
			s = slices.Insert(s, at, value...)
		case 2:
			s = slices.Delete(s, at, min(len(s), at+int(value[0])))
		case 3:
			s = s[:at]
		case 4: // a large number
			s = slices.Insert(s, at, binary.AppendUvarint(nil, uint64(binary.LittleEndian.Uint16(value))<<15)...)
		}
		sections[n] = s
	}
	return sections
}

// FuzzSnapshot loads snapshots with right sums and wrong contents. What is
// loaded can be asked; the rest is none.
func FuzzSnapshot(f *testing.F) {
	n := newNotes(f, manyTexts(12))
	file := filepath.Join(f.TempDir(), "x.db")
	ix := openOn(f, []string{file}, newCounting(f), n.dir)
	mustSync(f, ix, Scope{})
	if err := ix.store.saveSnapshot(f.Context(), 0); err != nil {
		f.Fatal(err)
	}
	whole := splitSnapshot(f, file+snapshotSuffix)
	for section := range vectorSections + 2 {
		for _, seed := range [][]byte{{0, 0, 0, 255, 0}, {1, 9, 0, 128, 1}, {2, 0, 0, 4, 0}, {3, 0, 0, 0, 0}, {4, 0, 0, 255, 255}, {0, 20, 0, 0, 0}} {
			f.Add(append([]byte{byte(section)}, seed...))
		}
	}
	f.Add([]byte{})
	c := ix.store.catalogue(0)
	f.Fuzz(func(t *testing.T, edits []byte) {
		sections := edited(whole, edits)
		if err := writeSnapshot(file+snapshotSuffix, func(yield func(blob.Section) bool) {
			for _, s := range sections {
				if !yield(blob.SectionOf(s)) {
					return
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		m, _, err := loadSnapshot(t.Context(), c, 0)
		if isPanic(err) {
			t.Fatalf("a panic while it is loaded: %v", err)
		}
		if err != nil {
			if !errors.Is(err, errNoSnapshot) {
				t.Fatalf("not refused as none: %v", err)
			}
			return
		}
		asked := &Index{folders: ix.folders, embedder: ix.embedder, log: ix.log, store: newStore(1, false), progress: newProgress(1), syncing: make(chan struct{}, 1), bare: make(chan struct{}, 1)}
		asked.apart, asked.restless = newApart(asked), newRestless()
		defer asked.apart.close()
		asked.store.catalogues[0], asked.store.memory = c, m
		for _, text := range []string{"warfarin", "sodum insuln", "血压", "Note7 line3"} {
			if _, err := asked.Search(t.Context(), Query{Text: text, Also: []string{"hart"}}); err != nil && !errors.Is(err, catalog.ErrDamaged) {
				t.Fatalf("%s: %v", text, err)
			}
		}
		for _, d := range asked.store.all() {
			asked.store.forget(location{0, d.Path})
		}
	})
}

// TestSnapshotOfNothing: one that is no file at all is none.
func TestSnapshotOfNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.snapshot")
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := openSnapshot(file); !errors.Is(err, errNoSnapshot) {
		t.Errorf("a folder: %v", err)
	}
}
