package tunnel

import (
	"os/exec"

	"vademecum/internal/base/external"
)

// startTied starts a program that ends when this process ends, even if this process is killed:
// otherwise the tunnel would stay open, and lead to whatever program gets the port next. The caller
// calls release when the program has ended.
func startTied(c *exec.Cmd) (release func(), err error) {
	if err := c.Start(); err != nil {
		return nil, err
	}
	return external.AssignJobObject(c.Process.Pid, 0), nil
}
