package docs

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestLastSlackNames: the names of an export are read once for all of its messages, and again when
// they have changed.
func TestLastSlackNames(t *testing.T) {
	dir := t.TempDir()
	write := func(export, name string, at time.Time) {
		t.Helper()
		users := filepath.Join(dir, export, "users.json")
		if err := os.MkdirAll(filepath.Dir(users), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(users, []byte(`[{"id":"U2","team_id":"T1","profile":{"real_name":"`+name+`"}}]`), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(users, at, at); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	var l lastSlackNames
	read := 0
	name := func(export string) string {
		return l.in(root, export, func(p string) []byte {
			read++
			content, _ := root.ReadFile(p)
			return content
		})["U2"]
	}
	now := time.Unix(1_700_000_000, 0)
	write("export", "Bo Quay", now)
	for range 3 {
		if got := name("export"); got != "Bo Quay" || read != 3 {
			t.Fatalf("the user is called %q after %d files were read", got, read)
		}
	}
	write("export", "Bo Wharf", now.Add(time.Second))
	if got := name("export"); got != "Bo Wharf" || read != 6 {
		t.Errorf("after a change the user is called %q, and %d files were read", got, read)
	}
	write("export", "Bo Pier", now.Add(time.Second))
	if got := name("export"); got != "Bo Pier" {
		t.Errorf("after a change within the same moment the user is called %q", got)
	}
	write("other", "Al Pier", now.Add(time.Second))
	if got := name("other"); got != "Al Pier" {
		t.Errorf("in another export of the same moment the user is called %q", got)
	}
	if got := name("none"); got != "" {
		t.Errorf("where there are no names the user is called %q", got)
	}
	if err := os.Mkdir(filepath.Join(dir, "linked"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "export", "users.json"), filepath.Join(dir, "linked", "users.json")); err != nil {
		t.Skip("there are no links here")
	}
	for i, want := range []string{"Bo Pier", "Bo Shore"} {
		write("export", want, now.Add(time.Duration(i+1)*time.Second))
		if got := name("linked"); got != want {
			t.Errorf("by a link the user is called %q, want %q", got, want)
		}
	}
}
