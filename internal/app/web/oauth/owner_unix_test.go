//go:build unix

package oauth

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestGrantsKeepOwner checks that a file changed by the administrator keeps its owner.
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

// TestLockOfOwner checks that a lock file created by the administrator can be used by the server.
func TestLockOfOwner(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	file := filepath.Join(t.TempDir(), "grants.json")
	g := open(t, file)
	g.put(t, "0001", "alice", time.Now())
	must(t, os.Remove(file+".lock")) // as if the file had been copied without the lock
	must(t, os.Chown(file, 65534, 65534))
	_, err := EndGrants(file, quiet, []string{"0001"})
	must(t, err)
	must(t, os.WriteFile(file, []byte("{"), 0o600))
	_, err = EndGrants(file, quiet, []string{"0001"})
	must(t, err)
	for _, beside := range []string{file, file + ".lock", file + ".damaged"} {
		info, err := os.Stat(beside)
		must(t, err)
		if s := info.Sys().(*syscall.Stat_t); s.Uid != 65534 {
			t.Errorf("%s belongs to %d", filepath.Base(beside), s.Uid)
		}
	}
}

// TestForeignLink checks that the administrator's command follows no symbolic link of another user.
func TestForeignLink(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives links away")
	}
	dir := t.TempDir()
	file, link := filepath.Join(dir, "shadow"), filepath.Join(dir, "grants.json")
	must(t, os.WriteFile(file, []byte("root:*"), 0o600))
	must(t, os.Symlink(file, link))
	must(t, os.Lchown(link, 65534, 65534))
	if _, err := OpenGrantStore(link, quiet); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
		t.Errorf("it is followed: %v", err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "root:*" {
		t.Errorf("where it leads is %q: %v", text, err)
	}
	if all, err := filepath.Glob(filepath.Join(dir, "*")); err != nil || len(all) != 2 {
		t.Errorf("there is %v, %v", all, err)
	}
}

// TestPipe checks that a pipe in place of the file neither blocks nor ends grants.
func TestPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grants.json")
	g := open(t, file)
	g.put(t, "0001", "alice", time.Now())
	must(t, os.Rename(file, file+".away"))
	must(t, syscall.Mkfifo(file, 0o600))
	if g.current().find("0001") == nil {
		t.Error("a pipe ends what was allowed")
	}
	if _, err := ListGrants(file); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("it is read: %v", err)
	}
	if _, err := OpenGrantStore(file, quiet); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("it is opened: %v", err)
	}
	must(t, os.Rename(file+".away", file))
	if g.current().find("0001") == nil {
		t.Error("the file does not count again")
	}
}

// TestWrongLink checks that another file to which a link leads by mistake is not overwritten.
func TestWrongLink(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "passwd"), filepath.Join(dir, "grants.json")
	const others = "root:x:0:0:root:/root:/bin/sh\n"
	must(t, os.WriteFile(file, []byte(others), 0o644))
	must(t, os.Symlink(file, link))
	if _, err := OpenGrantStore(link, quiet); err == nil || !strings.Contains(err.Error(), "which is not a file of grants") {
		t.Errorf("it is opened: %v", err)
	}
	must(t, os.Remove(link))
	g := open(t, link)
	g.put(t, "0001", "alice", time.Now())
	must(t, os.Remove(link))
	must(t, os.Symlink(file, link))
	if _, err := EndGrants(link, quiet, []string{"0001"}); err == nil {
		t.Error("a grant is ended in it")
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != others {
		t.Errorf("where it leads is %q: %v", text, err)
	}
	if g.current().find("0001") != nil {
		t.Error("what was allowed goes on without the file")
	}
	must(t, os.WriteFile(file, []byte("{\"key\": "), 0o600)) // a truncated grants file
	g.put(t, "0002", "alice", time.Now())
	if b, err := readStoredGrants(file); err != nil || b.find("0002") == nil {
		t.Errorf("one that is damaged is not made anew: %v", err)
	}
}
