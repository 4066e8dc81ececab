// Package doctor finds out why the program may fail to answer a user's host, and advises what to
// do. It behaves like a host that starts the program, and changes nothing but the index.
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

// Level is the severity of a finding.
type Level string

// A fault prevents answers. A warning is about something that will prevent answers, or that makes
// them slow or poor.
const (
	LevelOK      Level = "ok"
	LevelWarning Level = "warning"
	LevelFault   Level = "fault"
)

// Message returns the level as a word for people.
func (l Level) Message() message.Message {
	switch l {
	case LevelWarning:
		return message.New("warning")
	case LevelFault:
		return message.New("fault")
	}
	return message.New("ok")
}

// Finding is the result of one check. It contains no secrets.
type Finding struct {
	Level       Level           `json:"level"`
	Area        message.Message `json:"about"` // what the finding is about, in one word: program, folder, index, …
	Description message.Message `json:"says"`
	Advice      message.Message `json:"advice,omitempty"` // what the user should do; "" if there is no problem
}

// Areas of findings.
var (
	AreaFolder = message.New("folder")
	AreaIndex  = message.New("index")

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

// Target is what Examine checks.
type Target struct {
	ProgramPath string   // path of the program under which a host starts it
	Version     string   // version of the program
	ServerArgs  []string // arguments that a host passes to the program: the command, flags and folders
	Folders     []string // existing folders

	Machine   hosts.Machine // machine whose hosts are checked; the zero value means that no hosts are
	EntryName string        // name of the program's entry in the configurations of hosts

	ParseCommandLine func(args []string) CommandLine // parses command-line arguments as the program does

	Index        *index.Index    // index of the folders, which is not loaded; nil if it cannot be opened
	EmbedderSpec string          // value of --embed
	Embedder     embed.Embedder  // nil if it cannot be created
	Recogniser   *ocr.Recogniser // reads scanned pages; nil if the user does not want that
	UsesDatabase bool            // whether the index should be in a database
	SetupError   error           // why Index or Embedder could not be created; nil if both could
}

// examination is a Target with what the checks have found out about it so far.
type examination struct {
	Target
	directories int          // number of directories that have to be watched
	pictures    int          // number of files that may be scans: pictures and PDF
	status      index.Status // status of the index; zero if it cannot be read
	unusable    bool         // the database refuses to read the indexes, as it would for a server
}

// patience is the time limit of each check that has to wait for something.
const patience = 20 * time.Second

// Examine checks a target, and calls report with each finding as soon as it is known. If the target
// has no folders, it checks only the program and the hosts.
func Examine(ctx context.Context, target Target, report func(Finding)) {
	s := &examination{Target: target}
	s.checkProgram(ctx, report)
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
		look(within, report)
		cancel()
	}
	// each entry has its own time limit; last, as this starts servers that begin an index
	s.checkEntries(ctx, report)
}
