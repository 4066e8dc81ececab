package main

import (
	"bytes"
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

// awaitNote asks until a note says that the last run failed, or none does.
func (s *talk) awaitNote(t *testing.T, failed bool) {
	t.Helper()
	if _, err := s.await(time.Now(), "warfarin", func(f found) bool {
		note := strings.Join(f.Notes, " ")
		return failed && strings.Contains(note, "disk is full") || !failed && note == ""
	}); err != nil {
		t.Fatal(err)
	}
}

// editUntilFull edits the folder until a note says that the disk is full: the
// log of the index has room for some changes.
func (s *talk) editUntilFull(e *editor, notes int) {
	e.t.Helper()
	for start := time.Now(); time.Since(start) < longestWait; {
		for range 20 {
			e.step(notes)
		}
		f, err := s.retrieve("warfarin")
		e.check(err)
		if strings.Contains(strings.Join(f.Notes, " "), "disk is full") {
			return
		}
	}
	e.t.Fatal("the disk is full, and no note says so")
}

// TestFullDisk lets the disk be full at the start, get full as the folder is
// indexed, and as it is edited. Each time there is room again after a while.
func TestFullDisk(t *testing.T) {
	const notes = 300
	for name, free := range map[string]int{"at the start": 0, "later": 1500 << 10} {
		t.Run(name, func(t *testing.T) {
			dir := manyNotes(t, notes)
			model, e := newEmbeddingServer(t), newEditor(t, dir)
			s, d := serveOnDisk(t, dir, model.spec, free)
			if free > 0 {
				s.awaitNote(t, true)
			}
			d.empty()
			if _, err := s.tool("index_docs", `{}`); err != nil {
				t.Fatal(err)
			}
			s.awaitNote(t, false)
			d.fill(0)
			s.editUntilFull(e, notes)
			text, unique := e.text()
			e.save(e.fresh(), text)
			d.empty()
			if _, err := s.tool("index_docs", `{}`); err != nil {
				t.Fatal(err)
			}
			s.awaitNote(t, false)
			if f, err := s.retrieve(unique); err != nil || !f.holds(unique) {
				t.Errorf("%s is not found: %v, %v", unique, f, err)
			}
			fresh := newCrew(t, dir)
			fresh.add()
			if _, err := fresh.servers[0].tool("index_docs", `{}`); err != nil {
				t.Fatal(err)
			}
			if err := differs(s, fresh.servers[0]); err != nil {
				t.Error(err)
			}
			if info, err := os.Stat(filepath.Join(d.path, "x.db")); err != nil || info.Size() == 0 {
				t.Errorf("nothing is on the disk: %v", err)
			}
			if left, err := filepath.Glob(filepath.Join(d.path, "*.tmp-*")); err != nil || len(left) > 0 {
				t.Errorf("left: %q, %v", left, err)
			}
		})
	}
}
