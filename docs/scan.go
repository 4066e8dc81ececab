package docs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"vademecum/docs/formats"
	"vademecum/docs/ignore"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// codeLinkInside is the code of the skip reason for a link to a path in the same folder.
const codeLinkInside = "link inside"

// codeClosedFolder is the code of the skip reason for a directory that may not be opened.
const codeClosedFolder = "closed folder"

var (
	reasonClosed  = message.New("the folder cannot be opened: permission denied").WithCode(codeClosedFolder)
	reasonBadName = message.New("file name is not valid UTF-8")

	// Reasons why a link is not followed: its target would be indexed twice, or is not part of the
	// folder that the user chose.
	reasonLinkInside  = message.New("symbolic link within the folder, not followed").WithCode(codeLinkInside)
	reasonLinkOutside = message.New("symbolic link out of the folder, not followed")
)

// A File is one entry of a scan.
type File struct {
	Path       string          // slash-separated, relative to the folder
	Size       int64           // in bytes
	ModTime    time.Time       // modification time of the content, which programs can set
	ChangeTime time.Time       // time of the last change of content or metadata, zero if unknown
	SkipReason message.Message // why the file is not read, or "" to read it
}

// Scan lists the files at and below under, sorted by path, at the cost of one lstat each; no file
// is read. under is "." for the whole folder, or the slash path of a directory or a file in it; if
// it is missing, ignored or hidden, the list is empty.
//
// Regular files and symbolic links are listed. Devices, pipes and sockets are silently left out, as
// are hidden files, folders that programs fill, temporary files, index files and whatever
// .gitignore and .vademecumignore exclude. A file that is listed but not to be read has a reason in
// SkipReason, as every link has. A directory that cannot be read is listed like a file, with a
// reason.
//
// If ctx ends, the error is that of ctx, even if the file system does not answer; after a long time
// without an answer it matches ErrNotResponding. Scan also fails if under leads out of the folder or the
// folder cannot be read at all.
func (f *Folder) Scan(ctx context.Context, under string) ([]File, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // stops work that was abandoned
	return runAbandonable(ctx, f, "scan", func(c *pendingCall) ([]File, error) { return f.scan(ctx, c, under, nil) })
}

// scan is Scan; it also adds what is left out to left, unless that is nil.
func (f *Folder) scan(ctx context.Context, c *pendingCall, under string, left *exclusionCollector) ([]File, error) {
	for tries := 1; ; tries++ {
		t, err := f.newScanTree(ctx, c)
		if err != nil {
			return nil, err
		}
		left.clear()
		t.left = left
		files, err := f.scanTree(t, under)
		if !errors.Is(err, errReplaced) || tries == mostTries {
			return files, err
		}
	}
}

// mostTries is how often a scan is repeated if the folder was replaced meanwhile.
const mostTries = 3

// errReplaced reports that another directory took the place of the one being walked.
var errReplaced = errors.New("the folder was replaced while it was looked at")

// scanTree returns the files that a walk of t finds at and below under.
func (f *Folder) scanTree(t *treeWalker, under string) ([]File, error) {
	files, err := t.walkBelow(under)
	if err == nil {
		err = t.ctx.Err() // the walk may have been cut short
	}
	if err == nil {
		var root *os.Root
		if root, err = f.currentRoot(); err == nil && root != t.root { // a directory that was unmounted meanwhile looks empty
			err = errReplaced
		}
	}
	if err != nil {
		return nil, fmt.Errorf("scan %s: %w", present.QuoteName(under), err)
	}
	return sortFiles(files), nil
}

// newScanTree returns a walker that lists files.
func (f *Folder) newScanTree(ctx context.Context, c *pendingCall) (*treeWalker, error) {
	root, err := f.currentRoot()
	if err != nil {
		return nil, fmt.Errorf("scan: %w", err)
	}
	t := newTreeWalker(ctx, root, readDirAndStat)
	t.wantFiles, t.call, t.held, t.above, t.links = true, c, f.findOpenIndexFiles(), ignoredAbove(f.real), &f.links
	return t, nil
}

// sortFiles sorts the files of a walk. They are in order already, except those that cannot be read
// or have invalid names.
func sortFiles(files []File) []File {
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files
}

