package docs

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// limitWatches sets how many watches the namespace of this process may have.
func limitWatches(t *testing.T, n int) {
	t.Helper()
	if err := os.WriteFile("/proc/sys/user/max_inotify_watches", []byte(fmt.Sprint(n)), 0o644); err != nil {
		t.Skip("the limit cannot be set: ", err)
	}
}

// inNamespace runs a test again in namespaces of its own, where it may do as root does
// without the machine being touched, and tells whether this is that run.
func inNamespace(t *testing.T, flags uintptr) bool {
	t.Helper()
	if os.Getenv("VADEMECUM_TEST_NAMESPACE") != "" {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "VADEMECUM_TEST_NAMESPACE=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | flags,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Skip("no namespace to be had: ", err)
	}
	err := cmd.Wait()
	t.Logf("%s", out.Bytes())
	if err != nil {
		t.Error("failed in the namespace: ", err)
	}
	return false
}

// TestWatchLimit reaches the real limit of the system.
func TestWatchLimit(t *testing.T) {
	t.Parallel()
	if !inNamespace(t, 0) {
		return
	}
	files := make(map[string]string)
	for i := range 20 {
		files[fmt.Sprintf("sub%02d/a.md", i)] = "x"
	}
	f := testFolder(t, files)
	limitWatches(t, 10)
	w, err := f.Watch("")
	if err != nil {
		t.Fatal(err)
	}
	if got := w.IncompleteReason(); !strings.Contains(got.String(), "limit of watches") {
		t.Fatalf("incomplete: %q", got)
	}
	if n := len(w.notify.WatchList()); n != 10 {
		t.Errorf("%d folders are watched", n)
	}
	w.retryWatching()
	if w.IncompleteReason() == "" {
		t.Error("complete although the limit is reached")
	}
	limitWatches(t, 1000)
	w.retryWatching()
	if got := w.IncompleteReason(); got != "" {
		t.Errorf("still incomplete: %q", got)
	}
	heard := runWatcher(t, f, w)
	heard.expect(everything)
	for i := range 20 {
		heard.expectWatched(fmt.Sprintf("sub%02d", i))
	}
	limitWatches(t, 21)
	heard.write("new/deep/a.md", "x")
	heard.expect(everything)
	if got := w.IncompleteReason(); !strings.Contains(got.String(), "limit of watches") {
		t.Errorf("incomplete: %q", got)
	}
	heard.remove("new")
	heard.write("sub00/last.md", "x")
	heard.expect("sub00/last.md")
	if got := w.IncompleteReason(); got != "" {
		t.Errorf("incomplete although the folder is gone: %q", got)
	}
}

// TestWatchInvalidNames checks that a file whose name is no UTF-8 is reported as a change of its
// folder, whose scan names it, and that what is written to it afterwards is not.
func TestWatchInvalidNames(t *testing.T) {
	t.Parallel()
	w := watchFolder(t, map[string]string{"sub/a.md": "x"})
	w.write("sub/caf\xe9.md", "x")
	for _, p := range w.expect("sub") {
		if p != "sub" {
			t.Errorf("reported %q", p)
		}
	}
	w.write("sub/caf\xe9.md", "changed")
	w.write("sub/last.md", "x")
	for _, p := range w.expect("sub/last.md") {
		if p != "sub/last.md" {
			t.Errorf("reported %q", p)
		}
	}
	if err := os.Remove(filepath.Join(w.Dir(), "sub", "caf\xe9.md")); err != nil {
		t.Fatal(err)
	}
	w.expect("sub")
}
