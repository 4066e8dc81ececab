package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkFolders refuses what is no folder, with what was probably meant.
func checkFolders(folders []string) error {
	for i := range folders {
		if err := checkFolder(folders, i); err != nil {
			return err
		}
	}
	return nil
}

// errAbsent is of a folder that is not there, and may be later.
var errAbsent = message.Errorf("no such folder")

// checkFolder refuses one of several.
func checkFolder(folders []string, i int) error {
	dir := folders[i]
	if dir == "" {
		return usageError{error: message.Errorf("the name of the folder is empty")}
	}
	if isUnsetSetting(dir) {
		return usageError{message.Errorf("no folder was chosen"), message.New("choose it in the settings of the extension")}
	}
	info, err := statWithTimeout(dir)
	switch parted := strings.Join(folders[i:], " "); {
	case isNotExist(err) && isFolder(parted):
		return usageError{noSuchFolder(dir), message.New("a name with spaces needs quotes: %s", quoteArgs(folders[i:]))}
	case isNotExist(err) && isAddress(dir):
		return usageError{noSuchFolder(dir), message.New("an address to serve at is given as --http=%s, beside a folder or --library NAME", dir)}
	case errors.Is(err, fs.ErrNotExist) && !strings.HasPrefix(dir, "~"):
		return usageError{message.Errorf("%v: %s", errAbsent, absolutePath(dir)), similarFolderHint(dir)}
	case isNotExist(err):
		return usageError{noSuchFolder(dir), similarFolderHint(dir)}
	case isDiskRoot(dir):
		return usageError{error: message.Errorf("%s is a whole disk: name the folder with the documents", present.QuoteName(dir))}
	case err == nil && !info.IsDir():
		return usageError{message.Errorf("%s is a file, not a folder", absolutePath(dir)), message.New("give the folder that it is in: %s", quoteArg(filepath.Dir(dir)))}
	}
	return nil
}

// noSuchFolder returns the error for a path at which there is no folder.
func noSuchFolder(path string) error {
	return message.Errorf("no such folder: %s", absolutePath(path))
}

// checkAwaitedFolders is checkFolders for a server that waits for missing folders: it prints
// a warning, with a suggestion.
func (p *program) checkAwaitedFolders(folders []string) error {
	for i := range folders {
		err := checkFolder(folders, i)
		if err == nil {
			continue
		}
		var wrong usageError
		if !errors.Is(err, errAbsent) || !errors.As(err, &wrong) {
			return err
		}
		fmt.Fprint(p.stderr, p.localise("vademecum: %v: it is waited for\n", err))
		if wrong.hint != "" {
			fmt.Fprint(p.stderr, p.localise("hint: %s\n", wrong.hint))
		}
	}
	return nil
}

// isDiskRoot reports whether a folder is the root of a disk: to index all of it is hardly
// ever intended, and takes the memory and the time of hundreds of thousands of files.
func isDiskRoot(dir string) bool {
	abs, err := filepath.Abs(dir)
	return err == nil && filepath.Dir(abs) == abs
}

// errSilent reports that a file system does not answer. A folder is not refused for that:
// the index still has its documents.
var errSilent = message.Errorf("it does not answer")

// lookLimit is how long a look at a folder may take.
const lookLimit = time.Second

// statWithTimeout is statFolder in time.
func statWithTimeout(dir string) (fs.FileInfo, error) {
	type found struct {
		info fs.FileInfo
		err  error
	}
	done := make(chan found, 1)
	go func() {
		info, err := statFolder(dir)
		done <- found{info, err}
	}()
	select {
	case f := <-done:
		return f.info, f.err
	case <-time.After(lookLimit):
		return nil, errSilent
	}
}

// statFolder looks at a folder by its path, and else by the one that a shell makes of
// it: that knows by which link it came to where it is.
func statFolder(dir string) (fs.FileInfo, error) {
	info, err := os.Stat(dir)
	if !isNotExist(err) {
		return info, err
	}
	if abs, none := filepath.Abs(dir); none == nil {
		return os.Stat(abs)
	}
	return info, err
}

// isNotExist reports whether the error of os.Stat says that nothing exists at a path.
func isNotExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

func absolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return present.QuoteName(abs)
	}
	return present.QuoteName(path)
}

// similarFolderHint suggests a folder whose path resembles that of a missing one, "" if
// there is none.
func similarFolderHint(missing string) message.Message {
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(missing, "~") && isFolder(home+missing[1:]) {
		return message.New("only a shell knows ~: write %s", home+missing[1:])
	}
	if bare := strings.Trim(missing, ` '"“”`); bare != missing && isFolder(bare) { // dragged between quotation marks
		return message.New("did you mean %s?", quoteArg(bare))
	}
	inner := ""
	for path := filepath.Clean(missing); ; path, inner = filepath.Dir(path), filepath.Join(filepath.Base(path), inner) {
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		entries, err := os.ReadDir(parent)
		if err != nil {
			continue // it is missing too
		}
		var names []string
		for _, e := range entries {
			if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
				names = append(names, e.Name())
			}
		}
		if near := filepath.Join(parent, present.NearestName(filepath.Base(path), names), inner); near != filepath.Join(parent, inner) && isFolder(near) {
			return message.New("did you mean %s?", quoteArg(near))
		}
		return ""
	}
}

// checkFoldersAndStore refuses folders, and places for their indexes, that cannot be meant, and
// returns the address of the database, "" where there is none.
func (p *program) checkFoldersAndStore(folders []string) (store string, err error) {
	store, err = p.storeAddress()
	check := checkFolders
	if p.awaits && store == "" {
		check = p.checkAwaitedFolders
	}
	return store, errors.Join(err, check(folders), p.checkIndexFiles(folders), p.checkStore(store, folders))
}

// checkIndexFiles refuses files that cannot be meant, before an index is made
// in memory as on a disk that takes none.
func (p *program) checkIndexFiles(folders []string) error {
	if n := len(p.indexFiles); n > 0 && n != len(folders) {
		return usageErrorf("--index must be given once for each folder: %d given for %d", n, len(folders))
	}
	for i, file := range p.indexFiles {
		switch {
		case file == "":
			return usageErrorf("--index names no file")
		case isFolder(file):
			return usageError{message.Errorf("--index %s is a folder, not a file", present.QuoteName(file)), message.New("name a file in it, such as %s", quoteArg(filepath.Join(file, "notes.db")))}
		case slices.Contains(p.indexFiles[:i], file):
			return usageErrorf("--index %s is given twice: each folder needs a file of its own", present.QuoteName(file))
		}
	}
	return nil
}
