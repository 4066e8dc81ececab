package sync_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/index/freshness"
	"vademecum/index/indextest"
	"vademecum/index/roots"
	"vademecum/index/store/catalog"
	"vademecum/index/sync"
	"vademecum/index/sync/syncertest"
)

// whileChecked runs a test beside a Checker of a folder that was indexed, after the first
// check, in a bubble of its own.
func whileChecked(t *testing.T, test func(t *testing.T, s *shared)) {
	t.Helper()
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha", "b.md": "beta"})
	synctest.Test(t, func(t *testing.T) {
		s := newShared(t, n)
		indextest.Must(t, s.Load(t.Context()))
		syncertest.MustSync(t, s.Syncer, sync.Scope{})
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IsMaintaining = true })
		s.check(t)
		synctest.Wait()
		test(t, s)
	})
}

// TestLibraryIsMended: what a library has lost is removed, told, and indexed again.
func TestLibraryIsMended(t *testing.T) {
	odd := errors.New("an odd number of rows")
	for name, c := range map[string]struct {
		mended  catalog.RepairResult
		says    string
		dirty   int
		reopens int
	}{
		"documents": {catalog.RepairResult{Damage: odd, RemovedDocuments: 2}, "documents of the library are damaged, they are read again", 1, 0},
		"vectors":   {catalog.RepairResult{Damage: odd, RemovedVectors: 3}, "vectors of the library are damaged, their passages are embedded again", 1, 1},
		"all of it": {catalog.RepairResult{Damage: odd, RemovedAll: true}, "the library is damaged, it is made again from the folder", 1, 1},
		"left":      {catalog.RepairResult{Damage: odd, RefusedToRemoveAll: true}, "left as it is as long as the folder is not there", 0, 0},
		"nothing":   {catalog.RepairResult{}, "", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			whileChecked(t, func(t *testing.T, s *shared) {
				before, mends, _ := s.counts()
				if mends > 0 {
					t.Error("all is read although the numbers are right")
				}
				s.set(func(f *faults) { f.compare, f.mended = catalog.ErrDamaged, c.mended })
				time.Sleep(soon)
				synctest.Wait()
				opened, mends, _ := s.counts()
				dirty, _, _ := s.told()
				if mends != 1 || !s.now().mendAll || dirty != c.dirty || opened-before != c.reopens {
					t.Errorf("mended %d times (all of it: %t), to be compared %d times, opened %d times", mends, s.now().mendAll, dirty, opened-before)
				}
				if c.says != "" && s.said.count(c.says) != 1 {
					t.Errorf("it does not say %q", c.says)
				}
				if found := syncertest.BestPath(t, s.Syncer, "alpha"); found != "a.md" {
					t.Errorf("found %q", found)
				}
			})
		})
	}
}

// TestDoubtIsLookedAfter: damage that a question has passed over has all be read.
func TestDoubtIsLookedAfter(t *testing.T) {
	whileChecked(t, func(t *testing.T, s *shared) {
		s.set(func(f *faults) { f.doubt = true })
		if _, err := sync.ReadWithRepair(t.Context(), s.Syncer, func() (int, error) { return 0, nil }); err != nil {
			t.Error(err)
		}
		synctest.Wait()
		if _, mends, _ := s.counts(); mends != 1 {
			t.Errorf("all was read %d times", mends)
		}
	})
}

// TestQuestionWaitsForMending: a question that meets damage is answered from what is there
// after that was mended, unless it was looked for in vain a moment ago.
func TestQuestionWaitsForMending(t *testing.T) {
	whileChecked(t, func(t *testing.T, s *shared) {
		reads := 0
		ask := func() (int, error) {
			return sync.ReadWithRepair(t.Context(), s.Syncer, func() (int, error) {
				if reads++; s.now().compare != nil {
					return 0, catalog.ErrDamaged
				}
				return reads, nil
			})
		}
		s.set(func(f *faults) {
			f.compare, f.mended = catalog.ErrDamaged, catalog.RepairResult{Damage: catalog.ErrDamaged, RemovedDocuments: 1}
		})
		if n, err := ask(); n != 3 || err != nil {
			t.Errorf("read %d times: %v", n, err)
		}

		broken := func() (int, error) { return 0, catalog.ErrDamaged }
		for range 2 {
			if _, err := sync.ReadWithRepair(t.Context(), s.Syncer, broken); !errors.Is(err, catalog.ErrDamaged) {
				t.Errorf("what stays damaged is read as %v", err)
			}
		}
		synctest.Wait()
		if _, mends, _ := s.counts(); mends != 2 {
			t.Errorf("all was read %d times", mends)
		}
		if s.said.count("nothing in the libraries that this process may mend is damaged") != 1 {
			t.Error("it does not say that this was in vain")
		}
		if err := s.CheckDamageForOtherProcess(t.Context()); err != nil {
			t.Errorf("another process waits for a check soon after one in vain: %v", err)
		}
	})
}

