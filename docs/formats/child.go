package formats

import (
	"errors"
	"fmt"
	"os"
	"runtime"
)

// childVariable marks a process as a child that reads files for its parent.
const childVariable = "VADEMECUM_CHILD"

// childProtocol changes with the messages between parent and child.
const childProtocol = 2

// program is how this program is started as a child: its file, and what tells
// that file from another of the same name. RunChild sets it.
var program struct {
	path, identity string
	err            error
}

var errNoChild = errors.New("this program does not read documents in child processes: it must call formats.RunChild first in main")

// RunChild must be the first thing that main does. In a child process it reads
// files for its parent and never returns; in any other it takes note that the
// program can be started as a child.
func RunChild() {
	if os.Getenv(childVariable) == "" {
		program.path, program.identity, program.err = identify()
		return
	}
	os.Unsetenv(childVariable)
	prepareChild()
	serveParent(os.Stdin, os.Stdout)
}

// identify returns the path by which this program can be started again, and
// the size and time of its file. On Linux the path means the file that runs
// even after another has taken its name.
func identify() (path, identity string, err error) {
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
	return path, fmt.Sprintf("%d %d %d", childProtocol, info.Size(), info.ModTime().UnixNano()), nil
}
