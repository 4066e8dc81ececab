// Package doctor looks for what keeps the program from answering a person's host, and
// says what to do about it. It changes nothing but the index, as a host that starts
// the program does.
package doctor

import (
	"context"
	"time"

	"vademecum/docs/ocr"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/internal/hosts"
	"vademecum/internal/message"
)

// Level says how bad a finding is.
type Level string

// A fault keeps a host from being answered; a warning will, or makes answers slow or
// poor.
const (
	OK      Level = "ok"
	Warning Level = "warning"
	Fault   Level = "fault"
)

// Message returns the level in a word.
func (l Level) Message() message.Message {
	switch l {
	case Warning:
		return message.New("warning", "警告")
	case Fault:
		return message.New("fault", "故障")
	}
	return message.New("ok", "正常")
}

// Finding is one thing that was looked at. It holds no secrets.
type Finding struct {
	Level  Level           `json:"level"`
	About  message.Message `json:"about"` // a word: program, folder, index, ...
	Says   message.Message `json:"says"`
	Advice message.Message `json:"advice,omitempty"` // what to do, where something is wrong
}

// What findings are about.
var (
	AboutFolder = message.New("folder", "文件夹")
	AboutIndex  = message.New("index", "索引")

	aboutDatabase = message.New("database", "数据库")
	aboutDisk     = message.New("disk", "磁盘")
	aboutEncoding = message.New("encoding", "编码")
	aboutHost     = message.New("host", "AI 程序")
	aboutMemory   = message.New("memory", "内存")
	aboutModel    = message.New("model", "模型")
	aboutProgram  = message.New("program", "程序")
	aboutReplica  = message.New("replica", "副本")
	aboutScans    = message.New("scans", "扫描页")
	aboutPictures = message.New("pictures", "图片")
	aboutServers  = message.New("servers", "服务器")
	aboutSession  = message.New("session", "会话")
	aboutSkipped  = message.New("not read", "未读取")
	aboutWatching = message.New("watching", "监视")
)

// Subject is what is to be looked at.
type Subject struct {
	Program string   // the path of the program, as a host starts it
	Version string   // of it
	Serve   []string // what a host gives to the program: the command, flags and folders
	Folders []string // that exist

	Indexing string // the command that indexes them

	Machine hosts.Machine // whose hosts are looked at; zero: none
	Name    string        // of the program's entry in their configuration

	Reads func(args []string) CommandLine // what the program makes of arguments

	Index      *index.Index    // of the folders, not loaded; nil where it cannot be
	Model      string          // of --embed
	Embedder   embed.Embedder  // where one can be made
	Recogniser *ocr.Recogniser // of the text of scanned pages; nil: that is not wanted
	Shared     bool            // the index is to be in a database
	Unmade     error           // why none can, or nil
}

// examination is what is known of a Subject so far.
type examination struct {
	Subject
	directories int          // that are to be watched
	pictures    int          // files of the folders that may be scans: pictures and PDF
	status      index.Status // of the indexes, if they can be read
	unusable    bool         // the database does not let them be read, so that no server will do better
}

// patience is how long one look may take that waits for something else.
const patience = 20 * time.Second

// Examine tells each finding as soon as it is there. Folders may be none: then only
// the program and the hosts are looked at.
func Examine(ctx context.Context, of Subject, tell func(Finding)) {
	s := &examination{Subject: of}
	s.checkProgram(ctx, tell)
	var looks []func(context.Context, func(Finding))
	if len(s.Folders) > 0 {
		looks = append(looks, s.checkFolders, s.checkWatching, s.checkModel)
	}
	if s.Index != nil {
		looks = append(looks, s.checkIndex, s.checkScans, s.checkPictures, s.checkRoom, s.checkServer)
	}
	for _, look := range looks {
		if ctx.Err() != nil {
			return
		}
		within, cancel := context.WithTimeout(ctx, patience)
		look(within, tell)
		cancel()
	}
	s.checkEntries(ctx, tell) // which are patient each for itself; last, as they start servers that begin an index
}
