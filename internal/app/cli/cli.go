// Package cli is the command line: it parses flags, runs a command on an index and prints
// the result. Its output is for people; it holds no documents and no protocol.
package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"vademecum/docs/ocr"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// Exit codes. An interrupted command has exitSignal and the signal's number, as
// shells have it for a process that a signal ended.
const (
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128
)

// Run executes one command line of the program's version and returns the exit
// code: 0, exitFailed, exitUsage or exitSignal with a signal's number.
func Run(args []string, version string) (code int) {
	p := &program{args: args, release: version, stdin: os.Stdin, stdout: os.Stdout, stderr: &progressWriter{out: os.Stderr}}
	defer p.stderr.flush()
	defer func() {
		if fault := recover(); fault != nil { // Go would exit with 2, which here is a mistake of the user
			fmt.Fprintf(p.stderr, "vademecum: internal error: %v\n%s", fault, debug.Stack())
			code = exitFailed
		}
	}()
	if err := errors.Join(checkSpace(), clearUnsetVariables()); err != nil {
		fmt.Fprintf(p.stderr, "vademecum: %v\n", err)
		return exitFailed
	}
	for _, name := range unknownVariables(os.Environ()) {
		fmt.Fprint(p.stderr, p.localise("note: %s is no variable of this program and does nothing; vademecum help commands lists those that there are\n", name))
	}
	cobra.EnableCommandSorting = false // the help has them in the order of their use
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetOut(&p.out)
	root.SetErr(p.stderr)
	ctx, stop := signalContext()
	c, err := root.ExecuteContextC(ctx)
	stop() // from now on a signal ends the program even if its output is not read
	if unwritten := p.flush(); err == nil {
		err = unwritten
	}
	var wrong usageError
	var by signalError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		if wrong.hint == "" {
			wrong.hint = message.New("%s --help shows what it takes", c.CommandPath())
		}
		fmt.Fprintf(p.stderr, p.localise("vademecum: %s\nhint: %s\n"), typeableCommands(p.translate(message.OfError(wrong))), typeableCommands(p.translate(wrong.hint)))
		return exitUsage
	case errors.As(context.Cause(ctx), &by):
		fmt.Fprintln(p.stderr, p.localise("vademecum: interrupted; what was indexed or fetched is kept"))
		return exitSignal + int(by.Signal)
	}
	fmt.Fprintln(p.stderr, p.localise("vademecum: %s", typeableCommands(p.translate(message.OfError(err)))))
	if hinting := (interface{ Hint() message.Message })(nil); errors.As(err, &hinting) {
		fmt.Fprint(p.stderr, p.localise("hint: %s\n", typeableCommands(p.translate(hinting.Hint()))))
	}
	return exitFailed
}

// signalError is the signal that asked the program to end.
type signalError struct{ syscall.Signal }

func (e signalError) Error() string { return "ended by a signal: " + e.Signal.String() }

// signalContext returns a context that is done at the first signal to end the program.
// The second one ends it at once.
func signalContext() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got := <-signals
		signal.Stop(signals)
		s, _ := got.(syscall.Signal)
		cancel(signalError{s})
	}()
	return ctx, func() { signal.Stop(signals) }
}

// program is one execution: its streams and flags.
type program struct {
	args    []string
	flags   *pflag.FlagSet // of the command that runs
	release string         // of the program
	stdin   *os.File
	stdout  *os.File     // the protocol, or what was asked for
	out     bytes.Buffer // written to stdout when a command is done
	notes   []string     // for stderr, after it
	stderr  *progressWriter

	indexFiles []string
	store      string   // address of a database, as given
	storeRead  string   // that of a replica
	libraries  []string // names in it, one for each folder
	names      []string // what the folders are called where they are some of those of a server
	embedSpec  string
	embedGiven bool
	reranker   rerankFlags
	awaits     bool // a folder may not be there yet, unless the index is in a database: it would have the duty there, and no files
	asks       bool // the command changes nothing about what a library is
	logLevel   string

	chosenLanguage message.Language // "": that of the locale

	ocr          string // what recognises text
	ocrLanguages string // "": chosen

	patience time.Duration // with other processes, 0: endless

	modelPatience time.Duration // with the embedding of passages, 0: endless

	recognises bool // the command has the text of scanned pages recognised

	onDisk bool // the command is of no use to an index that is kept in memory
}

