package docs

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"vademecum/docs/meta"
	"vademecum/internal/base/message"
)

// A symbolic link to another file of its folder is not followed, since that would index the file
// twice. Instead, the name of the link becomes an alias of the target.

// linksByTarget are the links that scans have found, by the file they lead to.
type linksByTarget struct {
	mu sync.Mutex
	to map[string][]string // paths of links, by the path of their target
}

func (l *linksByTarget) add(target, link string) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.to == nil {
		l.to = make(map[string][]string)
	}
	if !slices.Contains(l.to[target], link) {
		l.to[target] = append(l.to[target], link)
	}
}

func (l *linksByTarget) linksTo(target string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.to[target])
}

// linkNames returns the names of the links that currently lead to a file, in order.
func (f *Folder) linkNames(root *os.Root, p string) []string {
	var names []string
	for _, link := range f.links.linksTo(p) {
		if target, ok, err := linkTarget(root, link); ok && err == nil && target == p {
			names = append(names, stem(path.Base(link)))
		}
	}
	slices.Sort(names)
	return names
}

// addAliases adds names to the aliases of a document.
func (d *Document) addAliases(names []string) {
	if len(names) > 0 {
		d.Meta.Fields = append(d.Meta.Fields, meta.Field{Key: "aliases", Values: names})
	}
}

// IsInternalSymlinkSkip reports whether a file is skipped because it is a symbolic link to another
// path in its folder.
func IsInternalSymlinkSkip(reason message.Message) bool { return reason.Code() == codeLinkInside }

// SymlinkTarget returns the path in the folder that the symbolic link p leads to. ok is false if it
// leads elsewhere.
func (f *Folder) SymlinkTarget(p string) (target string, ok bool) {
	if f.UnresponsiveFor() > 0 {
		return "", false
	}
	root, err := f.lastOrCurrentRoot()
	if err != nil {
		return "", false
	}
	target, ok, err = linkTarget(root, p)
	return target, ok && err == nil
}

// MissingPaths returns those of the paths at which there is no file. If that cannot be determined,
// it returns none.
func (f *Folder) MissingPaths(ctx context.Context, paths []string) []string {
	lacking, err := runAbandonable(ctx, f, "look for files", func(c *pendingCall) (lacking []string, err error) {
		root, err := f.lastOrCurrentRoot()
		if err != nil {
			return nil, err
		}
		for _, p := range paths {
			info, err := root.Lstat(filepath.FromSlash(p))
			c.noteAnswer()
			if err == nil && info.IsDir() || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
				lacking = append(lacking, p)
			}
		}
		return lacking, nil
	})
	if err != nil {
		return nil
	}
	return lacking
}

// linkTarget returns the slash path in the folder that a link leads to, and whether it is inside
// the folder.
func linkTarget(root *os.Root, p string) (target string, isInside bool, err error) {
	target, err = root.Readlink(p)
	if err != nil {
		return "", false, err
	}
	if filepath.IsAbs(target) {
		target, err = filepath.Rel(root.Name(), target)
	} else {
		target = filepath.Join(filepath.Dir(filepath.FromSlash(p)), target)
	}
	if err != nil || !filepath.IsLocal(target) {
		return "", false, nil
	}
	return filepath.ToSlash(target), true, nil
}
