// Package cli is the command line: it parses flags, runs a command on an index, and prints the
// result for people. It knows nothing of documents and of the protocol.
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

// Exit codes. An interrupted command exits with exitSignal plus the signal number, as shells report
// for a process that was killed by a signal.
const (
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128
)

// Run runs one command line of a version of the program, and returns the exit code: 0, exitFailed,
// exitUsage, or exitSignal plus the number of the signal.
func Run(args []string, version string) (code int) {
	p := &program{args: args, release: version, stdin: os.Stdin, stdout: os.Stdout, stderr: &progressWriter{out: os.Stderr}}
	defer p.stderr.flush()
	defer func() {
		if fault := recover(); fault != nil { // a panic would exit with 2, which is exitUsage here
			fmt.Fprintf(p.stderr, "vademecum: internal error: %v\n%s", fault, debug.Stack())
			code = exitFailed
		}
	}()
	if err := errors.Join(checkSpace(), clearUnsetVariables()); err != nil {
		fmt.Fprintf(p.stderr, "vademecum: %v\n", err)
		return exitFailed
	}
	for _, v := range unknownVariables(os.Environ()) {
		if v.near != "" {
			fmt.Fprint(p.stderr, p.localise("note: %s is not a variable of this program and has no effect: did you mean %s?\n", v.name, v.near))
			continue
		}
		fmt.Fprint(p.stderr, p.localise("note: %s is not a variable of this program and has no effect; vademecum help commands lists all of them\n", v.name))
	}
	cobra.EnableCommandSorting = false // help lists the commands in the order of their use
	root := p.rootCommand()
	root.SetArgs(args)
	root.SetOut(&p.out)
	root.SetErr(p.stderr)
	ctx, stop := signalContext()
	c, err := root.ExecuteContextC(ctx)
	stop() // from now on a signal kills the program even if its output is not read
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
			wrong.hint = message.New("%v shows how to use it", helpCommand(c))
		}
		fmt.Fprint(p.stderr, p.localise("vademecum: %s\nhint: %s\n", message.FromError(wrong), wrong.hint))
		return exitUsage
	case errors.As(context.Cause(ctx), &by):
		fmt.Fprintln(p.stderr, p.localise("vademecum: interrupted; what was indexed or fetched is kept"))
		return exitSignal + int(by.Signal)
	}
	fmt.Fprintln(p.stderr, p.localise("vademecum: %s", message.FromError(err)))
	if hinting := (interface{ Hint() message.Message })(nil); errors.As(err, &hinting) {
		fmt.Fprint(p.stderr, p.localise("hint: %s\n", hinting.Hint()))
	}
	return exitFailed
}

// signalError is the cause of a context that a signal has cancelled.
type signalError struct{ syscall.Signal }

func (e signalError) Error() string { return "ended by a signal: " + e.Signal.String() }

// signalContext returns a context that is done at the first signal that asks the program to end.
// The second signal kills the program.
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

// program is one run of the program: its streams and the values of its flags.
type program struct {
	args    []string
	flags   *pflag.FlagSet // flags of the command being run
	target  string         // folders and flags that stand for FOLDER in hints; "" if they are not known
	release string         // version of this program
	stdin   *os.File
	stdout  *os.File     // output of the protocol or of a command
	out     bytes.Buffer // written to stdout when a command is done
	notes   []string     // written to stderr after out
	stderr  *progressWriter

	indexFiles []string
	store      string   // address of the database, as the flag gives it
	storeRead  string   // address of the database's read replica
	libraries  []string // names of the folders' libraries in the database, one for each folder
	names      []string // display names of the folders, if they are only some of a server's folders
	embedSpec  string
	embedGiven bool
	reranker   rerankFlags
	awaits     bool // the command waits for missing folders; ignored with a database, whose library must have files
	takesOver  bool // this process takes over from the owner of the index: it has checked the folders at its start, and hosts wait
	asks       bool // the command only asks, and must not change the models of the libraries
	logLevel   string

	chosenLanguage message.Language // "" means the language of the locale

	ocr          string // OCR program
	ocrLanguages string // "" means that they are chosen automatically

	patience time.Duration // how long to wait for other processes; 0 means no limit

	modelPatience time.Duration // time limit for embedding passages; 0 means no limit

	recognises bool // the command runs OCR on scanned pages

	onDisk bool // the command needs an index that is saved

	isForPeople bool // what the command logs is read by the person who has typed it
}

