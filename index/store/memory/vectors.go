package memory

import (
	"cmp"
	"context"
	"maps"
	"time"

	"vademecum/embed"
	"vademecum/index/store/catalog"
)

// model is the stored data of an embedding model.
type model struct {
	vectors map[catalog.EmbeddingKey]*vector
	pruned  time.Time
}

type vector struct {
	floats []float32
	row    int64
	spare  time.Time // when it became unused; zero if it is in use
}

// modelNamed returns the data of a model. The caller must hold mu for writing.
func (f *FolderContent) modelNamed(name string) *model {
	if f.models[name] == nil {
		f.models[name] = &model{vectors: make(map[catalog.EmbeddingKey]*vector)}
	}
	return f.models[name]
}

// FindVectors returns the stored vectors of texts.
func (c *Catalog) FindVectors(_ context.Context, keys []catalog.EmbeddingKey) (map[catalog.EmbeddingKey][]float32, error) {
	defer c.lockForReading()()
	found := make(map[catalog.EmbeddingKey][]float32)
	for _, k := range keys {
		if v := c.used.vectors[k]; v != nil {
			found[k] = v.floats
		}
	}
	return found, nil
}

// VectorsSavedAfter returns the vectors of the model in use saved in rows after the given one, and the
// last of these rows.
func (c *Catalog) VectorsSavedAfter(_ context.Context, row int64) (map[catalog.EmbeddingKey][]float32, int64, error) {
	defer c.lockForReading()()
	found, last := c.used.vectorsAfter(row)
	return found, last, nil
}

// vectorsAfter returns the vectors saved in rows after the given one, and the last of these rows.
func (m *model) vectorsAfter(row int64) (found map[catalog.EmbeddingKey][]float32, last int64) {
	found, last = make(map[catalog.EmbeddingKey][]float32), row
	for k, v := range m.vectors {
		if v.row > row {
			found[k], last = v.floats, max(last, v.row)
		}
	}
	return found, last
}

// SaveVectors saves vectors of the named model, if they are worth storing, or of the model in use.
func (c *Catalog) SaveVectors(ctx context.Context, model string, vectors map[catalog.EmbeddingKey][]float32) error {
	if model != "" && !embed.IsWorthStoring(model) {
		return nil
	}
	return c.commitOther(ctx, func() { c.addVectors(c.modelNamed(cmp.Or(model, c.model)), vectors) })
}

// addVectors adds the vectors whose keys are not stored yet. The caller must hold mu for writing.
func (f *FolderContent) addVectors(m *model, some map[catalog.EmbeddingKey][]float32) {
	for k, floats := range some {
		if m.vectors[k] == nil {
			f.lastVector++
			m.vectors[k] = &vector{floats: floats, row: f.lastVector}
		}
	}
}

// ExportVectors calls save with the vectors of each model. Writes are blocked meanwhile.
func (c *Catalog) ExportVectors(ctx context.Context, save func(ctx context.Context, model string, some map[catalog.EmbeddingKey][]float32) error) error {
	defer c.lockForReading()()
	for name, m := range c.models {
		some, _ := m.vectorsAfter(0)
		if err := save(ctx, name, some); err != nil {
			return err
		}
	}
	return nil
}

// DeleteVectors deletes all vectors of the model in use.
func (c *Catalog) DeleteVectors(ctx context.Context) error {
	return c.commitOther(ctx, func() { clear(c.used.vectors) })
}

func (c *Catalog) isPruneDue(now time.Time) bool {
	defer c.lockForReading()()
	return catalog.IsPruneDue(c.used.pruned, now)
}

// PruneVectors also deletes the vectors of models that have been unused for long.
func (c *Catalog) PruneVectors(ctx context.Context, now time.Time, usedKeys func() map[catalog.EmbeddingKey]bool) error {
	if !c.isPruneDue(now) {
		return nil
	}
	used := usedKeys() // which may wait for who waits for the lock
	return c.commitOther(ctx, func() {
		maps.DeleteFunc(c.used.vectors, func(k catalog.EmbeddingKey, v *vector) bool {
			switch {
			case used[k]:
				v.spare = time.Time{}
			case v.spare.IsZero():
				v.spare = now
			}
			return !v.spare.IsZero() && now.Sub(v.spare) > catalog.UnusedVectorTTL
		})
		c.used.pruned = now
		for _, m := range c.models {
			switch {
			case m.pruned.IsZero(): // the period starts now
				m.pruned = now
			case now.Sub(m.pruned) > catalog.UnusedVectorTTL:
				clear(m.vectors)
			}
		}
	})
}
