package page

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/internal/base/message"
)

// stateView is the progress of the index as shown on pages.
type stateView struct {
	progress.State
	Documents, Passages int
	PerSecond           float64 // passages embedded per second
	Left                time.Duration
	FilesLeft           time.Duration
	Notes               []notice.Note // about what answers may lack
}

// IsEmpty reports whether there is nothing to search, and nothing being indexed.
func (s stateView) IsEmpty() bool { return s.Documents == 0 && s.Phase == progress.Ready }

// now returns the current state of the index, which takes little time.
func (v *request) now() stateView {
	s := stateView{State: v.view.Library.State()}
	s.Documents, s.Passages = v.view.Library.Size()
	s.PerSecond, s.Left = s.EmbedPace()
	if took := time.Since(s.Since); s.Phase == progress.Indexing && s.FilesDone > 0 && s.FilesTotal > s.FilesDone && !s.Since.IsZero() {
		s.FilesLeft = time.Duration(float64(took) / float64(s.FilesDone) * float64(s.FilesTotal-s.FilesDone))
	}
	return s
}

// libraryView is the page with the overview of the folders.
type libraryView struct {
	Now       stateView
	Folders   []index.FolderStatus
	Own       int // ID of this process
	Bare      int
	Passages  int
	Kinds     []share
	Languages []share
	Skipped   []reasonView
	Skips     int
	Tree      []branchView
	Guessed   []index.GuessedEncoding
	Guesses   int
	Partial   []notice.SkippedFile
	Partials  int
	Refused   []notice.SkippedFile
	Refusals  int
	Tags      []index.TagCount
	Price     *embed.Price
	Local     bool
	Keeps     bool // the visitor may see what is excluded
}

// share is a part of the documents, and the number of its documents. Wide is the length of its bar,
// at most 1000.
type share struct {
	Name      string
	Documents int
	Wide      int
	To        string
}

// reasonView is a reason why files are not indexed, with the first of these files.
type reasonView struct {
	Reason message.Message
	Files  []string
	Count  int
	To     string
}

// Limits of the lists on the page of the library. Each list is shown in full on a page of its own,
// or printed by vademecum status.
const (
	mostNamed  = 8
	mostShares = 12
	mostTags   = 40
)

// library shows the overview of the folders.
func (v *request) library() {
	o, err := v.summary()
	var c *contents
	if err == nil {
		c, err = v.contents()
	}
	if err != nil {
		v.failIndex(err)
		return
	}
	view := libraryView{
		Now: v.now(), Folders: o.Folders, Own: os.Getpid(), Bare: o.UnembeddedChunks, Passages: o.Chunks, Price: v.o.Price, Local: v.isHere(), Keeps: v.keepsFolders(),
		Kinds:   sharesOf(o.Kinds, func(name string) string { return "/library/documents?" + url.Values{"kind": {name}}.Encode() }),
		Guessed: o.GuessedEncodings[:min(len(o.GuessedEncodings), mostNamed)], Guesses: len(o.GuessedEncodings),
		Partial: o.PartlyRead[:min(len(o.PartlyRead), mostNamed)], Partials: len(o.PartlyRead),
		Refused: o.RefusedPassages[:min(len(o.RefusedPassages), mostNamed)], Refusals: len(o.RefusedPassages),
		Skipped: reasonsOf(o.Skipped), Skips: len(o.Skipped), Tags: c.tags[:min(len(c.tags), mostTags)],
	}
	view.Now.Notes = v.missing()
	view.Languages = sharesOf(o.Languages, func(string) string { return "" })
	for i, l := range view.Languages {
		view.Languages[i].Name = v.words.languageName(l.Name)
	}
	ctx, cancel := v.timed()
	defer cancel()
	if tree, err := v.view.Library.DirectoryTree(ctx, ""); err == nil {
		view.Tree = new(documentsView).branches(tree.Subdirectories)
	}
	v.show("library", view)
}

// state shows the progress of the index, as a part of a page that a script requests.
func (v *request) state() {
	s := v.now()
	s.Notes = v.missing()
	v.showPart(v.w, v.r, http.StatusOK, "state", s)
}

// missing returns notes on what answers may lack, without those that the state shows anyway.
func (v *request) missing() []notice.Note {
	return slices.DeleteFunc(slices.Clone(v.view.Library.FreshnessNotes()), func(n notice.Note) bool {
		return n.Kind == notice.IndexBeingBuilt || n.Kind == notice.FolderBeingScanned || n.Kind == notice.IndexingFailed
	})
}

func (v *request) failIndex(err error) {
	if errors.Is(err, index.ErrDatabaseUnreachable) { // it is logged already
		v.failAway()
		return
	}
	v.o.Logger.Error("a page cannot be shown", "error", err)
	v.fail(http.StatusServiceUnavailable, message.New("the index cannot be read now; the log says why"))
}

