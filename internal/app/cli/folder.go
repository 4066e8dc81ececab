package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"vademecum/docs"
	"vademecum/index"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// checkFolders returns a usage error, with a suggestion, for an argument that is not a folder.
func checkFolders(folders []string) error {
	for i := range folders {
		if err := checkFolder(folders, i); err != nil {
			return err
		}
	}
	return nil
}

// errAbsent reports a folder that does not exist but may be created or mounted later.
var errAbsent = message.Errorf("no such folder")

// checkFolder returns a usage error, with a suggestion, if the i-th argument is not a folder. The later
// arguments may show that the name has spaces and lacks quotes.
func checkFolder(folders []string, i int) error {
	dir := folders[i]
	if dir == "" {
		return usageError{error: message.Errorf("the name of the folder is empty")}
	}
	if isUnsetSetting(dir) {
		return usageError{message.Errorf("no folder was chosen"), message.New("choose it in the settings of the extension")}
	}
	info, err := statWithTimeout(dir)
	if isNotExist(err) && !isAddress(dir) {
		if file := localPath(dir); file != dir {
			if _, err := os.Stat(file); err == nil {
				return notFolderError(file)
			}
		}
	}
	switch parted := strings.Join(folders[i:], " "); {
	case isNotExist(err) && isFolder(parted):
		return usageError{noSuchFolder(dir), message.New("a name with spaces needs quotes: %s", quoteArgs(folders[i:]))}
	case isNotExist(err) && isAddress(dir): // a server does not wait for a folder that is an address
		return usageError{noSuchFolder(dir), similarFolderHint(dir)}
	case errors.Is(err, fs.ErrNotExist) && !strings.HasPrefix(dir, "~"):
		return usageError{message.Errorf("%v: %s", errAbsent, absolutePath(dir)), similarFolderHint(dir)}
	case isNotExist(err):
		return usageError{noSuchFolder(dir), similarFolderHint(dir)}
	case isDiskRoot(dir):
		return usageError{error: message.Errorf("%s is a whole disk: name the folder with the documents", present.QuoteName(dir))}
	case err == nil && !info.IsDir():
		return notFolderError(dir)
	}
	return nil
}

// notFolderError returns the usage error for a file, or for an address of a folder that is no path.
func notFolderError(path string) error {
	if isFolder(path) {
		return usageError{message.Errorf("give the path of the folder, not its address"), message.New("its path: %s", quoteArg(path))}
	}
	return usageError{message.Errorf("%s is a file, not a folder", absolutePath(path)), message.New("give the folder that it is in: %s", quoteArg(filepath.Dir(path)))}
}

// localPath returns the path in an address as results show it: a file URI, or a path with a place in
// the document, such as "notes/a.pdf#page=3" and "notes/a.pdf, page 3". It returns other text
// unchanged.
func localPath(address string) string {
	if file, _, err := docs.ParseFileURI(address); err == nil {
		return file
	}
	if file, _, ok := strings.Cut(address, "#"); ok && file != "" {
		return file
	}
	if part, ok := index.ParseCitation(address); ok {
		return part.Ref
	}
	return address
}

// noSuchFolder returns the usage error for a path at which there is no folder.
func noSuchFolder(path string) error {
	return message.Errorf("no such folder: %s", absolutePath(path))
}

// checkAwaitedFolders returns a usage error for an argument that is not a folder, except that a server
// waits for missing folders: for these it only prints a warning with a suggestion.
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
		fmt.Fprint(p.stderr, p.localise("vademecum: %v: waiting for it\n", err))
		if wrong.hint != "" {
			fmt.Fprint(p.stderr, p.localise("hint: %s\n", wrong.hint))
		}
	}
	return nil
}

// isDiskRoot reports whether a folder is the root of a disk. Indexing a whole disk is hardly ever
// intended, and takes the memory and time for hundreds of thousands of files.
func isDiskRoot(dir string) bool {
	abs, err := filepath.Abs(dir)
	return err == nil && filepath.Dir(abs) == abs
}

