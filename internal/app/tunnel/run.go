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

// Tunnel is a running tunnel program.
type Tunnel struct {
	URL   string // public URL of the server, without a path
	ended chan error
}

// patience is how long a program may take to end after an interrupt.
const patience = 3 * time.Second

// usualQuiet is how long a program may take to print its address before quiet is called.
const usualQuiet = 20 * time.Second

// Start runs the program until ctx is done or this program ends, and waits until it has printed its public
// address. It passes each line that the program prints before that to tell, as the program may
// ask for something. If that takes long it calls quiet.
func (p Program) Start(ctx context.Context, address string, tell func(line string), quiet func()) (*Tunnel, error) {
	command := p.Command(address)
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	// on a system without interrupts it is killed after WaitDelay
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = patience
	said := &addressOutput{program: p, tell: tell, url: make(chan string, 1)}
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
	defer time.AfterFunc(cmp.Or(p.quiet, usualQuiet), quiet).Stop()
	select {
	case t.URL = <-said.url:
		return t, nil
	case err := <-t.ended:
		return nil, cmp.Or(err, ctx.Err())
	}
}

// Wait waits until the program has ended. The error is nil if ctx of Start was done.
func (t *Tunnel) Wait() error { return <-t.ended }

// ExitError reports why a program ended unexpectedly.
type ExitError struct {
	error
	advice message.Message
}

// Hint returns advice on the failure.
func (e ExitError) Hint() message.Message { return e.advice }

func (e ExitError) Unwrap() error { return e.error }

// endError returns why a program ended; nil if it was interrupted.
func (p Program) endError(ctx context.Context, err error, said *addressOutput, command []string) error {
	advice := said.advice
	if advice == "" {
		advice = message.New("run it by itself to see why: %s; or take another way, which vademecum share FOLDER lists", strings.Join(command, " "))
	}
	switch {
	case ctx.Err() != nil:
		return nil
	case said.last != "":
		return ExitError{message.Errorf("%s has ended, and said last: %s", p.Name, said.last), advice}
	case err != nil:
		return ExitError{message.Errorf("%s has ended: %v", p.Name, err), advice}
	}
	return ExitError{message.Errorf("%s has ended and said nothing", p.Name), advice}
}

// mostOfLine is the maximum length of the kept part of a line, in bytes.
const mostOfLine = 4 << 10

// addressOutput reads the output of a program.
type addressOutput struct {
	program Program
	tell    func(line string)
	url     chan string
	known   bool            // whether the address was found
	rest    []byte          // an incomplete line
	last    string          // the last non-empty line
	advice  message.Message // advice on the last line that has any
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
