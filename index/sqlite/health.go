package sqlite

import (
	"context"
	"fmt"

	"vademecum/index/catalog"
)

// Condition tells what is wrong with the file. What it was replaced by is whole, as far as
// anybody knows; and what a full disk holds is, unless damage was met.
func (c *Catalog) Condition() catalog.Condition {
	switch {
	case c.IsReplaced():
		return catalog.Condition{State: catalog.Gone}
	case c.refused.Load() != nil && !c.IsSuspect():
		return catalog.Condition{State: catalog.Refused, Why: *c.refused.Load()}
	case c.displaced.Load():
		return catalog.Condition{State: catalog.Displaced, Why: catalog.ErrOtherFormat}
	case c.cut.Load() && !c.IsSuspect():
		return catalog.Condition{State: catalog.Cut}
	case c.HasLostLog():
		return catalog.Condition{State: catalog.Damaged, Why: fmt.Errorf("the log: %w", catalog.ErrDamaged)}
	case c.IsSuspect():
		return catalog.Condition{State: catalog.Damaged, Why: catalog.ErrDamaged}
	}
	return catalog.Condition{}
}

// TakeSkippedDamage is false: what is damaged is met by its reader, and never passed over.
func (c *Catalog) TakeSkippedDamage() bool { return false }

// VerifyCounts does nothing: nobody else writes to the file.
func (c *Catalog) VerifyCounts(context.Context) error { return nil }

// Mend does nothing: a damaged file is set aside as a whole.
func (c *Catalog) Mend(context.Context, bool) (catalog.RemovedDamage, error) {
	return catalog.RemovedDamage{}, nil
}

// Paths lists those of the documents that have a text.
func (c *Catalog) Paths(ctx context.Context) (paths []string, err error) {
	err = c.EachPage(ctx, func(page []catalog.Record) error {
		for _, r := range page {
			if r.Skip == "" {
				paths = append(paths, r.Path)
			}
		}
		return nil
	})
	return paths, err
}
