package postgres_test

import (
	"crypto/sha256"
	"testing"

	"vademecum/docs/ocr/ocrtest"
	. "vademecum/index/store/postgres"
	. "vademecum/index/store/postgres/postgrestest"
)

// TestRecognised holds a database to what stores of recognised pages promise.
func TestRecognised(t *testing.T) {
	ocrtest.CheckStore(t, func() ocrtest.Store { return OpenServing(t) })
}

// TestDamagedPage: a page whose row is damaged is recognised again.
func TestDamagedPage(t *testing.T) {
	s, file := OpenServing(t), sha256.Sum256([]byte(t.Name()))
	Must(t, s.SaveRecognised(t.Context(), file, "eng", 1, []byte("one")))
	Must(t, s.SaveRecognised(t.Context(), file, "eng", 2, []byte("two")))
	if _, err := s.Pool.Exec(t.Context(), "UPDATE vademecum.recognised SET content = 'once' WHERE file = $1 AND page = 1", file[:]); err != nil {
		t.Fatal(err)
	}
	if pages, err := s.RecognisedPages(t.Context(), file, "eng"); err != nil || len(pages) != 1 || string(pages[2]) != "two" {
		t.Errorf("there are %v, %v", pages, err)
	}
}

// TestRecognisedOfRemovedLibrary: with a library goes what was recognised of files that no other has.
func TestRecognisedOfRemovedLibrary(t *testing.T) {
	at := EmptyDatabase(t)
	Must(t, Migrate(t.Context(), at, ""))
	s := OpenStore(t, at, Patience)
	only, both := [32]byte{1}, [32]byte{2}
	for name, files := range map[string]map[string][32]byte{"l": {"a.pdf": only, "b.pdf": both}, "k": {"c.pdf": both}} {
		c := OpenLibrary(t, s, name)
		for path, hash := range files {
			e := SkippedEntry(path)
			e.Hash = hash
			_, err := c.Put(t.Context(), e)
			Must(t, err)
			Must(t, s.SaveRecognised(t.Context(), hash, "eng", 1, []byte("text")))
		}
		Must(t, c.Close())
	}
	_, err := RemoveLibrary(t.Context(), at, "l")
	Must(t, err)
	for file, want := range map[[32]byte]int{only: 0, both: 1} {
		if pages, err := s.RecognisedPages(t.Context(), file, "eng"); err != nil || len(pages) != want {
			t.Errorf("there are %d pages, %v, want %d", len(pages), err, want)
		}
	}
}
