package doctor

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"vademecum/index"
	"vademecum/index/notice"
	"vademecum/internal/diskspace"
	"vademecum/internal/message"
	"vademecum/internal/present"
)

// checkIndex tells where the index is, whether it can be written, and how it is.
func (s *examination) checkIndex(ctx context.Context, tell func(Finding)) {
	status, err := s.Index.Status(ctx)
	if err != nil {
		s.unusable = s.Shared
		tell(Finding{Fault, AboutIndex, notice.ErrorLine(err), s.adviceOnIndex(err)})
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
			tell(Finding{OK, aboutServers, message.New("%v keeps the index of %s up to date, since %s", "%[1]v自 %[3]s 起维护 %[2]s 的索引", f.Indexer.Message().Transform(present.CleanLine), present.QuoteName(f.Folder), f.Indexer.Since.Format("2006-01-02 15:04:05")), ""})
		}
	}
	if len(status.Guessed) > 0 {
		g := status.Guessed[0]
		tell(Finding{OK, aboutEncoding, message.New("of %v the encoding was guessed, such as %s (%s)", "%v的编码是推测的，例如 %s（%s）", notice.Count(len(status.Guessed), "file", " 个文件"), present.QuoteName(g.Path), g.Encoding), ""})
	}
	if len(status.Skipped) > 0 {
		why := make(map[message.Message]int)
		for _, skipped := range status.Skipped {
			why[skipped.Reason]++
		}
		tell(Finding{OK, aboutSkipped, message.New("%v (%v); vademecum status names them", "%v（%v）；vademecum status 逐一列出", notice.Count(len(status.Skipped), "file", " 个文件"), frequentReasons(why)), ""})
	}
}

// adviceOnIndex is what to do about an index that cannot be read. What is wrong in a
// database the error says itself, with what to do.
func (s *examination) adviceOnIndex(err error) message.Message {
	switch {
	case errors.Is(err, index.ErrAway):
		return message.New("see whether the database runs, and can be reached from this machine", "请检查数据库是否在运行，以及从本机能否连上")
	case s.Shared:
		return ""
	}
	return adviceOnIndexFile()
}

func adviceOnIndexFile() message.Message {
	return message.New("name another file with --index, in a folder that your user may write", "请用 --index 指定另一个文件，放在你的用户可以写入的文件夹中")
}

// checkDatabase tells whether the database takes changes, and how its replica is.
func (s *examination) checkDatabase(tell func(Finding)) {
	d := s.status.Database
	if d == nil {
		return
	}
	f := Finding{OK, aboutDatabase, message.New("%s answers and takes changes", "%s 正常应答，可写入", d.Address), ""}
	if d.Slow > 0 {
		f = Finding{Warning, aboutDatabase, message.New("%s answers slowly: %d ms a statement, of which a question needs some ten", "%s 应答很慢：每条语句 %d 毫秒，一个问题约需十条", d.Address, d.Slow), message.New("see what is between this machine and the database, and what else that has to do", "请检查本机与数据库之间的网络，以及数据库的其他负载")}
	}
	if d.Refusal != "" {
		f = Finding{Warning, aboutDatabase, message.New("%s takes no changes: %v; what is saved is not indexed", "%s 不接受更改：%v；新保存的内容不会被索引", d.Address, d.Refusal), d.Remedy}
	}
	tell(f)
	if r := d.Replica; r != nil {
		f = Finding{OK, aboutReplica, message.New("%s: %v", "%s：%v", r.Address, r.Message()), ""}
		if r.Fault != "" {
			f.Level, f.Advice = Warning, message.New("see whether it runs, is a replica of that database and takes this user, or leave --store-read out", "请检查它是否在运行、是否为该数据库的副本、是否允许此用户登录；或者不用 --store-read")
		}
		tell(f)
	}
}

// indexFinding tells where an index is, and how it is.
func (s *examination) indexFinding(f index.FolderStatus) Finding {
	if !f.Shared {
		if err := checkWritable(filepath.Dir(f.File)); err != nil {
			return Finding{Fault, AboutIndex, message.New("%s cannot be written: %v", "无法写入 %s：%v", present.QuoteName(f.File), err), adviceOnIndexFile()}
		}
	}
	switch {
	case f.Damage != "":
		return Finding{Fault, AboutIndex, message.New("%s is damaged: %v", "%s 已损坏：%v", present.QuoteName(f.File), f.Damage.Transform(present.CleanLine)), message.New("%s builds it again, and so does the next server", "%s 会重新建立，下次启动服务器时也会", s.Indexing)}
	case f.Bytes == 0:
		return Finding{OK, AboutIndex, message.New("none on the disk yet; it will be %s", "磁盘上还没有；将建立在 %s", present.QuoteName(f.File)), ""}
	case f.Synced.IsZero():
		return Finding{Warning, AboutIndex, message.New("%s was never finished", "%s 从未完成", present.QuoteName(f.File)), message.New("%s finishes it, and so does a server that runs until it is through", "%s 会完成它，服务器运行足够久也会", s.Indexing)}
	}
	return Finding{OK, AboutIndex, message.New("%s, %s, last scan %s", "%s，%s，上次扫描 %s", present.QuoteName(f.File), notice.FormatSize(f.Bytes), f.Synced.Format("2006-01-02 15:04:05")), ""}
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
	for _, t := range []struct{ fault, says, advice message.Message }{
		{f.Mismatch, message.New("another folder than that of the library", "不是该库的文件夹"), message.New("give the folder that the library was made of, with its drive mounted, or else another --library", "请指定建立该库时的文件夹，并确认其驱动器已挂载；否则换一个 --library")},
		{f.Uncompared, message.New("it is not known whether this is the folder of the library", "还不知道这是否为该库的文件夹"), message.New("see whether its drive answers; a server compares it before it indexes anything", "请检查其驱动器是否有响应；服务器会先比对，再索引")},
		{f.Failure, message.New("the last run failed", "上次运行失败"), message.New("%s tries again and tells more", "%s 会重试并给出更多信息", s.Indexing)},
		{f.Fault, message.New("the model failed", "模型出错"), s.modelAdvice()},
		{f.SnapshotFailure, message.New("starts are slow: no snapshot could be saved", "启动较慢：无法保存快照"), message.New("make room on the disk of the index", "请在索引所在的磁盘上腾出空间")},
	} {
		if t.fault != "" {
			all = append(all, Finding{Warning, AboutIndex, message.New("%v: %v", "%v：%v", t.says, t.fault.Transform(present.CleanLine)), t.advice})
		}
	}
	if f.Unindexed {
		all = append(all, Finding{Warning, AboutIndex, message.New("questions are slow: each is compared with all vectors, which have no index", "回答较慢：向量没有索引，每个问题都要与全部向量比较"), message.New("vademecum store vacuum makes it, as the role that owns the tables", "请以拥有这些表的角色运行 vademecum store vacuum 来建立")})
	}
	return all
}
