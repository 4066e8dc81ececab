package page

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"vademecum/docs"
	"vademecum/docs/ignore"
	"vademecum/index"
	"vademecum/internal/base/message"
)

// leftOutView is the page that lists what is excluded, or explains why a file is not found.
type leftOutView struct {
	File    string // name or path of the file that is looked for; "" if none
	Sought  []index.File
	More    int // number of further files beside Sought
	Problem message.Message

	Groups []ruleView

	Rule  string // the rule whose files are listed; "" for all rules
	Rules ignore.Rule
	Files []string
	Count int
	Next  string
}

// ruleView is a rule of exclusion and the first files that it excludes.
type ruleView struct {
	Rule  ignore.Rule
	Files []string
	Count int
	To    string
}

// leftOut shows what is excluded and why. Only the owner of the folders may see it, as it names
// hidden files.
func (v *request) leftOut() {
	if !v.keepsFolders() {
		v.fail(http.StatusForbidden, message.New("only users who may change the index can see what is left out"))
		return
	}
	ctx, cancel := v.timed()
	defer cancel()
	view := leftOutView{File: strings.TrimSpace(v.r.FormValue("file")), Rule: v.r.FormValue("rule")}
	left, err := v.liveOf(v.view).leftOut(ctx)
	if errors.Is(err, docs.ErrRemoteFolder) {
		view.Problem, err = message.New("The files are on other machines: the server that reads them knows what is left out."), nil
	}
	if err == nil && view.File != "" {
		view.Sought, err = v.view.Library.FindFiles(ctx, view.File, left)
	}
	if err != nil {
		v.o.Logger.Error("what is left out cannot be told", "error", err)
		v.fail(http.StatusServiceUnavailable, message.New("the folders cannot be scanned now; the log says why"))
		return
	}
	view.More = max(0, len(view.Sought)-pageLength)
	view.Sought = view.Sought[:len(view.Sought)-view.More]
	view.take(left, v.r.FormValue("after"))
	v.show("left-out", view)
}

// take fills in the exclusions, grouped by rule, or a page of those by the requested rule that
// follow after.
func (view *leftOutView) take(left []docs.Exclusion, after string) {
	if view.Rule == "" {
		view.Groups, view.Count = rulesOf(left), len(left)
		return
	}
	for _, l := range left {
		if l.Rule.String() != view.Rule {
			continue
		}
		view.Rules = l.Rule
		view.Count++
		switch name := nameOf(l); {
		case l.Path <= after:
		case len(view.Files) < pageLength:
			view.Files = append(view.Files, name)
		case view.Next == "":
			last := strings.TrimSuffix(view.Files[pageLength-1], "/")
			view.Next = "/library/left-out?" + url.Values{"rule": {view.Rule}, "after": {last}}.Encode()
		}
	}
}

// rulesOf groups exclusions by rule, the most frequent rule first.
func rulesOf(left []docs.Exclusion) (all []ruleView) {
	at := make(map[ignore.Rule]int)
	for _, l := range left {
		i, known := at[l.Rule]
		if !known {
			i = len(all)
			at[l.Rule] = i
			all = append(all, ruleView{Rule: l.Rule, To: "/library/left-out?" + url.Values{"rule": {l.Rule.String()}}.Encode()})
		}
		if all[i].Count++; len(all[i].Files) < mostNamed {
			all[i].Files = append(all[i].Files, nameOf(l))
		}
	}
	slices.SortStableFunc(all, func(a, b ruleView) int { return cmp.Compare(b.Count, a.Count) })
	return all
}

// nameOf returns the path of an exclusion, with a trailing slash for a directory.
func nameOf(l docs.Exclusion) string {
	if l.IsDir {
		return l.Path + "/"
	}
	return l.Path
}

// keptLeft caches the exclusions for a moment: visitors turn pages, and listing exclusions means
// walking the folders.
type keptLeft struct {
	mu   sync.Mutex // held while walking the folders
	all  []docs.Exclusion
	made time.Time
}

// leftOut returns the exclusions of the folders of a view.
func (l *live) leftOut(ctx context.Context) ([]docs.Exclusion, error) {
	l.left.mu.Lock()
	defer l.left.mu.Unlock()
	if time.Since(l.left.made) < freshFor*2 {
		return l.left.all, nil
	}
	all, err := l.view.Library.Exclusions(ctx)
	if err != nil {
		return nil, err
	}
	l.left.all, l.left.made = all, time.Now()
	return all, nil
}
