package memindex

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"vademecum/docs/kind"
	"vademecum/docs/meta"
	"vademecum/docs/text"
	"vademecum/index/blob"
	"vademecum/index/indextest"
	"vademecum/index/lexical/analysis"
	"vademecum/index/live"
	"vademecum/index/rank"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/index/store/sqlite"
	"vademecum/index/vector"
	"vademecum/internal/base/panics"
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
	file := filepath.Join(f.TempDir(), "x.db")
	c, err := sqlite.Open(f.Context(), sqlite.Location{File: file, Folder: f.TempDir()}, "m")
	must(f, err)
	st := New(1, indextest.NewCountingModel(f))
	_, err = st.Load(f.Context(), 0, c)
	must(f, err)
	f.Cleanup(func() { must(f, st.Close()) })
	for i := range 12 {
		content := fmt.Sprintf("Note%d line3: warfarin and sodium, insulin %d 血压", i, i*i)
		r := catalog.Record{Path: fmt.Sprintf("%d.md", i), Title: "Heart", Meta: meta.Data{Tags: []string{"a/b", fmt.Sprint(i)}, Date: 20240100, LinkTargets: []string{"0"}, Fields: []meta.Field{{Key: "type", Values: []string{"x", "y"}}}}, Chunks: []catalog.Chunk{
			{Span: text.Span{EndByte: len(content), StartLine: 1, EndLine: 1}, Heading: []string{"Heart"}, Key: catalog.EmbeddingKey{byte(i)}, ContentHash: rank.ChunkTextHashOf(content), Traits: kind.Traits{Kind: kind.ChangeLog, Language: 2}, Terms: analysis.CountTerms(analysis.ChunkNames{}, content)},
		}}
		if i%3 > 0 {
			must(f, c.SaveVectors(f.Context(), "", map[catalog.EmbeddingKey][]float32{{byte(i)}: {0.6, 0.8}}))
		}
		must(f, st.Put(f.Context(), 0, catalog.RecordWithBody{Record: r, Body: text.Body{Text: content}}))
	}
	must(f, st.SaveSnapshot(f.Context(), 0))
	whole := splitSnapshot(f, file+SnapshotSuffix)
	for section := range vectorSections + 2 {
		for _, seed := range [][]byte{{0, 0, 0, 255, 0}, {1, 9, 0, 128, 1}, {2, 0, 0, 4, 0}, {3, 0, 0, 0, 0}, {4, 0, 0, 255, 255}, {0, 20, 0, 0, 0}} {
			f.Add(append([]byte{byte(section)}, seed...))
		}
	}
	f.Add([]byte{})
	of := st.Follower(0)
	f.Fuzz(func(t *testing.T, edits []byte) {
		sections := edited(whole, edits)
		if err := new(snapshots).writeFile(file+SnapshotSuffix, func(yield func(blob.Section) bool) {
			for _, s := range sections {
				if !yield(blob.SectionOfBytes(s)) {
					return
				}
			}
		}); err != nil {
			t.Fatal(err)
		}
		l, err := loadSnapshot(t.Context(), of, 0, vector.Precision16Bits)
		if panics.Is(err) {
			t.Fatalf("a panic while it is loaded: %v", err)
		}
		if err != nil {
			if !errors.Is(err, errNoSnapshot) {
				t.Fatalf("not refused as none: %v", err)
			}
			return
		}
		asked := New(1, indextest.NewCountingModel(t))
		asked.SetFollower(0, of)
		must(t, asked.Update(func(docs *live.Documents) error { return asked.ChunkIndex.(*Index).takeLoaded(docs, l) }))
		must(t, asked.View(t.Context(), func(ctx context.Context, v search.View) error {
			for _, text := range []string{"warfarin", "sodum insuln", "血压", "Note7 line3"} {
				if _, _, err := v.UnknownWords(ctx, text); err != nil {
					return err
				}
				phrasings := []search.Phrasing{{Weight: 1, Text: text, Vector: []float32{1, 0}}, {Weight: 1, Text: "hart"}}
				found, err := v.Search(ctx, phrasings, search.Filter{}, 5)
				if err != nil && !errors.Is(err, catalog.ErrDamaged) {
					return fmt.Errorf("%s: %w", text, err)
				}
				for _, c := range found.Candidates {
					if _, _, err := asked.Body(ctx, c.Document); err != nil && !errors.Is(err, catalog.ErrDamaged) {
						return fmt.Errorf("%s: %w", text, err)
					}
				}
			}
			return nil
		}))
		asked.LinkTargetsNamed("0")
		asked.Tags(search.Filter{Conditions: meta.Conditions{meta.Condition{NotAfter: 20250100}}})
		for _, d := range asked.All() {
			asked.LinkingTo(d, 0)
		}
		asked.Unload(0)
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

// TestPanicWhileASnapshotIsWritten: nothing is left of it.
func TestPanicWhileASnapshotIsWritten(t *testing.T) {
	dir := t.TempDir()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		_ = new(snapshots).writeFile(filepath.Join(dir, "x"), func(yield func(blob.Section) bool) {
			yield(blob.SectionOfBytes([]byte("some")))
			panic("half-way")
		})
	}()
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left %q, %v", left, err)
	}
}

// TestRemovedByAnother: a snapshot that is to go and is gone is no fault.
func TestRemovedByAnother(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.snapshot")
	must(t, os.WriteFile(file, nil, 0o600))
	must(t, removeIfThere(file))
	must(t, removeIfThere(file))
}

// TestPanicInAStep: a panic in one step of several is the error of all.
func TestPanicInAStep(t *testing.T) {
	if err := runParallel([]func() error{func() error { panic("odd") }, func() error { return nil }}); !panics.Is(err) {
		t.Errorf("a step of a snapshot ended with %v", err)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestLeftoversAreNotOurs removes what others left while a snapshot is being
// written: that one is in use, and is there at the end.
func TestLeftoversAreNotOurs(t *testing.T) {
	st, file := new(snapshots), filepath.Join(t.TempDir(), "x.db")
	left := file + SnapshotSuffix + temporary + "1"
	must(t, os.WriteFile(left, []byte("by one that was killed"), 0o600))
	removed := make(chan error, 1)
	must(t, st.writeFile(file+SnapshotSuffix, func(yield func(blob.Section) bool) {
		go func() { removed <- st.RemoveLeftoverSnapshots(file) }()
		select {
		case err := <-removed: // before the file has its name
			removed <- err
		case <-time.After(20 * time.Millisecond):
		}
		yield(blob.SectionOfBytes([]byte("a section")))
	}))
	must(t, <-removed)
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what was left is there: %v", err)
	}
	if _, err := os.Stat(file + SnapshotSuffix); err != nil {
		t.Error(err)
	}
}
