package postgres

import (
	"testing"

	"vademecum/index/store/catalog/catalogtest"
)

// TestReplicaKnows: whatever way this process learns of a commit, a replica that lacks
// it does not answer.
func TestReplicaKnows(t *testing.T) {
	s, name := serving(t), anyName()
	for what, learn := range map[string]func(c *Catalog) error{
		"its own": func(c *Catalog) error {
			_, err := c.Put(t.Context(), skipped("b.md"))
			return err
		},
		"the version":     func(c *Catalog) error { _, err := c.ForeignVersion(t.Context()); return err },
		"the changes":     func(c *Catalog) error { _, err := c.Changes(t.Context(), 0); return err },
		"the last change": func(c *Catalog) error { _, err := catalogtest.LastChange(t.Context(), c); return err },
	} {
		_, err := named(t, serving(t), name).Put(t.Context(), skipped("a.md"))
		must(t, err)
		c := named(t, s, name)
		must(t, learn(c))
		var version int64
		must(t, c.QueryRow(t.Context(), "SELECT version FROM vademecum.libraries WHERE id = $1", []any{c.ID}, &version))
		if c.IsOutdated(version) || !c.IsOutdated(version-1) {
			t.Errorf("%s: version %d is not what is known", what, version)
		}
	}
}
