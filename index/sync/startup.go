package sync

import (
	"cmp"
	"context"
	"errors"
	"time"

	"vademecum/embed"
	"vademecum/index/freshness"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
	"vademecum/internal/base/panics"
)

// Load opens the catalogues and loads them into memory. When it returns, their content can be
// searched. It must be called only once.
func (s *Syncer) Load(ctx context.Context) error {
	err := s.Guard.Catch("load the index", func() error { return s.loadAll(ctx) })
	s.endLoading(err)
	return err
}

// endLoading records that loading has ended, with its error.
func (s *Syncer) endLoading(err error) {
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.HasLoaded, now.LoadError = true, err })
}

// reachEvery is how often a starting server tries to reach a database; readyEvery is how often it
// tries one that refuses it or lacks its tables: too many wrong passwords may lock the user out.
const (
	reachEvery = time.Second
	readyEvery = 3 * time.Second
)

// LoadWithRetry opens the catalogues of a server and loads them into memory. It waits for a
// database to return, for problems to be fixed, and for a missing library to be created.
func (s *Syncer) LoadWithRetry(ctx context.Context) (err error) {
	defer func() { s.endLoading(err) }()
	for told := false; ; told = true {
		err = s.Guard.Catch("load the index", func() error { return s.loadAll(ctx) })
		pause := reachEvery
		switch {
		case errors.Is(err, catalog.ErrDatabaseUnreachable), errors.Is(err, catalog.ErrLibraryNotFound):
		case errors.Is(err, catalog.ErrSetupRequired), errors.Is(err, catalog.ErrDatabaseReadOnly):
			pause = readyEvery
		default:
			s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.SetFollowError(nil) })
			if told && err == nil {
				s.log.Warn("the index is loaded now")
			}
			for _, model := range s.UnusedModels() {
				s.log.Warn("the library is indexed with a model whose vectors this server does not use: give it the same --embed", "model", model)
			}
			return err
		}
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.SetFollowError(err) })
		if !told {
			s.log.Warn("the index cannot be loaded yet, trying again", "every", pause, "error", err)
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

func (s *Syncer) loadAll(ctx context.Context) error {
	for i := range s.Folders {
		if s.Store.Follower(i) != nil {
			continue
		}
		if err := s.loadFolder(ctx, i); err != nil {
			if catalog.IsDatabaseUnusable(err) {
				s.Store.Unload(i) // to be loaded again
			}
			return err
		}
	}
	s.RequestMemoryRelease()
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) {
		now.OwnState.Phase = progress.Scanning
		now.DocumentChanges++
	})
	return nil
}

// loadFolder loads one catalogue. Damage may show only while it is read. A catalogue that causes a
// panic counts as damaged.
func (s *Syncer) loadFolder(ctx context.Context, folder int) error {
	c, err := s.openCatalog(ctx, folder)
	if err != nil {
		return err
	}
	if err := s.agreeOnPath(ctx, folder, c.Catalog); err != nil {
		return err
	}
	err = s.Guard.Catch("load the index of a folder", func() error { return s.loadCatalogue(ctx, folder, c) })
	for range 2 { // the disk may refuse the replacement of a damaged catalogue too
		if !isRepairable(c, err) {
			break
		}
		if c, err = s.repairUnloaded(ctx, folder, c, err); err == nil {
			err = s.loadCatalogue(ctx, folder, c)
		}
	}
	if err != nil {
		return err
	}
	if err := s.Embedding.LogHostOnce(ctx, folder, c); err != nil {
		// without the turn, because nothing else is running yet
		salvaged, failed := s.moveToMemory(ctx)
		if !salvaged {
			return errors.Join(err, failed)
		}
	}
	if c.PreviousModel != "" && !s.Store.ModelProperties.IsCheapToCompute {
		s.log.Warn("the embedding model has changed: passages are found by words until they have its vectors",
			"folder", s.Folders[folder].Dir(), "before", c.PreviousModel, "now", s.Store.Embedder.ModelIdentity())
	}
	if c.KeptModel != "" && embed.IsWorthStoring(c.KeptModel) && !s.Store.ModelProperties.IsWorthStoring() {
		s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.UnusedModel = c.KeptModel })
	}
	if c.RebuildReason != "" {
		s.log.Warn("the index is built again", "folder", s.Folders[folder].Dir(), "reason", c.RebuildReason)
	}
	return nil
}

