package postgres

import (
	"context"
	"sync"
	"sync/atomic"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/library"
)

// Catalog is a library in a database, opened by a process.
type Catalog struct {
	*library.Library
	lease   *Lease       // lease required to write documents; nil if none is
	heads   bool         // documents are read without their chunks
	skipped atomic.Int64 // how often vectors were found that differ from what was written

	// number of slots in the library when the database last analysed its tables
	described atomic.Int64

	saving sync.Mutex // held while vectors are saved; concurrent savers wait without a limit
}

var _ catalog.Catalog = (*Catalog)(nil)

// OpenCatalog opens or creates a library for the named embedding model. If model is "", the library
// keeps the model used last.
func (s *Store) OpenCatalog(ctx context.Context, libraryName, model string) (*Catalog, error) {
	l, err := library.Open(ctx, s.DB, libraryName, model, s.keepsModels)
	if err != nil {
		return nil, err
	}
	return &Catalog{Library: l}, nil
}

// OpenReadOnly opens a library for the model used last, without changing anything. It returns nil
// if there is none.
func (s *Store) OpenReadOnly(ctx context.Context, libraryName string) (*Catalog, error) {
	l, err := library.OpenReadOnly(ctx, s.DB, libraryName)
	if err != nil || l == nil {
		return nil, err
	}
	return &Catalog{Library: l}, nil
}

// Lease returns the lease of the library that has the given name. It does not try to acquire it.
func (c *Catalog) Lease(name string) *Lease {
	return &Lease{library: c.Library, name: name, lock: advisoryLockKey(c.Library.ID, name), doubted: make(chan struct{}, 1), news: make(chan struct{})}
}

// RequireLease lets documents be written only while this process holds the lease, so that its
// commits cannot overtake those of the next holder.
func (c *Catalog) RequireLease(d *Lease) { c.lease = d }

// Describe returns the model: the library has no file on this machine.
func (c *Catalog) Describe() catalog.Description { return catalog.Description{Model: c.ModelName} }

// Flush does nothing: how durable a commit is depends on the settings of the database.
func (c *Catalog) Flush() error { return nil }

// Close does nothing: the connections belong to the store.
func (c *Catalog) Close() error { return nil }