// folderWithHome returns the first of the folders that is the home folder of the user, or contains
// it; "" if none does.
func folderWithHome(folders []string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		return ""
	}
	for _, dir := range folders {
		if _, isWithin := pathWithin(dir, home); isWithin {
			return dir
		}
	}
	return ""
}

// errSilent reports that a file system does not respond. The folder is accepted nevertheless, as
// its documents are still in the index.
var errSilent = message.Errorf("it does not answer")

// lookLimit is the time limit for looking whether a folder exists.
const lookLimit = time.Second

// statWithTimeout returns the file info of a folder as statFolder does, or errSilent if the file
// system does not answer in time.
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

// statFolder returns the result of os.Stat for a folder or, if it does not exist, for its absolute
// path. The two may differ for paths with "..": the absolute path starts from the shell's PWD,
// which keeps the symbolic link that led to the working directory.
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

// isNotExist reports whether an error of os.Stat means that nothing exists at a path.
func isNotExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG) || errors.Is(err, syscall.ELOOP) || isImpossibleName(err)
}

// isImpossibleName reports whether Windows has refused a path that no file can have, such as
// name:5.
func isImpossibleName(err error) bool {
	const errorInvalidName, errorBadPathname = syscall.Errno(123), syscall.Errno(161)
	return runtime.GOOS == "windows" && (errors.Is(err, errorInvalidName) || errors.Is(err, errorBadPathname))
}

func absolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return present.QuoteName(abs)
	}
	return present.QuoteName(path)
}

// similarFolderHint returns a hint with an existing folder whose path resembles that of a missing
// one; "" if there is none.
func similarFolderHint(missing string) message.Message {
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(missing, "~") && isFolder(home+missing[1:]) {
		return message.New("only a shell expands ~: write %s", home+missing[1:])
	}
	// a terminal puts a dragged path in quotes
	if bare := strings.Trim(missing, ` '"“”`); bare != missing && isFolder(bare) {
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
			continue // this folder is missing, too
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

// checkFoldersAndStore returns a usage error for folders, or places for their indexes, that cannot
// be intended. It returns the address of the database; "" if there is none.
func (p *program) checkFoldersAndStore(folders []string) (store string, err error) {
	store, err = p.storeAddress()
	if p.takesOver {
		return store, err
	}
	check := checkFolders
	if p.awaits && store == "" {
		check = p.checkAwaitedFolders
	}
	return store, errors.Join(err, p.withAddressHint(check(folders), folders), p.checkIndexFiles(folders), p.checkStore(store, folders))
}

// withAddressHint adds a hint to a usage error if the command can serve over HTTP and one of the
// arguments, which should be folders, is an address.
func (p *program) withAddressHint(err error, folders []string) error {
	var wrong usageError
	if p.flags == nil || p.flags.Lookup("insecure-no-auth") == nil || !errors.As(err, &wrong) || wrong.hint != "" {
		return err
	}
	if at := slices.IndexFunc(folders, isAddress); at >= 0 && !isFolder(folders[at]) {
		return usageError{wrong.error, message.New("the address to serve at is given as --http=%s, in addition to a folder or --library NAME", folders[at])}
	}
	return err
}

// checkIndexFiles returns a usage error for index files that cannot be created. Otherwise the index
// would be kept in memory, as on a read-only disk.
func (p *program) checkIndexFiles(folders []string) error {
	if n := len(p.indexFiles); n > 0 && n != len(folders) {
		return usageErrorf("--index must be given once for each folder: %d given for %d", n, len(folders))
	}
	for i, file := range p.indexFiles {
		switch {
		case file == "":
			return usageErrorf("--index does not name a file")
		case isFolder(file):
			return usageError{message.Errorf("--index %s is a folder, not a file", present.QuoteName(file)), message.New("name a file in it, such as %s", quoteArg(filepath.Join(file, "notes.db")))}
		case slices.Contains(p.indexFiles[:i], file):
			return usageErrorf("--index %s is given twice: each folder needs a file of its own", present.QuoteName(file))
		}
	}
	return nil
}
