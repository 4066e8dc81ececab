package signin

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// give creates a token and appends its entry to the file.
func give(t testing.TB, file, name string, scopes []string, groups ...string) string {
	t.Helper()
	token, e, err := NewTokenEntry(name, scopes, groups)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Append(file); err != nil {
		t.Fatal(err)
	}
	return token
}

// TestTokens checks that a token is valid as long as its line is in the file, and that neither the
// file nor the log contains it.
func TestTokens(t *testing.T) {
	var said bytes.Buffer
	log := slog.New(slog.NewTextHandler(&said, nil))
	file := filepath.Join(t.TempDir(), "tokens")
	alice := give(t, file, "alice", []string{ScopeRead}, "cardio", "护士")
	tokens, err := OpenTokenStore(file, "", log)
	if err != nil {
		t.Fatal(err)
	}
	u, err := tokens.Check(t.Context(), alice)
	if err != nil || u.Name != "alice" || u.ID != "token:alice" || strings.Join(u.Groups, " ") != "cardio 护士" || !u.HasScope(ScopeRead) || u.HasScope(ScopeUpdateIndex) {
		t.Errorf("alice is %+v, %v", u, err)
	}
	bob := give(t, file, "bob", DocumentScopes)
	if u, err := tokens.Check(t.Context(), bob); err != nil || !u.HasScope(ScopeUpdateIndex) {
		t.Errorf("a token that was added is not taken: %v", err)
	}
	for _, wrong := range []string{"", "vdm_", alice[:len(alice)-1], alice + "A", strings.ToLower(alice), "alice"} {
		if _, err := tokens.Check(t.Context(), wrong); !errors.Is(err, ErrInvalidToken) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{alice, bob, alice[4:], bob[4:]} {
		if bytes.Contains(kept, []byte(secret)) || strings.Contains(said.String(), secret) {
			t.Error("a token is written down")
		}
	}
	_, onlyBob, _ := bytes.Cut(kept, []byte("\n"))
	if err := os.WriteFile(file, onlyBob, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Check(t.Context(), alice); !errors.Is(err, ErrInvalidToken) {
		t.Errorf("a token without a line: %v", err)
	}
	if runtime.GOOS != "windows" {
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
		give(t, file, "mallory", DocumentScopes)
		if _, err := tokens.Check(t.Context(), bob); err != nil || tokens.count() != 1 || strings.Count(said.String(), "cannot be read again") != 1 {
			t.Errorf("a file that everyone may write to takes the tokens away, or adds some: %v\n%s", err, said.String())
		}
	}
}

// TestTokensOfADamagedFile checks that a file that is not a token file, or only half of one, leaves
// the previous tokens valid, and is logged.
func TestTokensOfADamagedFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	alice := give(t, file, "alice", DocumentScopes)
	bob := give(t, file, "bob", DocumentScopes)
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"garbage":      "\x7fELF\x02\x01\x01 \xff\xfe\n\n\x00",
		"zeros":        strings.Repeat("\x00", len(good)),
		"zeros behind": string(good[:90]) + strings.Repeat("\x00", 90),
		"UTF-16":       "\xff\xfea\x00l\x00i\x00c\x00e\x00\n\x00",
		"GBK":          strings.Replace(string(good), "bob", "\xbb\xa4\xca\xbf", 1),
		"another file": "[Service]\nExecStart=/usr/bin/vademecum\n",
		"a page":       "<!DOCTYPE html>\n<title>502</title>",
		"half":         string(good[:len(good)-60]),
		"half a line":  string(good[:40]),
		"empty":        "",
		"large":        strings.Repeat("# much\n", 1<<20),
	} {
		t.Run(name, func(t *testing.T) {
			var said bytes.Buffer
			if err := os.WriteFile(file, good, 0o600); err != nil {
				t.Fatal(err)
			}
			tokens, err := OpenTokenStore(file, "", slog.New(slog.NewTextHandler(&said, nil)))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			for _, token := range []string{alice, bob} {
				if _, err := tokens.Check(t.Context(), token); err != nil {
					t.Error(err)
				}
			}
			if tokens.Reload() == nil || strings.Count(said.String(), "cannot be read again") != 1 {
				t.Errorf("the log has %s", said.String())
			}
		})
	}
}

