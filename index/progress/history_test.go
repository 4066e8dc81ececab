package progress

import (
	"path/filepath"
	"testing"
	"time"
)

// TestSyncedInLocalTime: whatever the zone of the process that scanned, people read the time of
// the last scan in that of their machine.
func TestSyncedInLocalTime(t *testing.T) {
	c := opened(t, filepath.Join(t.TempDir(), "x.db"), "m")
	here := time.Local
	t.Cleanup(func() { time.Local = here })
	time.Local = time.FixedZone("Shanghai", 8*60*60)
	scanned := time.Date(2026, 11, 30, 1, 2, 3, 0, time.UTC)
	must(t, SetSynced(t.Context(), c, scanned))
	at, err := SyncedAt(t.Context(), c)
	if must(t, err); !at.Equal(scanned) || at.Format(time.DateTime) != "2026-11-30 09:02:03" {
		t.Errorf("the last scan was at %s", at)
	}
	if never, err := SyncedAt(t.Context(), opened(t, filepath.Join(t.TempDir(), "y.db"), "m")); err != nil || !never.IsZero() {
		t.Errorf("without a scan: %s, %v", never, err)
	}
}
