package e2e

import (
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"
)

// TestModelIsAskedFor checks that a command with a missing model at a terminal offers to download
// it, and prints a hint if the user does not agree.
func TestModelIsAskedFor(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newModelHub(t))
	t.Cleanup(server.Close)
	dir := manyNotes(t, 1)
	for _, c := range []struct {
		answer  string
		fetches bool
	}{{"\n", false}, {"no\n", false}, {"y\n", true}, {"YES\n", true}} {
		t.Run(strings.TrimSpace(c.answer), func(t *testing.T) {
			t.Parallel()
			home, term := t.TempDir(), newTerminal(t, 100)
			program := func(args ...string) *exec.Cmd {
				p := vademecum(t, args...)
				p.Env = append(append(p.Env, cacheIn(home)...), "HF_ENDPOINT="+server.URL)
				return p
			}
			search := program("search", dir, "tea", "--index", indexFile(t), "--embed", "local:leaf-ir")
			search.Stdin, search.Stdout, search.Stderr = term.slave, term.slave, term.slave
			if _, err := term.master.WriteString(c.answer); err != nil {
				t.Fatal(err)
			}
			err := term.wait(t, search)
			got := term.text()
			if !strings.Contains(got, "fetch it now (MongoDB/mdbr-leaf-ir, licence Apache-2.0, 93 MB)? [y/N] ") {
				t.Errorf("it was not asked: %q", got)
			}
			if c.fetches && (err != nil || !strings.Contains(got, "1. ")) {
				t.Errorf("with the model: %v: %q", err, got)
			}
			if !c.fetches && (search.ProcessState.ExitCode() != 2 || !strings.Contains(got, `run "vademecum model get leaf-ir" first`)) {
				t.Errorf("exit code %d: %q", search.ProcessState.ExitCode(), got)
			}
			list, err := program("model", "list").Output()
			if here := strings.Contains(string(list), "leaf-ir-"); here != c.fetches || err != nil {
				t.Errorf("after %q there is a model: %v, %v\n%s", c.answer, here, err, got)
			}
		})
	}
}
