package docs

import (
	"os"
	"path/filepath"
	"strings"

	"vademecum/docs/ignore"
)

// ignoredAbove is what the ignore files of git above a folder say of what is in it: up
// to the root of the working tree that the folder lies in, as git reads them. It is nil
// where there is none. Where they leave out the folder itself they do not count: who
// names it wants it.
func ignoredAbove(folder string) *ignore.Set {
	top := workTreeAbove(folder)
	if top == "" {
		return nil
	}
	root, err := os.OpenRoot(top)
	if err != nil {
		return nil
	}
	defer root.Close()
	inside, err := filepath.Rel(top, folder)
	if err != nil {
		return nil
	}
	inside = filepath.ToSlash(inside)
	t := &treeWalker{root: root}
	var set *ignore.Set
	for dir, rest := everything, inside; rest != ""; {
		set = t.ignoreSetFor(dir, set, ignore.Files[:1])
		var name string
		name, rest, _ = strings.Cut(rest, "/")
		if dir == everything {
			dir = name
		} else {
			dir += "/" + name
		}
		if set.Excludes(dir, true, hasFileIn(root)) {
			return nil
		}
	}
	return set.ForFolderBelow(inside)
}

// workTreeAbove is the root of git's working tree in which a folder lies, "" for none
// and for a folder that is such a root. It is not looked for above the home of the user,
// where other file systems may be.
func workTreeAbove(folder string) string {
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	for dir := folder; ; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			if dir == folder {
				return ""
			}
			return dir
		}
		if dir == home || dir == filepath.Dir(dir) {
			return ""
		}
	}
}
