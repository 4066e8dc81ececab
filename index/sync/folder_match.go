package sync

import (
	"context"
	"path/filepath"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/store/catalog"
)

// Processes on several machines may assign different folders to the same library: because of a
// mistyped name, or because a drive is not mounted on one of them. The indexer would then replace
// the library's documents, for everyone, with those of its own folder. A process that becomes the
// indexer therefore first checks that most of the documents are files of its folder. If they are
// not, it changes nothing, leaves the folder to other processes, and checks again from time to time. After a
// successful check it may remove documents whose files disappear, as long as it stays the indexer and
// the folder is the same directory.

// Overlap says how far the files of a folder are those of its library.
type Overlap struct {
	Documents      int // all searchable documents of the library
	MissingFiles   int // documents without a file in the folder
	MovedDocuments int // documents with a file, but at another path
}

// fewMissing is the number of documents that may lack a file, unless these are nearly all
// documents.
const fewMissing = 24

// isMismatch reports whether so many of the documents lack a file that the folder is probably the
// wrong one, or a part of the right one in which all paths differ.
func (o Overlap) isMismatch() bool {
	switch {
	case o.MissingFiles == 0:
		return false
	case o.MissingFiles > fewMissing && 2*o.MissingFiles > o.Documents:
		return true
	default:
		return 10*o.MissingFiles >= 9*o.Documents || o.MissingFiles+o.MovedDocuments >= o.Documents
	}
}

func (s *Syncer) matchBasis(folder int) freshness.MatchBasis {
	since, _ := s.Folders[folder].Storage.IndexingLease().HeldSince()
	return freshness.MatchBasis{IndexerSince: since, RootReplacements: s.Folders[folder].RootReplacementCount()}
}

// matchBasisBefore returns the basis at the start of a comparison, or at the start of the listing
// that it will use.
func (r *Comparison) matchBasisBefore(folder int, whole bool) freshness.MatchBasis {
	on := r.s.matchBasis(folder)
	if l := r.Listings[folder]; whole && !l.StartedAt.IsZero() {
		on.RootReplacements = l.RootReplacementCount
	}
	return on
}

// isConfirmed reports whether the folder was found to match its library, on the basis that held before a
// comparison and still holds.
func (s *Syncer) isConfirmed(folder int, before freshness.MatchBasis) bool {
	seen := s.FreshnessPublisher.Current().Folders[folder].ConfirmedMatch
	return seen != nil && *seen == before && before == s.matchBasis(folder)
}

// compareWithLibrary is compare for a folder whose library this process indexes. The error is a
// FolderMismatchError if the result must not be applied: the folder was not confirmed to match its library
// before, and this comparison does not confirm it either.
func (r *Comparison) compareWithLibrary(ctx context.Context, folder int, areas []Subtree) (d difference, err error) {
	c, whole := r.s, foldersInWhole(areas)[folder]
	for seen, report := r.seenCount, r.Report; ; r.seenCount, r.Report = seen, report {
		on := r.matchBasisBefore(folder, whole)
		d, err = r.compare(ctx, folder, areas)
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

// confirmWhole compares the whole folder, and returns an error if it does not match its library.
func (r *Comparison) confirmWhole(ctx context.Context, folder int) error {
	looking := &Comparison{s: r.s, trustsTimestamps: true, ReplaceLibrary: r.ReplaceLibrary}
	_, err := looking.compareWithLibrary(ctx, folder, []Subtree{{Folder: folder, Base: "."}})
	r.ScanDuration += looking.ScanDuration
	return err
}

// confirmDifference checks the result of a comparison of the whole folder, which this process
// indexes. It fails if the result must not be applied. Otherwise it records the match, so
// that the check is not repeated on the same basis.
func (r *Comparison) confirmDifference(ctx context.Context, folder int, d difference, on freshness.MatchBasis) error {
	c := r.s
	if o := c.overlapOf(folder, d); o.isMismatch() && !r.ReplaceLibrary {
		return c.MarkMismatched(folder, o)
	}
	c.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.MismatchNote, f.MismatchFoundAt, f.ConfirmedMatch = nil, time.Time{}, &on })
	c.savePath(ctx, folder)
	return nil
}

