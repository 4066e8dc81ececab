package hub

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// Folder returns the folder of a model, given by a known name or by a path. For a name, all files must
// exist with the sizes that they were fetched with; otherwise the error is a *NotFetchedError.
func Folder(nameOrPath string) (string, error) {
	m, unknown := FindModel(nameOrPath)
	if unknown == nil {
		dir, _, err := locateModel(m)
		return dir, err
	}
	info, err := os.Stat(nameOrPath)
	switch {
	case err == nil && info.IsDir():
		return nameOrPath, nil
	case err == nil:
		return "", message.Errorf("%s is a file: a model is the folder with its config.json, tokenizer.json and model.safetensors", nameOrPath)
	case strings.ContainsAny(nameOrPath, `/\`):
		return "", message.Errorf("there is no folder %s with a model", nameOrPath)
	}
	return "", unknown
}

// Verify returns nil if all files of a model are identical to what was fetched. It reads them
// completely.
func Verify(ctx context.Context, m Model) error {
	dir, r, err := locateModel(m)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		got, err := sumFile(ctx, filepath.Join(dir, filepath.FromSlash(path)))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return newDamagedError(m, message.FromError(err))
		case got.sha256 != r.Files[path].SHA256:
			return newDamagedError(m, message.New("%s is not the file that was downloaded", path))
		}
	}
	return nil
}

// NotFetchedError means that a model was not fetched, or was changed since.
type NotFetchedError struct {
	Model     Model
	IsDamaged bool // whether its folder exists, but lacks files or has changed ones
	text      message.Message
}

func newDamagedError(m Model, why message.Message) *NotFetchedError {
	return &NotFetchedError{m, true, message.New(`the model %[1]s is damaged (%[2]v): run "vademecum model get %[1]s" first`, m.Name, why)}
}

// Error returns the English text.
func (a *NotFetchedError) Error() string { return a.text.String() }

// Message returns the text.
func (a *NotFetchedError) Message() message.Message { return a.text }

// Hint returns the command that fetches the model.
func (a *NotFetchedError) Hint() message.Message {
	return message.New("vademecum model get %s fetches it (%s, %s)", a.Model.Name, a.Model.SizeText(), a.Model.Licence)
}

// recordName is the name of the file in a model's folder that records what was fetched. A folder
// without it is not a model.
const recordName = "vademecum.json"

// fetchRecord records which files of a model were fetched, at which commit.
type fetchRecord struct {
	Repository string                 `json:"repository"`
	Commit     string                 `json:"commit"`
	Licence    string                 `json:"licence"`
	Files      map[string]fetchedFile `json:"files"` // by path, with slashes
}

// fetchedFile describes a fetched file.
type fetchedFile struct {
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// modelsRoot returns the folder of all models. The error says why there is none, or why it is not
// trusted.
func modelsRoot() (string, error) {
	cache, err := system.CacheDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(cache, "models"), system.CheckOwner(cache)
}

// dirName returns the name of a model's folder below the root, which differs for another commit.
func dirName(m Model) string { return m.Name + "-" + m.Commit[:12] }

// partSuffix is appended to the names of incomplete folders and files.
const partSuffix = ".part"

// locateModel returns the folder of a model and its record. The error is a *NotFetchedError if the
// model is missing or damaged.
func locateModel(m Model) (string, fetchRecord, error) {
	parent, err := modelsRoot()
	if err != nil {
		return "", fetchRecord{}, err
	}
	dir := filepath.Join(parent, dirName(m))
	r, err := readRecord(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", r, &NotFetchedError{m, false, message.New(`the model %[1]s has not been downloaded: run "vademecum model get %[1]s" first`, m.Name)}
	case err != nil:
		return "", r, newDamagedError(m, message.FromError(err))
	}
	if err := system.CheckOwner(dir); err != nil {
		return "", r, err
	}
	if why := r.findFault(m, dir); why != "" {
		return "", r, newDamagedError(m, why)
	}
	return dir, r, nil
}

// longestRecord is the maximum size of a record, in bytes.
const longestRecord = 1 << 20

func readRecord(dir string) (r fetchRecord, err error) {
	f, err := os.Open(filepath.Join(dir, recordName))
	if err != nil {
		return r, err
	}
	defer f.Close()
	if err := json.NewDecoder(io.LimitReader(f, longestRecord)).Decode(&r); err != nil {
		return r, message.Errorf("%s cannot be read: %v", recordName, err)
	}
	return r, nil
}

// findFault compares the sizes of the files in a folder with the record, and returns what is wrong;
// "" if nothing.
func (r fetchRecord) findFault(m Model, dir string) message.Message {
	for _, path := range requiredFiles {
		if _, ok := r.Files[path]; !ok {
			return message.New("%s is missing", path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(r.Files)) {
		f := r.Files[path]
		if sum, known := m.sums[path]; known && sum != f.SHA256 {
			return message.New("%s is not the file of the model", path)
		}
		info, err := os.Stat(filepath.Join(dir, filepath.FromSlash(path)))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return message.New("%s is missing", path)
		case err != nil:
			return message.FromError(err)
		case info.Size() != f.Size:
			return message.New("%s has %d bytes of %d", path, info.Size(), f.Size)
		}
	}
	return ""
}

// ModelState describes the copy of a model on this machine.
type ModelState struct {
	Model
	Dir   string // "" unless the model is complete
	Bytes int64  // disk space used, including incomplete downloads
	Fault error  // why it cannot be used; nil if it is only missing
}

// ModelStates returns the state of each known model. It reads the sizes of files, not their
// contents.
func ModelStates() (all []ModelState, err error) {
	parent, err := modelsRoot()
	if err != nil {
		return nil, err
	}
	for _, m := range Models {
		dirs, err := foldersOf(parent, m)
		if err != nil {
			return nil, err
		}
		s := ModelState{Model: m}
		for _, dir := range dirs {
			s.Bytes += folderBytes(dir)
		}
		s.Dir, _, s.Fault = locateModel(m)
		if missing, ok := errors.AsType[*NotFetchedError](s.Fault); ok && !missing.IsDamaged {
			s.Fault = nil
		}
		all = append(all, s)
	}
	return all, nil
}

// Remove deletes the local files of a model, including incomplete downloads and other commits, and
// returns how many bytes that freed. A server that uses the model continues if the operating system
// permits it.
func Remove(m Model) (freed int64, err error) {
	parent, err := modelsRoot()
	if err != nil {
		return 0, err
	}
	dirs, err := foldersOf(parent, m)
	if err != nil || len(dirs) == 0 {
		return 0, err
	}
	lock := system.NewFileLock(filepath.Join(parent, m.Name+".lock"))
	if locked, err := lock.TryLock(); err != nil {
		return 0, err
	} else if !locked {
		return 0, message.Errorf("the model %s is being fetched by another process", m.Name)
	}
	defer func() { _ = lock.Close() }()
	for _, dir := range dirs {
		bytes := folderBytes(dir)
		if err := removeFolder(dir); err != nil {
			return freed, message.Errorf("remove the model %s: %v", m.Name, err)
		}
		freed += bytes
	}
	return freed, nil
}

// removeFolder removes a model's folder. It removes the record first, so that a partly removed
// folder does not look complete.
func removeFolder(dir string) error {
	if err := os.Remove(filepath.Join(dir, recordName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.RemoveAll(dir)
}

// foldersOf returns the folders in parent that contain a model, in any version, including those whose
// files have been fetched only in part.
func foldersOf(parent string, m Model) (dirs []string, err error) {
	entries, err := os.ReadDir(parent)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	ours := regexp.MustCompile("^" + regexp.QuoteMeta(m.Name) + "-[0-9a-f]{12}(" + regexp.QuoteMeta(partSuffix) + ")?$")
	for _, e := range entries {
		if e.IsDir() && ours.MatchString(e.Name()) {
			dirs = append(dirs, filepath.Join(parent, e.Name()))
		}
	}
	return dirs, err
}

// folderBytes returns the total size of the accessible files in a folder.
func folderBytes(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}