func (s *Syncer) loadCatalogue(ctx context.Context, folder int, c roots.OpenedCatalog) error {
	if _, err := s.Store.Load(ctx, folder, c.Catalog); err != nil {
		return err
	}
	return s.loadDirectoryIdentity(ctx, folder, c.Catalog)
}

// isRepairable reports whether a catalogue that could not be loaded may be replaced. A catalogue
// that causes a panic counts as damaged.
func isRepairable(c roots.OpenedCatalog, why error) bool {
	return errors.Is(why, catalog.ErrDamaged) || (panics.Is(why) || errors.Is(why, catalog.ErrWriteRejected)) && !c.Describe().IsUnsaved()
}

// repairUnloaded opens a replacement for a catalogue that could not be loaded, for the given reason.
func (s *Syncer) repairUnloaded(ctx context.Context, folder int, old roots.OpenedCatalog, why error) (roots.OpenedCatalog, error) {
	is := old.Condition()
	if panics.Is(why) || errors.Is(why, catalog.ErrDamaged) {
		is = is.WithDamage(why)
	}
	s.Store.Unload(folder)
	if err := s.reload(ctx); err != nil {
		return old, err
	}
	next, err := s.Folders[folder].Storage.Repair(ctx, s.Store.Embedder.ModelIdentity(), old.Catalog, is, s.hasFilesOf(ctx, folder))
	_ = old.Close() // may fail if the file is damaged or the disk is not writable
	if err != nil || next.Catalog == nil {
		return old, cmp.Or(err, why)
	}
	s.logUnsaved(folder, next.OpenedCatalog)
	if next.UnsavedReason == nil && next.Describe().IsUnsaved() {
		s.log.Warn(next.ActionTaken, "folder", s.Folders[folder].Dir(), "reason", message.New(next.RepairReason))
	}
	return next.OpenedCatalog, nil
}

// openCatalog opens the catalogue of a folder, and logs if it cannot be saved.
func (s *Syncer) openCatalog(ctx context.Context, folder int) (roots.OpenedCatalog, error) {
	c, err := s.Folders[folder].Storage.Open(ctx, s.Store.Embedder.ModelIdentity())
	if !errors.Is(err, catalog.ErrDatabaseUnreachable) {
		// any other error shows that the storage was reached
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IsStorageReached = true })
	}
	s.logUnsaved(folder, c)
	return c, err
}

func (s *Syncer) logUnsaved(folder int, c roots.OpenedCatalog) {
	if c.UnsavedReason != nil {
		s.log.Warn("the index is kept in memory and will be lost at exit: choose a location for it with --index", "folder", s.Folders[folder].Dir(), "reason", c.UnsavedReason)
	}
}

// SaveSnapshots saves new snapshots if the last ones are old, so that the next start is fast.
func (s *Syncer) SaveSnapshots(ctx context.Context) {
	for i, f := range s.Folders {
		c := s.Store.Follower(i)
		if c == nil || c.Describe().IsUnsaved() || !s.IsIndexer(i) {
			continue
		}
		saved := false
		err := s.Guard.Catch("save a snapshot", func() (err error) {
			if saved = s.Store.IsSnapshotDue(i); saved {
				defer s.RequestMemoryRelease()
				err = s.Store.SaveSnapshot(ctx, i)
			}
			return err
		})
		if ctx.Err() != nil || err == nil && !saved {
			continue
		}
		if err != nil {
			s.log.Warn("the next start will be slower", "folder", f.Dir(), "error", err)
		}
		if err := progress.SaveFailure(ctx, c, progress.SnapshotFailureKey, err); err != nil {
			s.log.Debug("could not note how the snapshot ended", "error", err)
		}
	}
}
