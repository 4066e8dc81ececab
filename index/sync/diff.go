package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"vademecum/docs"
	"vademecum/index/freshness"
	"vademecum/index/notice"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// difference is the difference between a folder, or parts of it, and its index.
type difference struct {
	Foreground, Background []docs.File // new or changed files, to be read in the run or in the background
	Deleted                []*search.Document
}

// Comparison compares folders, or parts of them, with their indexes for one Run. It has the options of the
// run, and counts files.
type Comparison struct {
	s                *Syncer
	Force            bool                 // read files again even if they look unchanged
	trustsTimestamps bool                 // treat a file as unchanged if its size and times are, even if it was read soon after a change
	ReplaceLibrary   bool                 // make the library match its folder, no matter how much that removes
	Listings         map[int]docs.Listing // by folder, lists of files made a moment ago, to be used instead of a scan

	seenCount    int           // number of files and documents in the compared areas
	ScanDuration time.Duration // time that the scans took
	Report       notice.Report
}

// IsEmpty reports whether there is no difference.
func (d difference) IsEmpty() bool { return len(d.Foreground)+len(d.Background)+len(d.Deleted) == 0 }

// compare finds the differences in areas of a folder, after loading the commits of other
// processes.
func (r *Comparison) compare(ctx context.Context, folder int, areas []Subtree) (d difference, err error) {
	if _, err := r.s.Store.Follow(ctx, folder); err != nil {
		return d, fmt.Errorf("read what another process indexed: %w", err)
	}
	// List the documents before the scan, so that later ones are not mistaken for deleted.
	have := r.s.Store.DocumentsIn(folder, func(p string) bool { return anyContains(areas, p) })
	if slices.ContainsFunc(have, func(d *search.Document) bool { return d.ReadAt().After(r.Listings[folder].StartedAt) }) {
		delete(r.Listings, folder) // a file may have been created after it began
	}
	files, err := r.scan(ctx, folder, areas)
	if missing := (docs.FolderMissingError{}); errors.As(err, &missing) {
		return d, freshness.FolderMismatchError{Folders: map[int]notice.Note{folder: r.s.missingNote(folder, missing)}}
	}
	if err != nil {
		return d, err
	}
	r.seenCount += len(files) + len(have)
	named := make(map[string]bool, len(areas))
	for _, a := range areas {
		named[a.Base] = true
	}
	var there foundDocuments
	d.Foreground, d.Background = r.changedFiles(folder, files, named, &there)
	d.Deleted = documentsWithoutFile(files, have, there)
	return d, nil
}

func anyContains(areas []Subtree, p string) bool {
	return slices.ContainsFunc(areas, func(a Subtree) bool { return a.contains(p) })
}

// scan lists the files in all areas, each once, sorted by path.
func (r *Comparison) scan(ctx context.Context, folder int, areas []Subtree) ([]docs.File, error) {
	start := time.Now()
	defer func() { r.ScanDuration += time.Since(start) }()
	var all []docs.File
	scanned := make(map[string]bool)
	for _, a := range areas {
		if scanned[a.Base] {
			continue
		}
		scanned[a.Base] = true
		files, err := r.listFiles(ctx, folder, a.Base)
		if err != nil {
			return nil, err
		}
		all = append(all, slices.DeleteFunc(files, func(f docs.File) bool { return !anyContains(areas, f.Path) })...)
	}
	if len(scanned) > 1 {
		slices.SortFunc(all, func(a, b docs.File) int { return strings.Compare(a.Path, b.Path) })
		all = slices.CompactFunc(all, func(a, b docs.File) bool { return a.Path == b.Path })
	}
	return all, nil
}

// listFiles lists the files at and below a base. It uses an existing listing, but only once, and no
// empty one, which may be that of an unused mount point: it may have been made before the identity
// of the folder's directory was loaded.
func (r *Comparison) listFiles(ctx context.Context, folder int, base string) ([]docs.File, error) {
	if l := r.Listings[folder]; base == "." && !l.StartedAt.IsZero() && (len(l.Files) > 0 || r.s.Folders[folder].Storage.Describe().IsShared) {
		delete(r.Listings, folder)
		r.ScanDuration += l.Duration
		return l.Files, nil
	}
	return r.s.Folders[folder].Scan(ctx, base)
}

// foundDocuments records, by document number, whether the file of a document was found.
type foundDocuments []bool

func (m *foundDocuments) add(d *search.Document) {
	if more := int(d.NumberInStore) + 1 - len(*m); more > 0 {
		*m = append(*m, make([]bool, more)...)
	}
	(*m)[d.NumberInStore] = true
}

func (m foundDocuments) has(d *search.Document) bool {
	return int(d.NumberInStore) < len(m) && m[d.NumberInStore]
}

