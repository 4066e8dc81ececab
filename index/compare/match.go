package compare

import (
	"context"
	"time"

	"vademecum/index/catalog"
	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// Processes on several machines may give the same library folders that are not the
// same: by a mistyped name, or as a drive is not mounted on one of them. The one that
// indexes would make the library that of its folder, for all. So a process that takes
// over first has to see that most of the documents are files of its folder. When they
// are not it changes nothing, leaves the duty to others, and looks again from time to
// time. From then on it may remove what it has seen go away, as long as it has the duty
// and the folder is the same directory.

// Overlap reports how many documents of a library are files of a folder.
type Overlap struct {
	Documents int
	Missing   int // that have no file there
	Moved     int // that have one at another path
}

// fewMissing is how many documents may be without a file, unless these are nearly all.
const fewMissing = 24

// IsMismatch reports whether so many of the documents have no file that the folder is
// probably another one, or a part of the one that it should be, where no file is at the
// path that it had.
func (o Overlap) IsMismatch() bool {
	switch {
	case o.Missing == 0:
		return false
	case o.Missing > fewMissing && 2*o.Missing > o.Documents:
		return true
	default:
		return 10*o.Missing >= 9*o.Documents || o.Missing+o.Moved >= o.Documents
	}
}

// libraryMatch is what a process has found out about a folder and its library.
type libraryMatch struct {
	confirmed *matchBasis // of the comparison that has shown that it has the files; nil: none has
	at        time.Time   // when it was seen that it has not
}

// matchBasis is what a comparison of a folder with its library stands on: when one of
// these changes, it tells nothing any more.
type matchBasis struct {
	since time.Time // when the process got, or lost, the duty to index
	turns int       // of the folder, see docs.Folder
}

func (c *Comparer) matchBasis(folder int) matchBasis {
	since, _ := c.Folders[folder].Storage.Indexing().HeldSince()
	return matchBasis{since, c.Folders[folder].ReplacementCount()}
}

// matchBasisBefore returns what is known at the begin of a comparison that is about to be made, perhaps by a listing.
func (r *Comparison) matchBasisBefore(folder int, whole bool) matchBasis {
	on := r.Comparer.matchBasis(folder)
	if l := r.Listings[folder]; whole && !l.Began.IsZero() {
		on.turns = l.Turns
	}
	return on
}

// isConfirmed reports whether the folder was seen to have the files of its library, and
// all is as it was then, before a comparison and now.
func (c *Comparer) isConfirmed(folder int, before matchBasis) bool {
	seen := c.matchOf(folder).confirmed
	return seen != nil && *seen == before && before == c.matchBasis(folder)
}

// CompareOwn is Compare for a folder that this process indexes. The error is a FolderMismatch
// where nothing must be done of what was found, as it is not known of the whole folder
// that it has the files of its library, and turns out not to be so.
func (r *Comparison) CompareOwn(ctx context.Context, folder int, areas []Area) (d Difference, err error) {
	c, whole := r.Comparer, FoldersInWhole(areas)[folder]
	if !c.Folders[folder].Storage.IsShared() {
		return r.Compare(ctx, folder, areas)
	}
	for seen, report := r.Seen, r.Report; ; r.Seen, r.Report = seen, report {
		on := r.matchBasisBefore(folder, whole)
		d, err = r.Compare(ctx, folder, areas)
		switch {
		case err != nil || c.isConfirmed(folder, on):
			return d, err
		case whole:
			err = r.confirmDifference(ctx, folder, d, on)
		default:
			err = r.confirmWhole(ctx, folder)
		}
		if err != nil {
			r.Report = report
		}
		if err != nil || whole {
			return d, err
		}
	}
}

// confirmWhole fails when the folder as a whole has not the files of its library.
func (r *Comparison) confirmWhole(ctx context.Context, folder int) error {
	looking := &Comparison{Comparer: r.Comparer, Trusting: true, Replace: r.Replace}
	_, err := looking.CompareOwn(ctx, folder, []Area{{Folder: folder, Base: "."}})
	r.Scanning += looking.Scanning
	return err
}

// confirmDifference fails when this process, which has the duty to index a folder, must not go on
// with what a comparison of all of it has found. Otherwise it need not be asked again
// on the same footing.
func (r *Comparison) confirmDifference(ctx context.Context, folder int, d Difference, on matchBasis) error {
	c := r.Comparer
	if o := c.Overlap(folder, d); o.IsMismatch() && !r.Replace {
		return c.LeaveAlone(folder, o)
	}
	c.setMatch(folder, libraryMatch{confirmed: &on})
	c.Fresh.SetMismatch(folder, nil)
	c.SavePath(ctx, folder)
	return nil
}

// Overlap counts the documents of a library by whether they have a file in the folder.
func (c *Comparer) Overlap(folder int, d Difference) (o Overlap) {
	type look struct{ size, modified int64 }
	there := make(map[look]bool)
	for _, f := range append(d.Quick, d.Slow...) {
		there[look{f.Size, catalog.Nanoseconds(f.ModTime)}] = true
	}
	for _, old := range d.Gone {
		if now, ok := c.Store.Document(old.Location()); !ok || now.ID != old.ID {
			continue // the process that indexes has taken it up
		}
		switch {
		case old.Skip != "":
		case there[look{old.Size, catalog.Nanoseconds(old.Modified())}]:
			o.Moved++
		default:
			o.Missing++
		}
	}
	for _, d := range c.Store.DocumentsIn(folder, live.AnyPath) {
		if d.Skip == "" {
			o.Documents++
		}
	}
	return o
}

// HasFilesOf reports a library that cannot be loaded whether the folder has its files, as
// far as the paths that are left of its documents say.
func (c *Comparer) HasFilesOf(ctx context.Context, folder int) func(paths []string) bool {
	return func(paths []string) bool {
		f := c.Folders[folder]
		if f.IsRemote() || !f.Responds() || f.Missing() != nil {
			return false
		}
		files, err := f.Scan(ctx, ".")
		if err != nil {
			return false
		}
		there := make(map[string]bool, len(files))
		for _, file := range files {
			there[file.Path] = true
		}
		o := Overlap{Documents: len(paths)}
		for _, p := range paths {
			if !there[p] {
				o.Missing++
			}
		}
		return o.Documents > 0 && !o.IsMismatch()
	}
}

// LeaveAlone has this process leave a folder alone, and says so.
func (c *Comparer) LeaveAlone(folder int, o Overlap) freshness.FolderMismatch {
	f := c.Folders[folder]
	n := c.mismatchNote(folder, o)
	if c.Fresh.IsServing() && c.Fresh.Mismatch(folder) == nil { // a command says it in its own way
		c.Log.Warn("the folder is not indexed: documents of the library are no files of it",
			"folder", f.Dir(), "library", f.Storage.Name(), "missing", o.Missing, "documents", o.Documents, "to index it nevertheless", notice.ReplaceCommand(f.Dir()))
	}
	c.setMatch(folder, libraryMatch{at: time.Now()})
	c.Fresh.SetMismatch(folder, &n)
	if !c.Fresh.IsServing() { // no loop hears of others
		c.Fresh.SetIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
	f.Storage.Indexing().Pause()
	return freshness.FolderMismatch{Folders: map[int]notice.Note{folder: n}}
}

func (c *Comparer) mismatchNote(folder int, o Overlap) notice.Note {
	f := c.Folders[folder]
	return notice.Note{Kind: notice.FolderUnlike, Path: f.Dir(), Library: f.Storage.ShortName(), Count: o.Missing, Total: o.Documents}
}

func (c *Comparer) setMatch(folder int, l libraryMatch) {
	c.likenessMu.Lock()
	defer c.likenessMu.Unlock()
	c.likeness[folder] = l
}

func (c *Comparer) matchOf(folder int) libraryMatch {
	c.likenessMu.Lock()
	defer c.likenessMu.Unlock()
	return c.likeness[folder]
}

// RetryMismatched looks whether a folder that this process leaves alone has the files of its
// library now, and has it be indexed again then.
func (c *Comparer) RetryMismatched(ctx context.Context, folder int) error {
	o, err := c.CompareWhole(ctx, folder)
	if err != nil {
		return err
	}
	if o.IsMismatch() {
		c.LeaveAlone(folder, o) // as before
		return nil
	}
	c.setMatch(folder, libraryMatch{})
	c.Fresh.SetMismatch(folder, nil)
	c.Log.Info("the folder has the files of the library now", "folder", c.Folders[folder].Dir(), "library", c.Folders[folder].Storage.Name())
	c.Folders[folder].Storage.Indexing().Resume()
	return nil
}

// CompareWhole counts the overlap of a folder with its library, and changes nothing.
func (c *Comparer) CompareWhole(ctx context.Context, folder int) (Overlap, error) {
	r := &Comparison{Comparer: c, Trusting: true}
	d, err := r.Compare(ctx, folder, []Area{{Folder: folder, Base: "."}})
	c.Fresh.RecordScanDuration(r.Scanning)
	if err != nil {
		return Overlap{}, err
	}
	return c.Overlap(folder, d), nil
}

// WhyMismatched reports why a process would leave a folder alone, "" when it would not.
func (c *Comparer) WhyMismatched(ctx context.Context, folder int) (why message.Message, err error) {
	o, err := c.CompareWhole(ctx, folder)
	if err != nil || !o.IsMismatch() {
		return "", err
	}
	return c.mismatchNote(folder, o).Message(), nil
}

// IsConfirmed reports whether the folder was seen to have the files of its library, and all
// is as it was then.
func (c *Comparer) IsConfirmed(folder int) bool { return c.isConfirmed(folder, c.matchBasis(folder)) }

// MismatchedAt is when a folder was seen last not to have the files of its library; zero:
// never.
func (c *Comparer) MismatchedAt(folder int) time.Time { return c.matchOf(folder).at }
