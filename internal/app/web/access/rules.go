// Package access decides which folders a user sees. It keeps a server for each set of folders,
// which contains only these, so that no answer can reveal the others.
package access

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

// Rules define who sees which folder.
type Rules struct {
	folders []string
	only    []subject // users whom the rule of each folder admits; the zero value for a folder without a rule
	closed  bool      // a folder without a rule is closed to all; otherwise it is open to all users
}

// subject is the set of users that a rule admits.
type subject struct {
	users, groups []string
	all           bool
}

const (
	ofGroup  = "group:" // prefix of the name of a group in a rule
	everyone = "*"      // stands for all users
)

// Parse parses rules of the form alice,group:cardio=FOLDER. Several rules for one folder are
// combined.
func Parse(folders, rules []string) (Rules, error) {
	r := newRules(folders)
	for _, rule := range rules {
		if err := r.addRule(rule); err != nil {
			return r, fmt.Errorf("--allow: %w", err)
		}
	}
	return r, nil
}

func newRules(folders []string) Rules {
	return Rules{folders: folders, only: make([]subject, len(folders))}
}

// addRule parses a rule.
func (r Rules) addRule(rule string) error {
	names, dir, ok := strings.Cut(rule, "=")
	if !ok || names == "" || dir == "" {
		return message.Errorf("a rule is NAMES=FOLDER, such as alice,group:cardio=notes, got %q", rule)
	}
	at := slices.IndexFunc(r.folders, func(f string) bool { return filepath.Clean(f) == filepath.Clean(dir) })
	if at < 0 {
		return message.Errorf("the folder %s is not served: write it as it is given", dir)
	}
	for name := range strings.SplitSeq(names, ",") {
		group, isGroup := strings.CutPrefix(name, ofGroup)
		switch {
		case name == "" || isGroup && group == "":
			return message.Errorf("%s has an empty name", rule)
		case strings.HasPrefix(name, "groups:"):
			return message.Errorf("a group is written %s%s, got %q", ofGroup, strings.TrimPrefix(name, "groups:"), name)
		case isGroup:
			r.only[at].groups = append(r.only[at].groups, group)
		case name == everyone:
			r.only[at].all = true
		default:
			r.only[at].users = append(r.only[at].users, name)
		}
	}
	return nil
}

// addRuleLines parses a text with one rule a line. Empty lines and comments are ignored.
func (r Rules) addRuleLines(text string) error {
	found := false
	n := 0
	for line := range strings.Lines(text) {
		n++
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if err := r.addRule(line); err != nil {
			return message.Errorf("line %d: %v", n, err)
		}
		found = true
	}
	if !found { // the file may be in the middle of being written
		return message.Errorf("there is no rule")
	}
	return nil
}

// UsersAndGroups lists the users and groups that occur in the rules.
func (r Rules) UsersAndGroups() (users, groups []string) {
	for _, w := range r.only {
		users, groups = append(users, w.users...), append(groups, w.groups...)
	}
	slices.Sort(users)
	slices.Sort(groups)
	return slices.Compact(users), slices.Compact(groups)
}

// foldersSeenBy returns the positions of the folders that a user sees, in the list of all folders.
func (r Rules) foldersSeenBy(u signin.User) (folders []int) {
	for i, w := range r.only {
		if r.matchesUser(w, u) {
			folders = append(folders, i)
		}
	}
	return folders
}

// matchesUser reports whether a folder whose rule admits of is open to a user.
func (r Rules) matchesUser(of subject, u signin.User) bool {
	if of.all || !r.closed && len(of.users)+len(of.groups) == 0 {
		return true
	}
	inGroup := func(g string) bool { return slices.Contains(of.groups, g) }
	return u.Name != "" && slices.Contains(of.users, u.Name) || slices.ContainsFunc(u.Groups, inGroup)
}
