package cli

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
)

// TestFollowNames checks that names in rules that no user has are logged at the start, and whenever
// tokens or rules are reloaded.
func TestFollowNames(t *testing.T) {
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	dir := t.TempDir()
	file, rules := filepath.Join(dir, "tokens"), filepath.Join(dir, "rights")
	give := func(name string, groups ...string) error {
		_, e, err := signin.NewTokenEntry(name, signin.DocumentScopes, groups)
		return errors.Join(err, e.Append(file))
	}
	if err := errors.Join(give("alice", "cardio"), give("bob"), os.WriteFile(rules, []byte("*=notes\nalice,alicia,group:cardio,group:crdio=cardio\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	tokens, err := signin.OpenTokenStore(file, "", log)
	if err != nil {
		t.Fatal(err)
	}
	rights, err := access.OpenRuleStore([]string{"notes", "cardio"}, []string{"bob,zoe=cardio"}, rules, log)
	if err != nil {
		t.Fatal(err)
	}
	expect := func(when string, err error, want ...string) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(said.String(), "a rule of --allow") != len(want) {
			t.Errorf("%s: %s", when, said.String())
		}
		for _, w := range want {
			if !strings.Contains(said.String(), w+"\n") {
				t.Errorf("%s: no %s in %s", when, w, said.String())
			}
		}
		said.Reset()
	}
	f := httpFlags{rights: rules}
	f.keepWarningOfNames(&signin.Authenticator{Checkers: []signin.Checker{tokens}}, rights, log)
	expect("at the start", nil, "user=alicia meant=alice", "user=zoe", "group=crdio meant=cardio")
	expect("a token is added", errors.Join(give("zoe", "crdio"), tokens.Reload()), "user=alicia meant=alice")
	expect("a rule is changed", errors.Join(os.WriteFile(rules, []byte("alice,eve=cardio\n"), 0o600), rights.Reload()), "user=eve")
	f.issuer = "https://login.example.com" // the provider may have a user eve
	f.keepWarningOfNames(&signin.Authenticator{Checkers: []signin.Checker{tokens}}, rights, log)
	expect("with a provider", nil)
}

// TestCheckNames checks that names that no token can have are refused in rules, like by token new.
func TestCheckNames(t *testing.T) {
	for rule, good := range map[string]bool{"alice,group:cardio": true, "*": true, "zoë@x.org": true, "alice, bob": false, "group:a b": false, "grop:cardio": false} {
		rules, err := access.Parse([]string{"notes"}, []string{rule + "=notes"})
		if err != nil {
			t.Fatal(err)
		}
		if err := checkRuleNames(rules); (err == nil) != good {
			t.Errorf("%s: %v", rule, err)
		}
	}
}

// TestCertified checks for which names a certificate has to be valid.
func TestCertified(t *testing.T) {
	for _, c := range []struct {
		flags httpFlags
		want  []string
	}{
		{httpFlags{address: "0.0.0.0:443"}, nil},
		{httpFlags{address: ":443"}, nil},
		{httpFlags{address: "192.168.1.5:443"}, []string{"192.168.1.5"}},
		{httpFlags{address: "[::1]:443"}, []string{"::1"}},
		{httpFlags{address: "kb:443", hosts: []string{"a.example.com", "b.example.com:8443"}}, []string{"a.example.com", "b.example.com"}},
		{httpFlags{address: "127.0.0.1:443", hosts: []string{"a"}, public: "https://KB.example.com:8765/x"}, []string{"KB.example.com"}},
	} {
		if got := c.flags.certificateNames(); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.flags, got, c.want)
		}
	}
}
