package doctor

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vademecum/internal/app/hosts"
	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// CommandLine is the parsed command line of an entry in a host's configuration.
type CommandLine struct {
	Subcommand   string   // "" if it is not a known command
	Folders      []string // folders to serve
	ServesHTTP   bool     // whether the command serves over HTTP
	EmbedderSpec string   // value of --embed
}

// startsServer reports whether a host may start the command. Other commands, such as install, do
// not serve.
func (l CommandLine) startsServer() bool {
	return l.Subcommand == "" || l.Subcommand == "serve" || l.Subcommand == "connect"
}

// ownArgs returns the arguments that an entry passes to the program; own is false if the entry
// starts another program.
func (s *examination) ownArgs(l hosts.Launch) (args []string, own bool) {
	if args, own = l.ProgramArgs(); own || s.ParseCommandLine == nil {
		return args, own && s.ParseCommandLine != nil
	}
	path, err := exec.LookPath(l.Program)
	if err != nil {
		return nil, false
	}
	a, errA := os.Stat(path)
	b, errB := os.Stat(s.ProgramPath)
	return l.Args, errA == nil && errB == nil && os.SameFile(a, b)
}

// installable matches the names of entries that the command install accepts.
var installable = lazyregexp.New(`^[A-Za-z0-9_-]{1,64}$`)

// reinstallCommand returns advice with the command that writes the entry anew.
func (t entryTrial) reinstallCommand() message.Message {
	switch {
	case t.entry.IsManagedByHost && t.host.ID == "claude-code":
		return message.New("claude plugin install vademecum@vademecum --config folder=FOLDER sets the plugin up again")
	case t.entry.IsManagedByHost:
		return message.New("gemini extensions config vademecum asks for the folder again")
	case !installable.MatchString(t.entry.Name): // such as one for a single folder only
		return message.New("correct it where %s has it", t.host.Title)
	}
	words := []string{"vademecum install", t.host.ID}
	if t.entry.URL != "" || t.line.Subcommand == "connect" {
		words = append(words, "--url URL")
	} else {
		words = append(words, t.folderArgs()...)
	}
	if t.entry.Name != "vademecum" {
		words = append(words, "--name", t.entry.Name)
	}
	return message.New("%v writes it again", message.Message(strings.Join(words, " ")))
}

// isNestedFolder reports whether dir, the n-th folder of the entry, is inside another folder of the
// entry or repeats an earlier one.
func (t entryTrial) isNestedFolder(n int, dir string) bool {
	for i, other := range t.line.Folders {
		rel, err := filepath.Rel(other, dir)
		if i != n && err == nil && (rel == "." && i < n || rel != "." && filepath.IsLocal(rel)) {
			return true
		}
	}
	return false
}

// folderArgs returns the existing folders of the entry as words for a shell, or a placeholder if
// there are none. It omits nested folders, which install would refuse.
func (t entryTrial) folderArgs() (words []string) {
	for i, dir := range t.line.Folders {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || !filepath.IsAbs(dir) {
			continue
		}
		if !t.isNestedFolder(i, dir) {
			words = append(words, present.ShellWord(dir))
		}
	}
	if len(words) == 0 {
		return []string{"FOLDER"}
	}
	return words
}
