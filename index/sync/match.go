package sync

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

// Processes on several machines may assign different folders to the same library: because of a
// mistyped name, or because a drive is not mounted on one of them. The indexer would then replace
// the library's documents, for everyone, with those of its own folder. A process that becomes the
// indexer therefore first checks that most of the documents are files of its folder. If they are
// not, it changes nothing, leaves the duty to others, and checks again from time to time. After a
// successful check it may remove documents whose files disappear, as long as it keeps the duty and
// the folder is the same directory.

// Overlap counts the documents of a library that are files of a folder.
type Overlap struct {
	Documents int
	Missing   int // without a file in the folder
	Moved     int // with a file at another path
}

// fewMissing is the number of documents that may lack a file, unless these are nearly all
// documents.
const fewMissing = 24

// IsMismatch reports whether so many of the documents lack a file that the folder is probably the
// wrong one, or a part of the right one in which all paths differ.
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

// libraryMatch is what this process has found about whether a folder matches its library.
type libraryMatch struct {
	confirmed *matchBasis // basis of the comparison that confirmed the match; nil if not confirmed
	at        time.Time   // time when a mismatch was found; zero if none was
}

// matchBasis holds the conditions under which a comparison of a folder with its library is valid:
// when one of them changes, the result is void.
type matchBasis struct {
	since time.Time // when the process acquired or lost the duty to index
	turns int       // number of times the folder was replaced, see docs.Folder
}

func (s *Syncer) matchBasis(folder int) matchBasis {
	since, _ := s.Folders[folder].Storage.IndexingLease().HeldSince()
	return matchBasis{since, s.Folders[folder].ReplacementCount()}
}

// matchBasisBefore returns the basis at the start of a comparison, or at the start of the listing
// that it will use.
func (r *Comparison) matchBasisBefore(folder int, whole bool) matchBasis {
	on := r.s.matchBasis(folder)
	if l := r.Listings[folder]; whole && !l.StartedAt.IsZero() {
		on.turns = l.ReplacementCount
	}
	return on
}

// isConfirmed reports whether the folder was found to match its library on the basis before a
// comparison, and that basis still holds.
func (s *Syncer) isConfirmed(folder int, before matchBasis) bool {
	seen := s.matchOf(folder).confirmed
	return seen != nil && *seen == before && before == s.matchBasis(folder)
}

