package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"vademecum/internal/base/lazyregexp"
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
const commands = "completion|connect|doctor|eval|find|index|install|man|model|open|search|serve|share|status|store|token|uninstall|version|--help"

// ofThisProgram matches the commands of this program in a text, but not within a path or another
// name.
var ofThisProgram = lazyregexp.New(`(^|[\s"(])vademecum (` + commands + `)($|[^\w-])`)

// typeableCommands changes the commands of this program in a text so that users can type them as
// they are. All texts with instructions for users pass through it.
func typeableCommands(text string) string { return typeableCommandsAs(programName(), text) }

func typeableCommandsAs(name, text string) string {
	return ofThisProgram.ReplaceAllString(text, "${1}"+strings.ReplaceAll(name, "$", "$$")+" ${2}${3}")
}
