package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/diskspace"
	"vademecum/internal/present"
)

// checkIndex tells where the index is, whether it can be written, and how it is.
func (s *examination) checkIndex(ctx context.Context, tell func(Finding)) {
	status, err := s.Index.Status(ctx)
	if err != nil {
		s.unusable = s.Shared
		tell(Finding{Fault, "index", present.ErrorLine(err), s.adviceOnIndex(err)})
		return
	}
	s.status = status
	s.checkDatabase(tell)
	for _, f := range status.Folders {
		tell(s.indexFinding(f))
		for _, told := range s.indexProblems(f) {
			tell(told)
		}
		if f.Indexer != nil {
			tell(Finding{OK, "servers", fmt.Sprintf("%s keeps the index of %s up to date, since %s", present.CleanLine(f.Indexer.String()), present.QuoteName(f.Folder), f.Indexer.Since.Format("2006-01-02 15:04:05")), ""})
		}
	}
	if len(status.Guessed) > 0 {
		g := status.Guessed[0]
		tell(Finding{OK, "encoding", fmt.Sprintf("of %s the encoding was guessed, such as %s (%s)", notice.CountNoun(len(status.Guessed), "file"), present.QuoteName(g.Path), g.Encoding), ""})
	}
	if len(status.Skipped) > 0 {
		why := make(map[string]int)
		for _, skipped := range status.Skipped {
			why[skipped.Reason.String()]++
		}
		tell(Finding{OK, "not read", fmt.Sprintf("%s (%s); vademecum status names them", notice.CountNoun(len(status.Skipped), "file"), frequentReasons(why)), ""})
	}
}

// adviceOnIndex is what to do about an index that cannot be read. What is wrong in a
// database the error says itself, with what to do.
func (s *examination) adviceOnIndex(err error) string {
	switch {
	case errors.Is(err, index.ErrAway):
		return "see whether the database runs, and can be reached from this machine"
	case s.Shared:
		return ""
	}
	return "name another file with --index, in a folder that your user may write"
}

// checkDatabase tells whether the database takes changes, and how its replica is.
func (s *examination) checkDatabase(tell func(Finding)) {
	d := s.status.Database
	if d == nil {
		return
	}
	f := Finding{OK, "database", d.Address + " answers and takes changes", ""}
	if d.Slow > 0 {
		f = Finding{Warning, "database", fmt.Sprintf("%s answers slowly: %d ms a statement, of which a question needs some ten", d.Address, d.Slow), "see what is between this machine and the database, and what else that has to do"}
	}
	if d.Refusal != "" {
		f = Finding{Warning, "database", fmt.Sprintf("%s takes no changes: %s; what is saved is not indexed", d.Address, d.Refusal), d.Remedy}
	}
	tell(f)
	if r := d.Replica; r != nil {
		f = Finding{OK, "replica", r.Address + ": " + r.String(), ""}
		if r.Fault != "" {
			f.Level, f.Advice = Warning, "see whether it runs, is a replica of that database and takes this user, or leave --store-read out"
		}
		tell(f)
	}
}

// indexFinding tells where an index is, and how it is.
func (s *examination) indexFinding(f index.FolderStatus) Finding {
	if !f.Shared {
		if err := checkWritable(filepath.Dir(f.File)); err != nil {
			return Finding{Fault, "index", fmt.Sprintf("%s cannot be written: %v", present.QuoteName(f.File), err), "name another file with --index, in a folder that your user may write"}
		}
	}
	switch {
	case f.Damage != "":
		return Finding{Fault, "index", fmt.Sprintf("%s is damaged: %s", present.QuoteName(f.File), present.CleanLine(f.Damage.String())), s.Indexing + " builds it again, and so does the next server"}
	case f.Bytes == 0:
		return Finding{OK, "index", fmt.Sprintf("none on the disk yet; it will be %s", present.QuoteName(f.File)), ""}
	case f.Synced.IsZero():
		return Finding{Warning, "index", fmt.Sprintf("%s was never finished", present.QuoteName(f.File)), s.Indexing + " finishes it, and so does a server that runs until it is through"}
	}
	return Finding{OK, "index", fmt.Sprintf("%s, %s, last scan %s", present.QuoteName(f.File), notice.FormatSize(f.Bytes), f.Synced.Format("2006-01-02 15:04:05")), ""}
}

// checkWritable tries to write in a folder, or in the one that it would be made in.
func checkWritable(dir string) error {
	f, err := os.CreateTemp(diskspace.ExistingAncestor(dir), "vademecum-*.tmp")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// indexProblems are what the index notes of the last run.
func (s *examination) indexProblems(f index.FolderStatus) []Finding {
	var all []Finding
	for _, t := range []struct{ fault, says, advice string }{
		{f.Mismatch.String(), "another folder than that of the library", "give the folder that the library was made of, with its drive mounted, or else another --library"},
		{f.Uncompared.String(), "it is not known whether this is the folder of the library", "see whether its drive answers; a server compares it before it indexes anything"},
		{f.Failure.String(), "the last run failed", s.Indexing + " tries again and tells more"},
		{f.Fault.String(), "the model failed", "see whether the model's service runs; passages are found by their words meanwhile"},
		{f.SnapshotFailure.String(), "starts are slow: no snapshot could be saved", "make room on the disk of the index"},
	} {
		if t.fault != "" {
			all = append(all, Finding{Warning, "index", t.says + ": " + present.CleanLine(t.fault), t.advice})
		}
	}
	if f.Unindexed {
		all = append(all, Finding{Warning, "index", "questions are slow: each is compared with all vectors, which have no index", "vademecum store vacuum makes it, as the role that owns the tables"})
	}
	return all
}
