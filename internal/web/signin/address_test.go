package signin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestOpenAddress: a page has the address that it had before, unless something else is
// there, or others could have learnt it.
func TestOpenAddress(t *testing.T) {
	file := filepath.Join(t.TempDir(), "open", "notes")
	open := func() (address, host string, end func()) {
		on, host, err := OpenAddress(file)
		if err != nil {
			t.Fatal(err)
		}
		return on.Addr().String(), host, func() { _ = on.Close() }
	}
	first, name, end := open()
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("the address is kept as %v, %v", info, err)
	}
	if busy, other, close := open(); busy == first || other == name {
		t.Errorf("two servers are at %s and %s of %s", first, busy, other)
	} else {
		close()
	}
	end()
	again, host, end := open()
	if again != first || host != name || !strings.HasPrefix(again, "127.0.0.1:") {
		t.Errorf("%s of %s is at %s of %s the next time", first, name, again, host)
	}
	end()
	for _, bad := range []string{"", "x", "evil.example.com:8000\n", strings.Repeat("a", 26) + ".localhost:80\n", strings.Repeat("a", 26) + ".localhost:8000\nmore"} {
		if err := os.WriteFile(file, []byte(bad), 0o600); err != nil {
			t.Fatal(err)
		}
		_, host, end := open()
		if !strings.HasSuffix(host, ".localhost") || host == strings.Repeat("a", 26)+".localhost" {
			t.Errorf("%q leads to %s", bad, host)
		}
		end()
	}
	if runtime.GOOS == "windows" {
		return
	}
	_, name, end = open()
	end()
	if err := os.Chmod(file, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, host, end := open(); host == name {
		t.Error("a name that others could read is used again")
	} else {
		end()
	}
}
