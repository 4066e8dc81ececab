package sqlite

import (
	"context"
	"fmt"

	"vademecum/index/store/catalog"
)

// Condition returns what is wrong with the file. A file that was replaced does not count as
// damaged, nor does one on a full disk unless damage was found.
func (c *Catalog) Condition() catalog.Condition {
	switch {
	case c.isFileReplaced():
		return catalog.Condition{State: catalog.FileReplaced}
	case c.refused.Load() != nil && !c.suspect.Load():
		return catalog.Condition{State: catalog.WriteRejected, Reason: *c.refused.Load()}
	case c.displaced.Load():
		return catalog.Condition{State: catalog.OwnedByOtherFormat, Reason: catalog.ErrOtherFormat}
	case c.cut.Load() && !c.suspect.Load():
		return catalog.Condition{State: catalog.Unreadable}
	case c.HasLostWAL():
		return catalog.Condition{State: catalog.Damaged, Reason: fmt.Errorf("the log: %w", catalog.ErrDamaged)}
	case c.suspect.Load():
		return catalog.Condition{State: catalog.Damaged, Reason: catalog.ErrDamaged}
	}
	return catalog.Condition{}
}

// Repair does nothing: no other program writes to the file, and a damaged one is replaced as a whole.
func (c *Catalog) Repair(context.Context, bool, func() bool) (catalog.RepairResult, error) {
	return catalog.RepairResult{}, nil
}
