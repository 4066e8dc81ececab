package sync

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/ingest"
	"vademecum/index/live"
	"vademecum/index/progress"
	"vademecum/index/roots"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// RepairRetryInterval is how long a Run waits before it retries a failed repair.
const RepairRetryInterval = 5 * time.Second

// RepairCatalogs reopens catalogues that are damaged, can no longer be read, or have lost their file,
// and tries to save those that exist only in memory. Texts that a database has lost are read again,
// and memory is reloaded after a panic. A repair is not attempted again within minInterval.
func (s *Syncer) RepairCatalogs(ctx context.Context, minInterval time.Duration) error {
	if s.Store.NeedsReload() && !isRecent(s.FreshnessPublisher.Current().MemoryReloadedAt, minInterval) {
		if err := s.inTurn(ctx, func() error { return s.reload(ctx) }); err != nil {
			return err
		}
	}
	for i, f := range s.Folders {
		c := s.Store.Follower(i)
		if f.Storage.Describe().IsShared {
			if err := s.rereadLostTexts(ctx, i, c, minInterval); err != nil {
				return err
			}
			continue
		}
		if c == nil {
			continue
		}
		switch state := c.Condition().State; {
		case state == catalog.Healthy, s.isGoneWithFolder(i, state):
		case state != catalog.WriteRejected && s.hasTriedReplacing(i, minInterval):
		default:
			err := s.inTurn(ctx, func() error {
				if s.Store.Follower(i) != c { // another call was faster
					return nil
				}
				return s.repair(ctx, i, c)
			})
			if err != nil {
				return fmt.Errorf("open the index of %s again: %w", f.Dir(), err)
			}
		}
	}
	return nil
}

// isGoneWithFolder reports whether the file of a catalogue is in its folder, and the folder is
// missing or does not answer: the file returns with the folder.
func (s *Syncer) isGoneWithFolder(folder int, state catalog.State) bool {
	f := s.Folders[folder]
	switch {
	case state == catalog.Unsaved || !f.ContainsPath(f.Storage.Describe().File):
		return false
	case s.isMissing(folder):
		return true
	case state != catalog.FileReplaced:
		return false
	}
	return !f.IsResponding() || s.isMissing(folder)
}

// CheckForLostTexts returns an error if the index of a folder that areas are in has lost texts.
func (s *Syncer) CheckForLostTexts(ctx context.Context, areas []Subtree) error {
	checked := make(map[int]bool)
	for _, a := range areas {
		if checked[a.Folder] {
			continue
		}
		checked[a.Folder] = true
		if err := s.Store.CheckForLostTexts(ctx, a.Folder); err != nil {
			return fmt.Errorf("check the index of %s: %w", s.Folders[a.Folder].Dir(), err)
		}
	}
	return nil
}

// rereadLostTexts reads those documents again whose texts a database has lost. Unlike in a file,
// the other documents are not in doubt. It waits for another process no longer than a query would.
func (s *Syncer) rereadLostTexts(ctx context.Context, folder int, c *live.Follower, pause time.Duration) error {
	// checked first, because listing lost texts takes time
	if c == nil || s.hasTriedReplacing(folder, pause) {
		return nil
	}
	lost := s.Store.DocumentsWithLostText(folder)
	if len(lost) == 0 {
		return nil
	}
	s.recordReplaceAttempt(folder, time.Now())
	areas := make([]Subtree, len(lost))
	for i, d := range lost {
		areas[i] = Subtree{Folder: folder, Base: d.Path}
	}
	s.log.Warn("the index has lost the text of some documents, reading them again", "folder", s.Folders[folder].Dir(), "documents", len(lost), "first", lost[0].Path)
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	_, err := s.retryRequest(ctx, syncRequest{Folder: folder, Areas: areas, Force: true}) // even if they appear unchanged
	if catalog.IsDatabaseUnusable(err) || errors.Is(err, catalog.ErrRequestNotFound) {
		// everything is being read again, or will be
		return nil
	}
	if err != nil {
		return fmt.Errorf("read again what the index of %s has lost: %w", s.Folders[folder].Dir(), err)
	}
	return nil
}

func isRecent(t time.Time, pause time.Duration) bool { return time.Since(t) < pause }