// TestTokensOfAFileThatIsGone checks that a missing or unreadable file leaves the previous tokens
// valid, and that a file that stays empty does not.
func TestTokensOfAFileThatIsGone(t *testing.T) {
	var said bytes.Buffer
	file := filepath.Join(t.TempDir(), "tokens")
	alice := give(t, file, "alice", DocumentScopes)
	tokens, err := OpenTokenStore(file, "", slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Check(t.Context(), alice); err != nil || tokens.Reload() == nil {
		t.Errorf("without a file: %v", err)
	}
	if err := os.Mkdir(file, 0o700); err != nil { // a directory can be opened but not read, even by root
		t.Fatal(err)
	}
	if _, err := tokens.Check(t.Context(), alice); err != nil || tokens.Reload() == nil {
		t.Errorf("a file that cannot be read: %v", err)
	}
	if err := errors.Join(os.Remove(file), os.WriteFile(file, nil, 0o600), os.Chtimes(file, time.Time{}, time.Now().Add(-time.Minute))); err != nil {
		t.Fatal(err)
	}
	if _, err := tokens.Check(t.Context(), alice); !errors.Is(err, ErrInvalidToken) || !strings.Contains(said.String(), "tokens read again: 0, one fewer (alice)") {
		t.Errorf("an empty file: %v\n%s", err, said.String())
	}
}

// TestTokensReadAgain checks that the log names the users who were added, removed and changed.
func TestTokensReadAgain(t *testing.T) {
	var said bytes.Buffer
	file := filepath.Join(t.TempDir(), "tokens")
	for _, name := range []string{"alice", "bob", "dave"} {
		give(t, file, name, DocumentScopes)
	}
	tokens, err := OpenTokenStore(file, "", slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	if said.Len() > 0 {
		t.Errorf("at the start: %s", said.String())
	}
	expect := func(want string) {
		t.Helper()
		said.Reset()
		if err := tokens.Reload(); err != nil || !strings.Contains(said.String(), `msg="tokens read again: `+want+`"`) {
			t.Errorf("%v, want %s, got %s", err, want, said.String())
		}
	}
	expect("3")
	entries, _, err := ReadTokenEntries(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := RevokeTokens(file, entries[2:]); err != nil {
		t.Fatal(err)
	}
	expect("2, one fewer (dave)")
	give(t, file, "erin", DocumentScopes)
	give(t, file, "alice", DocumentScopes)
	expect("4, 2 more (alice, erin)")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, bytes.Replace(text, []byte("read,index"), []byte("read"), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	expect("4, one changed (alice)")
	for i := range 30 {
		give(t, file, fmt.Sprintf("nurse%02d", i), DocumentScopes)
	}
	said.Reset()
	_ = tokens.Reload()
	if !strings.Contains(said.String(), ", 30 more (nurse00, ") || !strings.Contains(said.String(), " and 10 more)") {
		t.Errorf("many: %s", said.String())
	}
}

// TestTokensOfAList checks that the list in the environment has the same format as the file.
func TestTokensOfAList(t *testing.T) {
	token, e, err := NewTokenEntry("alice", DocumentScopes, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, other, err := NewTokenEntry("bob", DocumentScopes, nil)
	if err != nil {
		t.Fatal(err)
	}
	tokens, err := OpenTokenStore("", e.String()+"; "+other.String()+";", slog.Default())
	if err != nil || tokens.count() != 2 {
		t.Fatalf("%v", err)
	}
	if u, err := tokens.Check(t.Context(), token); err != nil || u.Name != "alice" {
		t.Errorf("%+v, %v", u, err)
	}
	if _, err := OpenTokenStore("", "alice "+token+" read", slog.Default()); err == nil || strings.Contains(err.Error(), token) {
		t.Errorf("a list with a token in clear: %v", err)
	}
}

// TestTokensThatAreWrong checks that an invalid line neither admits anybody nor invalidates others.
func TestTokensThatAreWrong(t *testing.T) {
	var said bytes.Buffer
	file := filepath.Join(t.TempDir(), "tokens")
	token := "vdm_in-clear"
	text := "# a comment\n\nalice " + token + " read\nbob sha256:00 read\nx y z a b\n" + strings.Repeat("f", 100) + "\nmallory sha256:" + strings.Repeat("0", 64) + " admin"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	good := give(t, file, "carol", DocumentScopes)
	tokens, err := OpenTokenStore(file, "", slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil || tokens.count() != 1 {
		t.Fatalf("%v", err)
	}
	if _, err := tokens.Check(t.Context(), good); err != nil {
		t.Error(err)
	}
	if !strings.Contains(said.String(), "line=3") || strings.Contains(said.String(), token) {
		t.Errorf("the log has %s", said.String())
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(file, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenTokenStore(file, "", slog.Default()); err == nil {
		t.Error("a file that everyone may write to is taken")
	}
}

func TestNewEntryRefuses(t *testing.T) {
	for _, name := range []string{"", "a b", "a:b", "a,b", "a\n", "#", strings.Repeat("a", 65)} {
		if _, _, err := NewTokenEntry(name, DocumentScopes, nil); err == nil {
			t.Errorf("%q is a name", name)
		}
		if _, _, err := NewTokenEntry("alice", DocumentScopes, []string{name}); err == nil {
			t.Errorf("%q is a group", name)
		}
	}
	if _, _, err := NewTokenEntry("alice", []string{"admin"}, nil); err == nil {
		t.Error("admin is a scope")
	}
	if _, _, err := NewTokenEntry("alice", nil, nil); err == nil {
		t.Error("a token that may nothing is made")
	}
}

// FuzzParseEntry checks that an entry is written as it was read, and that no line causes a panic.
func FuzzParseEntry(f *testing.F) {
	f.Add("alice sha256:" + strings.Repeat("ab", 32) + " read,index cardio,nurses")
	f.Add("alice sha256:" + strings.Repeat("ab", 32) + " read made=2026-11-23")
	f.Fuzz(func(t *testing.T, line string) {
		e, err := parseEntry(line)
		if err != nil {
			return
		}
		again, err := parseEntry(e.String())
		if err != nil || again.String() != e.String() {
			t.Errorf("%q becomes %q, %v", line, e, err)
		}
	})
}

// TestNames checks that users and groups may have names in any language that lists can separate.
func TestNames(t *testing.T) {
	for name, want := range map[string]bool{
		"anna": true, "王小明": true, "a.b_c@d+e-f": true, "Ⅳ²": true, strings.Repeat("ü", 64): true,
		"": false, strings.Repeat("ü", 65): false, "a b": false, "a,b": false, "group:a": false, "a\n": false, "a\xff": false, "e\u0301": false,
	} {
		if IsValidName(name) != want {
			t.Errorf("%q may be a name: %t", name, !want)
		}
	}
}
