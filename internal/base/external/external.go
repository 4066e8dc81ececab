// Package external runs programs that are installed on the machine, such as tesseract, and limits
// their time, memory, output and processor use; they run at low priority. They end with this
// program.
package external

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// A Command is a program to run.
type Command struct {
	DisplayName string // display name of the program
	Path        string
	Args        []string
	Input       []byte // content of its stdin
	Timeout     time.Duration
}

// A Result is the output of a program, even of one that failed.
type Result struct {
	Output  []byte
	Stderr  string        // beginning of stderr
	CPUTime time.Duration // processor time used
}

const (
	maxOutput  = 16 << 20         // bytes; a program with more output is ended
	maxError   = 4 << 10          // bytes of stderr that are kept
	leastSpent = 20 * time.Second // processor time from which on a timeout is the program's own fault
)

// errTimeLimit is matched by the error of a program that exceeded its time limit.
var errTimeLimit = errors.New("the program does not come to an end")

// ErrKilled is matched by the error of a program that was killed from outside, for example by the
// system when memory is short.
var ErrKilled = errors.New("the program was killed")

var errEndless = message.Errorf("it writes more than %d MB", maxOutput>>20)

// HadTooLittleCPU reports, given the error of Run, whether the program exceeded its time limit but
// used little processor time, because the machine is busy or the program waits for something.
func (r Result) HadTooLittleCPU(err error) bool {
	return errors.Is(err, errTimeLimit) && r.CPUTime < leastSpent
}

// Run runs a program to its end. The error is that of ctx, or explains in one line why the
// program failed.
func (c Command) Run(ctx context.Context) (Result, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.Timeout, errTimeLimit)
	defer cancel()
	command, out, said := c.process(ctx), limited{limit: maxOutput, ends: true}, limited{limit: maxError}
	command.Stdin, command.Stdout, command.Stderr = bytes.NewReader(c.Input), &out, &said
	err := finish(command)
	if out.kept.Len() == out.limit {
		err = errEndless
	}
	r := Result{Output: out.kept.Bytes(), Stderr: said.kept.String()}
	if state := command.ProcessState; state != nil {
		r.CPUTime = state.UserTime() + state.SystemTime()
	}
	return r, c.reason(ctx, err, r.Stderr)
}

// process prepares a process with only the environment variables that it needs.
func (c Command) process(ctx context.Context) *exec.Cmd {
	command := exec.CommandContext(ctx, c.Path, c.Args...)
	command.WaitDelay = time.Second
	command.SysProcAttr = attributes()
	command.Env = []string{"OMP_THREAD_LIMIT=1"} // more threads use far more processor time than they save
	for _, name := range []string{"PATH", "HOME", "TESSDATA_PREFIX", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TMP", "TEMP"} {
		if value, ok := os.LookupEnv(name); ok {
			command.Env = append(command.Env, name+"="+value)
		}
	}
	return command
}

// finish runs a process to its end. It locks the OS thread, because Linux kills the process when
// the thread that started it ends (PR_SET_PDEATHSIG(2const)).
func finish(command *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := command.Start(); err != nil {
		return err
	}
	release := restrain(command.Process.Pid)
	defer release()
	return command.Wait()
}

// knownError is an error with a text for people that matches one of the exported errors.
type knownError struct {
	error
	known error
}

func (e knownError) Is(target error) bool { return target == e.known }
func (e knownError) Unwrap() error        { return e.error }

// Exit codes of a shell whose program was killed by SIGKILL or SIGTERM: 128 plus the signal number
// (POSIX, "Exit Status for Commands"). The program may be a script that starts the real one.
const (
	codeKilled     = 128 + 9
	codeTerminated = 128 + 15
)

// isKilled reports whether a process was killed from outside rather than ending by its own failure.
func isKilled(err error) bool {
	exit := new(exec.ExitError)
	if !errors.As(err, &exit) {
		return false
	}
	code := exit.ExitCode()
	return code == codeKilled || code == codeTerminated || hasKillSignal(exit.ProcessState)
}

// reason returns a one-line error that explains why a process failed, given the error of running it
// and its stderr; nil if it did not fail.
func (c Command) reason(ctx context.Context, err error, stderr string) error {
	line, _, _ := strings.Cut(strings.TrimSpace(stderr), "\n")
	switch {
	case err == nil:
		return nil
	case errors.Is(context.Cause(ctx), errTimeLimit):
		return knownError{message.Errorf("%s does not exit", c.DisplayName), errTimeLimit}
	case ctx.Err() != nil:
		return ctx.Err()
	case isKilled(err):
		return knownError{message.Errorf("%s was killed, perhaps because memory ran out", c.DisplayName), ErrKilled}
	case errors.As(err, new(*exec.ExitError)) && line != "": // in the program's language
		return message.Errorf("%s failed (%v): %s", c.DisplayName, exitMessage(err), present.CleanLine(line))
	}
	return message.Errorf("%s failed (%v)", c.DisplayName, exitMessage(err))
}

// exitMessage describes how a process ended.
func exitMessage(err error) message.Message {
	exit := new(exec.ExitError)
	if errors.As(err, &exit) && exit.Exited() {
		return message.New("exit status %d", exit.ExitCode())
	}
	return message.FromError(err)
}

// limited is a buffer that keeps the first bytes written to it, up to its limit, and discards the
// rest.
type limited struct {
	kept  bytes.Buffer // not embedded, as its ReadFrom has no limit
	limit int
	ends  bool // whether a write beyond the limit fails, which ends the process
}

func (l *limited) Write(b []byte) (int, error) {
	n := min(len(b), l.limit-l.kept.Len())
	l.kept.Write(b[:n])
	if n < len(b) && l.ends {
		return n, errEndless
	}
	return len(b), nil
}

// FindProgram returns the path of a program, from the PATH or from where installers put it, because
// a host that was not started from a shell has a PATH without these folders. It returns "" if the
// program is not found.
func FindProgram(name string) string {
	for _, place := range append([]string{name}, places(name)...) {
		if path, err := exec.LookPath(place); err == nil {
			return path
		}
	}
	return ""
}

// places returns the paths where Homebrew, MacPorts and the Windows installer of tesseract put a
// program.
func places(name string) []string {
	switch runtime.GOOS {
	case "darwin":
		return []string{"/opt/homebrew/bin/" + name, "/usr/local/bin/" + name, "/opt/local/bin/" + name}
	case "windows":
		return []string{
			filepath.Join(os.Getenv("ProgramFiles"), "Tesseract-OCR", name+".exe"),
			filepath.Join(os.Getenv("LOCALAPPDATA"), "Programs", "Tesseract-OCR", name+".exe"),
		}
	}
	return nil
}
