// Package child runs readers in child processes of this program, so that a file
// which makes its reader hang, crash or eat memory costs that file alone.
//
// The parent keeps a few children ([Read], [Draw]), hands each one file after the other,
// gives it its time and memory, and takes what was read even of a file that is
// never finished. A child ([RunAsChild]) does nothing but read what comes in on its
// standard input. Which readers there are is the caller's business.
package child

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"vademecum/docs/extract"
)

// variable marks a process as a child that reads files for its parent.
const variable = "VADEMECUM_CHILD"

// protocolVersion changes with the messages between parent and child.
const protocolVersion = 5

// FormatFunctions are the functions that read and draw files of a format; each may be nil.
type FormatFunctions struct {
	Read extract.Reader
	Draw extract.Drawer
}

// program is how this program is started as a child: its file, and what tells
// that file from another of the same name. Run sets it.
var program struct {
	path, identity string
	err            error
}

var errNoChild = errors.New("this program does not read documents in child processes: it must call formats.RunChild first in main")

// RunAsChild must be called before anything else happens in the program. In a child
// process it reads and draws files for its parent, each by what its format has for
// it, and never returns; in any other it takes note that the program can be started as
// a child.
func RunAsChild(functionsOf func(format string) FormatFunctions) {
	if os.Getenv(variable) == "" {
		program.path, program.identity, program.err = programIdentity()
		return
	}
	os.Unsetenv(variable)
	prepareProcess()
	serveParent(os.Stdin, os.Stdout, functionsOf)
}

// programIdentity returns the path by which this program can be started again, and
// the size and time of its file. On Linux the path means the file that runs
// even after another has taken its name.
func programIdentity() (path, identity string, err error) {
	path = "/proc/self/exe"
	info, err := os.Stat(path)
	if runtime.GOOS != "linux" || err != nil {
		if path, err = os.Executable(); err != nil {
			return "", "", err
		}
		if info, err = os.Stat(path); err != nil {
			return "", "", err
		}
	}
	return path, fmt.Sprintf("%d %d %d", protocolVersion, info.Size(), info.ModTime().UnixNano()), nil
}
