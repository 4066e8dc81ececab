package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
)

// Scope is what a Sync looks at.
type Scope struct {
	Paths []string // files, folders or globs as shown; empty: everything
	Force bool     // read files again even when they look unchanged
}

// Report tells what a Sync did.
type Report struct {
	Indexed   int // documents that were new or changed
	Unchanged int
	Removed   int
	Skipped   []Skip   // files in the scope that are not indexed
	Warnings  []string // what went wrong without stopping the run, a line each
	Total     int      // documents searchable now
}

// Skip is a file that is not indexed.
type Skip struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// area is a part of one folder: what lies at or below base and matches glob.
type area struct {
	folder int
	base   string
	glob   pathGlob
}

func (a area) holds(p string) bool {
	return (a.base == "." || p == a.base || strings.HasPrefix(p, a.base+"/")) && a.glob.match(p)
}

// Sync brings the index up to date with the files in scope. One run goes on
// at a time; others wait for their turn. What is committed before ctx ends
// stays. A file that cannot be read is reported, never an error.
func (ix *Index) Sync(ctx context.Context, scope Scope) (Report, error) {
	areas, err := ix.areas(scope.Paths)
	if err != nil {
		return Report{}, err
	}
	report, seen, err := ix.sync(ctx, areas, scope.Force)
	if err == nil && seen == 0 && len(scope.Paths) > 0 {
		return report, fmt.Errorf("nothing in the folder matches %s", printable(strings.Join(scope.Paths, ", ")))
	}
	return report, err
}

// areas translates the paths of a scope, each of which must mean something.
func (ix *Index) areas(paths []string) ([]area, error) {
	var areas []area
	if len(paths) == 0 {
		return ix.everything(), nil
	}
	for _, p := range paths {
		glob, err := parseGlob(p)
		if err != nil {
			return nil, err
		}
		places, _, err := ix.locate(string(glob))
		if err != nil {
			return nil, err
		}
		if len(places) == 0 {
			return nil, fmt.Errorf("path %s leads out of the folder: give a path as list_docs shows it", printable(p))
		}
		at := places[0]
		inner := pathGlob(at.path)
		if strings.ContainsAny(string(glob), "*?[{") && !strings.Contains(string(glob), "/") {
			areas = append(areas, ix.anywhere(glob)...)
			continue
		}
		areas = append(areas, area{at.folder, inner.base(), inner})
	}
	return areas, nil
}

func (ix *Index) everything() []area { return ix.anywhere("") }

func (ix *Index) anywhere(glob pathGlob) []area {
	var areas []area
	for i := range ix.folders {
		areas = append(areas, area{i, ".", glob})
	}
	return areas
}

// run is one Sync under way.
type run struct {
	ix     *Index
	force  bool
	seen   int // files and documents in the scope
	report Report
}

// sync also returns how many files and documents lie in the areas.
func (ix *Index) sync(ctx context.Context, areas []area, force bool) (report Report, seen int, err error) {
	select {
	case ix.syncing <- struct{}{}:
	case <-ctx.Done():
		return Report{}, 0, ctx.Err()
	}
	defer func() { <-ix.syncing }()
	r := run{ix: ix, force: force}
	if ix.State().Synced.IsZero() {
		ix.progress.begin(Scanning)
	}
	err = r.all(ctx, areas)
	complete := err == nil && ix.coversAll(areas)
	if complete {
		err = ix.setSynced(ctx)
	}
	if ctx.Err() != nil {
		ix.progress.end(nil, false) // given up, not failed
	} else {
		ix.progress.end(err, complete)
	}
	r.finish()
	return r.report, r.seen, err
}

func (ix *Index) setSynced(ctx context.Context) error {
	for i, c := range ix.store.catalogues {
		if err := c.setSynced(ctx, time.Now()); err != nil {
			return fmt.Errorf("save the time of the scan of %s: %w", ix.folders[i].Dir(), err)
		}
	}
	return nil
}

