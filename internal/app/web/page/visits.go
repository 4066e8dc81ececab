package page

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"vademecum/index"
	"vademecum/index/progress"
	"vademecum/internal/app/web/access"
	"vademecum/internal/base/message"
)

// visits remembers which documents existed when the user of this machine last viewed the first
// page, in order to show what is new, changed and gone since the last visit. One file contains the
// state at the latest view, whose time is that of the file's modification, another the state at the
// end of the previous visit.
type visits struct {
	file string // path of the files without their extension

	mu      sync.Mutex
	seen    time.Time  // time of the latest view in this process; zero before the first
	saved   uint64     // change number of the documents as saved
	savedAt time.Time  // zero if nothing was saved
	told    *sinceView // latest result of look; nil if unknown
	toldOf  uint64     // change number of the documents for told
	toldAt  time.Time  // time of told; zero if there is none yet
}

const (
	visitGap  = 30 * time.Minute // a view after a pause as long as this begins a new visit
	saveEvery = time.Minute      // minimum interval of saving the state while documents keep changing
	noteEvery = time.Minute
	tellEvery = 10 * time.Second // minimum interval of comparing the documents while they keep changing
	endNow    = ".now"
	endBefore = ".before"
)

// sinceView is what has changed since the last visit.
type sinceView struct {
	Last               time.Time
	New, Changed, Gone []string // paths as shown, sorted
}

// IsSame reports whether nothing has changed.
func (s *sinceView) IsSame() bool { return len(s.New)+len(s.Changed)+len(s.Gone) == 0 }

// newVisits returns the record of the visits to the pages of folders, which is stored in a directory.
func newVisits(dir string, folders []string) *visits {
	sum := sha256.Sum256([]byte(strings.Join(folders, "\x00")))
	return &visits{file: filepath.Join(dir, hex.EncodeToString(sum[:8]))}
}

// note extends the present visit when a page other than the first is viewed, at most once every
// noteEvery. Views by people other than the user of this machine, whom isOwner recognises, do not
// count.
func (s *visits) note(now time.Time, isOwner func() bool) {
	if !s.mu.TryLock() { // the holder of the lock records the visit
		return
	}
	defer s.mu.Unlock()
	if ago := now.Sub(s.seen); ago > noteEvery && ago <= visitGap && isOwner() {
		s.seen = now
	}
}

// look records a view of the first page, and returns what has changed since the previous visit; nil
// if that is unknown because there was none or not all documents are loaded.
func (s *visits) look(ctx context.Context, l access.Library, now time.Time) (*sinceView, error) {
	state := l.State()
	if state.Phase != progress.Ready || state.Synced.IsZero() || state.IsFolderMissing || state.IsDatabaseUnavailable || state.Failure != "" {
		return nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.begin(now); err != nil {
		return nil, err
	}
	number := l.ChangeNumber()
	isToSave := s.savedAt.IsZero() || s.saved != number && now.Sub(s.savedAt) > saveEvery
	if !isToSave && !s.toldAt.IsZero() && (s.toldOf == number || now.Sub(s.toldAt) < tellEvery) {
		return s.told, nil
	}
	documents, err := l.List(ctx, index.Filter{})
	if err != nil {
		return nil, err
	}
	s.toldOf, s.toldAt = number, now
	if isToSave {
		s.saved, s.savedAt = number, now
		if err := writeStates(s.file+endNow, documents, now); err != nil {
			return nil, err // try again later
		}
	}
	before, last, err := readStates(s.file + endBefore)
	if errors.Is(err, fs.ErrNotExist) {
		s.told = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	s.told = sinceThen(before, documents)
	s.told.Last = last
	return s.told, nil
}

// begin starts a new visit if the latest view was long ago: the state saved last becomes that of
// the previous visit.
func (s *visits) begin(now time.Time) error {
	info, err := os.Stat(s.file + endNow)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if now.Sub(s.savedAt) > saveEvery { // the file was removed
			s.savedAt = time.Time{}
		}
	case err != nil:
		return err
	case now.Sub(info.ModTime()) > visitGap && now.Sub(s.seen) > visitGap:
		if err := os.Rename(s.file+endNow, s.file+endBefore); err != nil {
			return err
		}
		s.savedAt, s.toldAt = time.Time{}, time.Time{}
	default:
		if err := os.Chtimes(s.file+endNow, now, now); err != nil {
			return err
		}
	}
	s.seen = now
	return nil
}

// sinceThen returns what has changed in documents, given their earlier states by path.
func sinceThen(before map[string]string, documents []index.Document) *sinceView {
	var since sinceView
	for _, d := range documents {
		was, wasThere := before[d.Path]
		delete(before, d.Path)
		switch now := stateOf(d); {
		case now == notRead || was == now:
		case !wasThere:
			since.New = append(since.New, d.Path)
		default:
			since.Changed = append(since.Changed, d.Path)
		}
	}
	for path, was := range before {
		if was != notRead {
			since.Gone = append(since.Gone, path)
		}
	}
	slices.Sort(since.Gone)
	return &since
}

// notRead is the state of a file that exists but has no searchable text.
const notRead = "-"

func stateOf(d index.Document) string {
	if d.SkipReason != "" {
		return notRead
	}
	return shortHash(d)
}

// statesHead is the first line of a file of states, which identifies its format.
const statesHead = "vademecum documents 1\n"

// writeStates writes the current states of documents to a file, atomically.
func writeStates(file string, documents []index.Document, now time.Time) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename
	packed, _ := gzip.NewWriterLevel(f, gzip.BestSpeed)
	lines := bufio.NewWriter(packed)
	_, _ = lines.WriteString(statesHead) // Flush returns the error
	for _, d := range documents {
		fmt.Fprintf(lines, "%s %q\n", stateOf(d), d.Path)
	}
	if err := errors.Join(lines.Flush(), packed.Close(), f.Close(), os.Chtimes(f.Name(), now, now)); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

// readStates reads a file that writeStates has written. last is when the states were last current.
// A damaged file counts as missing.
func readStates(file string) (states map[string]string, last time.Time, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, last, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, last, err
	}
	damaged := fmt.Errorf("%s is damaged: %w", file, fs.ErrNotExist)
	packed, err := gzip.NewReader(f)
	if err != nil {
		return nil, last, damaged
	}
	lines := bufio.NewReader(packed)
	if head, err := lines.ReadString('\n'); err != nil || head != statesHead {
		return nil, last, damaged
	}
	states = make(map[string]string)
	for {
		line, err := lines.ReadString('\n')
		if line == "" && err != nil {
			break
		}
		state, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		path, wrong := strconv.Unquote(quoted)
		if wrong != nil {
			return nil, last, damaged
		}
		states[path] = state
	}
	return states, info.ModTime(), nil
}

