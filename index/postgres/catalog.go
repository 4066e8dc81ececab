package postgres

import (
	"context"
	"sync"
	"sync/atomic"

	"vademecum/index/catalog"
	"vademecum/index/postgres/db"
	"vademecum/index/postgres/library"
)

// Catalog is one library in a database, opened by a process.
type Catalog struct {
	*library.Library
	duty    *Duty // without which no document is written; may be nil
	retired atomic.Bool
	heads   bool        // documents are listed without their chunks
	spoilt  atomic.Bool // vectors were met that are not what was written

	described atomic.Int64 // slots of the library when the database last analysed its tables

	saving sync.Mutex // held while vectors are saved, for which the others wait without a limit
}

var _ catalog.Catalog = (*Catalog)(nil)

// Catalog opens or creates a library for the embedding model named; with no name it
// keeps the one used last.
func (s *Store) Catalog(ctx context.Context, name, model string) (*Catalog, error) {
	l, err := library.Open(ctx, s.DB, name, model, s.asks)
	if err != nil {
		return nil, err
	}
	return &Catalog{Library: l}, nil
}

// OpenReadOnly opens a library for the model that was used last, without changing anything. It
// is nil when there is none.
func (s *Store) OpenReadOnly(ctx context.Context, name string) (*Catalog, error) {
	l, err := library.OpenReadOnly(ctx, s.DB, name)
	if err != nil || l == nil {
		return nil, err
	}
	return &Catalog{Library: l}, nil
}

// Duty returns a duty for the library, which no process tries to acquire yet.
func (c *Catalog) Duty(name string) *Duty { return NewDuty(c.Library, name) }

// RequireDuty has documents written only while a duty is this process's, whose commits
// cannot be overtaken by those of the next one then.
func (c *Catalog) RequireDuty(d *Duty) { c.duty = d }

// File is "": there is no place on this machine.
func (c *Catalog) File() string { return "" }

// vectors are the vectors of a catalogue.
type vectors struct{ *Catalog }

// Vectors returns the vectors of the library.
func (c *Catalog) Vectors() catalog.Vectors { return vectors{c} }

// Health is how the library is.
func (c *Catalog) Health() catalog.Health { return c }

// IsUnsaved is false: the database keeps all.
func (c *Catalog) IsUnsaved() bool { return false }

// SetRetired notes whether another catalogue takes the place of this one.
func (c *Catalog) SetRetired(retired bool) { c.retired.Store(retired) }

// IsRetired reports whether another takes its place.
func (c *Catalog) IsRetired() bool { return c.retired.Load() }

// RecordError classifies an error. It records nothing: the operator of the database repairs it.
func (c *Catalog) RecordError(err error) error { return db.Classify(err) }

// Flush does nothing: a commit is as safe as the database is set up to make it.
func (c *Catalog) Flush() error { return nil }

// Close does nothing: the connections are the store's.
func (c *Catalog) Close() error { return nil }

// Model is the name of the model in use.
func (c vectors) Model(context.Context) (string, error) { return c.ModelName, nil }