func (ix *Index) coversAll(areas []area) bool {
	covered := make(map[int]bool)
	for _, a := range areas {
		if a.base == "." && a.glob == "" {
			covered[a.folder] = true
		}
	}
	return len(covered) == len(ix.folders)
}

func (r *run) finish() {
	r.report.Total, _, _ = r.ix.store.totals()
	slices.SortFunc(r.report.Skipped, func(a, b Skip) int { return cmp.Compare(a.Path, b.Path) })
	r.report.Skipped = slices.Compact(r.report.Skipped)
}

func (r *run) all(ctx context.Context, areas []area) error {
	for _, a := range areas {
		if err := r.area(ctx, a); err != nil {
			return fmt.Errorf("index %s: %w", r.ix.folders[a.folder].Dir(), err)
		}
	}
	return nil
}

// area brings one part of a folder up to date: first what is new or changed,
// then what is gone, so that a renamed document is never missing.
func (r *run) area(ctx context.Context, a area) error {
	if _, err := r.ix.store.follow(ctx, a.folder); err != nil {
		return fmt.Errorf("read what another process indexed: %w", err)
	}
	files, err := r.ix.folders[a.folder].Scan(ctx, a.base)
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f docs.File) bool { return !a.holds(f.Path) })
	have := r.ix.store.snapshot(a.folder)
	maps.DeleteFunc(have, func(at location, _ *document) bool { return !a.holds(at.path) })
	r.seen += len(files) + len(have)
	todo := r.changed(a.folder, files, have)
	replaced := 0
	if len(todo) > 0 {
		r.ix.progress.expect(len(todo))
		if replaced, err = r.process(ctx, a.folder, todo); err != nil {
			return err
		}
	}
	removed, err := r.removeGone(ctx, files, have)
	if err != nil || removed+replaced == 0 {
		return err
	}
	return r.ix.store.prune(ctx, a.folder)
}

// changed picks the files that must be looked into.
func (r *run) changed(folder int, files []docs.File, have map[location]*document) []docs.File {
	var todo []docs.File
	for _, f := range files {
		d := have[location{folder, f.Path}]
		if d != nil && !r.force && r.isCurrent(d, f) {
			r.unchanged(folder, d)
			continue
		}
		todo = append(todo, f)
	}
	return todo
}

func (r *run) unchanged(folder int, d *document) {
	if d.skip != "" {
		r.skipped(folder, d.path, d.skip)
		return
	}
	r.report.Unchanged++
}

func (r *run) skipped(folder int, path, reason string) {
	r.report.Skipped = append(r.report.Skipped, Skip{Path: r.ix.show(location{folder, path}), Reason: reason})
}

// racy is how close to its last change a file may be read and still have been
// changed again without a new time: coarse clocks of file systems tick at up
// to two seconds.
const racy = 2 * time.Second

// isCurrent tells whether the document is what the file holds, as far as size
// and time show.
func (r *run) isCurrent(d *document, f docs.File) bool {
	if d.size != f.Size || !d.modified.Equal(f.ModTime) {
		return false
	}
	if f.Skip != "" {
		return d.skip == f.Skip
	}
	return d.readAt.Sub(f.ModTime) > racy && !r.ix.store.isBare(d)
}

func (r *run) removeGone(ctx context.Context, files []docs.File, have map[location]*document) (removed int, err error) {
	found := make(map[string]bool, len(files))
	for _, f := range files {
		found[f.Path] = true
	}
	for at, d := range have {
		if found[at.path] {
			continue
		}
		if err := r.ix.store.drop(ctx, at); err != nil {
			return removed, err
		}
		removed++
		if d.skip == "" {
			r.report.Removed++
		}
	}
	return removed, nil
}

// warn keeps one line for the report and the log.
func (r *run) warn(line string) {
	if !slices.Contains(r.report.Warnings, line) {
		r.report.Warnings = append(r.report.Warnings, line)
		r.ix.log.Warn(line)
	}
}

// errGone marks a file that went away between the scan and the read.
var errGone = errors.New("gone")
