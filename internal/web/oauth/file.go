package oauth

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"vademecum/internal/message"
)

// mostLinks is how many links lead from one to the next.
const mostLinks = 40

// followLinks returns where a file is, or is to be, that links may lead to: what takes the place
// of a link would leave the file behind it as it was. A link of another user is not
// followed: with the rights of the administrator it would lead to any file. Nor is one to
// what is no file, such as /dev/null, whose place must not be taken.
func followLinks(file string) (string, error) {
	for range mostLinks {
		info, err := os.Lstat(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return file, nil
		case err != nil:
			return "", err
		case info.Mode().IsRegular():
			return file, nil
		case info.Mode()&fs.ModeSymlink == 0:
			return "", message.Errorf("%s is no file", "%s 不是文件", file)
		case !isTrusted(info):
			return "", message.Errorf("%s is a link that belongs to another user: run this as that user", "%s 是属于另一用户的链接：请以该用户运行", file)
		}
		if file, err = linkTarget(file); err != nil {
			return "", err
		}
	}
	return "", message.Errorf("%s: too many links", "%s：链接层数太多", file)
}

// linkTarget is where a link leads, in a folder without links: what .. means depends on them.
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

// replaceFile has a file hold a text: who reads it finds what it had or what it has, and
// its owner stays.
func replaceFile(file string, text []byte) error {
	err := moveInPlace(file, text)
	switch {
	case errors.Is(err, syscall.EBUSY): // it is mounted by itself, as into a container
		return overwriteFile(file, text)
	case errors.Is(err, syscall.ENOSPC) && isLonger(file, text): // what somebody ends has to end on a full disk, too
		return overwriteFile(file, text)
	}
	return err
}

// moveInPlace has a new file with a text take the place of a file.
func moveInPlace(file string, text []byte) error {
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

// isLonger tells a file that has more than a text.
func isLonger(file string, text []byte) bool {
	info, err := os.Stat(file)
	return err == nil && info.Mode().IsRegular() && info.Size() > int64(len(text))
}

// overwriteFile has a file hold a text of JSON that nothing can take the place of. Whenever it
// is cut short, by a kill or a full disk, the file holds what it had or what it has: there
// is room before anything is written over, and line ends behind JSON mean nothing.
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
	_ = f.Chmod(0o600) // what others can read is told when the file is read
	had, has := info.Size(), int64(len(text))
	if _, err := f.WriteAt(bytes.Repeat([]byte("\n"), int(max(0, has-had))), had); err != nil {
		return errors.Join(err, f.Truncate(had))
	}
	if err := f.Sync(); err != nil {
		return errors.Join(err, f.Truncate(had))
	}
	padded := append(bytes.Clone(text), bytes.Repeat([]byte("\n"), int(max(0, had-has)))...)
	if _, err := f.WriteAt(padded, 0); err != nil {
		return err
	}
	return errors.Join(f.Truncate(has), f.Sync())
}
