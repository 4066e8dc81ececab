package docs

import (
	"os"
	"path/filepath"
	"strings"

	"vademecum/docs/ignore"
)

// ignoredAbove returns the rules of git's ignore files above a folder, up to the root of its
// working tree, as git reads them; nil if there are none. Rules that exclude the folder itself do
// not apply: the user has chosen it.
func ignoredAbove(folder string) *ignore.RuleSet {
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
	var set *ignore.RuleSet
	for dir, rest := everything, inside; rest != ""; {
		set = t.ignoreSetFor(dir, set, ignore.FileNames[:1])
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
	return set.RelativeTo(inside)
}

// workTreeAbove returns the root of the git working tree that contains a folder; "" if there is
// none or the folder is such a root. It does not look above the user's home directory, where other
// file systems may be mounted.
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
