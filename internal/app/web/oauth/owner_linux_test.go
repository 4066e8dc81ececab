package oauth

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestEndedOnFullDisk checks that grants can be ended on a full disk, and that a change that does
// not fit has no effect.
func TestEndedOnFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("none", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(dir, syscall.MNT_DETACH)) })
	file := filepath.Join(dir, "grants.json")
	g := open(t, file)
	g.put(t, "0001", "alice", time.Now())
	g.put(t, "0002", "alice", time.Now())
	fill, err := os.Create(filepath.Join(dir, "fill"))
	must(t, err)
	defer fill.Close()
	for err == nil {
		_, err = io.WriteString(fill, "x")
	}
	if _, err := EndGrants(file, quiet, []string{"0001"}); err != nil {
		t.Errorf("it cannot be ended: %v", err)
	}
	if b, err := readStoredGrants(file); err != nil || b.find("0001") != nil || b.find("0002") == nil {
		t.Errorf("the file has not what it should: %v", err)
	}
	if g.current().find("0001") != nil {
		t.Error("the server goes on with what has ended")
	}
	more := func(b *storedGrants) (bool, error) {
		for range 200 {
			b.Grants = append(b.Grants, b.find("0002"))
		}
		return true, nil
	}
	if err := g.updateFile(more); err == nil {
		t.Error("what does not fit is said to be kept")
	}
	if b, err := readStoredGrants(file); err != nil || len(b.Grants) != 1 {
		t.Errorf("what does not fit has changed the file: %v", err)
	}
}

// TestGrantsMounted checks that a mounted file is written in place, and set aside if it is damaged.
func TestGrantsMounted(t *testing.T) {
	dir := t.TempDir()
	outside, file := filepath.Join(dir, "outside"), filepath.Join(dir, "conf", "grants.json")
	must(t, os.Mkdir(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(outside, nil, 0o644))
	must(t, os.WriteFile(file, nil, 0o600))
	if err := syscall.Mount(outside, file, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("nothing can be mounted here: %v", err)
	}
	t.Cleanup(func() { must(t, syscall.Unmount(file, syscall.MNT_DETACH)) })
	g := open(t, file)
	g.put(t, "0001", "alice", time.Now())
	g.put(t, "0002", "alice", time.Now())
	_, err := EndGrants(file, quiet, []string{"0002"})
	must(t, err)
	if b, err := readStoredGrants(outside); err != nil || b.find("0001") == nil || b.find("0002") != nil {
		t.Errorf("what is mounted has not what was written: %v", err)
	}
	if info, err := os.Stat(outside); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("others can read it: %v, %v", info.Mode(), err)
	}
	must(t, os.WriteFile(file, []byte("{"), 0o600))
	g.put(t, "0003", "alice", time.Now())
	if b, err := readStoredGrants(outside); err != nil || b.find("0003") == nil || b.find("0001") != nil {
		t.Errorf("after damage: %v", err)
	}
	if text, err := os.ReadFile(file + ".damaged"); err != nil || string(text) != "{" {
		t.Errorf("set aside: %q, %v", text, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "conf", ".new-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
