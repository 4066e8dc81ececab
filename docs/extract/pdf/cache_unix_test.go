//go:build unix

package pdf

import (
	"os"
	"path/filepath"
	"testing"
)

// TestEngineCacheOfOthers checks that machine code which another user may have written is not run,
// whatever its checksum, and is not changed.
func TestEngineCacheOfOthers(t *testing.T) {
	for _, what := range []string{"..", ".", "wazero", "wazero/code", "wazero/code.crc32c"} {
		t.Run(what, func(t *testing.T) {
			dir := testCacheDir(t)
			code := filepath.Join(dir, "wazero", "code")
			if err := os.MkdirAll(filepath.Dir(code), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(code, []byte("machine code"), 0o600); err != nil {
				t.Fatal(err)
			}
			writeMissingSums()
			if _, err := openEngineCache(); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, filepath.FromSlash(what))
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path, info.Mode().Perm()|0o020); err != nil {
				t.Fatal(err)
			}
			if _, err := openEngineCache(); err == nil {
				t.Error("it is used")
			}
			if _, err := os.Stat(code); err != nil {
				t.Error(err)
			}
			if err := os.Chmod(path, info.Mode().Perm()); err != nil {
				t.Fatal(err)
			}
			if _, err := openEngineCache(); err != nil {
				t.Errorf("it is not used any more: %v", err)
			}
			if os.Geteuid() != 0 {
				return // only root may give files to another user
			}
			if err := os.Chown(path, 4711, -1); err != nil {
				t.Fatal(err)
			}
			if _, err := openEngineCache(); err == nil {
				t.Error("another user's is used")
			}
		})
	}
}