// hasTriedReplacing reports whether the last attempt to replace the catalogue of a folder was less than
// pause ago, and failed.
func (s *Syncer) hasTriedReplacing(folder int, pause time.Duration) bool {
	return isRecent(s.FreshnessPublisher.Current().Folders[folder].ReplaceAttemptedAt, pause)
}

// recordReplaceAttempt records an attempt to replace the catalogue of a folder; the zero time means that it
// has succeeded.
func (s *Syncer) recordReplaceAttempt(folder int, at time.Time) {
	s.FreshnessPublisher.UpdateFolder(folder, func(f *freshness.Folder) { f.ReplaceAttemptedAt = at })
}

// inTurn calls do while it holds Syncer.turn.
func (s *Syncer) inTurn(ctx context.Context, do func() error) error {
	if err := s.turn.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.turn.Release(1)
	return do()
}

// repair replaces a catalogue that cannot be used. The caller holds Syncer.turn.
func (s *Syncer) repair(ctx context.Context, folder int, old *live.Follower) error {
	s.recordReplaceAttempt(folder, time.Now())
	next, same, err := s.openSuccessor(ctx, folder, old)
	if err != nil || next.Catalog == nil {
		return err
	}
	if !same {
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ResetFolder(folder) })
		err = s.Store.ReplaceCatalog(ctx, folder, next.Catalog)
	}
	if err != nil {
		return errors.Join(err, old.Close())
	}
	s.recordReplaceAttempt(folder, time.Time{})
	_ = old.Close()                  // may fail if it is damaged or the disk is not writable
	if next.Describe().IsUnsaved() { // other processes determine for themselves what the disk accepts
		err = s.Folders[folder].ReleaseLeases()
	}
	s.Embedding.Wake()
	return err
}

// openSuccessor opens the catalogue that replaces another, including its vectors, and reports
// whether it has the same rows, so that it is followed already. The result has no Catalog if the
// replacement is not possible yet.
func (s *Syncer) openSuccessor(ctx context.Context, folder int, old *live.Follower) (next roots.RepairedCatalog, same bool, err error) {
	kept, is, isUnsaved := s.Folders[folder].Storage, old.Condition(), old.Describe().IsUnsaved()
	repair := func(ctx context.Context) (catalog.Catalog, int64, error) {
		var err error
		next, err = kept.Repair(ctx, s.Store.Embedder.ModelIdentity(), old.Catalog, is, s.hasFilesOf(ctx, folder))
		if err == nil && next.Catalog != nil {
			err = next.SaveVectors(ctx, s.Store.Embedder.ModelIdentity(), s.Store.InMemoryVectors(folder))
		}
		return next.Catalog, next.CopiedUpToChange, err
	}
	if is.State == catalog.WriteRejected {
		failure := fmt.Errorf("the disk took no more of the index, which was kept in memory: %w", is.Reason)
		// the disk may be too full for this too
		if err := progress.SaveFailure(ctx, old.Catalog, progress.RunFailureKey, failure); err != nil {
			s.log.Debug("could not note why the index is kept in memory", "error", err)
		}
		if same, err = s.Store.SwitchToCopy(ctx, folder, old, repair); err != nil && next.Catalog != nil {
			s.log.Debug("could not follow the index to memory, it is loaded from there", "error", err)
			err = nil
		}
		old.SetBeingReplaced(err == nil)
	} else {
		if !isUnsaved {
			s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.ResetFolder(folder) })
		}
		old.SetBeingReplaced(true)
		_, _, err = repair(ctx)
	}
	if err != nil || next.Catalog == nil {
		old.SetBeingReplaced(false)
		if err != nil && next.Catalog != nil {
			err = errors.Join(err, next.Close())
		}
		if isUnsaved && ctx.Err() == nil { // the disk is still full
			err = nil
		}
		return roots.RepairedCatalog{}, false, err
	}
	if !same {
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IndexLosses++ })
		s.Folders[folder].ExpectIdentity("") // so that it is stored in the new catalogue too
	}
	s.logUnsaved(folder, next.OpenedCatalog)
	s.log.Warn(next.ActionTaken, "folder", s.Folders[folder].Dir(), "reason", message.New(next.RepairReason))
	return next, same, nil
}

// A disk may stop accepting data because it is full, becomes read-only, or fails. A catalogue on it
// then moves to memory with all its content, and back when the disk accepts it.

