package freshness

import (
	"errors"
	"strings"
	"testing"
	"time"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/search"
	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

func lines(notes []notice.Note) string { return strings.Join(notice.EnglishLines(notes), "\n") }

// TestNotes: what responses say in which state, and whether they may lack documents.
func TestNotes(t *testing.T) {
	mismatch := notice.Note{Kind: notice.FolderMismatch, Path: "/x", Library: "notes", Count: 3, Total: 4}
	for name, c := range map[string]struct {
		do      func(s *Snapshot)
		want    []notice.Note
		mayMiss bool
	}{
		"all is well": {do: func(*Snapshot) {}},
		"it is being built": {func(s *Snapshot) { s.StartRun(); s.ExpectFiles(5); s.AddReadFiles(2) },
			[]notice.Note{{Kind: notice.IndexBeingBuilt, Done: 2, Total: 5}}, true},
		"it was never compared": {func(s *Snapshot) { s.OwnState.Synced = time.Time{} }, []notice.Note{{Kind: notice.FolderBeingScanned}}, true},
		"a run failed":          {ended(errors.New("full")), []notice.Note{{Kind: notice.IndexingFailed, Why: "full"}}, true},
		"a question is unsure":  {func(s *Snapshot) { s.RecordQuestion(time.Now(), func(int) bool { return true }) }, []notice.Note{{Kind: notice.FreshnessUnknown}}, true},
		"the database is away":  {fails(catalog.ErrDatabaseUnreachable), []notice.Note{{Kind: notice.DatabaseUnavailable}}, true},
		"it has no tables": {fails(catalog.ErrSetupRequired),
			[]notice.Note{{Kind: notice.DatabaseUnavailable, Why: message.FromError(catalog.ErrSetupRequired)}}, true},
		"files change all the time": {func(s *Snapshot) {
			s.ThrottledFiles, s.FirstThrottledFile = []search.Location{{Path: "server.log"}, {Path: "b.log"}}, "server.log"
		}, []notice.Note{{Kind: notice.FileReadAtIntervals, Path: "server.log", Count: 1}}, true},
		"the folder is another": {func(s *Snapshot) { s.editFolder(0).MismatchNote = &mismatch }, []notice.Note{mismatch}, true},
		"it is missing": {func(s *Snapshot) {
			s.editFolder(0).FolderObservation = FolderObservation{Dir: "/x", MissingError: errors.New("no drive"), Documents: 7}
		}, []notice.Note{MissingNote("/x", errors.New("no drive"), 7)}, false},
		"it does not answer": {func(s *Snapshot) {
			s.editFolder(0).FolderObservation = FolderObservation{Dir: "/x", UnresponsiveFor: time.Hour, MissingError: errors.New("no drive")}
		}, []notice.Note{{Kind: notice.FolderUnresponsive, Path: "/x", Duration: time.Hour}}, false},
		"its path leads elsewhere": {func(s *Snapshot) {
			s.editFolder(0).FolderObservation = FolderObservation{RealPath: "/y", MovedMessage: "it moved"}
		}, []notice.Note{{Kind: notice.FolderPathRedirected, Path: "/y", Why: "it moved"}}, false},
		"it is unwatched":          {do: func(s *Snapshot) { s.editFolder(0).UnwatchedReason = "a drive" }},
		"it is unwatched and slow": {func(s *Snapshot) { s.editFolder(0).UnwatchedReason = "a drive"; s.RecordScan(time.Second) }, []notice.Note{{Kind: notice.FolderUnwatched, Duration: slowShare * time.Second, Why: "a drive"}}, false},
		"no process indexes one": {func(s *Snapshot) {
			s.editFolder(0).LacksIndexer = true
			s.editFolder(0).FolderObservation = FolderObservation{IsIndexPersistent: true, StorageName: "x.db"}
		}, []notice.Note{{Kind: notice.NoIndexer, Details: []message.Message{"x.db"}}}, true},
		"no process indexes any": {func(s *Snapshot) {
			for i := range s.Folders {
				f := s.editFolder(i)
				f.LacksIndexer, f.IsIndexPersistent = true, true
			}
		}, []notice.Note{{Kind: notice.NoIndexer}}, true},
		"one in memory is this one's": {do: func(s *Snapshot) { s.editFolder(0).LacksIndexer = true }},
		"the indexer is silent": {func(s *Snapshot) {
			f := s.editFolder(0)
			f.IndexerPID, f.FolderObservation = 7, FolderObservation{IsIndexPersistent: true, IndexerUnresponsiveFor: time.Minute}
		}, []notice.Note{{Kind: notice.IndexerUnresponsive, PID: 7, Duration: time.Minute}}, true},
		"the indexer is slow": {func(s *Snapshot) {
			f := s.editFolder(0)
			f.IndexerPID, f.LastUnansweredRequest, f.IsIndexPersistent = 7, time.Now(), true
		}, []notice.Note{{Kind: notice.IndexerBehind, PID: 7}}, true},
		"pages wait": {func(s *Snapshot) { s.OwnState.PagesToRecognise = progress.PagesToRecognise{Left: 3} }, []notice.Note{{Kind: notice.PagesToRecognise, Count: 3}}, false},
		"vectors are due": {func(s *Snapshot) {
			s.Contents = Contents{Chunks: 9, UnembeddedChunks: 4, HasPendingChunks: true}
			s.OwnState.EmbedFailure = "away"
		}, []notice.Note{{Kind: notice.PassagesWithoutVector, Count: 4, Total: 9, Why: "away"}}, false},
		"vectors are refused": {func(s *Snapshot) { s.Contents = Contents{Chunks: 9, UnembeddedChunks: 4} }, []notice.Note{{Kind: notice.PassagesRefusedByModel, Count: 4, Total: 9}}, false},
	} {
		s := after(2, loaded, (*Snapshot).StartRun, ended(nil), c.do)
		if got := lines(s.AllNotes()); got != lines(c.want) || s.MayMissDocuments() != c.mayMiss {
			t.Errorf("%s: it says %q instead of %q, may miss: %t", name, got, lines(c.want), s.MayMissDocuments())
		}
	}
}

// TestNotesInPart: the reason of the model, and files that change all the time, are left to the
// caller.
func TestNotesInPart(t *testing.T) {
	s := after(1, loaded, (*Snapshot).StartRun, ended(nil))
	s.Contents = Contents{UnembeddedChunks: 1, HasPendingChunks: true, ThrottledFiles: []search.Location{{Path: "a.log"}}, FirstThrottledFile: "a.log"}
	if s.State.EmbedFailure = "away"; strings.Contains(lines(s.Notes(false)), "away") || !strings.Contains(lines(s.Notes(true)), "away") {
		t.Errorf("it says %q, with the reason %q", lines(s.Notes(false)), lines(s.Notes(true)))
	}
	if strings.Contains(lines(s.Notes(true)), "a.log") || !strings.Contains(lines(s.ThrottledFilesNotes()), "a.log") {
		t.Errorf("it says %q, and of files %q", lines(s.Notes(true)), lines(s.ThrottledFilesNotes()))
	}
}

// TestStuckDatabase: a database that takes no changes is all that is told of processes.
func TestStuckDatabase(t *testing.T) {
	s := after(1, loaded, (*Snapshot).StartRun, ended(nil), func(s *Snapshot) { f := s.editFolder(0); f.LacksIndexer, f.IsIndexPersistent = true, true })
	s.State.WriteRefusal, s.State.DatabaseLatency = "read-only", time.Second
	want := lines([]notice.Note{{Kind: notice.DatabaseReadOnly, Why: "read-only"}, {Kind: notice.DatabaseSlow, Duration: time.Second}})
	if got := lines(s.AllNotes()); got != want || !s.IsBehind() {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// TestAllMissing: that no folder is there is told once.
func TestAllMissing(t *testing.T) {
	s := after(1, loaded)
	if s.areAllMissing() || !strings.Contains(lines(s.AllNotes()), "scanned") {
		t.Errorf("it says %q", lines(s.AllNotes()))
	}
	s.editFolder(0).FolderObservation = FolderObservation{Dir: "/x", MissingError: errors.New("no drive")}
	if want := lines([]notice.Note{MissingNote("/x", errors.New("no drive"), 0)}); !s.areAllMissing() || lines(s.AllNotes()) != want {
		t.Errorf("it says %q, want %q", lines(s.AllNotes()), want)
	}
	if after(0).areAllMissing() {
		t.Error("no folder is missing where none is meant")
	}
}

// TestMismatchErrors tell what is the matter with each folder.
func TestMismatchErrors(t *testing.T) {
	n := notice.Note{Kind: notice.FolderMismatch, Path: "/x", Library: "notes", Count: 3, Total: 4}
	err := FolderMismatchError{Folders: map[int]notice.Note{0: n, 1: MissingNote("/y", errors.New("no drive"), 1)}}
	if text := err.Error(); !strings.Contains(text, "3 of the 4 documents") || !strings.Contains(text, "no drive") || IsMissingFolderError(err) {
		t.Errorf("it says %q", text)
	}
	if delete(err.Folders, 0); !IsMissingFolderError(err) || IsMissingFolderError(errors.New("other")) {
		t.Errorf("it is about something else: %v", err)
	}
}
