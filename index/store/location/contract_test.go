package location

import (
	"reflect"
	"testing"

	"vademecum/index/live"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
)

// TestContract: whoever adds a store writes so many methods. Fewer are better: what only one
// store needs is private to that, and what can be made of others is made of them once.
func TestContract(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		most int
	}{
		{reflect.TypeFor[catalog.Catalog](), 22},
		{reflect.TypeFor[roots.Storages](), 2},
		{reflect.TypeFor[roots.Storage](), 11},
		{reflect.TypeFor[roots.Lease](), 8},
		// what a store need not have, because package memindex has it for all; package live has the
		// documents of a view
		{reflect.TypeFor[live.ChunkIndex](), 28},
		{reflect.TypeFor[search.View](), 6 + reflect.TypeFor[search.Documents]().NumMethod()},
	} {
		switch n := c.of.NumMethod(); {
		case n > c.most:
			t.Errorf("%v has %d methods, of at most %d", c.of, n, c.most)
		case n < c.most:
			t.Errorf("%v has only %d methods: let %d no longer be allowed", c.of, n, c.most)
		}
	}
}
