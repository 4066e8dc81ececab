package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// withMounts runs a command in a namespace where a script has mounted file systems;
// others do not see them. The test is skipped where the system does not allow that.
func withMounts(t *testing.T, c *exec.Cmd, script string) *exec.Cmd {
	t.Helper()
	namespace := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	try := exec.CommandContext(t.Context(), "sh", "-c", script)
	try.SysProcAttr = namespace
	if out, err := try.CombinedOutput(); err != nil {
		t.Skipf("nothing can be mounted here: %s %v", out, err)
	}
	mounted := exec.CommandContext(t.Context(), "sh", append([]string{"-c", script + ` && exec "$@"`, "sh"}, c.Args...)...)
	mounted.Env, mounted.SysProcAttr = c.Env, namespace
	return mounted
}

// disk is a small disk for the index of a server.
type disk struct {
	t    *testing.T
	path string // as the test sees it
}

// fill leaves this many bytes free.
func (d disk) fill(free int64) {
	d.t.Helper()
	f, err := os.OpenFile(filepath.Join(d.path, "filler"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	block := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(block)
	}
	size, _ := f.Seek(0, 2)
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatal(err)
	}
	if err := f.Truncate(max(0, size-free)); err != nil {
		d.t.Fatal(err)
	}
}

func (d disk) empty() {
	d.t.Helper()
	if err := os.Remove(filepath.Join(d.path, "filler")); err != nil {
		d.t.Fatal(err)
	}
}

// serveOnDisk starts a server with its index on a disk of its own, all but full.
func serveOnDisk(t *testing.T, dir, model string, free int) (*client, disk) {
	t.Helper()
	place := t.TempDir()
	script := fmt.Sprintf("mount -t tmpfs -o size=48m none '%s' && head -c $((48*1048576-%d)) /dev/zero > '%[1]s/filler'", place, free)
	s := connect(t, withMounts(t, vademecum(t, "serve", dir, "--index", filepath.Join(place, "x.db"), "--embed", model), script))
	return s, disk{t, filepath.Join("/proc", fmt.Sprint(s.cmd.Process.Pid), "root", place)}
}

// saved returns the number of documents in the index on the disk, read from a copy: SQLite would
// look for the file at a path that the test does not see.
func (d disk) saved(dir, model string) int {
	d.t.Helper()
	file := filepath.Join(d.t.TempDir(), "x.db")
	for _, suffix := range []string{"", "-wal"} {
		content, err := os.ReadFile(filepath.Join(d.path, "x.db") + suffix)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err == nil {
			err = os.WriteFile(file+suffix, content, 0o600)
		}
		if err != nil {
			d.t.Fatal(err)
		}
	}
	out, err := vademecum(d.t, "status", dir, "--index", file, "--embed", model, "--json").Output()
	if err != nil {
		return 0 // the file was copied while it was being written
	}
	var status struct{ Documents int }
	if err := json.Unmarshal(out, &status); err != nil {
		d.t.Fatal(err)
	}
	return status.Documents
}

// awaitSaved waits until the index is on the disk again.
func (d disk) awaitSaved(dir, model string, documents int) {
	d.t.Helper()
	saved := 0
	if !poll(longestWait, func() bool { saved = d.saved(dir, model); return saved == documents }) {
		d.t.Fatalf("the disk has room, and %d of %d documents are on it", saved, documents)
	}
}
