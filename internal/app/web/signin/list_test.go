package signin

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestRevoke checks that the lines of revoked tokens become comments, and that the rest of the file
// and its permissions stay the same.
func TestRevoke(t *testing.T) {
	hash := func(digit string) string { return "sha256:" + strings.Repeat(digit, 64) }
	file := filepath.Join(t.TempDir(), "tokens")
	parts := []string{
		"\ufeff# of the ward\r\n\r\n",
		"alice " + hash("a") + " read\r\n",
		"  护士\t" + hash("b") + "  read,index   cardio,心内 made=2026-11-23  \n",
		"broken line\n# alice has two\n",
		"alice " + hash("c") + " read cardio",
	}
	if err := os.WriteFile(file, []byte(strings.Join(parts, "")), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(file, time.Time{}, time.Now().Add(time.Hour)); err != nil { // as if the clock had been set back
		t.Fatal(err)
	}
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	entries, wrong, err := ReadTokenEntries(file)
	if err != nil || len(wrong) != 1 || len(entries) != 3 || entries[1].CreationDay() != "2026-11-23" || entries[0].CreationDay() != "" || entries[2].ID() != "cccccccc" {
		t.Fatalf("%v, %v, %v", entries, wrong, err)
	}
	if err := RevokeTokens(file, entries[1:]); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := string(text)
	for _, kept := range []string{parts[0] + parts[1], "\n" + parts[3]} {
		if !strings.Contains(got, kept) {
			t.Errorf("%q is lost of %q", kept, got)
		}
	}
	if !strings.Contains(got, "# 护士 bbbbbbbb revoked ") || !strings.Contains(got, "# alice cccccccc revoked ") || strings.Contains(got, hash("b")) || strings.Contains(got, hash("c")) || len(got) != len(strings.Join(parts, "")) {
		t.Errorf("%q", got)
	}
	after, err := os.Stat(file)
	if err != nil || !os.SameFile(before, after) || after.Mode() != before.Mode() || !after.ModTime().After(before.ModTime()) {
		t.Errorf("it is another file, or as old as before: %v, %v", after, err)
	}
	if entries, _, err = ReadTokenEntries(file); err != nil || len(entries) != 1 || entries[0].ID() != "aaaaaaaa" {
		t.Errorf("left are %v, %v", entries, err)
	}
	if err := RevokeTokens(file, entries); err != nil {
		t.Error(err)
	}
}

// TestRevokeOfALongName checks that the comment fits into the shortest possible line.
func TestRevokeOfALongName(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	name := strings.Repeat("护", 64)
	if err := os.WriteFile(file, fmt.Appendf(nil, "%s sha256:%064d read", name, 1), 0o600); err != nil {
		t.Fatal(err)
	}
	entries, _, err := ReadTokenEntries(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := RevokeTokens(file, entries); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(file); !strings.HasPrefix(string(text), "# "+name+" 00000000 revoked ") {
		t.Errorf("%q", text)
	}
}

// TestRevokeOfAFileThatChanges checks that only the line itself is overwritten, even if the file
// changes meanwhile.
func TestRevokeOfAFileThatChanges(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	give(t, file, "alice", DocumentScopes)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := parseLines(string(text))
	if err := os.WriteFile(file, append([]byte("# new\n"), text...), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := lines[0].commentOut(f); err == nil {
		t.Error("a line is written over that is not there any more")
	}
	if now, _ := os.ReadFile(file); string(now) != "# new\n"+string(text) {
		t.Errorf("%q", now)
	}
	if err := checkRevoked(file, []TokenEntry{lines[0].entry}); err == nil {
		t.Error("a token that is still there is not told")
	}
}

// TestAppendKeeps checks that a new file can be read only by its owner, and that an existing one
// keeps its permissions and its last line.
func TestAppendKeeps(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tokens")
	give(t, file, "alice", DocumentScopes)
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	if err := os.WriteFile(file, []byte("# without an end"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	give(t, file, "bob", DocumentScopes)
	text, err := os.ReadFile(file)
	if err != nil || !strings.HasPrefix(string(text), "# without an end\nbob sha256:") {
		t.Errorf("%q, %v", text, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info, err)
	}
}
