//go:build unix

package tunnel

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// tie is a shell script that replaces itself with a program by exec. Before that it starts a
// subshell, which reads a line from a pipe of this process. If the pipe ends without a line, this
// process was killed, and the subshell kills the program, which has the process ID of the script.
const tie = `(read -r line <&3 || kill $$) >/dev/null 2>&1 & exec "$@" 3<&-`

// startTied starts a program that ends when this process ends, even if this process is killed:
// otherwise the tunnel would stay open, and lead to whatever program gets the port next. The caller
// calls release when the program has ended. The program gets a process group of its own, since
// Ctrl-C in a terminal signals all processes of a group, and the program would seem to have ended
// by itself.
func startTied(c *exec.Cmd) (release func(), err error) {
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell, err := exec.LookPath("sh")
	if c.Err != nil || err != nil {
		return func() {}, c.Start()
	}
	waits, holds, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer waits.Close()
	c.Path, c.Args, c.ExtraFiles = shell, append([]string{"sh", "-c", tie, "sh", c.Path}, c.Args[1:]...), []*os.File{waits}
	if err := c.Start(); err != nil {
		return nil, errors.Join(err, holds.Close())
	}
	return func() {
		_, _ = io.WriteString(holds, "\n") // the subshell may have been killed, too
		_ = holds.Close()
	}, nil
}
