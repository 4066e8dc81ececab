package e2e

import (
	"context"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/indextest"
)

// watching is a model that looks at a database whenever it is asked for vectors.
type watching struct {
	*indextest.CountingModel
	database string

	mu            sync.Mutex
	late, indexed int // calls when there were many vectors, and when they had an index
}

func (w *watching) Embed(ctx context.Context, kind embed.TextKind, texts []string) ([][]float32, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	isMany, isIndexed, err := vectorsIn(ctx, w.database)
	if err != nil {
		return nil, err
	}
	if isMany {
		w.late++
	}
	if isIndexed {
		w.indexed++
	}
	return w.CountingModel.Embed(ctx, kind, texts)
}

// vectorsIn reports whether a database has enough vectors for an index, and whether there
// is one.
func vectorsIn(ctx context.Context, address string) (isMany, isIndexed bool, err error) {
	conn, err := pgx.Connect(ctx, address)
	if err != nil {
		return false, false, err
	}
	defer conn.Close(ctx)
	err = conn.QueryRow(ctx, `SELECT (SELECT count(*) >= 2000 FROM vademecum.vectors),
		EXISTS (SELECT FROM pg_class c JOIN pg_index i ON i.indexrelid = c.oid AND i.indisvalid WHERE c.relname LIKE 'vectors\_near\_%')`).Scan(&isMany, &isIndexed)
	return isMany, isIndexed, err
}

// dropIndexes drops the indexes of vectors.
const dropIndexes = `DO $$ DECLARE name text; BEGIN
	FOR name IN SELECT relname FROM pg_class WHERE relname LIKE 'vectors\_near\_%' LOOP EXECUTE format('DROP INDEX vademecum.%I', name); END LOOP; END $$`

// TestDatabaseIndexesLast: where many vectors are loaded their index is created at the end,
// automatically, since inserting into an index is slow. Until then no hint asks users to
// create it.
func TestDatabaseIndexesLast(t *testing.T) {
	t.Parallel()
	for name, address := range map[string]func(database) string{
		"the role that owns the tables": func(d database) string { return d.owner },
		"one that serves":               func(d database) string { return d.serving },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			model := &watching{CountingModel: indextest.NewCountingModel(t), database: d.owner}
			n := indextest.NewNotesFolder(t, indextest.ManyTexts(700))
			o := index.Options{Folders: []string{n.Dir}, DatabaseAddress: address(d), Libraries: []string{"notes"}, Embedder: model}
			ix := loadedIndex(t, o)
			_, err := ix.Sync(t.Context(), index.Scope{})
			indextest.Must(t, err)
			indextest.Must(t, ix.Embed(t.Context()))
			_, isIndexed, err := vectorsIn(t.Context(), d.owner)
			indextest.Must(t, err)
			if model.late == 0 || model.indexed > 0 || !isIndexed {
				t.Errorf("the model was asked %d times when there were many vectors, %d when they were indexed; in the end they are: %v", model.late, model.indexed, isIndexed)
			}
			if saysUnindexed(t, o) {
				t.Error("status tells of no index")
			}
			inDatabase(t, d.owner, dropIndexes)
			if !saysUnindexed(t, o) {
				t.Error("status does not tell that the index is gone")
			}
			n.Write("new.md", "# New\n\nA passage about nothing at all.\n")
			_, err = ix.Sync(t.Context(), index.Scope{})
			indextest.Must(t, err)
			if saysUnindexed(t, o) {
				t.Error("status advises to make the index that is made when the new passage has its vector")
			}
			model.IsDown = true
			if err := ix.Embed(t.Context()); err == nil || !saysUnindexed(t, o) {
				t.Errorf("status does not tell of no index when the model fails: %v", err)
			}
			model.IsDown, model.RefusedWord = false, "nothing"
			indextest.Must(t, ix.Embed(t.Context()))
			inDatabase(t, d.owner, dropIndexes)
			if !saysUnindexed(t, o) {
				t.Error("status does not tell that the index is gone when a passage was refused")
			}
		})
	}
}

// saysUnindexed reports whether status says of the only library that its vectors have no
// index.
func saysUnindexed(t *testing.T, o index.Options) bool {
	t.Helper()
	look, err := index.New(o)
	indextest.Must(t, err)
	defer look.Close()
	s, err := look.Status(t.Context())
	indextest.Must(t, err)
	return s.Folders[0].IsVectorIndexDue
}