// overlapOf counts the documents of a library, and those among them that have no file in the folder,
// or have one at another path.
func (s *Syncer) overlapOf(folder int, d difference) (o Overlap) {
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
		case old.SkipReason != "":
		case there[look{old.Size, catalog.Nanoseconds(old.Modified())}]:
			o.MovedDocuments++
		default:
			o.MissingFiles++
		}
	}
	for _, d := range s.Store.DocumentsIn(folder, live.AnyPath) {
		if d.SkipReason == "" {
			o.Documents++
		}
	}
	return o
}

// hasFilesOf returns a function that reports whether the folder matches a library that cannot be
// loaded, judging by the remaining paths of its documents.
func (s *Syncer) hasFilesOf(ctx context.Context, folder int) func(paths []string) bool {
	return func(paths []string) bool {
		f := s.Folders[folder]
		if f.IsRemote() || !f.IsResponding() || f.MissingError() != nil {
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
				o.MissingFiles++
			}
		}
		return o.Documents > 0 && !o.isMismatch()
	}
}

// MarkMismatched makes this process leave a folder to other processes, because its files are not those of
// the library, and logs a warning. It returns the error that says so.
func (s *Syncer) MarkMismatched(folder int, overlap Overlap) freshness.FolderMismatchError {
	f := s.Folders[folder]
	n := s.mismatchNote(folder, overlap)
	known := s.FreshnessPublisher.Current()
	if known.IsMaintaining && known.Folders[folder].MismatchNote == nil { // commands report it themselves
		s.log.Warn("the folder is not indexed: documents of the library are not files in it",
			"folder", f.Dir(), "library", f.Storage.Describe().Name, "missing", overlap.MissingFiles, "documents", overlap.Documents, "to index it nevertheless", notice.ReplaceLibraryCommand(f.Dir()))
	}
	at := time.Now()
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.MismatchNote, f.MismatchFoundAt, f.ConfirmedMatch = &n, at, nil })
	if !known.IsMaintaining { // without a loop, nothing follows the state of the indexer
		s.setIndexer(folder, &progress.State{Phase: progress.Ready, Synced: time.Now()})
	}
	f.Storage.IndexingLease().Pause()
	return freshness.FolderMismatchError{Folders: map[int]notice.Note{folder: n}}
}

func (s *Syncer) mismatchNote(folder int, o Overlap) notice.Note {
	f := s.Folders[folder]
	return notice.Note{Kind: notice.FolderMismatch, Path: f.Dir(), Library: f.Storage.Describe().ShortName, Count: o.MissingFiles, Total: o.Documents}
}

// isLeftToOthers reports whether the content of a folder is left to other processes, because this
// process does not see its files, or sees different ones.
func (s *Syncer) isLeftToOthers(folder int) bool {
	return s.Folders[folder].IsRemote() || s.FreshnessPublisher.Current().Folders[folder].MismatchNote != nil
}

// RetryMismatched compares a folder that MarkMismatched has left to other processes with its library again.
// If they match now, this process may index it again.
func (s *Syncer) RetryMismatched(ctx context.Context, folder int) error {
	o, err := s.measureOverlap(ctx, folder)
	if err != nil {
		return err
	}
	if o.isMismatch() {
		s.MarkMismatched(folder, o) // still a mismatch
		return nil
	}
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.MismatchNote, f.MismatchFoundAt, f.ConfirmedMatch = nil, time.Time{}, nil })
	s.log.Info("the folder has the files of the library now", "folder", s.Folders[folder].Dir(), "library", s.Folders[folder].Storage.Describe().Name)
	s.Folders[folder].Storage.IndexingLease().Resume()
	return nil
}

// measureOverlap returns the overlap of a folder with its library. It changes nothing.
func (s *Syncer) measureOverlap(ctx context.Context, folder int) (Overlap, error) {
	r := &Comparison{s: s, trustsTimestamps: true}
	d, err := r.compare(ctx, folder, []Subtree{{Folder: folder, Base: "."}})
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.RecordScan(r.ScanDuration) })
	if err != nil {
		return Overlap{}, err
	}
	return s.overlapOf(folder, d), nil
}

