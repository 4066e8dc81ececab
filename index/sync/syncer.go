// Package sync keeps indexes up to date with their folders. It watches and scans folders, compares
// them with their indexes, reads and commits what is new or changed, and removes what is gone; it
// loads indexes, repairs them, and follows or asks another process that indexes a folder.
//
// A saved file passes through watch.go, dirty_areas.go, run.go, diff.go and commit.go to the store.
package sync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"vademecum/docs"
	"vademecum/docs/ocr"
	"vademecum/index/embedding"
	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/notice"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/panics"
	"vademecum/internal/base/present"
)

// Syncer keeps the indexes of folders up to date. It is safe for concurrent use.
type Syncer struct {
	Folders            roots.Set
	Store              *live.Store
	Reader             *ingest.Reader
	FreshnessPublisher *freshness.Publisher
	RereadBackoff      *rereadBackoff
	Embedding          *embedding.Service
	Recognition        *Recognition
	Guard              *panics.Guard
	log                *slog.Logger

	waitTimeout time.Duration       // how long to wait for another process that indexes or embeds a folder; 0 means no limit
	turn        *semaphore.Weighted // of weight 1; held while an index is changed
	comparing   *semaphore.Weighted // of weight 1; held while a folder of another process is compared for a query
	adding      *semaphore.Weighted // of weight 1; held while texts of a client are added
	background  *backgroundReader   // reads files outside of runs
	large       sync.Mutex          // held while a large file is indexed, so that memory is needed for one at a time
	checks      chan checkRequest   // requests for checks of libraries in a database

	synced       time.Time        // when the time of the last scan was saved; guarded by turn
	whole        map[int]bool     // folders scanned since the last complete scan; guarded by turn
	savedSuccess []*live.Follower // by folder, the follower in whose catalogue it is saved that the last run succeeded; guarded by turn

	released uint64 // change number of the store when memory was last released; used only by ReleaseMemory
}

// New returns a Syncer of folders. Sync and Embed wait at most waitTimeout for another process that indexes
// or embeds a folder; 0 means no limit. The recogniser reads the text of scanned pages; without one,
// they have no text.
func New(folders roots.Set, store *live.Store, waitTimeout time.Duration, recogniser *ocr.Recogniser, log *slog.Logger) *Syncer {
	s := &Syncer{
		Folders: folders, Store: store, FreshnessPublisher: freshness.NewPublisher(len(folders)), RereadBackoff: newRereadBackoff(), Guard: panics.NewGuard(log), log: log,
		waitTimeout: waitTimeout, turn: semaphore.NewWeighted(1), comparing: semaphore.NewWeighted(1), adding: semaphore.NewWeighted(1),
		checks: make(chan checkRequest, 16), whole: make(map[int]bool), savedSuccess: make([]*live.Follower, len(folders)),
	}
	s.Reader = &ingest.Reader{Folders: folders, Recogniser: recogniser, IsMachineGenerated: store.IsMachineGenerated, Guard: s.Guard, Log: log}
	s.background = newBackgroundReader(s)
	s.Embedding = embedding.New(embedding.Dependencies{
		Folders: folders, Store: store, Embedder: store.Embedder, FreshnessPublisher: s.FreshnessPublisher, Peers: s, Log: log,
		CatchPanic: s.Guard.Catch, MoveRejectedCatalogsToMemory: s.moveToMemoryInTurn, SaveSnapshots: s.SaveSnapshots,
	})
	s.Recognition = &Recognition{s: s, recogniser: recogniser, givenUp: make(map[search.Location]failedRecognition)}
	return s
}

// NewForClientTexts returns a Syncer without folders, for a store of texts.
func (s *Syncer) NewForClientTexts(store *live.Store) *Syncer { return New(nil, store, 0, nil, s.log) }

// Close cancels background reads and waits for them to end.
func (s *Syncer) Close() {
	s.background.stop()
	s.background.group.Wait()
}

// Embed embeds the chunks that have no vector yet, which Sync does not do. It keeps the results obtained
// before a failure; the error is that of the model or of ctx. If another process embeds, it waits
// for that process.
func (s *Syncer) Embed(ctx context.Context) error {
	if err := s.WaitLoaded(ctx); err != nil {
		return err
	}
	return s.PublishProgressWhile(ctx, func() error { return s.Embedding.EmbedMissing(ctx, s.waitTimeout) })
}

// Scope selects the files that Sync examines, and how thoroughly.
type Scope struct {
	Paths []string // files, folders or globs as shown; if empty, everything
	Force bool     // read files again even if they appear unchanged
	// also check that the texts of documents exist, and read documents again whose texts are
	// missing
	CheckTexts bool

	// ReplaceLibrary replaces the documents of the library by those of the folder, regardless of what that
	// removes: see folder_match.go.
	ReplaceLibrary bool
}

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
	if err == nil && r.seenCount == 0 && len(r.mismatchNotes) == 0 && len(scope.Paths) > 0 {
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
		if r.isLeaseLost || !s.IsIndexer(a.Folder) { // before this process learns it otherwise
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
