package upkeep

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/say"
	"vademecum/index/search"
)

// discrepancy is what a folder and its index do not have in common.
type discrepancy struct {
	quick, slow []docs.File // new or changed files; the slow ones are read apart
	gone        []*search.Document
}

func (d discrepancy) isEmpty() bool { return len(d.quick)+len(d.slow)+len(d.gone) == 0 }

// compare looks for what is to be done in parts of a folder, after taking over
// what another process has committed.
func (r *run) compare(ctx context.Context, folder int, areas []area) (d discrepancy, err error) {
	if _, err := r.k.store.Follow(ctx, folder); err != nil {
		return d, fmt.Errorf("read what another process indexed: %w", err)
	}
	// Before the scan: what comes later is not gone.
	have := r.k.store.DocumentsIn(folder, func(p string) bool { return anyHolds(areas, p) })
	if slices.ContainsFunc(have, func(d *search.Document) bool { return d.ReadAt().After(r.listings[folder].Began) }) {
		delete(r.listings, folder) // the file of one may have come after it
	}
	files, err := r.scan(ctx, folder, areas)
	if err != nil {
		return d, r.k.fresh.SparingMissing(folder, err)
	}
	r.seen += len(files) + len(have)
	var there met
	d.quick, d.slow = r.changed(folder, files, named(areas), &there)
	d.gone = gone(files, have, there)
	return d, nil
}

// named are the paths by which areas begin.
func named(areas []area) map[string]bool {
	paths := make(map[string]bool, len(areas))
	for _, a := range areas {
		paths[a.base] = true
	}
	return paths
}

func anyHolds(areas []area, p string) bool {
	return slices.ContainsFunc(areas, func(a area) bool { return a.holds(p) })
}

// scan lists the files of all areas once, sorted by path.
func (r *run) scan(ctx context.Context, folder int, areas []area) ([]docs.File, error) {
	start := time.Now()
	defer func() { r.scanning += time.Since(start) }()
	var all []docs.File
	scanned := make(map[string]bool)
	for _, a := range areas {
		if scanned[a.base] {
			continue
		}
		scanned[a.base] = true
		files, err := r.list(ctx, folder, a.base)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(files, func(f docs.File) bool { return !anyHolds(areas, f.Path) })...)
	}
	if len(scanned) > 1 {
		slices.SortFunc(all, func(a, b docs.File) int { return strings.Compare(a.Path, b.Path) })
		all = slices.CompactFunc(all, func(a, b docs.File) bool { return a.Path == b.Path })
	}
	return all, nil
}

// list lists the files at and below a base, from what is there of that already, once.
func (r *run) list(ctx context.Context, folder int, base string) ([]docs.File, error) {
	if l := r.listings[folder]; base == "." && !l.Began.IsZero() && r.k.isOfFolder(folder, l) {
		delete(r.listings, folder)
		r.scanning += l.Took
		return l.Files, nil
	}
	return r.k.folders[folder].Scan(ctx, base)
}

// met tells of documents, by their numbers, whether a file was found of them.
type met []bool

func (m *met) add(d *search.Document) {
	if more := int(d.Number) + 1 - len(*m); more > 0 {
		*m = append(*m, make([]bool, more)...)
	}
	(*m)[d.Number] = true
}

func (m met) has(d *search.Document) bool { return int(d.Number) < len(m) && m[d.Number] }

// gone lists the documents that there is no file of. One that has got another number
// meanwhile is looked for by its path.
func gone(files []docs.File, have []*search.Document, there met) []*search.Document {
	return slices.DeleteFunc(have, func(d *search.Document) bool {
		if there.has(d) {
			return true
		}
		_, found := slices.BinarySearchFunc(files, d.Path, func(f docs.File, p string) int { return strings.Compare(f.Path, p) })
		return found
	})
}

// changed picks the files that must be looked into, in order, and those that
// are read apart, among them documents that are large and have changed.
// named are the files that events or callers told of: they are read although
// they look as they were. It notes which documents there are files of.
func (r *run) changed(folder int, files []docs.File, named map[string]bool, there *met) (quick, slow []docs.File) {
	for _, f := range files {
		at := search.Location{Folder: folder, Path: f.Path}
		d, ok := r.k.store.Document(at)
		if ok {
			there.add(d)
		}
		if d != nil && !r.force && !named[f.Path] && (isCurrent(d, f) || r.trusting && isSame(d, f)) && !r.k.reader.IsMisjudged(d) {
			r.k.throttle.Settle(at)
			r.unchanged(folder, d)
			continue
		}
		if d != nil && !r.force && f.Skip == "" && r.k.throttle.PutOff(at, isSame(d, f), time.Now()) {
			r.unchanged(folder, d)
			continue
		}
		switch {
		case f.Skip != "" || !docs.IsSlow(f.Path) && (d == nil || f.Size < largeFile) && !r.k.throttle.Holds(at, time.Now()):
			quick = append(quick, f)
		case d != nil && !r.force && !named[f.Path] && isResting(d, f):
			r.unchanged(folder, d)
		default:
			slow = append(slow, f)
		}
	}
	return quick, slow
}

func (r *run) unchanged(folder int, d *search.Document) {
	if d.Skip != "" {
		r.skipped(folder, d.Path, d.Skip)
		return
	}
	r.report.Unchanged++
}

func (r *run) skipped(folder int, path, reason string) {
	r.report.Skipped = append(r.report.Skipped, say.Skip{Path: r.k.folders.Show(search.Location{Folder: folder, Path: path}), Reason: reason})
}

// racy is how close to its last change a file may be read and still have been
// changed again without a new time: coarse clocks of file systems tick at up
// to two seconds.
const racy = 2 * time.Second

// isCurrent tells whether the document is what the file holds, as far as size
// and times show.
func isCurrent(d *search.Document, f docs.File) bool {
	if !isSame(d, f) || d.IsUnread() {
		return false
	}
	if f.Skip != "" {
		return d.Skip == f.Skip
	}
	last := f.ModTime
	if !f.Changed.IsZero() {
		last = f.Changed
	}
	// A time far in the future comes from another clock, and does not tick.
	since := d.ReadAt().Sub(last)
	return since > racy || since < -racy
}

// isResting tells whether a file that could not be read, for a reason that may
// go away, was tried a moment ago.
func isResting(d *search.Document, f docs.File) bool {
	since := time.Since(d.ReadAt()) // below zero when the clock was put back
	return d.IsUnread() && isSame(d, f) && since >= 0 && since < freshness.SweepEvery
}
