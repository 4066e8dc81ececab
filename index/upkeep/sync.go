package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vademecum/docs"
	"vademecum/index/catalog"
	"vademecum/index/compare"
	"vademecum/index/indexer"
	"vademecum/index/say"
	"vademecum/internal/present"
)

// Sync brings the index up to date with the files in scope, but for vectors:
// see Embed. One run goes on at a time; others wait for their turn. What is
// committed before ctx ends stays, and what is reported is on the disk. A file
// that cannot be read is reported, never an error. A folder that another
// process indexes is brought up to date by that one.
func (k *Keeper) Sync(ctx context.Context, scope Scope) (report say.Report, err error) {
	err = k.guard.Catch("bring the index up to date", func() (err error) {
		report, err = k.syncOnce(ctx, scope)
		if errors.Is(err, catalog.ErrDamaged) { // which is known now, and mended first
			report, err = k.syncOnce(ctx, scope)
		}
		return err
	})
	return report, err
}

func (k *Keeper) syncOnce(ctx context.Context, scope Scope) (say.Report, error) {
	areas, err := k.comparer.Areas(scope.Paths)
	if err != nil {
		return say.Report{}, err
	}
	if err := k.fresh.WaitLoaded(ctx); err != nil {
		return say.Report{}, err
	}
	for i := range k.fresh.Silent() {
		if slices.ContainsFunc(areas, func(a compare.Area) bool { return a.Folder == i }) {
			return say.Report{}, fmt.Errorf("index %s: %w", present.Name(k.folders[i].Dir()), docs.ErrSilent)
		}
	}
	if err := k.recovery.Mend(ctx, 0); err != nil {
		return say.Report{}, err
	}
	if scope.Check && !scope.Force {
		if err := k.recovery.CheckTexts(ctx, areas); err != nil {
			return say.Report{}, err
		}
	}
	r := k.indexer.NewRun(compare.Comparison{Force: scope.Force, Replace: scope.Replace})
	err = k.tellingWhile(ctx, func() (err error) {
		r, err = k.syncAreas(ctx, r, areas)
		return err
	})
	if err == nil && r.Seen == 0 && len(r.Unlike) == 0 && len(scope.Paths) > 0 {
		return r.Report, fmt.Errorf("nothing in the folder matches %s", present.Name(strings.Join(scope.Paths, ", ")))
	}
	if err == nil {
		err = k.flush()
	}
	if errors.Is(err, catalog.ErrHeld) && k.patience > 0 {
		err = nil // answers say so
	}
	r.Finish()
	unlike := r.Spared(areas)
	if err != nil && unlike != nil { // that is not all
		return r.Report, fmt.Errorf("%w; %v", err, unlike)
	}
	return r.Report, cmp.Or(err, unlike)
}

// syncAreas brings up to date first what this process indexes, with the files
// that are read apart, and then what others do: these may be waiting for it.
func (k *Keeper) syncAreas(ctx context.Context, r *indexer.Run, areas []compare.Area) (_ *indexer.Run, err error) {
	own, others := k.split(areas)
	if len(own) > 0 {
		r, err = k.indexer.Index(ctx, r, own)
		if err == nil {
			err = r.Wait(ctx)
		}
	}
	for _, a := range own {
		if r.Overtaken || !k.peers.Leads(a.Folder) { // before this is known here
			others[a.Folder] = append(others[a.Folder], a)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(others)) {
		err = errors.Join(err, k.handOver())
		if err == nil {
			err = r.Spare(k.syncOther(ctx, r, folder, others[folder]))
		}
	}
	return r, err
}

// flush puts on the disk what was committed.
func (k *Keeper) flush() error {
	for i, f := range k.folders {
		if err := k.store.Follower(i).Flush(); err != nil {
			return fmt.Errorf("save the index of %s: %w", f.Dir(), err)
		}
	}
	return nil
}

// Scope is what a Sync looks at.
type Scope struct {
	Paths []string // files, folders or globs as shown; empty: everything
	Force bool     // read files again even when they look unchanged
	Check bool     // look whether the texts of documents are there, too, and have those read again that are not

	// Replace has a library be that of its folder, whatever goes away by that: see
	// unlike.go.
	Replace bool
}
