// Package access says which of the folders a user sees, and keeps a server for each
// set of them: one over these folders alone, so that nothing that it says can tell
// of the others.
package access

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/internal/web/signin"
)

// Rules say who sees which folder.
type Rules struct {
	folders []string
	only    []whom // of each folder; the zero value: everyone who is let in
}

// whom a rule means.
type whom struct{ users, groups []string }

// ofGroup begins the name of a group in a rule.
const ofGroup = "group:"

// Parse reads rules such as alice,group:cardio=FOLDER. Of several on one folder
// each lets in more.
func Parse(folders, rules []string) (Rules, error) {
	r := Rules{folders: folders, only: make([]whom, len(folders))}
	for _, rule := range rules {
		names, dir, ok := strings.Cut(rule, "=")
		if !ok || names == "" || dir == "" {
			return r, fmt.Errorf("--allow takes NAMES=FOLDER, such as alice,group:cardio=notes, got %q", rule)
		}
		at := slices.IndexFunc(folders, func(f string) bool { return filepath.Clean(f) == filepath.Clean(dir) })
		if at < 0 {
			return r, fmt.Errorf("--allow names the folder %s, which is not served: write it as it is given", dir)
		}
		for name := range strings.SplitSeq(names, ",") {
			group, isGroup := strings.CutPrefix(name, ofGroup)
			switch {
			case name == "" || isGroup && group == "":
				return r, fmt.Errorf("--allow %s has an empty name", rule)
			case isGroup:
				r.only[at].groups = append(r.only[at].groups, group)
			default:
				r.only[at].users = append(r.only[at].users, name)
			}
		}
	}
	return r, nil
}

// Seen lists the folders that a user sees, by their numbers.
func (r Rules) Seen(u signin.User) (folders []int) {
	for i, w := range r.only {
		if w.means(u) {
			folders = append(folders, i)
		}
	}
	return folders
}

func (w whom) means(u signin.User) bool {
	if len(w.users)+len(w.groups) == 0 {
		return true
	}
	inGroup := func(g string) bool { return slices.Contains(w.groups, g) }
	return u.Name != "" && slices.Contains(w.users, u.Name) || slices.ContainsFunc(u.Groups, inGroup)
}