// An index stores the identity of the directory of its documents: if another, empty directory is in
// its place, a drive is probably not mounted, and the documents must not be removed. Libraries use
// a different check, see above.

const directoryKey = "directory"

// loadDirectoryIdentity loads the stored identity of a folder's directory into the folder.
func (s *Syncer) loadDirectoryIdentity(ctx context.Context, folder int, opened catalog.Catalog) error {
	if s.Folders[folder].Storage.Describe().IsShared {
		return nil
	}
	directory, err := opened.Value(ctx, directoryKey)
	if err == nil {
		s.Folders[folder].ExpectIdentity(directory)
	}
	return err
}

// saveDirectoryIdentities stores the directory identities of folders that were just compared.
func (s *Syncer) saveDirectoryIdentities(ctx context.Context, folders map[int]bool) {
	for i := range folders {
		f := s.Folders[i]
		directory := f.Identity()
		if f.Storage.Describe().IsShared || directory == f.ExpectedIdentity() {
			continue
		}
		if len(s.Store.DocumentsIn(i, live.AnyPath)) == 0 {
			directory = ""
		}
		f.ExpectIdentity(directory)
		if !s.IsIndexer(i) {
			continue
		}
		if err := s.Store.Follower(i).SetValue(ctx, directoryKey, directory); err != nil {
			s.log.Debug("could not note the directory of the index", "folder", f.Dir(), "error", err)
		}
	}
}

// placeKey is the key of the folder's path on the machine that indexes it. Machines that do not see
// the folder use this path, so that its documents have the same URIs everywhere.
const placeKey = "place"

// agreeOnPath stores the path of a folder in a catalogue that other machines may use, unless one is already
// stored. On a machine that does not see the folder, it has the folder use the stored path.
func (s *Syncer) agreeOnPath(ctx context.Context, folder int, opened catalog.Catalog) error {
	f := s.Folders[folder]
	if !f.Storage.Describe().IsShared {
		return nil
	}
	told, err := opened.Value(ctx, placeKey)
	switch {
	case err != nil:
		return err
	case !f.IsRemote() && told == "":
		return opened.SetValue(ctx, placeKey, f.Dir())
	case f.IsRemote() && told == "":
		return catalog.ErrLibraryNotFound
	case f.IsRemote() && filepath.IsAbs(told):
		f.SetRemoteDir(told)
	}
	return nil
}

// savePath stores the path of the folder on this machine, which is now the indexer.
func (s *Syncer) savePath(ctx context.Context, folder int) {
	f, opened := s.Folders[folder], s.Store.Follower(folder)
	told, err := opened.Value(ctx, placeKey)
	if err == nil && told != f.Dir() {
		err = opened.SetValue(ctx, placeKey, f.Dir())
	}
	if err != nil && ctx.Err() == nil && !catalog.IsDatabaseUnusable(err) { // the loop logs it
		s.log.Warn("could not say where the folder is", "folder", f.Dir(), "error", err)
	}
}

// reconsiderEvery is the interval at which a mismatched folder is compared with its library again,
// unless scans take long.
const reconsiderEvery = time.Second

// retryMismatched compares mismatched folders again when it is time, outside the loop because a
// scan may take long. It skips a folder whose lease has not been given up yet: otherwise the lease
// might be acquired again before the loop notices that it was lost.
func (l *maintenanceLoop) retryMismatched(ctx context.Context, now time.Time) {
	known := l.s.FreshnessPublisher.Current()
	pause := known.ScanDelay(reconsiderEvery)
	for i, f := range l.s.Folders {
		d := &l.duties[i]
		if known.Folders[i].MismatchNote == nil || d.leads || now.Sub(known.Folders[i].MismatchFoundAt) < pause || f.UnresponsiveFor() > 0 || isUnderWay(d.retry) {
			continue
		}
		d.retry = l.begin(func() {
			if err := l.s.Guard.Catch("compare the folder with its library", func() error { return l.s.RetryMismatched(ctx, i) }); err != nil && ctx.Err() == nil {
				l.s.log.Debug("could not compare the folder with its library", "folder", f.Dir(), "error", err)
			}
		})
	}
}
