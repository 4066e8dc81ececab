package oauth

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vademecum/internal/base/message"
)

// maxLinks is the maximum number of symbolic links that are followed.
const maxLinks = 40

// followLinks returns the file to which a symbolic link leads, which need not exist: a rename to
// the link itself would replace the link. It refuses links of other users, which could make the
// administrator replace any file, and targets that are not regular files, such as /dev/null.
func followLinks(file string) (string, error) {
	for range maxLinks {
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return file, nil
		case err != nil:
			return "", err
		case info.Mode().IsRegular():
			return file, nil
		case info.Mode()&fs.ModeSymlink == 0:
			return "", message.Errorf("%s is not a file", file)
		case !isTrusted(info):
			return "", message.Errorf("%s is a link that belongs to another user: run this as that user", file)
		}
		if file, err = linkTarget(file); err != nil {
			return "", err
		}
	}
	return "", message.Errorf("%s: too many links", file)
}

// linkTarget returns the target of a symbolic link, with links in the target's directory resolved.
func linkTarget(link string) (string, error) {
	to, err := os.Readlink(link)
	if err != nil {
		return "", err
	}
	if !filepath.IsAbs(to) {
		to = filepath.Dir(link) + string(filepath.Separator) + to
	}
	dir, name := filepath.Split(to)
	dir, err = filepath.EvalSymlinks(dir)
	return filepath.Join(dir, name), err
}

// replaceFile replaces the content of a file atomically, and keeps its owner.
func replaceFile(file string, text []byte) error {
	err := replaceByRename(file, text)
	switch {
	case errors.Is(err, syscall.EBUSY): // the file itself is a mount point, for example in a container
		return overwriteFile(file, text)
	case errors.Is(err, syscall.ENOSPC) && isLonger(file, text): // grants must be revocable even on a full disk
		return overwriteFile(file, text)
	}
	return err
}

// replaceByRename writes the text to a new file and renames that to file.
func replaceByRename(file string, text []byte) error {
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(text)
	if err = errors.Join(err, copyOwner(f, file), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// isLonger reports whether a file is longer than a text.
func isLonger(file string, text []byte) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Size() > int64(len(text))
}

// overwriteFile writes JSON into a file that cannot be replaced by a rename. Space for a longer
// text is allocated first, by writing line feeds after the old JSON, so that the old content is
// kept if the disk is full.
func overwriteFile(file string, text []byte) (err error) {
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	_ = f.Chmod(0o600) // restrictToOwner logs failures
	oldSize, newSize := info.Size(), int64(len(text))
	if _, err := f.WriteAt(bytes.Repeat([]byte("\n"), int(max(0, newSize-oldSize))), oldSize); err != nil {
		return errors.Join(err, f.Truncate(oldSize))
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(oldSize))
	}
	padded := append(bytes.Clone(text), bytes.Repeat([]byte("\n"), int(max(0, oldSize-newSize)))...)
	if _, err := f.WriteAt(padded, 0); err != nil {
		return err
	}
	return errors.Join(f.Truncate(newSize), f.Sync())
}