// isOwner reports whether the visitor is known to be the user of this machine who started the
// server.
func (v *request) isOwner() bool { return v.isHere() && (v.o.LocalSignIn != nil || v.o.IsOwner(v.r)) }

// sinceLast returns what has changed since the last visit; nil if unknown. isLater reports that it
// was not known within the time limit, and may be later.
func (v *request) sinceLast(within time.Duration) (s *sinceView, isLater bool) {
	switch {
	case v.o.VisitsDir == "" || !v.isOwner():
		return nil, false
	case within <= 0:
		return nil, true
	}
	made := make(chan *sinceView, 1)
	ctx := context.WithoutCancel(v.r.Context())
	go func() {
		ctx, cancel := context.WithTimeout(ctx, longestWait)
		defer cancel()
		s, err := v.liveOf(v.view).visits.look(ctx, v.view.Library, time.Now())
		if err != nil {
			v.o.Logger.Warn("it is not known what has changed since the last visit", "error", err)
		}
		made <- s
	}()
	limit := time.NewTimer(within)
	defer limit.Stop()
	select {
	case s := <-made:
		return s, false
	case <-limit.C:
		return nil, true
	}
}

// sinceListView is the page that lists all new, all changed or all removed documents.
type sinceListView struct {
	What  string
	Last  time.Time
	Files []string
	Count int
	Next  string
}

// IsGone reports whether the listed documents are gone, so that there is nothing to link to.
func (l sinceListView) IsGone() bool { return l.What == "gone" }

// since lists the documents that are new, changed or gone since the last visit.
func (v *request) since() {
	told, _ := v.sinceLast(longestWait)
	if told == nil {
		v.fail(http.StatusNotFound, message.New("it is not known what there was before"))
		return
	}
	what := v.r.FormValue("what")
	all, isKnown := map[string][]string{"new": told.New, "changed": told.Changed, "gone": told.Gone}[what]
	if !isKnown {
		v.Pages.nothing(v.w, v.r)
		return
	}
	at, _ := slices.BinarySearch(all, v.r.FormValue("after")+"\x00")
	view := sinceListView{What: what, Last: told.Last, Count: len(all), Files: all[at:min(len(all), at+pageLength)]}
	if at+pageLength < len(all) {
		view.Next = "/library/since?" + url.Values{"what": {what}, "after": {view.Files[pageLength-1]}}.Encode()
	}
	v.show("since", view)
}
