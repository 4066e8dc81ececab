package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
	"vademecum/internal/base/system"
)

// checkIndex reports where the index is stored, whether it can be written, and its state.
func (s *examination) checkIndex(ctx context.Context, report func(Finding)) {
	status, err := s.Index.Status(ctx)
	if err != nil {
		s.unusable = s.UsesDatabase
		report(Finding{LevelFault, AreaIndex, notice.ErrorLine(err), s.adviceOnIndex(err)})
		return
	}
	s.status = status
	s.checkDatabase(report)
	for _, f := range status.Folders {
		report(s.indexFinding(f))
		for _, told := range s.indexProblems(f) {
			report(told)
		}
		if f.Indexer != nil {
			report(Finding{LevelOK, aboutServers, message.New("%v keeps the index of %s up to date, since %s", f.Indexer.Message().MapForeignTexts(present.CleanLine), present.QuoteName(f.Folder), f.Indexer.Since.Format("2006-01-02 15:04:05")), ""})
		}
	}
	if len(status.GuessedEncodings) > 0 {
		g := status.GuessedEncodings[0]
		report(Finding{LevelOK, aboutEncoding, message.New("the encoding of %v was guessed, such as %s (%s)", message.New("%d files", len(status.GuessedEncodings)), present.QuoteName(g.Path), g.Encoding), ""})
	}
	if len(status.Skipped) > 0 {
		why := make(map[message.Message]int)
		for _, skipped := range status.Skipped {
			why[skipped.Reason]++
		}
		report(Finding{LevelOK, aboutSkipped, message.New("%v (%v); vademecum status FOLDER names them", message.New("%d files", len(status.Skipped)), frequentReasons(why)), ""})
	}
}

// adviceOnIndex returns advice on an index that cannot be read; "" for an error of a database,
// which contains its own.
func (s *examination) adviceOnIndex(err error) message.Message {
	switch {
	case errors.Is(err, index.ErrDatabaseUnreachable):
		return message.New("check that the database runs and can be reached from this machine")
	case s.UsesDatabase:
		return ""
	}
	return adviceOnIndexFile()
}

func adviceOnIndexFile() message.Message {
	return message.New("name another file with --index, in a folder that your user may write")
}

// checkDatabase reports whether the database is writable, and the state of its replica.
func (s *examination) checkDatabase(report func(Finding)) {
	d := s.status.Database
	if d == nil {
		return
	}
	f := Finding{LevelOK, aboutDatabase, message.New("%s answers and accepts changes", d.Address), ""}
	if d.LatencyMillis > 0 {
		f = Finding{LevelWarning, aboutDatabase, message.New("%s answers slowly: %d ms per statement; a question needs about ten", d.Address, d.LatencyMillis), message.New("check the network between this machine and the database, and what else the database is doing")}
	}
	if d.WriteRefusal != "" {
		f = Finding{LevelWarning, aboutDatabase, message.New("%s accepts no changes: %v; newly saved files are not indexed", d.Address, d.WriteRefusal), d.Remedy}
	}
	report(f)
	if r := d.Replica; r != nil {
		f = Finding{LevelOK, aboutReplica, message.New("%s: %v", r.Address, r.Message()), ""}
		if r.Fault != "" {
			f.Level, f.Advice = LevelWarning, message.New("check whether it is running, is a replica of that database and accepts this user, or leave out --store-read")
		}
		report(f)
	}
}

// indexFinding returns a finding on where the index of a folder is stored, and on its state.
func (s *examination) indexFinding(f index.FolderStatus) Finding {
	if !f.IsShared {
		if err := checkWritable(filepath.Dir(f.IndexLocation)); err != nil {
			return Finding{LevelFault, AreaIndex, message.New("%s cannot be written: %v", present.QuoteName(f.IndexLocation), err), adviceOnIndexFile()}
		}
	}
	switch {
	case f.Damage != "":
		return Finding{LevelFault, AreaIndex, message.New("%s is damaged: %v", present.QuoteName(f.IndexLocation), f.Damage.MapForeignTexts(present.CleanLine)), message.New("vademecum index FOLDER builds it again, and so does the next server")}
	case f.Bytes == 0:
		return Finding{LevelOK, AreaIndex, message.New("none on the disk yet; it will be %s", present.QuoteName(f.IndexLocation)), ""}
	case f.LastScan.IsZero():
		return Finding{LevelWarning, AreaIndex, message.New("%s was never finished", present.QuoteName(f.IndexLocation)), message.New("vademecum index FOLDER finishes it, and so does a server that runs long enough")}
	}
	return Finding{LevelOK, AreaIndex, message.New("%s, %s, last scan %s", present.QuoteName(f.IndexLocation), notice.FormatSize(f.Bytes), f.LastScan.Format("2006-01-02 15:04:05")), ""}
}

// checkWritable tries to create a file in a directory or, if that does not exist, in its nearest
// existing ancestor.
func checkWritable(dir string) error {
	f, err := os.CreateTemp(system.ExistingAncestor(dir), "vademecum-*.tmp")
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// indexProblems returns findings on the problems that the last run of the indexer recorded.
func (s *examination) indexProblems(f index.FolderStatus) []Finding {
	var all []Finding
	for _, t := range []struct{ fault, says, advice message.Message }{
		{f.MismatchReason, message.New("this is not the folder of the library"), message.New("give the folder that the library was created from, with its drive mounted, or another --library")},
		{f.UncomparedReason, message.New("it is not known whether this is the folder of the library"), message.New("check whether its drive responds; a server compares it before it indexes anything")},
		{f.Failure, message.New("the last run failed"), message.New("vademecum index FOLDER tries again and gives details")},
		{f.ModelFailure, message.New("the model failed"), s.modelAdvice()},
		{f.SnapshotFailure, message.New("starts are slow: no snapshot could be saved"), message.New("free up space on the disk of the index")},
	} {
		if t.fault != "" {
			all = append(all, Finding{LevelWarning, AreaIndex, message.New("%v: %v", t.says, t.fault.MapForeignTexts(present.CleanLine)), t.advice})
		}
	}
	if f.IsVectorIndexDue {
		all = append(all, Finding{LevelWarning, AreaIndex, message.New("questions are slow: each is compared with all vectors, which have no index"), message.New("vademecum store vacuum creates it; run it as the role that owns the tables")})
	}
	return all
}
