package docs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"vademecum/docs/ignore"
	"vademecum/internal/present"
)

// A Exclusion is a file or directory that a scan does not list, by some rule. What is in
// such a directory is not looked at.
type Exclusion struct {
	Path  string      `json:"path"` // slash-separated, relative to the folder
	IsDir bool        `json:"is_folder,omitempty"`
	Rule  ignore.Rule `json:"rule"`
}

// Exclusions lists what a scan of the folder leaves out silently, sorted by path. It takes
// as long as a scan, and fails like one.
func (f *Folder) Exclusions(ctx context.Context) ([]Exclusion, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // what is left alone
	return runAbandonable(ctx, f, "look for what is left out", func(c *pendingCall) ([]Exclusion, error) {
		t, err := f.newScanTree(ctx, c)
		if err != nil {
			return nil, err
		}
		t.left = new(exclusionCollector)
		if _, err = t.walkBelow(everything); err == nil {
			err = ctx.Err() // the walk may have been cut short
		}
		if err != nil {
			return nil, fmt.Errorf("scan %s: %w", present.QuoteName(f.Dir()), err)
		}
		slices.SortFunc(t.left.all, func(a, b Exclusion) int { return cmp.Compare(a.Path, b.Path) })
		return t.left.all, nil
	})
}

// exclusionCollector takes what a walk leaves out, in parts of the folder at the same time; nil
// takes nothing.
type exclusionCollector struct {
	mu  sync.Mutex
	all []Exclusion
}

func (l *exclusionCollector) add(p string, isDir bool, rule ignore.Rule) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, Exclusion{strings.ToValidUTF8(p, "\uFFFD"), isDir, rule})
}