// TestNobodyChecks: a caller for a check waits no longer than it may.
func TestNobodyChecks(t *testing.T) {
	n := indextest.NewNotesFolder(t, map[string]string{"a.md": "alpha"})
	synctest.Test(t, func(t *testing.T) {
		s := newShared(t, n)
		indextest.Must(t, s.Load(t.Context()))
		syncertest.MustSync(t, s.Syncer, sync.Scope{})
		s.FreshnessPublisher.Update(func(now *freshness.Snapshot) { now.IsMaintaining = true })
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := s.CheckDamageForOtherProcess(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("another process is answered %v", err)
		}
		began := time.Now()
		_, err := sync.ReadWithRepair(t.Context(), s.Syncer, func() (int, error) { return 0, catalog.ErrSetupRequired })
		if took := time.Since(began); !errors.Is(err, catalog.ErrSetupRequired) || took != 3*time.Second {
			t.Errorf("a question waits for %s and is answered %v", took, err)
		}
	})
}

// TestCheckIsAskedFor: another process that asks for a check is answered when it is done.
func TestCheckIsAskedFor(t *testing.T) {
	whileChecked(t, func(t *testing.T, s *shared) {
		indextest.Must(t, s.CheckDamageForOtherProcess(t.Context()))
		if _, mends, _ := s.counts(); mends != 1 {
			t.Errorf("all was read %d times", mends)
		}
	})
}

// TestCannotBeChecked: what stands against a check is mended where it can be, and told.
func TestCannotBeChecked(t *testing.T) {
	for name, c := range map[string]struct {
		err  error
		made roots.RestoreResult
		says string
		// how often it is opened again, and whether tables are made again
		reopens  int
		restored bool
	}{
		"the library is gone":  {catalog.ErrStorageRemoved, roots.RestoreResult{}, "the library is read again", 1, false},
		"a table is gone":      {catalog.ErrSetupRequired, roots.RestoreResult{RecreatedObjects: []string{"a table"}}, "what was gone from the database was made again", 0, true},
		"vectors are gone":     {catalog.ErrSetupRequired, roots.RestoreResult{RecreatedObjects: []string{"a table"}, LostVectorRecords: true}, "what was gone from the database was made again", 1, true},
		"something else":       {errors.New("odd"), roots.RestoreResult{}, "could not compare the library with itself", 0, false},
		"the database is away": {catalog.ErrDatabaseUnreachable, roots.RestoreResult{}, "", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			whileChecked(t, func(t *testing.T, s *shared) {
				before, _, restores := s.counts()
				said := s.said.count("\n")
				s.set(func(f *faults) { f.compare, f.made = c.err, c.made })
				time.Sleep(soon - time.Second)
				synctest.Wait()
				opened, mends, restoresNow := s.counts()
				if mends > 0 || opened-before != c.reopens || (restoresNow > restores) != c.restored {
					t.Errorf("mended %d times, opened %d times, restored: %t", mends, opened-before, restoresNow > restores)
				}
				if c.says != "" && s.said.count(c.says) == 0 || c.says == "" && s.said.count("\n") != said {
					t.Errorf("it says %s", s.said.text.String())
				}
			})
		})
	}
}

// TestTablesCannotBeMadeAgain: why is reported once.
func TestTablesCannotBeMadeAgain(t *testing.T) {
	whileChecked(t, func(t *testing.T, s *shared) {
		s.set(func(f *faults) { f.compare, f.restore = catalog.ErrSetupRequired, errors.New("permission denied") })
		time.Sleep(3 * soon)
		synctest.Wait()
		_, _, restores := s.counts()
		if n := s.said.count("what is gone from the database cannot be made again"); n != 1 || restores < 2 {
			t.Errorf("it was told %d times in %d attempts", n, restores)
		}
	})
}

// TestOtherIsAsked: the process that indexes a folder is asked to look after damage that
// this one has met.
func TestOtherIsAsked(t *testing.T) {
	whileChecked(t, func(t *testing.T, s *shared) {
		s.set(func(f *faults) { f.others = true })
		s.RequestDamageCheck()
		synctest.Wait()
		_, mends, _ := s.counts()
		if _, asked, _ := s.told(); asked != 1 || mends > 0 {
			t.Errorf("another was asked %d times, mended here %d times", asked, mends)
		}
	})
}

// TestOthersAreToldAgain: how far this process is is told again where that was lost.
func TestOthersAreToldAgain(t *testing.T) {
	whileChecked(t, func(t *testing.T, s *shared) {
		sync.NewPublisher(s.Syncer).Publish(t.Context())
		_, _, before := s.told()
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if _, _, forgot := s.told(); forgot != before {
			t.Error("it is told again although it stands there")
		}
		indextest.Must(t, s.Store.Follower(0).SetValue(t.Context(), "news", ""))
		time.Sleep(3 * time.Second)
		synctest.Wait()
		if _, _, forgot := s.told(); forgot == before {
			t.Error("what was lost is not told again")
		}
	})
}