// flush writes the output, and after it the notes. A reader that is gone ends
// the program quietly, by SIGPIPE.
func (p *program) flush() error {
	if out := p.out.Bytes(); len(out) > 0 { // a server closes stdout, perhaps only now
		if term.IsTerminal(int(p.stdout.Fd())) {
			out = []byte(present.CleanBlock(string(out)))
		}
		if _, err := p.stdout.Write(out); err != nil {
			return fmt.Errorf("the output cannot be written: %w", err)
		}
	}
	for _, note := range p.notes {
		fmt.Fprintln(p.stderr, p.localise("note: %s", typeableCommands(note)))
	}
	return nil
}

// noteOnce adds a note that is not there yet.
func (p *program) noteOnce(note string) {
	if !slices.Contains(p.notes, note) {
		p.notes = append(p.notes, note)
	}
}

// newLogger writes to stderr: stdout is the protocol, or the answer.
func (p *program) newLogger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, usageErrorf("unknown log level %q: choose debug, info, warn or error", p.logLevel)
	}
	log := slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(log) // failures of child processes are logged there
	return log, nil
}

// openIndex makes the index of folders; nothing is read yet.
func (p *program) openIndex(folders []string) (*index.Index, *slog.Logger, error) {
	return p.openIndexWith(embed.New, folders)
}

// openIndexWith opens an index also for commands that need only the embedder's name.
func (p *program) openIndexWith(embedder func(spec string) (embed.Embedder, error), folders []string) (*index.Index, *slog.Logger, error) {
	log, err := p.newLogger()
	if err != nil {
		return nil, nil, err
	}
	e, err := embedder(p.embedSpec)
	if err != nil {
		return nil, nil, asUsageError(err)
	}
	store, err := p.checkFoldersAndStore(folders)
	read, unread := p.replicaAddress(store)
	if err := errors.Join(err, unread); err != nil {
		return nil, nil, err
	}
	o := index.Options{Folders: folders, Files: p.indexFiles, Store: store, StoreRead: read, InMemory: p.isInMemory(), Libraries: p.libraries, Names: p.names, KeepModels: p.asks || !p.embedGiven, Embedder: e, Logger: log, Patience: p.patience, Recogniser: p.newRecogniser(), Await: p.awaits && store == ""}
	if err := p.reranker.setReranker(&o, p.embedSpec); err != nil {
		return nil, nil, err
	}
	ix, err := index.New(o)
	if err != nil && !errors.As(err, new(syscall.Errno)) { // the system has no part in it
		return nil, nil, asUsageError(err)
	}
	return ix, log, err
}

// newRecogniser gives scanned pages their text; nil where that is not wanted, or there is no
// place to keep it.
func (p *program) newRecogniser() *ocr.Recogniser {
	dir, err := ocr.Dir()
	if p.ocr == "off" || err != nil {
		return nil
	}
	return ocr.New(ocr.Options{Program: p.ocr, Languages: p.ocrLanguages, Dir: dir})
}

// withIndex loads the index of folders, calls f and closes it.
func (p *program) withIndex(ctx context.Context, folders []string, f func(context.Context, *index.Index) error) error {
	if err := p.offerFetch(ctx); err != nil {
		return err
	}
	ix, _, err := p.openIndex(folders)
	if err != nil {
		return err
	}
	if p.onDisk {
		err = ix.WhyNoPlace()
	}
	if err == nil {
		err = ix.Load(ctx)
	}
	if err == nil {
		for _, model := range ix.UnusedModels() {
			p.notes = append(p.notes, p.localise("the library is indexed with the model %s, whose vectors were not used: give the same --embed as its servers", model))
		}
		err = f(ctx, ix)
	}
	if err == nil && p.onDisk {
		err = ix.WhyUnsaved()
	}
	return errors.Join(err, ix.Close())
}
