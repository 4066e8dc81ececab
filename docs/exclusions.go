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

// An Exclusion is a file or directory that a rule excludes from scans. The content of such a
// directory is not examined.
type Exclusion struct {
	Path  string      `json:"path"` // slash-separated, relative to the folder
	IsDir bool        `json:"is_folder,omitempty"`
	Rule  ignore.Rule `json:"rule"`
}

// A ScanResult is what a scan of a whole folder lists, and what it silently leaves out.
type ScanResult struct {
	Files    []File
	Excluded []Exclusion // sorted by path
}

// ScanWithExclusions scans the folder and also returns what the scan leaves out. It costs as much as a scan and
// returns the same errors.
func (f *Folder) ScanWithExclusions(ctx context.Context) (ScanResult, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // stops work that was abandoned
	return runAbandonable(ctx, f, "scan", func(c *pendingCall) (ScanResult, error) {
		left := new(exclusionCollector)
		files, err := f.scan(ctx, c, everything, left)
		if err != nil {
			return ScanResult{}, err
		}
		slices.SortFunc(left.all, func(a, b Exclusion) int { return cmp.Compare(a.Path, b.Path) })
		return ScanResult{files, left.all}, nil
	})
}

// FoldersFilledByPrograms lists the folders that are excluded because their names show that programs fill
// them, sorted.
func (s ScanResult) FoldersFilledByPrograms() (all []string) {
	for _, l := range s.Excluded {
		if l.Rule.Kind == ignore.FilledByProgram {
			all = append(all, l.Path)
		}
	}
	return all
}

// Remedy explains how to include the directory. It returns "" if the rule explains itself.
func (e Exclusion) Remedy() message.Message {
	if e.Rule.Kind != ignore.FilledByProgram {
		return ""
	}
	return message.New("to index it, put the line !%s/ in a .vademecumignore next to it", path.Base(e.Path))
}

// Exclusions lists what a scan of the folder silently leaves out, sorted by path. It costs as much
// as a scan and returns the same errors.
func (f *Folder) Exclusions(ctx context.Context) ([]Exclusion, error) {
	s, err := f.ScanWithExclusions(ctx)
	return s.Excluded, err
}

// exclusionCollector collects what a walk leaves out. It is safe for concurrent use; nil collects
// nothing.
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
