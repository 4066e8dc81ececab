package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// withMounts has a command run where a script has mounted what it likes; others
// do not see it. The test is skipped where the system does not allow that.
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

// TestReadOnly serves an index that may not be written: from memory, with a
// warning, and with the vectors that are in it.
func TestReadOnly(t *testing.T) {
	for name, readOnly := range map[string]func(file string) string{
		"the file":   func(file string) string { return file },
		"its folder": filepath.Dir,
	} {
		t.Run(name, func(t *testing.T) {
			dir, file, model := manyNotes(t, 30), indexFile(t), newEmbeddingServer(t)
			args := []string{dir, "warfarin visit", "--index", file, "--embed", model.spec}
			want, err := vademecum(t, append([]string{"search"}, args...)...).Output()
			if err != nil {
				t.Fatal(err)
			}
			before := model.passages()
			at := readOnly(file)
			c := withMounts(t, vademecum(t, append([]string{"search"}, args...)...), fmt.Sprintf("mount --bind '%s' '%[1]s' && mount -o remount,ro,bind '%[1]s'", at))
			var stderr bytes.Buffer
			c.Stderr = &stderr
			got, err := c.Output()
			if err != nil || string(got) != string(want) {
				t.Errorf("%v %s\nit answers\n%s\nwant\n%s", err, &stderr, got, want)
			}
			if !strings.Contains(stderr.String(), "kept in memory") {
				t.Errorf("it does not warn: %s", &stderr)
			}
			_, _, again := model.tally(func(string) bool { return false })
			if len(again) > 0 || len(model.passages()) != len(before) {
				t.Errorf("%d texts were embedded again", len(again))
			}
		})
	}
}

// disk is a small one that a server has its index on.
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
func serveOnDisk(t *testing.T, dir, model string, free int) (*talk, disk) {
	t.Helper()
	place := t.TempDir()
	script := fmt.Sprintf("mount -t tmpfs -o size=48m none '%s' && head -c $((48*1048576-%d)) /dev/zero > '%[1]s/filler'", place, free)
	s := startTalk(t, withMounts(t, vademecum(t, "serve", dir, "--index", filepath.Join(place, "x.db"), "--embed", model), script))
	return s, disk{t, filepath.Join("/proc", fmt.Sprint(s.cmd.Process.Pid), "root", place)}
}

// saved tells how many documents the index on the disk holds, by a copy: SQLite
// would look for the file where the test sees none.
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
		return 0 // it was copied while it was written
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
	for start := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		saved := d.saved(dir, model)
		if saved == documents {
			return
		}
		if time.Since(start) > 3*longestWait {
			d.t.Fatalf("the disk has room, and %d of %d documents are on it", saved, documents)
		}
	}
}

// TestFullDisk lets the disk be full at the start, get full as the folder is
// indexed, and as it is edited. Each time there is room again after a while. What
// is answered is right all the time.
func TestFullDisk(t *testing.T) {
	const notes = 300
	for name, free := range map[string]int{"at the start": 0, "later": 1500 << 10} {
		t.Run(name, func(t *testing.T) {
			dir := manyNotes(t, notes)
			model, e := newEmbeddingServer(t), newEditor(t, dir)
			s, d := serveOnDisk(t, dir, model.spec, free)
			fresh := newCrew(t, dir)
			fresh.add()
			same := func(when string) {
				t.Helper()
				for _, one := range []*talk{s, fresh.servers[0]} {
					if _, err := one.tool("index_docs", `{}`); err != nil {
						t.Fatalf("%s: %v", when, err)
					}
				}
				if err := differs(s, fresh.servers[0]); err != nil {
					t.Errorf("%s: %v", when, err)
				}
			}
			same("before there is room")
			d.empty()
			d.awaitSaved(dir, model.spec, notes)
			same("with room")
			d.fill(0)
			for i := range 40 {
				text, unique := e.text()
				e.save(e.fresh(), text)
				if i%10 == 0 {
					if _, err := s.await(time.Now(), unique, func(f found) bool { return f.holds(unique) }); err != nil {
						t.Fatal(err)
					}
				}
			}
			same("full again")
			d.empty()
			d.awaitSaved(dir, model.spec, notes+40)
			same("with room again")
			if left, err := filepath.Glob(filepath.Join(d.path, "*.tmp-*")); err != nil || len(left) > 0 {
				t.Errorf("left: %q, %v", left, err)
			}
		})
	}
}
