package memory

import (
	"context"
	"maps"
	"strings"
)

// Value returns the value of a key.
func (c *Catalog) Value(_ context.Context, key string) (string, error) {
	defer c.lockForReading()()
	return c.FolderContent.values[key], nil
}

// Values returns the values of the keys with a prefix.
func (c *Catalog) Values(_ context.Context, prefix string) (map[string]string, error) {
	defer c.lockForReading()()
	all := maps.Clone(c.FolderContent.values)
	maps.DeleteFunc(all, func(key, _ string) bool { return !strings.HasPrefix(key, prefix) })
	return all, nil
}

// SetValue sets the value of a key, or removes it if value is "".
func (c *Catalog) SetValue(ctx context.Context, key, value string) error {
	return c.commitOther(ctx, func() {
		if c.FolderContent.values[key] = value; value == "" {
			delete(c.FolderContent.values, key)
		}
	})
}
