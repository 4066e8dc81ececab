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
	users := filepath.Join(dir, "export", "users.json")
	write := func(name string, at time.Time) {
		t.Helper()
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
	write("Bo Quay", now)
	for range 3 {
		if got := name("export"); got != "Bo Quay" || read != 3 {
			t.Fatalf("the user is called %q after %d files were read", got, read)
		}
	}
	write("Bo Wharf", now.Add(time.Second))
	if got := name("export"); got != "Bo Wharf" || read != 6 {
		t.Errorf("after a change the user is called %q, and %d files were read", got, read)
	}
	if got := name("other"); got != "" {
		t.Errorf("in another export the user is called %q", got)
	}
}
