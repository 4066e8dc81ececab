package hub

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// Progress is the progress of fetching a model.
type Progress struct {
	IsWaitingForOtherProcess bool  // waiting for another process that is fetching it
	DoneBytes, TotalBytes    int64 // bytes
}

// Fetch downloads a model unless it exists locally, and returns its folder; fetched is false if it
// existed and was intact. Only missing and damaged files are downloaded. Whenever it is
// interrupted, even by a kill, the folder either has all files or does not exist, and the next call
// continues. Only one process fetches a model at a time. Fetch calls report with its progress from
// time to time, from its own goroutine.
func (h *Hub) Fetch(ctx context.Context, m Model, report func(Progress)) (dir string, fetched bool, err error) {
	parent, err := modelsRoot()
	if err == nil {
		err = os.MkdirAll(parent, 0o700)
	}
	if err != nil {
		return "", false, err
	}
	lock := system.NewFileLock(filepath.Join(parent, m.Name+".lock"))
	defer func() { _ = lock.Close() }()
	if err := acquireLock(ctx, lock, report); err != nil {
		return "", false, err
	}
	dir = filepath.Join(parent, dirName(m))
	if err := Verify(ctx, m); err == nil || !errors.As(err, new(*NotFetchedError)) {
		return dir, false, err
	}
	if err := moveToPartFolder(dir); err != nil {
		return "", false, err
	}
	r, err := h.fetchInto(ctx, dir+partSuffix, m, report)
	if err == nil {
		err = publishFolder(r, dir)
	}
	return dir, err == nil, err
}

// lockPatience is the interval between attempts to acquire a lock.
const lockPatience = 200 * time.Millisecond

// acquireLock waits for the lock of a model, and calls report if another process holds it.
func acquireLock(ctx context.Context, lock *flock.Flock, report func(Progress)) error {
	locked, err := lock.TryLock()
	if err != nil || locked {
		return err
	}
	report(Progress{IsWaitingForOtherProcess: true})
	_, err = lock.TryLockContext(ctx, lockPatience)
	return err
}

// moveToPartFolder renames the folder of a damaged model to the folder into which it is fetched, so
// that intact files are kept.
func moveToPartFolder(dir string) error {
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err := os.RemoveAll(dir + partSuffix); err != nil {
		return err
	}
	if err := os.Rename(dir, dir+partSuffix); err != nil {
		return err
	}
	err := os.Remove(filepath.Join(dir+partSuffix, recordName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// fetchInto fetches all files of a model.
func (h *Hub) fetchInto(ctx context.Context, dir string, m Model, report func(Progress)) (fetchRecord, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fetchRecord{}, err
	}
	if err := system.CheckOwner(dir); err != nil {
		return fetchRecord{}, err
	}
	all, err := h.listFiles(ctx, m)
	if err != nil {
		return fetchRecord{}, message.Errorf("ask for the files of %s: %v", m.Repository, err)
	}
	progress := Progress{}
	for _, l := range all {
		progress.TotalBytes += l.size
	}
	if err := h.checkDiskSpace(dir, progress.TotalBytes); err != nil {
		return fetchRecord{}, err
	}
	r := fetchRecord{m.Repository, m.Commit, m.Licence, map[string]fetchedFile{}}
	var before int64 // bytes of completed files
	for _, l := range all {
		d := fileDownload{Hub: h, model: m, listedFile: l, target: filepath.Join(dir, filepath.FromSlash(l.path)), reportBytes: func(have int64) {
			progress.DoneBytes = before + have
			report(progress)
		}}
		if r.Files[l.path], err = d.fetchFile(ctx); err != nil {
			return fetchRecord{}, err
		}
		before += l.size
	}
	return r, nil
}

// checkDiskSpace returns an error if the disk does not have enough space.
func (h *Hub) checkDiskSpace(dir string, total int64) error {
	missing := max(total-folderBytes(dir), 0)
	if free, known := h.freeSpace(dir); known && free < uint64(missing) {
		return message.Errorf("%s has %s free, but %s more are needed: free up space, or set another cache folder", dir, megabytes(int64(free)), megabytes(missing))
	}
	return nil
}

// publishFolder writes the record of the fetched files, and renames the folder to its final name.
func publishFolder(r fetchRecord, dir string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir+partSuffix, recordName))
	if err != nil {
		return err
	}
	_, err = f.Write(append(text, '\n'))
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(dir+partSuffix, dir)
}
