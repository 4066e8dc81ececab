package e2e

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vademecum/docs/extract/extracttest"
)

// compiledEngine is the folder in the user's cache with the compiled reader of PDFs, which the
// first indexing of a PDF leaves there.
var compiledEngine = sync.OnceValues(func() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp("", "engine")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(filepath.Join(dir, "a.pdf"), extracttest.PDF("", extracttest.PDFLines("alpha")), 0o600); err != nil {
		return "", err
	}
	c := exec.Command(exe, "index", dir, "--index", filepath.Join(dir, "index.db"), "--ocr", "off")
	c.Env = append(os.Environ(), asProgram+"=1")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("index a PDF: %w: %s", err, out)
	}
	cache, err := os.UserCacheDir()
	return filepath.Join(cache, "vademecum", "wasm"), err
})

// cacheWithEngine returns a cache folder that contains only the compiled reader of PDFs: compiling
// it takes minutes on a slow machine with the race detector.
func cacheWithEngine(t testing.TB) string {
	t.Helper()
	cache := t.TempDir()
	linkEngine(t, cache)
	return cache
}

// linkEngine links the compiled reader of PDFs into a cache folder.
func linkEngine(t testing.TB, cache string) {
	t.Helper()
	engine, err := compiledEngine()
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(engine, func(path string, entry fs.DirEntry, err error) error {
		to := filepath.Join(cache, "vademecum", "wasm", strings.TrimPrefix(path, engine))
		switch {
		case err != nil || strings.HasSuffix(path, ".tmp"): // another process is writing this file
			return err
		case entry.IsDir():
			return os.MkdirAll(to, 0o700)
		}
		if os.Link(path, to) == nil {
			return nil
		}
		content, err := os.ReadFile(path) // links to another drive are impossible
		if err != nil {
			return err
		}
		return os.WriteFile(to, content, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
}
