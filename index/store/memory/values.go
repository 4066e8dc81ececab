package memory

import (
	"context"
	"maps"
	"strings"
)

// values accesses the short texts that a folder stores by key.
type values struct{ *Catalog }

func (c values) Get(_ context.Context, key string) (string, error) {
	defer c.lockForReading()()
	return c.FolderContent.values[key], nil
}

func (c values) List(_ context.Context, prefix string) (map[string]string, error) {
	defer c.lockForReading()()
	all := maps.Clone(c.FolderContent.values)
	maps.DeleteFunc(all, func(key, _ string) bool { return !strings.HasPrefix(key, prefix) })
	return all, nil
}

func (c values) Set(ctx context.Context, key, value string) error {
	return c.commitOther(ctx, func() {
		if c.FolderContent.values[key] = value; value == "" {
			delete(c.FolderContent.values, key)
		}
	})
}
