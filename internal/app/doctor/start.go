package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"vademecum/internal/app/bridge"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
)

const (
	answerLimit = 5 * time.Second // limit for the response to initialize
	endLimit    = 2 * time.Second // limit for exiting after the end of stdin, as in hosts
	killLimit   = time.Second     // limit for exiting after a signal
)

// startServer starts the program of an entry in a directory as a host would, begins a session, and
// ends it. If the program fails, the error contains what it printed on stderr.
func startServer(ctx context.Context, l hosts.Launch, dir string) (bridge.ServerInfo, error) {
	path, err := l.FindProgramIn(dir, exec.LookPath)
	if err != nil {
		return bridge.ServerInfo{}, err
	}
	var said outputTail
	heard := &answerListener{answer: make(chan initializeAnswer, 1)}
	c := exec.Command(path, l.Args...)
	c.Args[0] = l.Program
	c.Dir, c.Env = dir, append(l.Env, "PWD="+dir, "LC_ALL=", "LC_MESSAGES=en_US.UTF-8") // isComplaint recognises only English
	c.Stdout, c.Stderr, c.WaitDelay = heard, &said, killLimit
	setProcessGroup(c)
	in, err := c.StdinPipe()
	if err != nil {
		return bridge.ServerInfo{}, err
	}
	if err := c.Start(); err != nil {
		return bridge.ServerInfo{}, err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	go func() { _, _ = in.Write(bridge.InitializeRequest()) }() // the program may not read it
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	var got initializeAnswer
	select {
	case got = <-heard.answer:
		_ = in.Close()
		if awaitEnd(c, ended) && got.err == nil && strings.Contains("\n"+said.writtenText(), "\n"+ownWords) {
			got.err = errComplains
		}
	case err := <-ended:
		endGroup(c, true)
		got = heard.answerAfterEnd(err)
	case <-ctx.Done():
		_ = in.Close()
		endGroup(c, false)
		awaitEnd(c, ended)
		got.err = errSilent
	}
	if got.err != nil {
		return got.server, &processError{got.err, said.writtenText(), heard.other.writtenText()}
	}
	return got.server, nil
}

// errSilent reports that a program did not answer in time.
var errSilent = message.Errorf("no answer within %d s", int(answerLimit.Seconds()))

// errComplains reports that a program answered but also printed a complaint, for example about a
// missing folder that it is waiting for.
var errComplains = message.Errorf("it answers, but reports problems")

// ownWords is the prefix of the lines that this program prints for people.
const ownWords = "vademecum: "

// errEnded reports that a process ended before it answered.
var errEnded = message.Errorf("it ends before it answers")

// awaitEnd waits until a process ends. After a time limit it ends the process and its children, and
// returns false.
func awaitEnd(c *exec.Cmd, ended <-chan error) (byItself bool) {
	select {
	case <-ended:
		byItself = true
	case <-time.After(endLimit):
		endGroup(c, false)
		select {
		case <-ended:
		case <-time.After(killLimit):
			endGroup(c, true)
			<-ended
		}
	}
	endGroup(c, true)
	return byItself
}

// processError is an error of a started program, with what it printed.
type processError struct {
	error
	stderr, stdout string
}

func (c *processError) Unwrap() error { return c.error }

// initializeAnswer is the response of a program to initialize, or an error.
type initializeAnswer struct {
	server bridge.ServerInfo
	err    error
}

// answerListener receives the stdout of a program, and looks for its response to initialize.
type answerListener struct {
	answer chan initializeAnswer

	mu    sync.Mutex
	line  []byte
	other outputTail // the lines that are not MCP messages
	done  bool
}

// mostOfAnswer is the maximum length of a line of stdout, in bytes.
const mostOfAnswer = 4 << 20

// Write implements io.Writer.
func (l *answerListener) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.done {
		return len(p), nil
	}
	l.line = append(l.line, p...)
	for !l.done {
		line, rest, whole := bytes.Cut(l.line, []byte("\n"))
		if !whole {
			break
		}
		l.line = rest
		l.parseLine(line)
	}
	if len(l.line) > mostOfAnswer {
		l.line, l.done = nil, true
	}
	return len(p), nil
}

func (l *answerListener) parseLine(line []byte) {
	server, ok, err := bridge.ParseInitializeResponse(line)
	if !ok {
		if len(bytes.TrimSpace(line)) > 0 && !bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
			_, _ = l.other.Write(append(line, '\n'))
		}
		return
	}
	l.done = true
	l.answer <- initializeAnswer{server, err}
}

// answerAfterEnd returns the response of a program that has ended, or an error if there was none.
func (l *answerListener) answerAfterEnd(ended error) initializeAnswer {
	select {
	case got := <-l.answer:
		return got
	default:
	}
	if exit := new(exec.ExitError); errors.As(ended, &exit) {
		return initializeAnswer{err: fmt.Errorf("%w (%s)", errEnded, exit)}
	}
	return initializeAnswer{err: errEnded}
}

// outputTail keeps the end of what is written to it. It drops a line that it had to cut, as the
// rest may be part of a secret.
type outputTail struct {
	mu   sync.Mutex
	text []byte
	cut  bool
}

const mostOfWords = 8 << 10

// Write implements io.Writer.
func (w *outputTail) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text = append(w.text, p...)
	w.cut = w.cut || len(w.text) > mostOfWords
	w.text = w.text[max(0, len(w.text)-mostOfWords):]
	return len(p), nil
}

func (w *outputTail) writtenText() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	text := w.text
	if _, rest, found := bytes.Cut(text, []byte("\n")); w.cut && found {
		text = rest
	}
	return string(bytes.ToValidUTF8(text, nil)) // the cut may be inside a character
}

// newEmptyFolder creates an empty working directory, for an entry that does not name one. remove
// deletes it.
func newEmptyFolder() (dir string, remove func(), err error) {
	if dir, err = os.MkdirTemp("", "vademecum-doctor-"); err != nil {
		return "", nil, err
	}
	remove = func() { _ = os.RemoveAll(dir) }
	if real, err := filepath.EvalSymlinks(dir); err == nil { // the path that programs see
		dir = real
	}
	return dir, remove, nil
}