// CompareAsIndexer is Compare for a folder that this process indexes. The error is a FolderMismatch if
// the result must not be applied: the folder was not confirmed to match its library before, and
// this comparison does not confirm it either.
func (r *Comparison) CompareAsIndexer(ctx context.Context, folder int, areas []Subtree) (d Difference, err error) {
	c, whole := r.s, FoldersInWhole(areas)[folder]
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

// confirmWhole compares the whole folder, and fails if it does not match its library.
func (r *Comparison) confirmWhole(ctx context.Context, folder int) error {
	looking := &Comparison{s: r.s, TrustsTimestamps: true, Replace: r.Replace}
	_, err := looking.CompareAsIndexer(ctx, folder, []Subtree{{Folder: folder, Base: "."}})
	r.ScanTime += looking.ScanTime
	return err
}

// confirmDifference checks the result of a comparison of the whole folder, which this process has
// the duty to index. It fails if the result must not be applied. Otherwise it records the match, so
// that the check is not repeated on the same basis.
func (r *Comparison) confirmDifference(ctx context.Context, folder int, d Difference, on matchBasis) error {
	c := r.s
	if o := c.Overlap(folder, d); o.IsMismatch() && !r.Replace {
		return c.MarkMismatched(folder, o)
	}
	c.setMatch(folder, libraryMatch{confirmed: &on})
	c.Fresh.SetMismatch(folder, nil)
	c.SavePath(ctx, folder)
	return nil
}

// Overlap counts the documents of a library that have a file in the folder, lack one, or have
// moved.
func (s *Syncer) Overlap(folder int, d Difference) (o Overlap) {
	type look struct{ size, modified int64 }
	there := make(map[look]bool)
	for _, f := range append(d.Foreground, d.Background...) {
		there[look{f.Size, catalog.Nanoseconds(f.ModTime)}] = true
	}
	for _, old := range d.Deleted {
		if now, ok := s.Store.Document(old.Location()); !ok || now.ID != old.ID {
			continue // the indexer has indexed it meanwhile
		}
		switch {
		case old.Skip != "":
		case there[look{old.Size, catalog.Nanoseconds(old.Modified())}]:
			o.Moved++
		default:
			o.Missing++
		}
	}
	for _, d := range s.Store.DocumentsIn(folder, live.AnyPath) {
		if d.Skip == "" {
			o.Documents++
		}
	}
	return o
}

// HasFilesOf returns a function that reports whether the folder matches a library that cannot be
// loaded, judging by the remaining paths of its documents.
func (s *Syncer) HasFilesOf(ctx context.Context, folder int) func(paths []string) bool {
	return func(paths []string) bool {
		f := s.Folders[folder]
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

// MarkMismatched makes this process leave a folder alone, and logs a warning.
func (s *Syncer) MarkMismatched(folder int, o Overlap) freshness.FolderMismatchError {
	f := s.Folders[folder]
	n := s.mismatchNote(folder, o)
	if s.Fresh.IsServing() && s.Fresh.Mismatch(folder) == nil { // commands report it themselves
		s.Log.Warn("the folder is not indexed: documents of the library are no files of it",
			"folder", f.Dir(), "library", f.Storage.Name(), "missing", o.Missing, "documents", o.Documents, "to index it nevertheless", notice.ReplaceCommand(f.Dir()))
	}
	s.setMatch(folder, libraryMatch{at: time.Now()})
	s.Fresh.SetMismatch(folder, &n)
	if !s.Fresh.IsServing() { // without a loop, nothing follows the state of the indexer
		s.Fresh.SetIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
	f.Storage.IndexingLease().Pause()
	return freshness.FolderMismatchError{Folders: map[int]notice.Note{folder: n}}
}

func (s *Syncer) mismatchNote(folder int, o Overlap) notice.Note {
	f := s.Folders[folder]
	return notice.Note{Kind: notice.FolderMismatch, Path: f.Dir(), Library: f.Storage.ShortName(), Count: o.Missing, Total: o.Documents}
}

func (s *Syncer) setMatch(folder int, l libraryMatch) {
	s.matchMu.Lock()
	defer s.matchMu.Unlock()
	s.matches[folder] = l
}

func (s *Syncer) matchOf(folder int) libraryMatch {
	s.matchMu.Lock()
	defer s.matchMu.Unlock()
	return s.matches[folder]
}

// RetryMismatched checks whether a folder that this process leaves alone matches its library now,
// and if so lets it be indexed again.
func (s *Syncer) RetryMismatched(ctx context.Context, folder int) error {
	o, err := s.MeasureOverlap(ctx, folder)
	if err != nil {
		return err
	}
	if o.IsMismatch() {
		s.MarkMismatched(folder, o) // still a mismatch
		return nil
	}
	s.setMatch(folder, libraryMatch{})
	s.Fresh.SetMismatch(folder, nil)
	s.Log.Info("the folder has the files of the library now", "folder", s.Folders[folder].Dir(), "library", s.Folders[folder].Storage.Name())
	s.Folders[folder].Storage.IndexingLease().Resume()
	return nil
}

// MeasureOverlap returns the overlap of a folder with its library. It changes nothing.
func (s *Syncer) MeasureOverlap(ctx context.Context, folder int) (Overlap, error) {
	r := &Comparison{s: s, TrustsTimestamps: true}
	d, err := r.Compare(ctx, folder, []Subtree{{Folder: folder, Base: "."}})
	s.Fresh.RecordScanDuration(r.ScanTime)
	if err != nil {
		return Overlap{}, err
	}
	return s.Overlap(folder, d), nil
}

// MismatchReason returns the reason why a process would leave a folder alone, or "" if it would not.
func (s *Syncer) MismatchReason(ctx context.Context, folder int) (why message.Message, err error) {
	o, err := s.MeasureOverlap(ctx, folder)
	if err != nil || !o.IsMismatch() {
		return "", err
	}
	return s.mismatchNote(folder, o).Message(), nil
}

// IsConfirmed reports whether the folder was found to match its library, and the basis of that
// result still holds.
func (s *Syncer) IsConfirmed(folder int) bool { return s.isConfirmed(folder, s.matchBasis(folder)) }

// MismatchedAt returns when a folder was last found not to match its library, or the zero time if
// never.
func (s *Syncer) MismatchedAt(folder int) time.Time { return s.matchOf(folder).at }
