package memory

import (
	"context"
	"errors"

	"vademecum/index/store/catalog"
)

// Condition returns what is wrong with the catalogue, which is intact except for bugs in this program.
func (c *Catalog) Condition() catalog.Condition {
	switch damage := c.damage.Load(); {
	case damage != nil:
		return catalog.Condition{State: catalog.Damaged, Reason: *damage}
	case c.why != nil:
		return catalog.Condition{State: catalog.Unsaved, Reason: c.why}
	}
	return catalog.Condition{}
}

// Repair does nothing: no other program can change the catalogue.
func (c *Catalog) Repair(context.Context, bool, func() bool) (catalog.RepairResult, error) {
	return catalog.RepairResult{}, nil
}

// recordDamage records err if it reports damage, and returns it.
func (c *Catalog) recordDamage(err error) error {
	if errors.Is(err, catalog.ErrDamaged) {
		c.damage.Store(&err)
	}
	return err
}
