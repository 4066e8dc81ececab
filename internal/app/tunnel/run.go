package tunnel

import (
	"bytes"
	"cmp"
	"context"
	"os"
	"os/exec"
	"strings"
	"time"

	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Tunnel is a tunnel program that is running.
type Tunnel struct {
	URL   string // public URL of the server, without a path
	ended chan error
}

// patience is how long a program may take to end after an interrupt.
const patience = 3 * time.Second

// usualQuiet is how long a program may take to print its address before onSilence is called.
const usualQuiet = 20 * time.Second

// Start runs the program for a server at a local address, and waits until it has printed its public
// address. It calls onLine with each line that the program prints before, as that may ask the user
// for something, and onSilence if it takes long. The program runs until ctx is done or this process
// ends.
func (p Program) Start(ctx context.Context, localAddress string, onLine func(line string), onSilence func()) (*Tunnel, error) {
	command := p.Command(localAddress)
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	// on a system without interrupts it is killed after WaitDelay
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = patience
	said := &addressOutput{program: p, tell: onLine, url: make(chan string, 1)}
	c.Stdout, c.Stderr = said, said
	release, err := startTied(c)
	if err != nil {
		return nil, message.Errorf("%s cannot be started: %v", p.Name, err)
	}
	t := &Tunnel{ended: make(chan error, 1)}
	go func() {
		err := c.Wait()
		release()
		_, _ = said.Write([]byte("\n")) // the last line may lack a line break
		t.ended <- p.endError(ctx, err, said, command)
	}()
	defer time.AfterFunc(cmp.Or(p.quiet, usualQuiet), onSilence).Stop()
	select {
	case t.URL = <-said.url:
		return t, nil
	case err := <-t.ended:
		return nil, cmp.Or(err, ctx.Err())
	}
}

// Wait waits until the program has ended. It returns nil if the ctx of Start was done, otherwise
// why the program ended.
func (t *Tunnel) Wait() error { return <-t.ended }

// ExitError reports why a tunnel program ended unexpectedly.
type ExitError struct {
	error
	advice message.Message
}

// Hint returns advice on the failure.
func (e ExitError) Hint() message.Message { return e.advice }

func (e ExitError) Unwrap() error { return e.error }

// endError returns why a program has ended; nil if that is because ctx is done. said is its output.
func (p Program) endError(ctx context.Context, err error, said *addressOutput, command []string) error {
	advice := said.advice
	if advice == "" {
		advice = message.New("run it on its own to see why: %s; or use another method that vademecum share FOLDER lists", strings.Join(command, " "))
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case said.last != "":
		return ExitError{message.Errorf("%s has exited; its last output was: %s", p.Name, said.last), advice}
	case err != nil:
		return ExitError{message.Errorf("%s has exited: %v", p.Name, err), advice}
	}
	return ExitError{message.Errorf("%s has exited without any output", p.Name), advice}
}

// mostOfLine is the maximum number of bytes that are kept of a line.
const mostOfLine = 4 << 10

// addressOutput receives the output of a program, and looks for the public address in it.
type addressOutput struct {
	program Program
	tell    func(line string)
	url     chan string
	known   bool            // whether the address was found
	rest    []byte          // a line that is incomplete so far
	last    string          // the last non-empty line
	advice  message.Message // advice on the last line for which there is any
}

func (o *addressOutput) Write(text []byte) (int, error) {
	o.rest = append(o.rest, text...)
	for {
		line, rest, isWhole := bytes.Cut(o.rest, []byte("\n"))
		if !isWhole {
			o.rest = o.rest[:min(len(o.rest), mostOfLine)]
			return len(text), nil
		}
		o.rest = rest
		o.readLine(present.CleanLine(strings.TrimSpace(string(line))))
	}
}

func (o *addressOutput) readLine(line string) {
	if line == "" || line == "ERROR:" { // ngrok prefixes each line of an error with it
		return
	}
	o.last = line
	o.advice = cmp.Or(o.program.adviceOn(line), o.advice)
	if o.known {
		return
	}
	o.tell(line)
	if url := o.program.urlIn(line); url != "" {
		o.known = true
		o.url <- url
	}
}
