package child

import (
	"context"
	"encoding/gob"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"vademecum/internal/base/message"
)

// A process is a child process that reads files, from the parent's point of view.
type process struct {
	command  *exec.Cmd
	in       io.WriteCloser
	requests *gob.Encoder
	answers  chan answer   // closed after the last answer
	ending   chan struct{} // closed when answers are no longer read
	stderrHead
	expiry *time.Timer
	spent  time.Duration // processor time that the child had used at its last answer
}

// startProcess starts a child and waits for its greeting. Its errors do not match file system
// errors: a missing program must not be mistaken for a missing document.
func startProcess(ctx context.Context, l limits) (*process, error) {
	if err := program.err; err != nil {
		return nil, fmt.Errorf("find this program to start it as a child: %v", err)
	}
	if program.path == "" {
		return nil, errNoChild
	}
	c := &process{command: exec.Command(program.path), answers: make(chan answer, 16), ending: make(chan struct{})}
	c.command.Env = childEnvironment()
	c.command.SysProcAttr = processAttributes()
	c.command.Stderr = &c.stderrHead
	c.command.WaitDelay = time.Second
	in, err := c.command.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start a child: %w", err)
	}
	out, err := c.command.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a child: %w", err)
	}
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("start a child: %v", err)
	}
	c.in, c.requests = in, gob.NewEncoder(in)
	go c.receiveAnswers(out)
	if err := c.awaitGreeting(ctx, l.start); err != nil {
		c.kill()
		return nil, err
	}
	return c, nil
}

// childEnvironment returns the environment variables that a child needs to run and to find the
// user's cache directory. They include no secrets.
func childEnvironment() []string {
	env := []string{variable + "=1"}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "USERPROFILE", "LOCALAPPDATA", "SYSTEMROOT", "TMPDIR", "TMP", "TEMP", "GODEBUG"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// receiveAnswers forwards the answers of the child until it ends.
func (c *process) receiveAnswers(out io.Reader) {
	defer close(c.answers)
	answers := gob.NewDecoder(out)
	for {
		var a answer
		if err := answers.Decode(&a); err != nil {
			return
		}
		select {
		case c.answers <- a:
		case <-c.ending:
			return
		}
	}
}

func (c *process) awaitGreeting(ctx context.Context, limit time.Duration) error {
	select {
	case a, ok := <-c.answers:
		if !ok || a.Kind != greeting {
			return message.Errorf("the child process that reads documents did not start")
		}
		if a.Program != program.identity {
			return message.Errorf("the file of this program was replaced while it was running: restart it")
		}
		c.spent = a.Spent
		return nil
	case <-time.After(limit):
		return fmt.Errorf("the child process that reads documents did not start within %v", limit)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// kill kills the child and returns its exit code, or -1 if it did not exit by itself.
func (c *process) kill() int {
	_ = c.command.Process.Kill() // a child that has ended keeps its exit code
	c.in.Close()
	close(c.ending)
	for range c.answers {
	}
	_ = c.command.Wait() // the process state has the result
	if text := c.stderrHead.text(); text != "" {
		slog.Debug("a child process that reads documents ended", "state", c.command.ProcessState.String(), "stderr", text)
	}
	return c.command.ProcessState.ExitCode()
}

// processorTimeUsed returns the processor time of a child that has ended.
func (c *process) processorTimeUsed() time.Duration {
	return c.command.ProcessState.UserTime() + c.command.ProcessState.SystemTime()
}

// failedBySystem reports whether a child process ended for lack of resources: the kernel kills
// processes when memory runs out, and the Go runtime exits if it gets no memory or threads.
func (c *process) failedBySystem() bool {
	status, ok := c.command.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() && status.Signal() == syscall.SIGKILL {
		return true
	}
	return slices.ContainsFunc([]string{"out of memory", "cannot allocate memory", "failed to create new OS thread"},
		func(s string) bool { return strings.Contains(c.stderrHead.text(), s) })
}

// A stderrHead keeps the beginning of what a child process writes to stderr.
type stderrHead struct{ head []byte }

const stderrHeadSize = 2 << 10

// Write implements io.Writer. It never fails.
func (c *stderrHead) Write(b []byte) (int, error) {
	c.head = append(c.head, b[:min(len(b), stderrHeadSize-len(c.head))]...)
	return len(b), nil
}

func (c *stderrHead) text() string { return string(c.head) }
