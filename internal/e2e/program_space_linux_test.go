package e2e

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// limited returns a command with a limit of address space, in kB.
func limited(kilobytes int, c *exec.Cmd) *exec.Cmd {
	c.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -v %d; exec "$0" "$@"`, kilobytes), c.Path}, c.Args[1:]...)
	c.Path = "/bin/sh"
	return c
}

// TestAddressSpace: a limit of address space that the program cannot run with is
// explained, and one that it can run with is not mentioned.
func TestAddressSpace(t *testing.T) {
	t.Parallel()
	if build, _ := debug.ReadBuildInfo(); strconv.IntSize < 64 || build == nil || slices.Contains(build.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "1"}) {
		t.Skip("other parts of the program reserve address space here")
	}
	dir := manyNotes(t, 3)
	for _, kilobytes := range []int{950_000, 1_000_000, 1_050_000} {
		for _, args := range [][]string{{"serve", dir}, {"search", dir, "warfarin"}} {
			c := limited(kilobytes, vademecum(t, append(args, "--index", indexFile(t))...))
			c.Stdin = strings.NewReader("")
			out, err := c.CombinedOutput()
			var ended *exec.ExitError
			want := fmt.Sprintf("vademecum: the limit of address space (ulimit -v) is %d kB", kilobytes)
			if !errors.As(err, &ended) || ended.ExitCode() != 1 || !strings.HasPrefix(string(out), want) || strings.Count(string(out), "\n") != 2 {
				t.Errorf("%s with %d kB: %v\n%s", args[0], kilobytes, err, out)
			}
		}
	}
	out, err := limited(2_097_152, vademecum(t, "search", dir, "warfarin", "--index", indexFile(t))).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "Note 0 on warfarin") {
		t.Errorf("with enough: %v\n%s", err, out)
	}
}
