package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
)

// programName returns this program as it is typed in a shell: by its name where the PATH leads to
// it, else by its path.
var programName = sync.OnceValue(func() string { return invokedName(os.Args[0], exec.LookPath) })

func invokedName(path string, find func(string) (string, error)) string {
	name := filepath.Base(path)
	if found, err := find(name); name == path || err == nil && isSameFile(found, path) {
		return strings.TrimSuffix(name, ".exe")
	}
	if strings.Contains(filepath.ToSlash(path), "/go-build") { // which is gone by then
		return "go run ."
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	return quoteArg(path)
}

// commands of this program that texts name.
const commands = "completion|connect|doctor|eval|find|index|install|man|model|open|search|serve|share|status|store|token|uninstall|version|--help"

// ofThisProgram matches commands of this program in a text, but not within a path or
// another name.
var ofThisProgram = regexp.MustCompile(`(^|[\s"(])vademecum (` + commands + `)($|[^\w-])`)

// typeableCommands returns a text with the commands of this program in it as they can be
// typed. All texts that give users instructions pass through it.
func typeableCommands(text string) string { return typeableCommandsAs(programName(), text) }

func typeableCommandsAs(name, text string) string {
	return ofThisProgram.ReplaceAllString(text, "${1}"+strings.ReplaceAll(name, "$", "$$")+" ${2}${3}")
}
