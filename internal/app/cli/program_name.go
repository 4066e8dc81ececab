package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"vademecum/internal/base/lazyregexp"
)

// programName is this program as typed in a shell: its name if the PATH leads to it, otherwise its
// path.
var programName = sync.OnceValue(func() string { return invokedName(os.Args[0], exec.LookPath) })

func invokedName(path string, find func(string) (string, error)) string {
	name := filepath.Base(path)
	if found, err := find(name); name == path || err == nil && isSameFile(found, path) {
		return strings.TrimSuffix(name, ".exe")
	}
	if strings.Contains(filepath.ToSlash(path), "/go-build") { // go run deletes the executable
		return "go run ."
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return quoteArg(path)
}

// commands is a pattern of the commands of this program that texts mention.
const commands = "completion|connect|doctor|eval|find|index|install|man|model|open|search|serve|share|status|store|token|uninstall|version|--help"

// ofThisProgram matches commands of this program in a text, but not as part of a path or another
// name.
var ofThisProgram = lazyregexp.New(`(^|[\s"(])vademecum (` + commands + `)($|[^\w-])`)

// typeableCommands rewrites the commands of this program in a text so that they can be typed. All
// texts with instructions for users pass through it.
func typeableCommands(text string) string { return typeableCommandsAs(programName(), text) }

func typeableCommandsAs(name, text string) string {
	return ofThisProgram.ReplaceAllString(text, "${1}"+strings.ReplaceAll(name, "$", "$$")+" ${2}${3}")
}
