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
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
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
		return message.New("warning")
	case Fault:
		return message.New("fault")
	}
	return message.New("ok")
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
	AboutFolder = message.New("folder")
	AboutIndex  = message.New("index")

	aboutDatabase = message.New("database")
	aboutDisk     = message.New("disk")
	aboutEncoding = message.New("encoding")
	aboutHost     = message.New("host")
	aboutMemory   = message.New("memory")
	aboutModel    = message.New("model")
	aboutProgram  = message.New("program")
	aboutReplica  = message.New("replica")
	aboutScans    = message.New("scans")
	aboutPictures = message.New("pictures")
	aboutServers  = message.New("servers")
	aboutSession  = message.New("session")
	aboutSkipped  = message.New("not read")
	aboutWatching = message.New("watching")
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