// sharesOf returns the largest of the counts, and the rest as one share.
func sharesOf(all []index.DocumentCount, to func(name string) string) (shares []share) {
	sum, rest := 0, 0
	for _, t := range all {
		sum += t.Documents
	}
	for i, t := range all {
		if i >= mostShares {
			rest += t.Documents
			continue
		}
		shares = append(shares, share{t.Name, t.Documents, 1000 * t.Documents / max(sum, 1), to(t.Name)})
	}
	if rest > 0 {
		shares = append(shares, share{"others", rest, 1000 * rest / sum, ""})
	}
	return shares
}

// reasonsOf groups files by the reason why they are not indexed, most frequent first.
func reasonsOf(skipped []notice.SkippedFile) (all []reasonView) {
	at := make(map[message.Message]int)
	for _, s := range skipped {
		i, known := at[s.Reason]
		if !known {
			i = len(all)
			at[s.Reason] = i
			all = append(all, reasonView{Reason: s.Reason, To: "/library/skipped?" + url.Values{"reason": {s.Reason.String()}}.Encode()})
		}
		if all[i].Count++; len(all[i].Files) < mostNamed {
			all[i].Files = append(all[i].Files, s.Path)
		}
	}
	slices.SortStableFunc(all, func(a, b reasonView) int { return cmp.Compare(b.Count, a.Count) })
	return all
}

// skippedView is a page of the files that are not indexed for a reason.
type skippedView struct {
	Reason message.Message
	Files  []string
	Count  int
	Next   string
}

// skipped lists the files that are not indexed for a reason.
func (v *request) skipped() {
	o, err := v.summary()
	if err != nil {
		v.failIndex(err)
		return
	}
	reason := v.r.FormValue("reason")
	view := skippedView{Reason: message.Message(reason)}
	after := v.r.FormValue("after")
	for _, s := range o.Skipped {
		if s.Reason.String() != reason {
			continue
		}
		view.Reason = s.Reason
		view.Count++
		switch {
		case s.Path <= after:
		case len(view.Files) < pageLength:
			view.Files = append(view.Files, s.Path)
		case view.Next == "":
			view.Next = "/library/skipped?" + url.Values{"reason": {reason}, "after": {view.Files[pageLength-1]}}.Encode()
		}
	}
	v.show("skipped", view)
}

// pageLength is the number of lines on a page of a list.
const pageLength = 100

// summary is the overview of the documents that a user may see, with the time when it was made.
type summary struct {
	index.Overview

	made   time.Time
	before stateView // state of the index before the summary was made
	number uint64    // change number of the documents then
}

// cachedSummary caches a summary for a moment, as making it requires a pass over all documents.
type cachedSummary struct {
	mu   sync.Mutex // held while it is made
	last *summary
}

// How long a summary is cached if the index has changed, and if it has not.
const (
	freshFor = time.Second
	keptFor  = 15 * time.Second
)

// contents are the counts of a view's documents, by kind, language and tag.
type contents struct {
	index.Contents
	tags []index.TagCount
}

// soon is how long a page waits for parts that it can do without.
const soon = 40 * time.Millisecond

// contentsWithin returns the counts of the documents; nil if they fail, or are not ready within a
// time limit (isLate). In that case a later page gets them.
func (v *request) contentsWithin(within time.Duration) (c *contents, isLate bool) {
	made := make(chan *contents, 1)
	go func() {
		c, err := v.contents()
		if err != nil {
			v.o.Logger.Debug("documents were not counted", "error", err)
		}
		made <- c
	}()
	limit := time.NewTimer(within)
	defer limit.Stop()
	select {
	case c := <-made:
		return c, false
	case <-limit.C:
		return nil, true
	}
}

// contents returns the counts of the documents that the visitor sees, which the library caches
// until a document changes. The counting continues if the visitor leaves, as others need the result
// too.
func (v *request) contents() (c *contents, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.r.Context()), longestWait)
	defer cancel()
	c = new(contents)
	if c.Contents, err = v.view.Library.Contents(ctx); err != nil {
		return nil, err
	}
	c.tags, err = v.view.Library.Tags(ctx, index.Filter{})
	return c, err
}

// summary returns the summary of what the visitor sees. Making it continues if the visitor leaves,
// as others need it too.
func (v *request) summary() (*summary, error) {
	now := v.now()
	kept := &v.liveOf(v.view).kept
	kept.mu.Lock()
	defer kept.mu.Unlock()
	number := v.view.Library.ChangeNumber()
	if s := kept.last; s != nil {
		age := time.Since(s.made)
		if age < freshFor || age < keptFor && s.number == number && s.before.Synced.Equal(now.Synced) {
			return s, nil
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(v.r.Context()), longestWait)
	defer cancel()
	o, err := v.view.Library.Overview(ctx)
	if err != nil {
		return nil, err
	}
	kept.last = &summary{Overview: o, made: time.Now(), before: now, number: number}
	return kept.last, nil
}
