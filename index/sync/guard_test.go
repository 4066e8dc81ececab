package sync_test

import (
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vademecum/index"
	"vademecum/index/indextest"
	"vademecum/index/progress"
	"vademecum/index/sync"
)

// newServed is a folder of two notes, of a database server.
func newServed(t *testing.T) *harmed {
	t.Helper()
	server := os.Getenv(serverVariable)
	if server == "" {
		t.Skip("not tested with PostgreSQL: " + serverVariable + " names no server")
	}
	return &harmed{NotesFolder: indextest.NewNotesFolder(t, map[string]string{"a.md": "# Warfarin\n\nof a", "b.md": "# Warfarin\n\nof b"}), server: server}
}

// serves has the library notes of a database be that of a folder, and is not waited for.
func (h *harmed) serves(t *testing.T, database string, folder indextest.NotesFolder) (*index.Index, *told) {
	t.Helper()
	log := newTold()
	other := &harmed{NotesFolder: folder, server: h.server}
	ix := other.open(t, database, slog.New(log))
	runUntilEnd(t, ix)
	return ix, log
}

// runUntilEnd has an index run until the test ends.
func runUntilEnd(t *testing.T, ix *index.Index) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- ix.Run(t.Context()) }() // which ends before what is cleaned up
	t.Cleanup(func() {
		<-done
		indextest.Must(t, ix.Close())
	})
}

// finds is how many passages answer to warfarin, and why none.
func finds(t *testing.T, ix *index.Index) (int, error) {
	t.Helper()
	a, err := ix.Search(t.Context(), index.Query{Text: "warfarin"})
	return len(a.Passages), err
}

// rowsOf counts the documents in a database.
func (h *harmed) rowsOf(t *testing.T, database, what string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), h.address(t, database))
	indextest.Must(t, err)
	defer conn.Close(t.Context())
	indextest.Must(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM vademecum."+what).Scan(&n))
	return n
}

// TestWrongFolderMendsNothing: a server of another folder removes nothing of a library that
// is damaged, whether it is alone or beside the one that sees the files.
func TestWrongFolderMendsNothing(t *testing.T) {
	h := newServed(t)
	wrong := indextest.NewNotesFolder(t, map[string]string{"x.md": "# Heparin\n\nof a"})
	t.Run("alone", func(t *testing.T) {
		db := h.newDatabase(t)
		h.indexes(t, db, sync.Scope{})
		h.on(t, db, "DELETE FROM vademecum.segments")
		ix, log := h.serves(t, db, wrong)
		waitReady(t, ix)
		indextest.Eventually(t, indextest.ShortTimeout, "it was looked for damage", func() bool {
			_, _ = finds(t, ix)
			return strings.Contains(strings.Join(log.all(), "\n"), "damage was met") || h.rowsOf(t, db, "documents") != 2
		})
		if n := h.rowsOf(t, db, "documents"); n != 2 {
			t.Errorf("%d documents are left: %q", n, log.all())
		}
		right, _ := h.serves(t, db, h.NotesFolder)
		indextest.Eventually(t, indextest.ShortTimeout, "the right folder is found", func() bool { n, err := finds(t, right); return n == 2 && err == nil })
		if n := h.rowsOf(t, db, "documents"); n != 2 {
			t.Errorf("%d documents in the end", n)
		}
	})
	t.Run("beside", func(t *testing.T) {
		db := h.newDatabase(t)
		right, rightLog := h.serves(t, db, h.NotesFolder)
		waitReady(t, right)
		ix, log := h.serves(t, db, wrong)
		waitReady(t, ix)
		h.on(t, db, "DELETE FROM vademecum.segments")
		indextest.Eventually(t, indextest.ShortTimeout, "who sees the files has mended it for who asks", func() bool { n, err := finds(t, ix); return n == 2 && err == nil })
		if told := strings.Join(log.all(), "\n"); strings.Contains(told, "made again from the folder") || !strings.Contains(strings.Join(rightLog.all(), "\n"), "made again from the folder") {
			t.Errorf("the wrong one says %q, the right one %q", told, rightLog.all())
		}
	})
}

