package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"vademecum/internal/base/lazyregexp"
	"vademecum/internal/base/message"
)

// programName is the name by which a shell starts this program: its file name if that is found on
// the PATH, otherwise its path.
var programName = sync.OnceValue(func() string { return invokedName(os.Args[0], exec.LookPath) })

func invokedName(path string, find func(string) (string, error)) string {
	name := filepath.Base(path)
	if found, err := find(name); name == path || err == nil && isSameFile(found, path) {
		return strings.TrimSuffix(name, ".exe")
	}
	if strings.Contains(filepath.ToSlash(path), "/go-build") { // go run deletes the executable afterwards
		return "go run ."
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return quoteArg(path)
}

// commands is a pattern that matches the commands of this program in texts for users.
const commands = `(?:completion|connect|doctor|eval|find|help|index|install|man|model|open|search|serve|share|status|store|token|uninstall|version)\b|--help`

// ofThisProgram matches the commands of this program in a text, but not within a path or another
// name. FOLDER after one, if need be after HOST, stands for the folders in question.
var ofThisProgram = lazyregexp.New(`(^|[^\w./\\-])vademecum (` + commands + `)( HOST)?( FOLDER\b)?`)

// typeableCommands changes the commands of this program in a text so that users can type them as
// they are: with the path of the program, and the folders and flags of this command line. The text
// is a format, in which % stands as %%.
func (p *program) typeableCommands(format string) string {
	return typeableCommandsAs(programName(), p.target, format)
}

// typeableCommandsAs changes the commands of this program in a text so that users can type them as
// they are: name stands for the program, and target for FOLDER unless it is "". The text is a
// format, in which % stands as %%.
func typeableCommandsAs(name, target, format string) string {
	escape := func(text string) string { return strings.ReplaceAll(text, "%", "%%") }
	return ofThisProgram.ReplaceAllStringFunc(format, func(found string) string {
		m := ofThisProgram.FindStringSubmatch(found)
		before, command, host, folder := m[1], m[2], m[3], m[4]
		if folder != "" && target != "" {
			folder = " " + escape(target)
		}
		return before + escape(name) + " " + command + host + folder
	})
}

// commandLine returns a command of this program as a message, so that it is shown as it can be
// typed. Its words are quoted where need be.
func commandLine(words ...string) message.Message {
	return message.Message("vademecum " + strings.Join(words, " "))
}

// ofFolder are the names of the flags that say where the index of a folder is, and what is in it.
// All commands have them.
var ofFolder = []string{"index", "store", "store-read", "library", "embed", "ocr", "ocr-lang"}

// setTarget sets what FOLDER stands for in hints of this command line, which is about some folders.
func (p *program) setTarget(folders []string) error {
	if p.flags == nil { // this is the command line in an entry of a host
		return nil
	}
	args := absolutePaths(folders)
	if len(args) == 0 {
		args = []string{"FOLDER"}
	}
	flags, err := p.serverFlagArgs(p.flags, ofFolder)
	p.target = shellLine(append(args, flags...))
	return err
}
