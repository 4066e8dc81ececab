package access

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vademecum/internal/app/web/signin"
)

// TestRights checks that the rules are those of the file as it is now, that folders without a rule
// are closed, and that an invalid file changes nothing.
func TestRights(t *testing.T) {
	var said bytes.Buffer
	file := filepath.Join(t.TempDir(), "rights")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# who sees what\n\nalice,group:heart = cardio\n")
	if _, err := OpenRuleStore([]string{"open", "cardio"}, nil, file, slog.Default()); err == nil {
		t.Error("a folder that is not served is taken")
	}
	write("# who sees what\n\nalice,group:heart=cardio\r\n*=open\n")
	r, err := OpenRuleStore([]string{"open", "cardio", "diary"}, []string{"bob=cardio"}, file, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	expect := func(what, want string) {
		t.Helper()
		got := fmt.Sprint(r.Rules().foldersSeenBy(signin.User{Name: "alice"}), r.Rules().foldersSeenBy(signin.User{Name: "bob"}), r.Rules().foldersSeenBy(signin.User{Name: "eve"}))
		if got != want {
			t.Errorf("%s: alice, bob and eve see %s, want %s", what, got, want)
		}
	}
	expect("as it was", "[0 1] [0 1] [0]")
	write("eve=diary\nalice=open\n")
	expect("changed", "[0] [1] [2]")
	for i, broken := range []string{"", "# nothing but words to the reader\n", "*=open\n*=cardio\neve=nowhere\n", "*=open\neve"} {
		write(broken)
		expect("broken", "[0] [1] [2]")
		if n := strings.Count(said.String(), "the file of rights cannot be read again"); n > i+1 || n == 0 {
			t.Errorf("after %d broken files %d lines are logged: %s", i+1, n, said.String())
		}
	}
	if !strings.Contains(said.String(), "line 3: the folder nowhere is not served") {
		t.Errorf("nobody learns what is wrong: %s", said.String())
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	expect("gone", "[0] [1] [2]")
	if err := r.Reload(); err == nil {
		t.Error("a file that is gone is read again")
	}
	write("*=open\n*=cardio\n*=diary\n")
	expect("whole again", "[0 1 2] [0 1 2] [0 1 2]")
}

// TestRightsWithoutFile checks that without a file the rules from the start stay in force.
func TestRightsWithoutFile(t *testing.T) {
	r, err := OpenRuleStore([]string{"open", "cardio"}, []string{"bob=cardio"}, "", slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Reload(); err != nil {
		t.Error(err)
	}
	if got := fmt.Sprint(r.Rules().foldersSeenBy(signin.User{}), r.Rules().foldersSeenBy(signin.User{Name: "bob"})); got != "[0] [0 1]" {
		t.Errorf("nobody and bob see %s", got)
	}
}

// FuzzAddList checks that no list of rules causes a panic, or admits a user whom it does not name.
func FuzzAddList(f *testing.F) {
	f.Add("alice,group:heart=cardio\n# comment\n*=open")
	f.Fuzz(func(t *testing.T, text string) {
		r := newRules([]string{"open", "cardio"})
		r.closed = true
		if r.addRuleLines(text) != nil || strings.Contains(text, everyone) {
			return
		}
		if seen := r.foldersSeenBy(signin.User{Name: "a name that has spaces", Groups: []string{"and its group"}}); len(seen) > 0 && !strings.Contains(text, "spaces") && !strings.Contains(text, "group:") {
			t.Errorf("%q lets anyone in", text)
		}
	})
}