// A Listing is the result of a scan together with its start.
type Listing struct {
	Files                []File
	StartedAt            time.Time // when the scan began; zero if there was none
	Duration             time.Duration
	RootReplacementCount int // value of Folder.RootReplacementCount when the scan began
}

// everything is the path of the whole folder.
const everything = "."

// manyReaders is how many directories are read concurrently: more than there are processors, since
// a drive may be slow to answer.
const manyReaders = 4

// A treeWalker walks the part of a folder that is not ignored. Scanning and watching
// share it, so that they agree on what belongs to the folder.
type treeWalker struct {
	ctx       context.Context
	root      *os.Root
	read      func(root *os.Root, dir string) ([]fs.DirEntry, error)
	enter     func(dir string)    // called before a directory is read, unless nil
	wantFiles bool                // whether files are listed, not only directories
	left      *exclusionCollector // receives what is left out, unless nil
	links     *linksByTarget      // receives the links within the folder, unless nil
	call      *pendingCall        // notified of each answer of the file system; may be nil
	above     *ignore.RuleSet     // rules from above the folder that apply in it
	held      openIndexFiles      // index files, which are left out
	has       ignore.HasFileFunc  // looks for files that exclude their directory
	busy      chan struct{}       // holds one element for each goroutine besides the first
}

func newTreeWalker(ctx context.Context, root *os.Root, read func(*os.Root, string) ([]fs.DirEntry, error)) *treeWalker {
	return &treeWalker{ctx: ctx, root: root, read: read, has: hasFileIn(root), busy: make(chan struct{}, manyReaders-1)}
}

// A directoryListing is what a walk found in one directory.
type directoryListing struct {
	dir    string
	ignore *ignore.RuleSet     // rules for the entries of the directory
	files  []File              // sorted; includes directories that cannot be read
	subs   []*directoryListing // sorted
	unread bool                // the directory cannot be read or need not be
}

// walkBelow walks from the root down to under, applying the ignore files on the way, and then walks
// everything below it.
func (t *treeWalker) walkBelow(under string) ([]File, error) {
	under = path.Clean(under)
	if !filepath.IsLocal(filepath.FromSlash(under)) {
		return nil, errors.New("the path leaves the folder")
	}
	if under == everything {
		l, err := t.walk(everything, t.above)
		if err != nil {
			return nil, underlyingError(err)
		}
		return l.allFiles(), nil
	}
	set := t.ignoreSetFor(everything, t.above, ignore.FileNames)
	for end := 0; end < len(under); {
		if i := strings.IndexByte(under[end+1:], '/'); i >= 0 {
			end += 1 + i
		} else {
			end = len(under)
		}
		p := under[:end]
		info, err := t.root.Lstat(p)
		if err != nil {
			return t.unreadableEntry(p, err), nil
		}
		if set.Excludes(p, info.IsDir(), t.has) || info.IsDir() && t.held.isCacheDir(p) {
			return nil, nil
		}
		switch {
		case !info.IsDir() && (end < len(under) || t.held.belongsToAnyIndex(t.root, p, info)):
			return nil, nil
		case !info.IsDir():
			return t.appendFile(nil, p, info), nil
		case end == len(under):
			return t.walkSubdir(p, set).allFiles(), nil
		}
		set = t.ignoreSetFor(p, set, ignore.FileNames)
	}
	return nil, nil
}

