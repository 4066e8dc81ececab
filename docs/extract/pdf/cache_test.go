package pdf

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEngineCacheKeepsSoundFiles(t *testing.T) {
	dir := testCacheDir(t)
	code := filepath.Join(dir, "wazero", "code")
	write := func(path, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	kept := func() bool {
		t.Helper()
		if _, err := openEngineCache(); err != nil {
			t.Fatal(err)
		}
		_, err := os.Stat(code)
		return err == nil
	}
	write(code, "machine code")
	if kept() {
		t.Error("a file without a checksum was kept")
	}
	write(code, "machine code")
	writeMissingSums()
	if !kept() {
		t.Error("a sound file was removed")
	}
	write(code, "machine c0de")
	if kept() {
		t.Error("a damaged file was kept")
	}
	write(code, "machine code")
	writeMissingSums()
	if !kept() {
		t.Error("a new file in place of the damaged one was removed")
	}
	write(code+sumSuffix, "")
	if kept() {
		t.Error("a file with a damaged checksum was kept")
	}
}

func TestEngineCacheThatCannotBe(t *testing.T) {
	dir := testCacheDir(t)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openEngineCache(); err == nil {
		t.Error("a file serves as a directory")
	}
}

// testCacheDir makes an empty directory the user's cache directory, and returns the path at which
// the engine is kept in it.
func testCacheDir(t *testing.T) string {
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} { // variables of Unix and macOS, of Linux, and of Windows
		t.Setenv(name, t.TempDir())
	}
	dir, err := engineCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