// TestUnloadableMended: a library that is damaged so that it cannot be loaded is made again
// from the folder that has its files, and left as it is by a server of another one.
func TestUnloadableMended(t *testing.T) {
	h := newServed(t)
	const damage = "UPDATE vademecum.documents SET path = 'b.md'; DELETE FROM vademecum.segments"
	t.Run("another folder", func(t *testing.T) {
		db := h.newDatabase(t)
		h.indexes(t, db, sync.Scope{})
		h.on(t, db, damage)
		ix := (&harmed{NotesFolder: indextest.NewNotesFolder(t, map[string]string{"x.md": "# Heparin\n\nof a"}), server: h.server}).open(t, db, slog.New(newTold()))
		if err := ix.Load(t.Context()); !errors.Is(err, index.ErrDamaged) {
			t.Errorf("it is loaded: %v", err)
		}
		indextest.Must(t, ix.Close())
		if n := h.rowsOf(t, db, "documents"); n != 2 {
			t.Errorf("%d documents are left", n)
		}
	})
	t.Run("its own", func(t *testing.T) {
		db := h.newDatabase(t)
		h.indexes(t, db, sync.Scope{})
		h.on(t, db, damage)
		ix, log := h.serves(t, db, h.NotesFolder)
		indextest.Eventually(t, indextest.ShortTimeout, "both notes are found", func() bool { n, err := finds(t, ix); return err == nil && n == 2 })
		if told := strings.Join(log.all(), "\n"); strings.Count(told, "the index is built again") != 1 {
			t.Errorf("it told %q", told)
		}
	})
}

// TestNothingMendedWhileAway: a library is left as it is while its folder is not there.
func TestNothingMendedWhileAway(t *testing.T) {
	h := newServed(t)
	db := h.newDatabase(t)
	ix, log := h.serves(t, db, h.NotesFolder)
	waitReady(t, ix)
	indextest.Must(t, os.Rename(h.Dir, h.Dir+".away"))
	h.on(t, db, "DELETE FROM vademecum.segments")
	indextest.Eventually(t, indextest.ShortTimeout, "it was looked for damage", func() bool {
		_, _ = finds(t, ix)
		return strings.Contains(strings.Join(log.all(), "\n"), "damage was met") || h.rowsOf(t, db, "documents") != 2
	})
	if n := h.rowsOf(t, db, "documents"); n != 2 {
		t.Errorf("%d documents are left: %q", n, log.all())
	}
	indextest.Must(t, os.Rename(h.Dir+".away", h.Dir))
	indextest.Eventually(t, indextest.ShortTimeout, "all is found again", func() bool { n, err := finds(t, ix); return n == 2 && err == nil })
}

// TestDamagedVectorsMended: questions are answered by words while vectors are damaged, and
// these are made again.
func TestDamagedVectorsMended(t *testing.T) {
	h := newServed(t)
	db := h.newDatabase(t)
	log, model := newTold(), indextest.NewCountingModel(t)
	ix, err := index.New(index.Options{Folders: []string{h.Dir}, DatabaseAddress: h.address(t, db), Libraries: []string{"notes"}, Embedder: model, Logger: slog.New(log)})
	indextest.Must(t, err)
	runUntilEnd(t, ix)
	waitReady(t, ix)
	indextest.Eventually(t, indextest.ShortTimeout, "both are found", func() bool { n, err := finds(t, ix); return n == 2 && err == nil })
	h.on(t, db, "UPDATE vademecum.vectors SET checksum = checksum + 1")
	model.TakeCount()
	embedded := 0
	areMended := indextest.Poll(indextest.ShortTimeout, func() bool {
		if n, err := finds(t, ix); n != 2 || err != nil {
			t.Fatalf("a question finds %d, %v", n, err)
		}
		embedded += model.TakeCount()
		return embedded == 2 && h.rowsOf(t, db, "vectors") == 2 && h.fault(t, db) == ""
	})
	if !areMended {
		t.Fatalf("%d vectors are made again: %s; %q", embedded, h.fault(t, db), log.all())
	}
}

func waitReady(t testing.TB, ix *index.Index) {
	t.Helper()
	indextest.Eventually(t, time.Minute, "the index is up to date", func() bool {
		s := ix.State()
		return s.Phase == progress.Failed || s.Failure != "" || s.Phase == progress.Ready && !s.IsBehind() && (s.EmbedFailure != "" || !s.IsPeerEmbeddingDue)
	})
}