// moveToMemory moves catalogues to memory if the disk no longer accepts their data, and reports whether
// there were any. The caller holds Syncer.turn.
func (s *Syncer) moveToMemory(ctx context.Context) (bool, error) {
	any := false
	for i := range s.Folders {
		c := s.Store.Follower(i)
		if c == nil || c.Condition().State != catalog.WriteRejected {
			continue
		}
		if err := s.repair(ctx, i, c); err != nil {
			return any, err
		}
		any = true
	}
	return any, nil
}

// moveToMemoryInTurn acquires Syncer.turn and moves catalogues to memory if the disk no longer
// accepts their data. It reports whether there were any.
func (s *Syncer) moveToMemoryInTurn(ctx context.Context) (moved bool, err error) {
	err = s.inTurn(ctx, func() (err error) {
		moved, err = s.moveToMemory(ctx)
		return err
	})
	return moved, err
}

// reload rebuilds memory from the catalogues if a panic has left it half changed. Meanwhile
// queries are answered from the old content. The caller holds Syncer.turn.
func (s *Syncer) reload(ctx context.Context) error {
	if !s.Store.NeedsReload() {
		return nil
	}
	s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.MemoryReloadedAt = time.Now() })
	s.log.Warn("the index is loaded again after an internal error")
	err := s.Guard.Catch("load the index again", func() error {
		texts, err := s.sentTexts(ctx)
		if err != nil {
			return err
		}
		return s.Store.Reload(ctx, texts)
	})
	if err != nil {
		return fmt.Errorf("load the index again: %w", err)
	}
	s.Embedding.Wake()
	return nil
}

// sentTexts returns the entries for the texts sent by clients, which it analyses again.
func (s *Syncer) sentTexts(ctx context.Context) ([]catalog.RecordWithBody, error) {
	var texts []catalog.RecordWithBody
	for _, d := range s.Store.DocumentsIn(search.NoFolder, live.AnyPath) {
		p, err := ingest.PrepareClientText(ctx, ingest.DocumentOfClientText(d.Body.Text))
		if err != nil {
			return nil, err
		}
		texts = append(texts, p.RecordWithBody)
	}
	return texts, nil
}

// HasReloadedMemoryRecently reports whether a reload of memory was attempted less than RepairRetryInterval ago.
func (s *Syncer) HasReloadedMemoryRecently() bool {
	return isRecent(s.FreshnessPublisher.Current().MemoryReloadedAt, RepairRetryInterval)
}

// answerWait is how long a query waits for an index that is being rebuilt or checked.
const answerWait = 3 * time.Second

// ReadWithRepair calls read. If the index turns out to be damaged, and the maintenance loop runs, it waits a
// little while the index is being rebuilt, and calls read again.
func ReadWithRepair[T any](ctx context.Context, r *Syncer, read func() (T, error)) (T, error) {
	found, err := read()
	if errors.Is(err, catalog.ErrDamaged) && r.FreshnessPublisher.Current().IsMaintaining {
		if err := r.RepairCatalogs(ctx, RepairRetryInterval); err != nil {
			return found, err
		}
		waiting, cancel := context.WithTimeout(ctx, answerWait)
		defer cancel()
		_ = r.WaitUntilRunOver(waiting) // a note says if the answer is incomplete
		found, err = read()
	}
	return readAfterLoss(ctx, r, found, err, read)
}

// readAfterLoss calls read again if a database turns out to have lost data and Syncer.Run is active, after
// a check has repaired the index. It also requests a check if damaged data was skipped, but does not wait
// for that.
func readAfterLoss[T any](ctx context.Context, r *Syncer, found T, why error, read func() (T, error)) (T, error) {
	if !r.FreshnessPublisher.Current().IsMaintaining || !r.canRepair() {
		return found, why
	}
	isLoss := errors.Is(why, catalog.ErrDamaged) || errors.Is(why, catalog.ErrSetupRequired)
	if !isLoss {
		if slices.ContainsFunc(r.mendableLibraries(), (*live.Follower).SkippedDamageSinceLastCall) {
			r.RequestDamageCheck()
		}
		return found, why
	}
	waiting, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	if !r.awaitCheck(waiting, false) {
		return found, why
	}
	_ = r.WaitUntilRunOver(waiting) // a note says if the answer is incomplete
	return read()
}
