package sync

import (
	"context"
	"time"
)

const (
	LookEvery   = lookEvery
	SearchFirst = searchFirst
	SearchMost  = searchMost
)

// Loop is a loop, for tests of single steps.
type Loop struct{ *maintenanceLoop }

// NewLoop makes a loop that does nothing by itself.
func NewLoop(e *Engine) Loop { return Loop{newMaintenanceLoop(e)} }

func (l Loop) Look(ctx context.Context) { l.poll(ctx) }

func (l Loop) LookForMissing() { l.lookForMissing() }

func (l Loop) ReconsiderSome(ctx context.Context, now time.Time) { l.retryMismatched(ctx, now) }

// Wait waits for what was begun beside the loop.
func (l Loop) Wait() { l.group.Wait() }

// Leads reports whether this process indexes a folder.
func (l Loop) Leads(folder int) bool { return l.duties[folder].leads }

// BeginAnswer notes that a request is being answered, IsAnswering reports whether that is so.
func (l Loop) BeginAnswer(folder int, request int64) { l.duties[folder].answered[request] = true }

func (l Loop) IsAnswering(folder int, request int64) bool { return l.duties[folder].answered[request] }

// SetLeads says whether this process indexes a folder.
func (l Loop) SetLeads(folder int, leads bool) { l.duties[folder].leads = leads }

// IsReconsidering reports whether a folder is being compared with its library again.
func (l Loop) IsReconsidering(folder int) bool { return l.duties[folder].reconsidered.Load() }

// TakeDirty takes what is to be compared again.
func (l Loop) TakeDirty() []Subtree {
	areas, _ := l.dirty.takeAreas(nil)
	return areas
}
