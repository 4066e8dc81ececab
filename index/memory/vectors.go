package memory

import (
	"context"
	"maps"
	"time"

	"vademecum/embed"
	"vademecum/index/catalog"
)

// model is what is kept of an embedding model.
type model struct {
	vectors map[catalog.Key]*vector
	refused map[catalog.Key]refusal
	pruned  time.Time
}

type vector struct {
	floats []float32
	row    int64
	spare  time.Time // since when no document uses it; zero: one does
}

type refusal struct {
	reason string
	at     time.Time
}

func newModel() *model {
	return &model{vectors: make(map[catalog.Key]*vector), refused: make(map[catalog.Key]refusal)}
}

// vectors are those of the model in use.
type vectors struct{ *Catalog }

func (c vectors) used() *model { return c.models[c.model] }

func (c vectors) Model(context.Context) (string, error) { return c.model, nil }

func (c vectors) Find(ctx context.Context, keys []catalog.Key) (map[catalog.Key][]float32, error) {
	found := make(map[catalog.Key][]float32)
	err := c.read(ctx, func() {
		for _, k := range keys {
			if v := c.used().vectors[k]; v != nil {
				found[k] = v.floats
			}
		}
	})
	return found, err
}

func (c vectors) Since(ctx context.Context, row int64) (map[catalog.Key][]float32, error) {
	found := make(map[catalog.Key][]float32)
	err := c.read(ctx, func() {
		for k, v := range c.used().vectors {
			if v.row > row {
				found[k] = v.floats
			}
		}
	})
	return found, err
}

func (c vectors) Last(ctx context.Context) (row int64, err error) {
	err = c.read(ctx, func() { row = c.lastVector })
	return row, err
}

func (c vectors) Save(ctx context.Context, some map[catalog.Key][]float32) error {
	return c.set(ctx, func() { c.add(c.used(), some) })
}

// add keeps those that are not there yet. The caller holds mu for writing.
func (f *Folder) add(m *model, some map[catalog.Key][]float32) {
	for k, floats := range some {
		if m.vectors[k] == nil {
			f.lastVector++
			m.vectors[k] = &vector{floats: floats, row: f.lastVector}
		}
	}
}

func (c vectors) Keep(ctx context.Context, name string, some map[catalog.Key][]float32) error {
	if !embed.IsStored(name) {
		return nil
	}
	return c.set(ctx, func() {
		if c.models[name] == nil {
			c.models[name] = newModel()
		}
		c.add(c.models[name], some)
	})
}

// Yield has the vectors of all models be kept elsewhere.
func (c *Catalog) Yield(ctx context.Context, keep func(ctx context.Context, model string, some map[catalog.Key][]float32) error) error {
	all := make(map[string]map[catalog.Key][]float32)
	err := c.read(ctx, func() {
		for name, m := range c.models {
			all[name] = make(map[catalog.Key][]float32, len(m.vectors))
			for k, v := range m.vectors {
				all[name][k] = v.floats
			}
		}
	})
	for name, some := range all {
		if err == nil {
			err = keep(ctx, name, some)
		}
	}
	return err
}

func (c vectors) Drop(ctx context.Context) error {
	return c.set(ctx, func() { clear(c.used().vectors) })
}

func (c vectors) Refuse(ctx context.Context, reasons map[catalog.Key]string) error {
	return c.set(ctx, func() {
		for k, reason := range reasons {
			c.used().refused[k] = refusal{reason, time.Now()}
		}
	})
}

func (c vectors) Refusals(ctx context.Context, after time.Time) (map[catalog.Key]string, error) {
	reasons := make(map[catalog.Key]string)
	err := c.read(ctx, func() {
		for k, r := range c.used().refused {
			if r.at.After(after) {
				reasons[k] = r.reason
			}
		}
	})
	return reasons, err
}

func (c vectors) Forgive(ctx context.Context) error {
	return c.set(ctx, func() { clear(c.used().refused) })
}

func (c vectors) PruneDue(ctx context.Context) (due bool, err error) {
	err = c.read(ctx, func() {
		since := time.Since(c.used().pruned) // below zero when the clock was put back
		due = since < 0 || since > catalog.PruneEvery
	})
	return due, err
}

// Prune is also about the models that nobody has used for long.
func (c vectors) Prune(ctx context.Context, used map[catalog.Key]bool, now time.Time) error {
	return c.set(ctx, func() {
		maps.DeleteFunc(c.used().vectors, func(k catalog.Key, v *vector) bool {
			switch {
			case used[k]:
				v.spare = time.Time{}
			case v.spare.IsZero():
				v.spare = now
			}
			return !v.spare.IsZero() && now.Sub(v.spare) > catalog.KeepSpare
		})
		c.used().pruned = now
		for name, m := range c.models {
			switch {
			case name == c.model:
			case m.pruned.IsZero(): // its time begins now
				m.pruned = now
			case now.Sub(m.pruned) > catalog.KeepSpare:
				clear(m.vectors)
			}
		}
	})
}
