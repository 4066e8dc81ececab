package memory

import (
	"context"
	"errors"

	"vademecum/index/store/catalog"
)

// health is the condition of a catalogue in memory, which is intact except for bugs in this
// program.
type health struct{ *Catalog }

func (c health) Condition() catalog.Condition {
	switch damage := c.damage.Load(); {
	case damage != nil:
		return catalog.Condition{State: catalog.Damaged, Reason: *damage}
	case c.why != nil:
		return catalog.Condition{State: catalog.Unsaved, Reason: c.why}
	}
	return catalog.Condition{}
}

func (c health) RecordError(err error) error { return c.recordDamage(err) }

// recordDamage records err if it reports damage, and returns it.
func (c *Catalog) recordDamage(err error) error {
	if errors.Is(err, catalog.ErrDamaged) && !c.retired.Load() {
		c.damage.Store(&err)
	}
	return err
}

func (c health) SetBeingReplaced(isBeingReplaced bool) { c.retired.Store(isBeingReplaced) }

func (c health) Repair(context.Context, bool, func() bool) (catalog.RepairResult, error) {
	return catalog.RepairResult{}, nil
}
