package docs

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"
	"sync"

	"vademecum/docs/ignore"
	"vademecum/internal/base/message"
)

// An Exclusion is a file or directory that a rule excludes from scans. The content of
// such a directory is not looked at.
type Exclusion struct {
	Path  string      `json:"path"` // slash-separated, relative to the folder
	IsDir bool        `json:"is_folder,omitempty"`
	Rule  ignore.Rule `json:"rule"`
}

// A Survey is what a scan of a whole folder lists, and what it leaves out silently.
type Survey struct {
	Files []File
	Left  []Exclusion // sorted by path
}

// Survey scans the folder, and also returns what is left out, at the cost of a scan. It fails like
// one.
func (f *Folder) Survey(ctx context.Context) (Survey, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // what is left alone
	return runAbandonable(ctx, f, "scan", func(c *pendingCall) (Survey, error) {
		left := new(exclusionCollector)
		files, err := f.scan(ctx, c, everything, left)
		if err != nil {
			return Survey{}, err
		}
		slices.SortFunc(left.all, func(a, b Exclusion) int { return cmp.Compare(a.Path, b.Path) })
		return Survey{files, left.all}, nil
	})
}

// FilledFolders lists the folders that are left out by their names, sorted.
func (s Survey) FilledFolders() (all []string) {
	for _, l := range s.Left {
		if l.Rule.Kind == ignore.Filled {
			all = append(all, l.Path)
		}
	}
	return all
}

// Remedy explains how to include the directory, "" if the rule itself is explanation
// enough.
func (e Exclusion) Remedy() message.Message {
	if e.Rule.Kind != ignore.Filled {
		return ""
	}
	return message.New("the line !%s/ in a .vademecumignore beside it has it indexed", path.Base(e.Path))
}

// Exclusions lists what a scan of the folder leaves out silently, sorted by path. It takes
// as long as a scan, and fails like one.
func (f *Folder) Exclusions(ctx context.Context) ([]Exclusion, error) {
	s, err := f.Survey(ctx)
	return s.Left, err
}

// exclusionCollector collects what a walk leaves out, concurrently; nil collects nothing.
type exclusionCollector struct {
	mu  sync.Mutex
	all []Exclusion
}

// clear discards what was collected, before another walk.
func (l *exclusionCollector) clear() {
	if l != nil {
		l.all = nil
	}
}

func (l *exclusionCollector) add(p string, isDir bool, rule ignore.Rule) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, Exclusion{strings.ToValidUTF8(p, "\uFFFD"), isDir, rule})
}
