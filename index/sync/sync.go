package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"vademecum/docs"
	"vademecum/index/notice"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/present"
)

// Sync brings the index up to date with the files in scope, except for vectors: see Embed. Only one run is
// in progress at a time; a further call waits for its turn. What is committed before ctx ends is
// kept, and what is reported is on disk. Files that cannot be read are in the report, and do not
// cause an error. A folder that another process indexes is brought up to date by that process.
func (s *Syncer) Sync(ctx context.Context, scope Scope) (report notice.Report, err error) {
	err = s.Guard.Catch("bring the index up to date", func() (err error) {
		report, err = s.syncOnce(ctx, scope)
		if errors.Is(err, catalog.ErrDamaged) { // the damage is known now, and is repaired first
			report, err = s.syncOnce(ctx, scope)
		}
		return err
	})
	return report, err
}

func (s *Syncer) syncOnce(ctx context.Context, scope Scope) (notice.Report, error) {
	areas, err := s.parseSubtrees(scope.Paths)
	if err != nil {
		return notice.Report{}, err
	}
	if err := s.WaitLoaded(ctx); err != nil {
		return notice.Report{}, err
	}
	for i := range s.FindUnresponsiveFileSystems() {
		if slices.ContainsFunc(areas, func(a Subtree) bool { return a.Folder == i }) {
			return notice.Report{}, fmt.Errorf("index %s: %w", present.QuoteName(s.Folders[i].Dir()), docs.ErrNotResponding)
		}
	}
	if err := s.RepairCatalogs(ctx, 0); err != nil {
		return notice.Report{}, err
	}
	if scope.CheckTexts && !scope.Force {
		if err := s.CheckForLostTexts(ctx, areas); err != nil {
			return notice.Report{}, err
		}
	}
	r := s.NewRun(Comparison{Force: scope.Force, ReplaceLibrary: scope.ReplaceLibrary})
	err = s.PublishProgressWhile(ctx, func() (err error) {
		r, err = s.syncAreas(ctx, r, areas)
		return err
	})
	if err == nil && r.SeenCount == 0 && len(r.MismatchNotes) == 0 && len(scope.Paths) > 0 {
		return r.Report, fmt.Errorf("nothing in the folder matches %s", present.QuoteName(strings.Join(scope.Paths, ", ")))
	}
	if err == nil {
		err = s.flushCatalogs()
	}
	if errors.Is(err, catalog.ErrLocked) && s.waitTimeout > 0 {
		err = nil // a note says so
	}
	r.finish()
	mismatch := r.FolderMismatchError(areas)
	if err != nil && mismatch != nil { // there is another error besides
		return r.Report, fmt.Errorf("%w; %v", err, mismatch)
	}
	return r.Report, cmp.Or(err, mismatch)
}

// syncAreas first brings up to date what this process indexes, including the files read in the
// background, and only then asks other processes, because these may be waiting for it.
func (s *Syncer) syncAreas(ctx context.Context, r *Run, areas []Subtree) (_ *Run, err error) {
	own, others := s.splitOwn(areas)
	if len(own) > 0 {
		r, err = s.IndexAreas(ctx, r, own)
		if err == nil {
			err = r.WaitBackground(ctx)
		}
	}
	for _, a := range own {
		if r.IsLeaseLost || !s.IsIndexer(a.Folder) { // before this process learns it otherwise
			others[a.Folder] = append(others[a.Folder], a)
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(others)) {
		err = errors.Join(err, s.releaseDuties())
		if err == nil {
			err = r.recordMismatch(s.syncOther(ctx, r, folder, others[folder]))
		}
	}
	return r, err
}

// flushCatalogs writes the commits of all catalogues to the disk.
func (s *Syncer) flushCatalogs() error {
	for i, f := range s.Folders {
		if err := s.Store.Follower(i).Flush(); err != nil {
			return fmt.Errorf("save the index of %s: %w", f.Dir(), err)
		}
	}
	return nil
}

// Scope selects the files that Sync examines, and how thoroughly.
type Scope struct {
	Paths []string // files, folders or globs as shown; if empty, everything
	Force bool     // read files again even if they appear unchanged
	// also check that the texts of documents exist, and read documents again whose texts are
	// missing
	CheckTexts bool

	// ReplaceLibrary replaces the documents of the library by those of the folder, regardless of what that
	// removes: see match.go.
	ReplaceLibrary bool
}

// splitOwn separates the areas in folders that this process indexes (own) from the others, by folder.
func (s *Syncer) splitOwn(areas []Subtree) (own []Subtree, others map[int][]Subtree) {
	others = make(map[int][]Subtree)
	for _, a := range areas {
		if s.IsIndexer(a.Folder) {
			own = append(own, a)
		} else {
			others[a.Folder] = append(others[a.Folder], a)
		}
	}
	return own, others
}

// releaseDuties releases the leases to index, unless the maintenance loop runs, which carries out requests of
// other processes.
func (s *Syncer) releaseDuties() error {
	if s.Fresh.Current().IsMaintaining {
		return nil
	}
	var errs []error
	for _, f := range s.Folders {
		errs = append(errs, f.Storage.IndexingLease().Release())
	}
	return errors.Join(errs...)
}