// walk visits dir and everything below it. It fails if dir cannot be read, and returns early when
// the context ends.
func (t *treeWalker) walk(dir string, parent *ignore.RuleSet) (*directoryListing, error) {
	if t.enter != nil {
		t.enter(dir)
	}
	entries, err := t.read(t.root, dir)
	t.call.noteAnswer()
	if err != nil {
		return nil, err
	}
	l := &directoryListing{dir: dir, ignore: t.ignoreSetFor(dir, parent, ignoreFilesAmong(entries))}
	prefix := ""
	if dir != everything {
		prefix = dir + "/"
	}
	var indexes []string
	if t.wantFiles {
		l.files = make([]File, 0, len(entries))
		indexes = t.held.indexesAmong(t.root, dir, entries)
	}
	var dirs []string
	for _, e := range entries {
		p := prefix + e.Name()
		if !t.wantFiles && !e.IsDir() {
			continue
		}
		rule, excluded := l.ignore.RuleFor(p, e.IsDir(), t.has)
		switch {
		case excluded:
			t.left.add(p, e.IsDir(), rule)
		case e.IsDir() && t.held.isCacheDir(p), slices.ContainsFunc(indexes, func(index string) bool { return isOfIndex(e.Name(), index) }):
			t.left.add(p, e.IsDir(), ignore.Rule{Kind: ignore.SearchIndexFile})
		case e.IsDir():
			dirs = append(dirs, p)
		default:
			l.files = t.appendEntry(l.files, p, e)
		}
	}
	slices.SortFunc(l.files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	l.subs = t.walkAll(dirs, l.ignore)
	return l, nil
}

// maxIgnoreFile bounds how much of an ignore file is read, in bytes.
const maxIgnoreFile = 1 << 20

// ignoreSetFor returns the rules for a directory, with those of its ignore files, whose names are
// given. A file that cannot be read counts as absent.
func (t *treeWalker) ignoreSetFor(dir string, parent *ignore.RuleSet, names []string) *ignore.RuleSet {
	var texts []ignore.IgnoreFile
	for _, name := range names {
		f, _, err := openRegular(t.root, path.Join(dir, name), t.held.isIndexFile)
		if err != nil {
			continue
		}
		if text, err := io.ReadAll(io.LimitReader(f, maxIgnoreFile)); err == nil {
			texts = append(texts, ignore.IgnoreFile{Name: name, Patterns: string(text)})
		}
		f.Close()
	}
	return parent.ForSubdir(dir, texts)
}

// hasFileIn returns a function that looks for regular files below a root.
func hasFileIn(root *os.Root) ignore.HasFileFunc {
	return func(dir, name string) bool {
		info, err := root.Lstat(path.Join(dir, name))
		return err == nil && info.Mode().IsRegular()
	}
}

// ignoreFilesAmong returns the names of the ignore files among entries, in order of precedence.
func ignoreFilesAmong(entries []fs.DirEntry) []string {
	return slices.DeleteFunc(slices.Clone(ignore.FileNames), func(name string) bool {
		return !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	})
}

// walkAll visits directories, some of them concurrently. It passes on a panic to the caller: the
// files of that directory are unknown and must not seem deleted.
func (t *treeWalker) walkAll(dirs []string, parent *ignore.RuleSet) []*directoryListing {
	subs := make([]*directoryListing, len(dirs))
	panics := make([]any, len(dirs))
	var group sync.WaitGroup
	visited := 0
	for i, dir := range dirs {
		if t.ctx.Err() != nil {
			break
		}
		visited++
		select {
		case t.busy <- struct{}{}:
			group.Go(func() {
				defer func() { <-t.busy }()
				defer func() {
					if panics[i] = recover(); panics[i] != nil {
						slog.Debug("internal error", "doing", "list a folder", "path", dir, "panic", panics[i], "stack", string(debug.Stack()))
					}
				}()
				subs[i] = t.walkSubdir(dir, parent)
			})
		default:
			subs[i] = t.walkSubdir(dir, parent)
		}
	}
	group.Wait()
	subs = subs[:visited]
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
	slices.SortFunc(subs, func(a, b *directoryListing) int { return strings.Compare(a.dir+"/", b.dir+"/") })
	return subs
}

// walkSubdir visits a directory that may be unreadable.
func (t *treeWalker) walkSubdir(dir string, parent *ignore.RuleSet) *directoryListing {
	if !utf8.ValidString(dir) {
		return &directoryListing{dir: dir, files: []File{skippedFile(dir, reasonBadName)}, unread: true}
	}
	l, err := t.walk(dir, parent)
	if err != nil {
		return &directoryListing{dir: dir, files: t.unreadableEntry(dir, err), unread: true}
	}
	return l
}

// allFiles returns the files of the directory and of those below it, in order.
func (l *directoryListing) allFiles() []File { return l.appendFilesTo(make([]File, 0, l.fileCount())) }

func (l *directoryListing) fileCount() int {
	n := len(l.files)
	for _, sub := range l.subs {
		n += sub.fileCount()
	}
	return n
}

// appendFilesTo appends the files of the directory and of those below it, in order.
func (l *directoryListing) appendFilesTo(all []File) []File {
	rest := l.files
	for _, sub := range l.subs {
		n := 0
		for first := sub.dir + "/"; n < len(rest) && rest[n].Path < first; {
			n++
		}
		all = append(all, rest[:n]...)
		rest = rest[n:]
		all = sub.appendFilesTo(all)
	}
	return append(all, rest...)
}

// appendEntry appends the file at p unless it belongs to an index.
func (t *treeWalker) appendEntry(files []File, p string, e fs.DirEntry) []File {
	defer t.call.noteAnswer()
	info, err := e.Info()
	switch {
	case err != nil:
		return files // deleted since the directory was listed
	case t.held.isIndexFile(p, info):
		t.left.add(p, false, ignore.Rule{Kind: ignore.SearchIndexFile})
		return files
	}
	return t.appendFile(files, p, info)
}

// appendFile appends the file at p if it is a regular file or a link.
func (t *treeWalker) appendFile(files []File, p string, info fs.FileInfo) []File {
	isLink := info.Mode()&fs.ModeSymlink != 0
	if !info.Mode().IsRegular() && !isLink {
		t.left.add(p, false, ignore.Rule{Kind: ignore.SpecialFile})
		return files
	}
	f := File{Path: p, Size: info.Size(), ModTime: info.ModTime(), ChangeTime: changeTime(info)}
	switch {
	case !utf8.ValidString(p):
		f.Path, f.SkipReason = strings.ToValidUTF8(p, "\uFFFD"), reasonBadName
	case isLink:
		f.SkipReason = t.whyNotFollowed(p)
	default:
		f.SkipReason = formats.SkipReason(p, info.Size())
	}
	return append(files, f)
}

// whyNotFollowed returns the reason why a link is not followed. It depends only on the link itself,
// since its target may appear and disappear without an event.
func (t *treeWalker) whyNotFollowed(p string) message.Message {
	target, isInside, err := linkTarget(t.root, p)
	switch {
	case err != nil:
		return message.FromError(underlyingError(err))
	case !isInside:
		return reasonLinkOutside
	}
	t.links.add(target, p)
	return reasonLinkInside
}

func skippedFile(p string, reason message.Message) File {
	return File{Path: strings.ToValidUTF8(p, "\uFFFD"), SkipReason: reason}
}

// IsInaccessibleFolderSkip reports whether a scan skipped a directory because it may not be opened.
func IsInaccessibleFolderSkip(skip message.Message) bool { return skip.Code() == codeClosedFolder }

// unreadableEntry returns an entry for a directory or file that exists but cannot be examined; none
// if it does not exist.
func (t *treeWalker) unreadableEntry(p string, err error) []File {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return []File{skippedFile(p, reasonClosed)}
	case errors.Is(err, fs.ErrNotExist), isNotDir(t.root, p):
		return nil // deleted since the directory was listed
	}
	return []File{skippedFile(p, message.FromError(underlyingError(err)))}
}

// isNotDir reports whether p cannot exist because one of its parents is not a directory. Systems
// return different errors in that case.
func isNotDir(root *os.Root, p string) bool {
	for p = path.Dir(p); p != "."; p = path.Dir(p) {
		if info, err := root.Lstat(p); err == nil {
			return !info.IsDir()
		}
	}
	return false
}

// readDirAndStat lists a directory and stats its entries.
func readDirAndStat(root *os.Root, dir string) ([]fs.DirEntry, error) {
	return readDirWithCallback(root, dir, func(*os.File) {})
}

// readDirWithCallback lists a directory with the metadata of its entries. It calls onOpen once the
// directory is open, before it is read.
func readDirWithCallback(root *os.Root, dir string, onOpen func(*os.File)) ([]fs.DirEntry, error) {
	d, err := root.OpenFile(dir, os.O_RDONLY|withoutWaiting, 0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	onOpen(d)
	return readDirWithStat(d)
}
