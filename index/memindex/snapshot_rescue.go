package memindex

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"vademecum/index/live"
	"vademecum/index/vector"
)

// rescueSnapshot saves the vectors of the snapshot beside a catalogue to the catalogue, if the
// snapshot belongs to another catalogue, which is gone, or to a later state of the file. It then
// removes the snapshot.
func rescueSnapshot(ctx context.Context, folder int, f *live.Follower) error {
	s, err := openSnapshotOf(f)
	if err != nil {
		return nil // there is nothing to rescue
	}
	defer s.Close()
	token, err := f.Value(ctx, "snapshot")
	if err != nil || s.head.token == token {
		return err // it is of another model, or damaged
	}
	const as = vector.Precision16Bits // for any model, as rescued vectors are saved as floats
	l := newLoading(s, folder, f, as)
	if l.run() == nil {
		if err := f.SaveVectors(ctx, s.head.model, l.vectorsOf(folder)); err != nil {
			return err
		}
	}
	if f.Describe().IsUnsaved() {
		return nil
	}
	return s.removeFile(f.Describe().File + SnapshotSuffix)
}

// removeFile deletes the file of a snapshot, unless another file has replaced it.
func (s *snapshotFile) removeFile(file string) error {
	mine, err := s.Stat()
	if err != nil {
		return err
	}
	if now, err := os.Stat(file); err != nil || !os.SameFile(mine, now) {
		return nil
	}
	_ = s.Close() // some systems cannot remove an open file
	return removeIfThere(file)
}

// RemoveLeftoverSnapshots implements live.ChunkIndex.
func (all *snapshots) RemoveLeftoverSnapshots(file string) error {
	all.saving.Lock() // a file that this process is writing is no leftover
	defer all.saving.Unlock()
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		return err
	}
	var errs []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), filepath.Base(file)+SnapshotSuffix+temporary) {
			errs = append(errs, removeIfThere(filepath.Join(filepath.Dir(file), e.Name())))
		}
	}
	return errors.Join(errs...)
}

// removeIfThere deletes a file, which another process may already have deleted.
func removeIfThere(file string) error {
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
