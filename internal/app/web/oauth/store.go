package oauth

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/system"

	"vademecum/internal/app/web/reread"
)

// storedGrants is the content of the grants file.
type storedGrants struct {
	Key    []byte   `json:"key"` // signs client IDs, consent requests, codes and tokens
	Grants []*Grant `json:"grants"`
}

func (b *storedGrants) find(id string) *Grant {
	if i := slices.IndexFunc(b.Grants, func(g *Grant) bool { return g.ID == id }); i >= 0 {
		return b.Grants[i]
	}
	return nil
}

func (b *storedGrants) remove(id string) {
	b.Grants = slices.DeleteFunc(b.Grants, func(g *Grant) bool { return g.ID == id })
}

// GrantStore stores grants in a file. Several servers may share the file, and commands change it, so
// the file is locked and read again before each change. If the file is missing, all grants have
// ended.
type GrantStore struct {
	file  string
	files *reread.Files
	last  atomic.Pointer[storedGrants] // content of the file as last read or written
	log   *slog.Logger
}

// GrantsFileIn returns the path of the grants file in a user's configuration directory.
func GrantsFileIn(configDir string) string {
	return filepath.Join(configDir, "vademecum", "grants.json")
}

// OpenGrantStore opens a grants file, which it creates if it does not exist.
func OpenGrantStore(file string, log *slog.Logger) (*GrantStore, error) {
	g := &GrantStore{file: file, log: log}
	if err := g.updateFile(func(*storedGrants) (bool, error) { return false, nil }); err != nil {
		return nil, err
	}
	var err error
	g.files, err = reread.Open(log, "the file of grants", g.readFile, file)
	return g, err
}

// ListGrants returns the grants in a file except pending ones; none if the file does not exist.
func ListGrants(file string) ([]Grant, error) {
	b, err := readStoredGrants(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := make([]Grant, 0, len(b.Grants))
	for _, g := range b.Grants {
		if g.Code == nil {
			all = append(all, *g)
		}
	}
	return all, nil
}

// EndGrants ends the grants with these IDs in a file, and returns those that existed.
func EndGrants(file string, log *slog.Logger, ids []string) (ended []Grant, err error) {
	g := &GrantStore{file: file, log: log}
	err = g.updateFile(func(b *storedGrants) (bool, error) {
		ended = nil
		for _, id := range ids {
			if it := b.find(id); it != nil {
				ended = append(ended, *it)
				b.remove(id)
			}
		}
		return len(ended) > 0, nil
	})
	return ended, err
}

var errDamaged = message.Errorf("it is damaged")

func readStoredGrants(file string) (*storedGrants, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // opening a pipe may block forever
		return nil, message.Errorf("read %s: it is not a file", file)
	}
	text, _, err := reread.ReadFile(file)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 { // such as a file that was created to be mounted into a container
		return nil, message.Errorf("read %s: it is empty: %v", file, fs.ErrNotExist)
	}
	var b storedGrants
	if err := json.Unmarshal(text, &b); err != nil || len(b.Key) != keyLength || slices.Contains(b.Grants, nil) {
		return nil, message.Errorf("read %s: %v", file, errDamaged)
	}
	return &b, nil
}

const keyLength = 32

// lockTimeout is how long updateFile waits for other processes to release the lock.
const lockTimeout = 5 * time.Second

func newStoredGrants() *storedGrants {
	key := make([]byte, keyLength)
	_, _ = rand.Read(key) // never returns an error
	return &storedGrants{Key: key}
}

// readFile reads the file after it has changed. If the file is missing or damaged, all grants have
// ended, and a new file is created. If a damaged file cannot be replaced, they have ended only in
// memory.
func (g *GrantStore) readFile() error {
	b, err := readStoredGrants(g.file)
	isDamaged := errors.Is(err, errDamaged) // another process may just be overwriting it: updateFile waits for its lock
	switch {
	case err == nil:
		g.last.Store(b)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		g.log.Warn("the file of grants is gone: all grants have ended", "file", g.file)
	case !isDamaged:
		return err
	}
	err = g.updateFile(func(*storedGrants) (bool, error) { return false, nil })
	if err != nil && isDamaged {
		g.last.Store(newStoredGrants())
	}
	return err
}

