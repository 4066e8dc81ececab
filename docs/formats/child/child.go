// Package child runs readers in child processes of this program, so that a file that makes its
// reader hang, crash or use too much memory affects only itself.
//
// The parent keeps a few children ([Read], [Draw]), passes files to each one after the other,
// limits their time and memory, and keeps what was read of an unfinished file. A child
// ([RunIfChild]) only reads the files on its standard input. The caller provides the readers.
package child

import (
	"errors"
	"fmt"
	"os"
	"runtime"

	"vademecum/docs/extract"
)

// variable is the environment variable by which a process learns that it is a child process, which
// reads files for its parent.
const variable = "VADEMECUM_CHILD"

// protocolVersion is the version of the messages between parent and child. It must be changed
// whenever they change.
const protocolVersion = 7

// FormatFunctions are the functions that read and draw files of a format; each may be nil.
type FormatFunctions struct {
	Read extract.Reader
	Draw extract.Drawer
}

// program is the executable file that is started as a child process. Its identity changes when the
// file is replaced. RunIfChild sets both.
var program struct {
	path, identity string
	err            error
}

var errNoChild = errors.New("this program does not read documents in child processes: it must call formats.RunIfChild first in main")

// RunIfChild must be called before anything else in the program. In a child process it reads and
// draws files for the parent, with the functions of their formats, and never returns. In any other
// process it records that the program can be started as a child.
func RunIfChild(functionsOf func(format string) FormatFunctions) {
	if os.Getenv(variable) == "" {
		program.path, program.identity, program.err = programIdentity()
		return
	}
	os.Unsetenv(variable)
	prepareProcess()
	serveParent(os.Stdin, os.Stdout, functionsOf)
}

// programIdentity returns the path by which this program can be started again, and an identity made
// of the size and the modification time of its file. On Linux the path denotes the running file
// even after another file has taken its name.
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
