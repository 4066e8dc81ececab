//go:build unix

package oauth

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestGrantsKeepOwner: what the administrator changes stays the server's.
func TestGrantsKeepOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	file := filepath.Join(t.TempDir(), "grants.json")
	g := open(t, file)
	must(t, os.Chown(file, 65534, 65534))
	g.put(t, "0001", "alice", time.Now())
	info, err := os.Stat(file)
	must(t, err)
	if s := info.Sys().(*syscall.Stat_t); s.Uid != 65534 || info.Mode().Perm() != 0o600 {
		t.Errorf("the owner is %d, the mode %v", s.Uid, info.Mode())
	}
}
