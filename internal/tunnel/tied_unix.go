//go:build unix

package tunnel

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"syscall"
)

// tie has a shell run a program, after it has begun another shell that waits for a line from
// this program: an end in place of it means that this program was killed. Then the other
// shell ends the program, which has the number of the first one by then.
const tie = `(read -r line <&3 || kill $$) >/dev/null 2>&1 & exec "$@" 3<&-`

// startTied starts a program that ends with this one, also when this one is killed: it would go
// on else, and lead people to whatever has the port next. release is called when it has
// ended by itself. The program is in a process group of its own: Ctrl-C in a terminal signals
// all processes of a group, and the program would seem to have ended by itself.
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
		_, _ = io.WriteString(holds, "\n") // the shell may have been ended, too
		_ = holds.Close()
	}, nil
}