// flush writes the output, then the notes. If the reader is gone, SIGPIPE ends the program quietly.
func (p *program) flush() error {
	if out := p.out.Bytes(); len(out) > 0 { // a server closes stdout, perhaps just now
		if term.IsTerminal(int(p.stdout.Fd())) {
			out = []byte(present.CleanBlock(string(out)))
		}
		if _, err := p.stdout.Write(out); err != nil {
			return fmt.Errorf("the output cannot be written: %w", err)
		}
	}
	for _, note := range p.notes {
		fmt.Fprintln(p.stderr, p.localise("note: %s", note))
	}
	return nil
}

// noteOnce adds a note unless it has been added before.
func (p *program) noteOnce(note string) {
	if !slices.Contains(p.notes, note) {
		p.notes = append(p.notes, note)
	}
}

// newLogger returns a logger that writes to stderr, as stdout is for the protocol or the result.
func (p *program) newLogger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, usageErrorf("unknown log level %q: choose debug, info, warn or error", p.logLevel)
	}
	var handler slog.Handler = slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level})
	if p.isForPeople && !p.flags.Changed("log-level") {
		handler = noteHandler{program: p, log: handler}
	}
	log := slog.New(handler)
	slog.SetDefault(log) // failures of child processes are logged to the default logger
	return log, nil
}

// openIndex creates the index of some folders without reading anything.
func (p *program) openIndex(folders []string) (*index.Index, *slog.Logger, error) {
	return p.openIndexWith(embed.New, folders)
}

// openIndexWith creates the index of some folders without reading anything. Commands that need only
// the name of the embedder pass a function that creates one without its model.
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
	if err := errors.Join(err, unread, p.setTarget(folders)); err != nil {
		return nil, nil, err
	}
	o := index.Options{Folders: folders, IndexPaths: p.indexFiles, DatabaseAddress: store, ReplicaAddress: read, InMemory: p.isInMemory(), Libraries: p.libraries, FolderNames: p.names, KeepLibraryModels: p.asks || !p.embedGiven, Embedder: e, Logger: log, OtherProcessTimeout: p.patience, Recogniser: p.newRecogniser(), AllowMissingFolders: p.awaits && store == ""}
	if p.takesOver {
		o.FolderOpenTimeout = successorOpenTimeout
	}
	if err := p.reranker.setReranker(&o, p.embedSpec); err != nil {
		return nil, nil, err
	}
	ix, err := index.New(o)
	if err != nil && !errors.As(err, new(syscall.Errno)) { // it is not an error of the operating system
		return nil, nil, asUsageError(err)
	}
	return ix, log, err
}

// newRecogniser returns the recogniser for scanned pages; nil if OCR is switched off, or there is
// no cache folder for its results.
func (p *program) newRecogniser() *ocr.Recogniser {
	dir, err := ocr.CacheDir()
	if p.ocr == "off" || err != nil {
		return nil
	}
	return ocr.New(ocr.Options{Program: p.ocr, Languages: p.ocrLanguages, PagesDir: dir})
}

// withIndex loads the index of some folders, calls f with it, and closes it.
func (p *program) withIndex(ctx context.Context, folders []string, f func(context.Context, *index.Index) error) error {
	if err := p.offerFetch(ctx); err != nil {
		return err
	}
	p.isForPeople = true
	ix, _, err := p.openIndex(folders)
	if err != nil {
		return err
	}
	if p.onDisk {
		err = ix.NoFileReason()
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
		err = ix.UnsavedReason()
	}
	return errors.Join(err, ix.Close())
}