// documentsWithoutFile lists the documents without a file. A document whose number has changed
// meanwhile is looked up by path.
func documentsWithoutFile(files []docs.File, have []*search.Document, there foundDocuments) []*search.Document {
	return slices.DeleteFunc(have, func(d *search.Document) bool {
		if there.has(d) {
			return true
		}
		_, found := slices.BinarySearchFunc(files, d.Path, func(f docs.File, p string) int { return strings.Compare(f.Path, p) })
		return found
	})
}

// changedFiles returns the files to be read now, in order, and those to be read in the background,
// which include large documents that have changed. Files in named were reported by events or
// callers, and are read even if they look unchanged. It records in there which documents have
// files.
func (r *Comparison) changedFiles(folder int, files []docs.File, named map[string]bool, there *foundDocuments) (quick, slow []docs.File) {
	for _, f := range files {
		at := search.Location{Folder: folder, Path: f.Path}
		d, ok := r.s.Store.Document(at)
		if ok {
			there.add(d)
		}
		if d != nil && !r.Force && !named[f.Path] && (isCurrent(d, f) || r.trustsTimestamps && hasFileState(d, f)) && !r.s.Reader.IsMachineGenerated(d) {
			r.s.RereadBackoff.recordUpToDate(at)
			r.recordUnchanged(folder, d)
			continue
		}
		if d != nil && !r.Force && f.SkipReason == "" && r.s.RereadBackoff.deferIfTooSoon(at, hasFileState(d, f), time.Now()) {
			r.recordUnchanged(folder, d)
			continue
		}
		switch {
		case f.SkipReason != "" || !docs.IsSlowToRead(f.Path) && (d == nil || f.Size < LargeFileBytes) && !r.s.RereadBackoff.isThrottled(at, time.Now()):
			quick = append(quick, f)
		case d != nil && !r.Force && !named[f.Path] && wasJustTried(d, f):
			r.recordUnchanged(folder, d)
		default:
			slow = append(slow, f)
		}
	}
	return quick, slow
}

// recordUnchanged counts a document whose file need not be read.
func (r *Comparison) recordUnchanged(folder int, d *search.Document) {
	if d.SkipReason != "" {
		r.recordSkipped(folder, d.Path, d.SkipReason)
		return
	}
	r.Report.Unchanged++
}

// recordSkipped records why a file has no text.
func (r *Comparison) recordSkipped(folder int, path string, reason message.Message) {
	r.Report.Skipped = append(r.Report.Skipped, notice.SkippedFile{Path: r.s.Folders.ShownPath(search.Location{Folder: folder, Path: path}), Reason: reason})
}

// addReport adds another report to that of the comparison.
func (r *Comparison) addReport(more notice.Report) {
	r.Report.Indexed += more.Indexed
	r.Report.Unchanged += more.Unchanged
	r.Report.Removed += more.Removed
	r.Report.Skipped = append(r.Report.Skipped, more.Skipped...)
}

// racy is how long after a change of a file another change may leave the modification time of the file
// as it is: file systems with coarse clocks have a resolution of up to two seconds.
const racy = 2 * time.Second

// isCurrent reports whether the document is up to date, judging by the size and times of the file.
func isCurrent(d *search.Document, f docs.File) bool {
	if !hasFileState(d, f) || d.IsReadFailure() {
		return false
	}
	if f.SkipReason != "" && (d.SkipReason == f.SkipReason || !f.NeedsOCR() || docs.IsMissingConverterSkip(d.SkipReason)) {
		return d.SkipReason == f.SkipReason
	}
	last := f.ModTime
	if !f.ChangeTime.IsZero() {
		last = f.ChangeTime
	}
	// A time far in the future comes from another clock, so a second change would not repeat it.
	since := d.ReadAt().Sub(last)
	return since > racy || since < -racy
}

// wasJustTried reports whether the file could not be read, for a temporary reason, when it was
// tried a moment ago.
func wasJustTried(d *search.Document, f docs.File) bool {
	since := time.Since(d.ReadAt()) // negative if the clock was set back
	return d.IsReadFailure() && hasFileState(d, f) && since >= 0 && since < freshness.RescanInterval
}

// LargeFileBytes is the size in bytes from which files are indexed one at a time, because indexing a
// file takes several times its size in memory.
const LargeFileBytes = 4 << 20

// hasFileState reports whether a document has the same size and times as a scanned file.
func hasFileState(d *search.Document, f docs.File) bool {
	return hasSizeAndTimes(f, d.Size, d.Modified(), d.ChangeTime())
}

// hasSizeAndTimes reports whether a scanned file has the given size and times.
func hasSizeAndTimes(f docs.File, size int64, modified, changed time.Time) bool {
	return size == f.Size && catalog.Nanoseconds(modified) == catalog.Nanoseconds(f.ModTime) && catalog.Nanoseconds(changed) == catalog.Nanoseconds(f.ChangeTime)
}