// current returns the grants that are in the file now. It does not lock the file.
func (g *GrantStore) current() *storedGrants {
	g.files.ReloadIfChanged()
	return g.last.Load()
}

// updateFile locks and reads the file, calls do, and writes the file if do has changed the grants,
// even if do returns an error. do must use only the grants that it is passed, and must not call
// current, which may need the lock as well.
func (g *GrantStore) updateFile(do func(*storedGrants) (changed bool, err error)) error {
	if err := os.MkdirAll(filepath.Dir(g.file), 0o700); err != nil {
		return message.Errorf("keep grants: %v", err)
	}
	file, err := followLinks(g.file)
	if err != nil {
		return message.Errorf("keep grants: %v", err)
	}
	lock := system.NewFileLock(file + ".lock")
	defer lock.Close()
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	if locked, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil || !locked {
		return message.Errorf("keep grants: lock %s: %v", file, err)
	}
	giveToOwnerOf(file+".lock", file)
	b, isNew, err := g.readForUpdate(file)
	if err != nil {
		return message.Errorf("keep grants: %v", err)
	}
	changed, err := do(b)
	if err != nil && !changed && !isNew { // the file stays as it is
		return err
	}
	if changed || isNew {
		if err := b.write(file); err != nil {
			return message.Errorf("keep grants: %v", err)
		}
	}
	g.last.Store(b)
	return err
}

// readForUpdate reads the file in order to change it. isNew reports that the file must be written
// even without a change. A damaged file is copied to another name, and all its grants have ended:
// those in memory must not be used, as they may have been revoked since.
func (g *GrantStore) readForUpdate(file string) (b *storedGrants, isNew bool, err error) {
	b, err = readStoredGrants(file)
	switch {
	case err == nil:
		g.restrictToOwner(file)
		return b, false, nil
	case errors.Is(err, fs.ErrNotExist):
		return newStoredGrants(), true, nil
	case !errors.Is(err, errDamaged):
		return nil, false, err
	}
	aside := file + ".damaged"
	text, _, _ := reread.ReadFile(file)
	if file != g.file && !isOfGrants(text) {
		return nil, false, message.Errorf("%s leads to %s, which is not a file of grants", g.file, file)
	}
	if err := replaceFile(aside, text); err != nil {
		return nil, false, err
	}
	giveToOwnerOf(aside, file)
	g.log.Warn("the file of grants is damaged and is set aside: all grants have ended, and programs have to be connected again", "file", file, "aside", aside)
	b = newStoredGrants()
	if key := keyIn(text); key != nil {
		b.Key = key
	}
	return b, true, nil
}

// isOfGrants reports whether a damaged file may have been a grants file: it is empty, truncated
// JSON or zeroed. A file with other content is not replaced, as a link may lead to it by mistake.
func isOfGrants(text []byte) bool { return len(text) == 0 || text[0] == '{' || text[0] == 0 }

// keyIn returns the signing key in a damaged file; nil if it cannot be read. With the same key,
// clients need not register again.
func keyIn(text []byte) (key []byte) {
	in := json.NewDecoder(bytes.NewReader(text))
	for _, before := range []json.Token{json.Delim('{'), "key"} {
		if got, err := in.Token(); err != nil || got != before {
			return nil
		}
	}
	if in.Decode(&key) != nil || len(key) != keyLength {
		return nil
	}
	return key
}

// restrictToOwner removes other users' permissions on the file.
func (g *GrantStore) restrictToOwner(file string) {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	err = os.Chmod(file, 0o600)
	g.log.Warn("others could read the file of grants: now its owner alone can, if there is no error", "file", file, "error", err)
}

func (b *storedGrants) encode() ([]byte, error) {
	text, err := json.MarshalIndent(b, "", " ")
	return append(text, '\n'), err
}

func (b *storedGrants) write(file string) error {
	text, err := b.encode()
	switch {
	case err != nil:
		return err
	case len(text) > reread.MaxFileBytes: // readStoredGrants would refuse it
		return errFileTooLarge
	}
	return replaceFile(file, text)
}
