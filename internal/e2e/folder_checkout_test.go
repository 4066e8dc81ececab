package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestFreshnessOfCheckout switches to another branch and back.
func TestFreshnessOfCheckout(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir := t.TempDir()
	e := newEditor(t, dir)
	e.git("init", "--quiet", "--initial-branch=first")
	first := e.branch(*checkout)
	e.git("checkout", "--quiet", "-b", "second")
	second := e.branch(*checkout)
	servers := twoServers(t, dir)
	for _, to := range []struct {
		branch     string
		here, gone []string
	}{{"first", first, second}, {"second", second, first}} {
		e.git("checkout", "--quiet", to.branch)
		start := time.Now()
		for i := 0; i < len(to.here); i += max(1, len(to.here)/20) {
			awaitAll(t, start, servers, to.here[i], func(f found) bool { return f.holds(to.here[i]) })
			awaitAll(t, start, servers, to.gone[i], func(f found) bool { return !f.holds(to.gone[i]) })
		}
		t.Logf("%d files of branch %s found by both after %s", len(to.here), to.branch, time.Since(start).Round(time.Millisecond))
		for _, s := range servers {
			if err := s.awaitList(fmt.Sprintf("%d documents", *checkout)); err != nil {
				t.Error(err)
			}
		}
	}
}

// branch commits n new texts, partly under names of the previous branch, and returns their words.
func (e *editor) branch(n int) []string {
	e.t.Helper()
	var words []string
	for _, path := range e.files() {
		if filepath.Ext(path) == ".md" && len(words) < n/2 {
			text, unique := e.text()
			e.write(path, text)
			words = append(words, unique)
		} else if filepath.Ext(path) == ".md" {
			e.check(os.Remove(path))
		}
	}
	for len(words) < n {
		text, unique := e.text()
		e.write(e.fresh(fmt.Sprint(len(words)%10)), text)
		words = append(words, unique)
	}
	e.git("add", "--all")
	e.git("commit", "--quiet", "--message=notes")
	return words
}

func (e *editor) git(args ...string) {
	e.t.Helper()
	c := exec.CommandContext(e.t.Context(), "git", append([]string{"-C", e.dir, "-c", "user.name=A", "-c", "user.email=a@example.org"}, args...)...)
	c.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") })
	c.Env = append(c.Env, "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
	if out, err := c.CombinedOutput(); err != nil {
		e.t.Fatalf("git %s: %s %v", args[0], out, err)
	}
}
