package pdf

import (
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tetratelabs/wazero"

	"vademecum/internal/base/system"
)

// The compiled engine is kept in the user's cache directory, where wazero stores one file for each
// version and processor. wazero does not detect all damage to such a file, and damaged machine code
// may do anything. So each file has a checksum beside it, and a file without a correct one is
// removed before use. Processes that do this at the same time may compile the same code once more
// than needed.

const (
	sumSuffix = ".crc32c"
	tmpSuffix = ".tmp" // suffix of files that wazero is writing
	tmpAge    = time.Hour
)

func engineCacheDir() (string, error) {
	dir, err := system.CacheDir()
	return filepath.Join(dir, "wasm"), err
}

// openEngineCache opens the cache after removing invalid files.
func openEngineCache() (wazero.CompilationCache, error) {
	dir, err := engineCacheDir()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := checkEngineCache(dir); err != nil {
		return nil, err
	}
	if err := eachCachedFile(dir, removeUnverified); err != nil {
		return nil, err
	}
	return wazero.NewCompilationCacheWithDir(dir)
}

// checkEngineCache returns an error if a user other than the current one may have written the
// machine code or can still write it: a checksum beside it would then prove nothing.
func checkEngineCache(dir string) error {
	if err := system.CheckOwner(filepath.Dir(dir)); err != nil {
		return err
	}
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return ignoreMissing(err)
		case entry.Type()&fs.ModeSymlink != 0:
			return fmt.Errorf("%s is a link", path)
		}
		return system.CheckOwner(path)
	})
}

// writeMissingSums writes the checksums that are missing. Files that remain without one are removed
// before the next use.
func writeMissingSums() {
	if dir, err := engineCacheDir(); err == nil {
		_ = eachCachedFile(dir, writeSum)
	}
}

// eachCachedFile calls f for each file of machine code.
func eachCachedFile(dir string, f func(path string) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil || entry.IsDir() || strings.HasSuffix(path, sumSuffix):
			return err
		case strings.HasSuffix(path, tmpSuffix):
			return removeStaleTemp(path, entry)
		}
		return f(path)
	})
}

// removeStaleTemp removes a temporary file left by a process that ended while writing it.
func removeStaleTemp(path string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err == nil && time.Since(info.ModTime()) > tmpAge {
		err = os.Remove(path)
	}
	return ignoreMissing(err)
}

func removeUnverified(path string) error {
	sum, err := sumOf(path)
	if err != nil {
		return ignoreMissing(err)
	}
	if written, err := os.ReadFile(path + sumSuffix); err == nil && string(written) == sum {
		return nil
	}
	return ignoreMissing(errors.Join(os.Remove(path), ignoreMissing(os.Remove(path+sumSuffix))))
}

func writeSum(path string) error {
	if _, err := os.Stat(path + sumSuffix); err == nil {
		return nil
	}
	sum, err := sumOf(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path+sumSuffix, []byte(sum), 0o600)
}

func sumOf(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	n, err := io.Copy(sum, f)
	return fmt.Sprintf("%08x %d\n", sum.Sum32(), n), err
}

// ignoreMissing returns err, or nil if the error is that a file does not exist because another
// process has removed it.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
