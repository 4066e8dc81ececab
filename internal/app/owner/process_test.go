package owner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"vademecum/internal/base/message"
)

// TestProcesses checks that the processes that serve a folder are found with their roles, and that
// those that have ended are not, and their files are removed.
func TestProcesses(t *testing.T) {
	dir := t.TempDir()
	notes, other := Settings{Version: "1", Folders: []string{"/notes"}}, Settings{Version: "1", Folders: []string{"/other"}}
	synctest.Test(t, func(t *testing.T) { // so that the times differ
		first := Register(dir, notes, RoleOwner, "")
		time.Sleep(time.Second)
		second := Register(dir, notes, RoleConnected, "")
		defer Register(dir, other, RoleOwner, "").End()
		check := func(when string, want ...Role) {
			t.Helper()
			var got []Role
			for _, p := range Processes(dir, "/notes") {
				if p.PID != os.Getpid() || (p.Role == RoleStandalone) != (p.StandaloneReason != "") {
					t.Errorf("%s: %+v", when, p)
				}
				got = append(got, p.Role)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s the roles are %q, want %q", when, got, want)
			}
		}
		check("at first", RoleOwner, RoleConnected)
		time.Sleep(time.Second)
		second.SetRole(RoleOwner, "") // the first owner was stopped and replaced
		check("after a take-over", RoleStandalone, RoleOwner)
		time.Sleep(time.Second)
		first.SetRole(RoleStandalone, ReplacedOwnerReason)
		check("when the first continues", RoleOwner, RoleStandalone)
		_ = second.lock.Close() // as the system does when a process is killed
		check("after a kill", RoleStandalone)
		if _, err := os.Stat(second.file); err == nil {
			t.Error("the file of a process that was killed is still there")
		}
		first.End()
		first.SetRole(RoleOwner, "")
		check("at the end")
	})
	if left, _ := filepath.Glob(filepath.Join(dir, serversFolder, "*")); len(left) != 0 {
		t.Errorf("what is left: %v", left)
	}
}

// TestDescriptionIsDiscreet checks that values of flags and variables, which may be secret, are not
// published.
func TestDescriptionIsDiscreet(t *testing.T) {
	dir := t.TempDir()
	s := Settings{Flags: []string{"store=postgres://me:hunter2@db/x"}, Environment: []string{"OPENAI_API_KEY=hunter2"}}
	r := Register(dir, s, RoleOwner, "")
	defer r.End()
	text, err := os.ReadFile(r.file)
	if err != nil || strings.Contains(string(text), "hunter2") || !strings.Contains(string(text), "OPENAI_API_KEY") {
		t.Errorf("%s, %v", text, err)
	}
	if !strings.HasSuffix(s.Environment[0], "=hunter2") {
		t.Error("the settings of the process itself are changed")
	}
}

// TestRegisterNowhere checks that a process that cannot publish a description goes on without.
func TestRegisterNowhere(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := Register(file, Settings{}, RoleOwner, "")
	if r != nil {
		t.Fatal("a file is used as a folder")
	}
	r.SetRole(RoleStandalone, "")
	r.End()
}

// TestDifference checks which settings are named as different.
func TestDifference(t *testing.T) {
	base := Settings{Version: "1", BuildID: "a", Folders: []string{"/notes"}, Flags: []string{"results=x", "embed=y"}, Environment: []string{"PGHOST=1"}}
	for _, c := range []struct {
		change func(*Settings)
		want   message.Message
	}{
		{func(*Settings) {}, ""},
		{func(s *Settings) { s.Version, s.BuildID = "2", "b" }, "version 2"},
		{func(s *Settings) { s.BuildID = "b" }, "another build of version 1"},
		{func(s *Settings) { s.Folders = append(s.Folders, "/more") }, "its folders"},
		{func(s *Settings) { s.Flags = []string{"results=z", "embed=y"} }, "--results"},
		{func(s *Settings) { s.Flags, s.Environment = nil, []string{"PGHOST=2"} }, "--embed; --results; PGHOST"},
	} {
		other := base
		c.change(&other)
		if got := other.Difference(base).String(); got != string(c.want) {
			t.Errorf("the difference is %q, want %q", got, c.want)
		}
	}
}
