package tunnel

import (
	"os/exec"

	"vademecum/internal/jobobject"
)

// startTied starts a program that ends with this one, also when this one is killed: it would go
// on else, and lead people to whatever has the port next. release is called when it has
// ended by itself.
func startTied(c *exec.Cmd) (release func(), err error) {
	if err := c.Start(); err != nil {
		return nil, err
	}
	return jobobject.Contain(c.Process.Pid, 0), nil
}
