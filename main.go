// Command vademecum turns folders of documents into a knowledge base that any
// MCP host can query.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
	"golang.org/x/text/width"

	"vademecum/docs/extract"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/mcp"
)

// version is the program's; a release build may set it.
var version = "0.1.0"

// Exit codes. An interrupted command has exitSignal and the signal's number, as
// shells have it for a process that a signal ended.
const (
	exitFailed = 1
	exitUsage  = 2
	exitSignal = 128
)

func main() {
	extract.RunChild()
	os.Exit(run(os.Args[1:]))
}

// run executes one command line and returns the exit code.
func run(args []string) (code int) {
	p := &program{args: args, stdin: os.Stdin, stdout: os.Stdout, stderr: &meter{out: os.Stderr}}
	defer func() {
		if fault := recover(); fault != nil { // Go would exit with 2, which here is a mistake of the user
			fmt.Fprintf(p.stderr, "vademecum: internal error: %v\n%s", fault, debug.Stack())
			code = exitFailed
		}
	}()
	root := p.command()
	root.SetArgs(args)
	root.SetOut(&p.out)
	root.SetErr(p.stderr)
	ctx, stop := untilSignal()
	c, err := root.ExecuteContextC(ctx)
	stop() // a signal now ends the program even if nobody reads its output
	if unwritten := p.flush(); err == nil {
		err = unwritten
	}
	var wrong usageError
	var by endedBy
	switch {
	case err == nil:
		return 0
	case errors.As(err, &wrong):
		if wrong.hint == "" {
			wrong.hint = c.CommandPath() + " --help shows what it takes"
		}
		fmt.Fprintf(p.stderr, "vademecum: %v\nhint: %s\n", wrong, wrong.hint)
		return exitUsage
	case errors.As(context.Cause(ctx), &by):
		fmt.Fprintln(p.stderr, "vademecum: interrupted; what was indexed is kept")
		return exitSignal + int(by.Signal)
	}
	fmt.Fprintf(p.stderr, "vademecum: %v\n", err)
	return exitFailed
}

// endedBy is the signal that asked the program to end.
type endedBy struct{ syscall.Signal }

func (e endedBy) Error() string { return "ended by a signal: " + e.Signal.String() }

// untilSignal is done at the first signal that asks the program to end. The
// second one ends it at once.
func untilSignal() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		got := <-signals
		signal.Stop(signals)
		s, _ := got.(syscall.Signal)
		cancel(endedBy{s})
	}()
	return ctx, func() { signal.Stop(signals) }
}

// usageError is a mistake in the command line. Without a hint of its own the
// help of the command is named.
type usageError struct {
	error
	hint string
}

func (e usageError) Unwrap() error { return e.error }

func mistake(hint, format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...), hint}
}

// program is one execution: its streams and flags.
type program struct {
	args   []string
	stdin  *os.File
	stdout *os.File     // the protocol, or what was asked for
	out    bytes.Buffer // what goes to stdout when a command is through
	notes  []string     // for stderr, after it
	stderr *meter

	indexFiles []string
	embedSpec  string
	logLevel   string
	patience   time.Duration // with other processes, 0: endless

	modelPatience time.Duration // with the embedding of passages, 0: endless

	onDisk bool // the command is of no use to an index that is kept in memory
}

// patience is how long a question waits for another process that indexes.
const patience = 3 * time.Second

// flush writes the output, and after it the notes. A reader that is gone ends
// the program quietly, by SIGPIPE.
func (p *program) flush() error {
	out := p.out.Bytes()
	if term.IsTerminal(int(p.stdout.Fd())) {
		out = bytes.Map(visible, out)
	}
	if len(out) > 0 { // a server has closed it
		if _, err := p.stdout.Write(out); err != nil {
			return fmt.Errorf("the output cannot be written: %w", err)
		}
	}
	for _, note := range p.notes {
		fmt.Fprintf(p.stderr, "note: %s\n", note)
	}
	return nil
}

func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:   "vademecum",
		Short: "turn folders of documents into a knowledge base for MCP hosts",
		Long: `turn folders of documents into a knowledge base for MCP hosts

The first command on a folder indexes it, later ones read what has changed.`,
		Example: `  vademecum search notes "what to eat with high blood pressure"
  claude mcp add notes -- /path/to/vademecum serve /path/to/notes`,
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	root.SetVersionTemplate("vademecum {{.Version}}\n")
	root.SetUsageTemplate(usageTemplate)
	root.SetFlagErrorFunc(p.flagMistake)
	flags := root.PersistentFlags()
	flags.StringArrayVar(&p.indexFiles, "index", nil, "`FILE` to keep the index in, one for each folder (default: in the user's cache folder)")
	flags.StringVar(&p.embedSpec, "embed", "builtin", "embedding `MODEL`: builtin, ollama:MODEL, openai:MODEL or https://host/v1#MODEL")
	flags.StringVar(&p.logLevel, "log-level", "warn", "the least `LEVEL` to log on stderr: debug, info, warn or error")
	root.AddCommand(p.serve(), p.search(), p.index(), p.status(), p.eval(), p.version(), p.completion())
	root.SetHelpCommand(help())
	return root
}

const usageTemplate = `Usage:
  {{if .HasAvailableSubCommands}}{{.CommandPath}} COMMAND{{else}}{{.UseLine}}{{end}}
{{- if .HasExample}}

Examples:
{{.Example}}{{end}}
{{- if .HasAvailableSubCommands}}

Commands:{{range .Commands}}{{if or .IsAvailableCommand (eq .Name "help")}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}
{{- if .HasAvailableLocalFlags}}

Flags:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableInheritedFlags}}

Flags of all commands:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}
{{- if .HasAvailableSubCommands}}

{{.CommandPath}} COMMAND --help shows what a command takes.{{end}}
`

// atLeast asks for n arguments and says which.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return mistake("", "%s", what)
		}
		return nil
	}
}

func help() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "show what a command takes",
		RunE: func(c *cobra.Command, args []string) error {
			meant, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return noSuchCommand(c.Root(), append(rest, args...))
			}
			meant.InitDefaultHelpFlag()
			meant.InitDefaultVersionFlag()
			return meant.Help()
		},
	}
}

func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version",
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return mistake("", "version takes no argument, got %q", args[0])
			}
			fmt.Fprintln(&p.out, "vademecum", version)
			return nil
		},
	}
}

func (p *program) completion() *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use: "completion SHELL", Short: "print a script that lets a shell complete commands and flags",
		Long: `print a script that lets a shell (bash, zsh, fish or powershell) complete
commands and flags; have the shell read it when it starts`,
		Example: `  echo 'source <(vademecum completion bash)' >> ~/.bashrc
  echo 'source <(vademecum completion zsh)' >> ~/.zshrc
  vademecum completion fish > ~/.config/fish/completions/vademecum.fish
  vademecum completion powershell >> $PROFILE`,
		ValidArgs: shells,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return mistake("", "give one shell: %s", strings.Join(shells, ", "))
			}
			switch args[0] {
			case "bash":
				return c.Root().GenBashCompletionV2(&p.out, true)
			case "zsh":
				return c.Root().GenZshCompletion(&p.out)
			case "fish":
				return c.Root().GenFishCompletion(&p.out, true)
			case "powershell":
				return c.Root().GenPowerShellCompletionWithDesc(&p.out)
			}
			return mistake("", "unknown shell %q: choose %s", args[0], strings.Join(shells, ", "))
		},
	}
}

// noSuchCommand says what was probably meant by args, which begin with no
// command.
func noSuchCommand(root *cobra.Command, args []string) error {
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	near := nearest(args[0], names)
	switch {
	case isFolder(args[0]) && len(args) > 1:
		return mistake(fmt.Sprintf("to ask it: vademecum search %s %s", shellWord(args[0]), quoted(args[1:])), "%s is a folder, not a command", shown(args[0]))
	case isFolder(args[0]):
		return mistake(fmt.Sprintf("to ask it: vademecum search %[1]s \"QUESTION\", for a host: vademecum serve %[1]s", shellWord(args[0])), "%s is a folder, not a command", shown(args[0]))
	case near != "":
		return mistake(fmt.Sprintf("did you mean %s? vademecum --help shows all commands", near), "unknown command %s", quoted(args[:1]))
	}
	return mistake("vademecum --help shows the commands", "unknown command %s", quoted(args[:1]))
}

// flagMistake says in plain words what is wrong with a flag.
func (p *program) flagMistake(c *cobra.Command, err error) error {
	if before := c.Flags().Args(); c == c.Root() && len(before) > 0 {
		return noSuchCommand(c, before)
	}
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var bad *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		return p.unknownFlag(c, unknown)
	case errors.As(err, &bare):
		_, usage := pflag.UnquoteUsage(bare.GetFlag())
		return mistake("", "--%s needs a value: %s", bare.GetFlag().Name, usage)
	case errors.As(err, &bad) && bad.GetFlag().Value.Type() == "bool":
		return mistake("", "--%s takes no value, got %q", bad.GetFlag().Name, bad.GetValue())
	case errors.As(err, &bad):
		return mistake("", "--%s %w, got %q", bad.GetFlag().Name, errors.Unwrap(bad), bad.GetValue())
	}
	return mistake("", "%w", err)
}

func (p *program) unknownFlag(c *cobra.Command, e *pflag.NotExistError) error {
	given := "--" + e.GetSpecifiedName()
	if letters := e.GetSpecifiedShortnames(); letters != "" { // -json, as other programs have it, ends in letters
		given = "-" + letters
		if i := slices.IndexFunc(p.args, func(arg string) bool { return strings.HasPrefix(arg, "-") && strings.HasSuffix(arg, letters) }); i >= 0 {
			given = p.args[i]
		}
	}
	name, _, _ := strings.Cut(strings.TrimLeft(given, "-"), "=")
	var names, elsewhere []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	for _, other := range c.Root().Commands() {
		if other.Flags().Lookup(name) != nil {
			elsewhere = append(elsewhere, other.Name())
		}
	}
	hint := ""
	if near := nearest(name, names); near != "" {
		hint = fmt.Sprintf("did you mean --%s? %s --help shows all flags", near, c.CommandPath())
	} else if len(elsewhere) > 0 {
		hint = fmt.Sprintf("--%s is a flag of %s", name, strings.Join(elsewhere, ", "))
	} else if c.Name() == "search" && e.GetSpecifiedShortnames() != "" {
		hint = "put -- before a question that begins with a dash"
	}
	return mistake(hint, "unknown flag %s", shown(given))
}

// nearest is the name that differs least from what was given: by a slip of the
// hand, or by its end. It is "" when there is none.
func nearest(given string, names []string) string {
	best, least := "", 0
	for _, name := range names {
		a, b := []rune(strings.ToLower(given)), []rune(strings.ToLower(name))
		slips := max(len(a), len(b)) / 3
		if max(len(a), len(b))-min(len(a), len(b)) > slips {
			continue // that many edits at least
		}
		if n := editDistance(a, b); n <= slips && (best == "" || n < least) {
			best, least = name, n
		}
	}
	if i := slices.IndexFunc(names, func(name string) bool {
		return min(len(given), len(name)) > 2 && (strings.HasPrefix(name, given) || strings.HasPrefix(given, name))
	}); best == "" && i >= 0 {
		return names[i]
	}
	return best
}

// editDistance counts the letters to insert, delete, replace or swap with their
// neighbour that make a of b.
func editDistance(a, b []rune) int {
	var before []int
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range a {
		next := []int{i + 1}
		for j := range b {
			n := 1 + min(last[j], last[j+1], next[j])
			if a[i] == b[j] {
				n = last[j]
			}
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				n = min(n, before[j-1]+1)
			}
			next = append(next, n)
		}
		before, last = last, next
	}
	return last[len(b)]
}

// shown is a part of the command line as a message repeats it.
func shown(arg string) string {
	const most = 400
	if r := []rune(arg); len(r) > most {
		arg = string(r[:most]) + "…"
	}
	if strings.IndexFunc(arg, func(r rune) bool { return !unicode.IsGraphic(r) }) >= 0 {
		return strconv.Quote(arg)
	}
	return arg
}

// quoted is words as one argument for a shell.
func quoted(words []string) string {
	return `"` + strings.ReplaceAll(strings.Trim(shown(strings.Join(words, " ")), `"`), `"`, `\"`) + `"`
}

// shellWord is a path as an argument for a shell.
func shellWord(path string) string {
	if strings.ContainsAny(path, " \t\"'$&()*;<>?[]`|~") || path == "" {
		return quoted([]string{path})
	}
	return path
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// logger writes to stderr: stdout is the protocol, or the answer.
func (p *program) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, mistake("", "unknown log level %q: choose debug, info, warn or error", p.logLevel)
	}
	log := slog.New(slog.NewTextHandler(p.stderr, &slog.HandlerOptions{Level: level}))
	slog.SetDefault(log) // child processes that end in trouble are told there
	return log, nil
}

// open makes the index of folders; nothing is read yet.
func (p *program) open(folders []string) (*index.Index, *slog.Logger, error) {
	return p.openWith(embed.New, folders)
}

// openWith opens for what needs no more of the embedder than its name, too.
func (p *program) openWith(embedder func(spec string) (embed.Embedder, error), folders []string) (*index.Index, *slog.Logger, error) {
	log, err := p.logger()
	if err != nil {
		return nil, nil, err
	}
	e, err := embedder(p.embedSpec)
	if err != nil {
		return nil, nil, mistake("", "%w", err)
	}
	if err := errors.Join(checkFolders(folders), p.checkIndexFiles(folders)); err != nil {
		return nil, nil, err
	}
	ix, err := index.New(index.Options{Folders: folders, Files: p.indexFiles, Embedder: e, Logger: log, Host: embed.Remote(p.embedSpec), Patience: p.patience})
	if err != nil && !errors.As(err, new(syscall.Errno)) { // the system has no part in it
		return nil, nil, mistake("", "%w", err)
	}
	return ix, log, err
}

// checkFolders refuses what is no folder, with what was probably meant.
func checkFolders(folders []string) error {
	for i, dir := range folders {
		if dir == "" {
			return mistake("", "the name of the folder is empty")
		}
		info, err := os.Stat(dir)
		switch parted := strings.Join(folders[i:], " "); {
		case isMissing(err) && isFolder(parted):
			return mistake("a name with spaces needs quotes: "+quoted(folders[i:]), "no such folder: %s", absolute(dir))
		case isMissing(err):
			return mistake(nearFolder(dir), "no such folder: %s", absolute(dir))
		case err == nil && !info.IsDir():
			return mistake(fmt.Sprintf("give the folder that it is in: %s", shellWord(filepath.Dir(dir))), "%s is a file, not a folder", absolute(dir))
		}
	}
	return nil
}

// isMissing tells, by the error of a look at a path, that nothing can be there.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return shown(abs)
	}
	return shown(path)
}

// nearFolder is the hint to a folder whose path is like that of a missing one,
// "" if there is none.
func nearFolder(missing string) string {
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(missing, "~") && isFolder(home+missing[1:]) {
		return "only a shell knows ~: write " + home + missing[1:]
	}
	inner := ""
	for path := filepath.Clean(missing); ; path, inner = filepath.Dir(path), filepath.Join(filepath.Base(path), inner) {
		parent := filepath.Dir(path)
		if parent == path {
			return ""
		}
		entries, err := os.ReadDir(parent)
		if err != nil {
			continue // it is missing too
		}
		var names []string
		for _, e := range entries {
			if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
				names = append(names, e.Name())
			}
		}
		if near := filepath.Join(parent, nearest(filepath.Base(path), names), inner); near != filepath.Join(parent, inner) && isFolder(near) {
			return fmt.Sprintf("did you mean %s?", shellWord(near))
		}
		return ""
	}
}

// checkIndexFiles refuses files that cannot be meant, before an index is made
// in memory as on a disk that takes none.
func (p *program) checkIndexFiles(folders []string) error {
	if n := len(p.indexFiles); n > 0 && n != len(folders) {
		return mistake("", "--index must be given once for each folder: %d given for %d", n, len(folders))
	}
	for i, file := range p.indexFiles {
		switch {
		case file == "":
			return mistake("", "--index names no file")
		case isFolder(file):
			return mistake("name a file in it, such as "+shellWord(filepath.Join(file, "notes.db")), "--index %s is a folder, not a file", shown(file))
		case slices.Contains(p.indexFiles[:i], file):
			return mistake("", "--index %s is given twice: each folder needs a file of its own", shown(file))
		}
	}
	return nil
}

func (p *program) serve() *cobra.Command {
	var results string
	c := &cobra.Command{
		Use:   "serve FOLDER...",
		Short: "answer an MCP host over stdin and stdout (what a host starts)",
		Long: `answer an MCP host over stdin and stdout

This is what a host starts by itself. Give it the full path of the program and
of your folder.`,
		Example: `  claude mcp add notes -- /path/to/vademecum serve /path/to/notes`,
		Args:    atLeast(1, "give the folder to serve"),
		RunE: func(c *cobra.Command, folders []string) error {
			mode, err := mcp.ParseResultsMode(results)
			if err != nil {
				return mistake("", "%w", err)
			}
			ix, log, err := p.open(folders)
			if err != nil {
				return err
			}
			if term.IsTerminal(int(p.stdin.Fd())) {
				p.explainServing(folders)
			}
			server := mcp.New(ix, mcp.Options{Version: version, Results: mode, Logger: log})
			return serveWhile(c.Context(), ix, log, func(ctx context.Context) error {
				return server.ServeStdio(ctx, p.stdin, p.stdout)
			})
		},
	}
	c.Flags().StringVar(&results, "results", "auto", "how passages are returned, `MODE`: auto, text, resource or both")
	return c
}

// explainServing helps who starts by hand what a host is to start.
func (p *program) explainServing(folders []string) {
	program, err := os.Executable()
	if err != nil {
		program = "vademecum"
	}
	command := shellWord(program) + " serve"
	for _, dir := range folders {
		command += " " + shellWord(absolute(dir))
	}
	fmt.Fprintf(p.stderr, "vademecum: waiting for an MCP host to speak on stdin; Ctrl-C ends this\nhint: a host starts it by itself, for example after: claude mcp add notes -- %s\nhint: to ask here: vademecum search %s \"QUESTION\"\n", command, shellWord(folders[0]))
}

// closing is how long the index has to finish when the client is gone; what
// is not committed then is made again by the next scan.
const closing = 200 * time.Millisecond

// serveWhile keeps the index up to date for as long as serve runs.
func serveWhile(ctx context.Context, ix *index.Index, log *slog.Logger, serve func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if err := ix.Run(ctx); err != nil {
			log.Error("the index cannot be used", "error", err) // answers say so too
		}
	}()
	go endWithParent(ctx, os.Getppid(), cancel) // known before the host can be gone
	err := serve(ctx)
	cancel()
	select {
	case <-stopped:
		return errors.Join(err, ix.Close())
	case <-time.After(closing):
		return err
	}
}

// parentEvery is how often a server looks for the process that started it.
const parentEvery = 2 * time.Second

// endWithParent ends the server when the host that started it is gone although
// stdin is still open, as it is when another process holds it too. Where the
// system does not give an orphan another parent, only the end of stdin counts.
func endWithParent(ctx context.Context, parent int, end func()) {
	tick := time.NewTicker(parentEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if os.Getppid() != parent {
				end()
				return
			}
		}
	}
}

func (p *program) search() *cobra.Command {
	var q index.Query
	var asJSON bool
	c := &cobra.Command{
		Use:   "search FOLDER... QUERY",
		Short: "print the passages that answer a question",
		Example: `  vademecum search notes "what to eat with high blood pressure"
  vademecum search notes "high blood pressure" --also 高血压 --path 'cardio/**'`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case len(args) == 1 && isFolder(args[0]):
				return mistake(fmt.Sprintf("vademecum search %s \"QUESTION\"", shellWord(args[0])), "the question is missing")
			case len(args) == 1:
				return mistake(fmt.Sprintf("vademecum search FOLDER %s", quoted(args)), "give a folder and a question")
			case len(args) == 0:
				return mistake(`vademecum search FOLDER "QUESTION"`, "give a folder and a question")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if hint := misplaced(args); hint != "" {
				return mistake(hint, "no such folder: %s", absolute(firstMissing(args)))
			}
			q.Text = args[len(args)-1]
			if err := q.Check(); err != nil {
				return mistake("", "%w", err)
			}
			if !doublestar.ValidatePattern(filepath.ToSlash(q.Path)) {
				return mistake("", "--path %s is not a valid glob: use * ** ? [a-z] {a,b}", shown(q.Path))
			}
			p.patience = patience
			if p.embedSpec != "builtin" {
				p.modelPatience = patience
			}
			return p.withIndex(c.Context(), args[:len(args)-1], func(ctx context.Context, ix *index.Index) error {
				report, err := p.sync(ctx, ix, index.Scope{})
				if err != nil && !errors.As(err, new(modelError)) {
					return err
				}
				answer, err := ix.Search(ctx, q)
				if index.IsDamaged(err) { // found as a passage was read
					if _, err := p.sync(ctx, ix, index.Scope{}); err != nil && !errors.As(err, new(modelError)) {
						return err
					}
					answer, err = ix.Search(ctx, q)
				}
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(answer)
				}
				p.printAnswer(answer)
				if report.Total == 0 && !ix.State().Behind() {
					p.notes = append(p.notes, "there is no document to search yet: vademecum index tells what was found in the folder")
				}
				return nil
			})
		},
	}
	c.Flags().Func("top-k", fmt.Sprintf("how many passages, `N` from 1 to %d (default %d)", index.MaxTopK, index.DefaultTopK), func(n string) (err error) {
		if q.TopK, err = strconv.Atoi(n); err != nil || q.TopK < 1 || q.TopK > index.MaxTopK {
			return fmt.Errorf("must be a whole number from 1 to %d", index.MaxTopK)
		}
		return nil
	})
	c.Flags().StringArrayVar(&q.Also, "also", nil, "the question in other `WORDS` or languages; may be repeated")
	c.Flags().StringVar(&q.Path, "path", "", "only documents that this `GLOB` means, such as '*.pdf' or 'cardio/**'")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// misplaced is the hint to a question before its folder, or without the quotes
// that make one argument of it; "" when the folders are there or one has a name
// like that of the missing.
func misplaced(args []string) string {
	missing, last := firstMissing(args), len(args)-1
	known := slices.Index(args, missing)
	switch {
	case missing == "" || nearFolder(missing) != "":
		return ""
	case known > 0:
		folders := make([]string, known)
		for i := range folders {
			folders[i] = shellWord(args[i])
		}
		return fmt.Sprintf("a question of several words needs quotes: vademecum search %s %s", strings.Join(folders, " "), quoted(args[known:]))
	case isFolder(args[last]):
		return fmt.Sprintf("the folder comes first: vademecum search %s %s", shellWord(args[last]), quoted(args[:last]))
	}
	return ""
}

// firstMissing is the first of the arguments of a search that should be a
// folder and does not exist, "" if they all do.
func firstMissing(args []string) string {
	for _, dir := range args[:len(args)-1] {
		if _, err := os.Stat(dir); isMissing(err) {
			return dir
		}
	}
	return ""
}

func (p *program) printAnswer(a index.Answer) {
	var out strings.Builder
	if len(a.Passages) == 0 {
		fmt.Fprintln(&out, a.Nothing())
	}
	for i, passage := range a.Passages {
		fmt.Fprintf(&out, "%d. %s (score %.2f)\n", i+1, mcp.Citation(passage), passage.Score)
		if above := headingsAbove(passage); len(above) > 0 {
			fmt.Fprintf(&out, "   %s\n", strings.Join(above, " > "))
		}
		if same := passage.SameText(); same != "" {
			fmt.Fprintf(&out, "   same text in: %s\n", same)
		}
		fmt.Fprintf(&out, "\n%s\n\n", indent(passage.Text))
	}
	text := out.String()
	if columns, _, err := term.GetSize(int(p.stdout.Fd())); err == nil && columns > 0 {
		text = wrap(text, columns)
	}
	p.out.WriteString(text)
	p.notes = append(p.notes, a.Notes...)
}

// wrap breaks lines that are wider than a terminal. What follows of a line
// stands under its beginning.
func wrap(text string, columns int) string {
	var out strings.Builder
	for line := range strings.Lines(strings.ReplaceAll(text, "\t", "    ")) {
		line = strings.TrimRight(line, " \n")
		rest := strings.TrimLeft(line, " ")
		indent := line[:min(len(line)-len(rest), columns/2)]
		for rest != "" {
			n := lineEnd(rest, columns-len(indent))
			out.WriteString(indent + strings.TrimRight(rest[:n], " "))
			if rest = strings.TrimLeft(rest[n:], " "); rest != "" {
				out.WriteByte('\n')
			}
		}
		out.WriteByte('\n')
	}
	return out.String()
}

// lineEnd is how many bytes of text go on a line: whole words, one at least.
// Wide characters, as those of Chinese, may be parted from each other, but not
// from the punctuation that belongs to them.
func lineEnd(text string, columns int) int {
	end, used := 0, 0
	var last rune
	for i, r := range text {
		wide := isWide(r) || isWide(last)
		if r == ' ' || wide && !unicode.In(r, unicode.Po, unicode.Pe, unicode.Pf, unicode.M, unicode.Cf) && !unicode.In(last, unicode.Ps, unicode.Pi) {
			end = i
		}
		if used += cells(r); used > columns && end > 0 && r != ' ' {
			return end
		}
		last = r
	}
	return len(text)
}

// cells is how many columns of a terminal a character takes.
func cells(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case isWide(r):
		return 2
	}
	return 1
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

// visible shows characters that a terminal would obey as �: documents and the
// names of files may hold any.
func visible(r rune) rune {
	switch {
	case r == '\r':
		return ' '
	case unicode.IsControl(r) && r != '\n' && r != '\t':
		return unicode.ReplacementChar
	}
	return r
}

// headingsAbove leaves out the headings that stand in the passage itself.
func headingsAbove(p index.Passage) []string {
	return slices.DeleteFunc(slices.Clone(p.Heading), func(h string) bool { return strings.Contains(p.Text, h) })
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(text, "\n", "\n   ")
}

func (p *program) printJSON(v any) error {
	e := json.NewEncoder(&p.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (p *program) index() *cobra.Command {
	var force, dryRun bool
	c := &cobra.Command{
		Use:   "index FOLDER...",
		Short: "bring the index up to date and tell what is not indexed",
		Example: `  vademecum index notes
  vademecum index notes --embed ollama:bge-m3 --dry-run`,
		Args: atLeast(1, "give the folder to index"),
		RunE: func(c *cobra.Command, folders []string) error {
			if dryRun {
				return p.estimate(c.Context(), folders)
			}
			p.onDisk = true
			return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
				report, err := p.sync(ctx, ix, index.Scope{Force: force})
				if err == nil || errors.As(err, new(modelError)) {
					fmt.Fprintln(&p.out, mcp.DescribeReport(report))
				}
				if err == nil && report.Total == 0 && len(report.Skipped) == 0 && !ix.State().Behind() {
					p.notes = append(p.notes, "no file was found; hidden files, links and what .gitignore names are left out")
				}
				return err
			})
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "only tell how much there is to index and to embed, and what that costs")
	c.Flags().BoolVar(&force, "force", false, "read the files again even when they look unchanged")
	return c
}

// estimate tells what indexing would take.
func (p *program) estimate(ctx context.Context, folders []string) error {
	ix, _, err := p.openWith(embed.Named, folders)
	if err != nil {
		return err
	}
	watching, stop := context.WithCancel(ctx)
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		p.showProgress(watching, ix)
	}()
	e, err := ix.Estimate(ctx)
	stop()
	<-shown
	if err := errors.Join(err, ix.Close()); err != nil {
		return err
	}
	fmt.Fprintf(&p.out, "files:     %d\npassages:  %d, %d of them to be embedded\ntokens:    about %d\n", e.Files, e.Chunks, e.Missing, e.Tokens)
	if host := embed.Remote(p.embedSpec); host != "" {
		fmt.Fprintf(&p.out, "sent to:   %s\n", host)
	}
	if price, ok := embed.PriceOf(p.embedSpec); ok {
		fmt.Fprintf(&p.out, "price:     about %.4f %s (%g a million tokens, as of %s, %s)\n",
			float64(e.Tokens)/1e6*price.PerMillion, price.Currency, price.PerMillion, price.Date, price.Source)
	}
	if len(e.Skipped) > 0 {
		fmt.Fprintln(&p.out, mcp.DescribeSkipped(e.Skipped))
	}
	fmt.Fprintln(&p.out, "Nothing was saved or sent.")
	return nil
}

func (p *program) status() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "status FOLDER...",
		Short:   "tell what is in the index, without bringing it up to date",
		Example: `  vademecum status notes`,
		Args:    atLeast(1, "give the folder whose index is meant"),
		RunE: func(c *cobra.Command, folders []string) error {
			ix, _, err := p.openWith(embed.Named, folders)
			if err != nil {
				return err
			}
			status, err := ix.Status(c.Context())
			if err := errors.Join(err, ix.Close()); err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(status)
			}
			p.printStatus(status)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *program) eval() *cobra.Command {
	var queries, qrels string
	var asJSON bool
	c := &cobra.Command{
		Use:     "eval FOLDER... --queries FILE --qrels FILE",
		Short:   "measure how well questions of your own are answered",
		Example: `  vademecum eval notes --queries queries.tsv --qrels qrels.tsv`,
		Args:    atLeast(1, "give the folder to ask"),
		RunE: func(c *cobra.Command, folders []string) error {
			if err := errors.Join(checkTable("queries", queries), checkTable("qrels", qrels), checkFolders(folders)); err != nil {
				return err
			}
			j, err := index.ReadJudgements(queries, qrels)
			if err != nil {
				return err
			}
			p.patience = patience
			return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
				if _, err := p.sync(ctx, ix, index.Scope{}); err != nil {
					return err
				}
				e, err := ix.Evaluate(ctx, j)
				if err != nil {
					return err
				}
				if asJSON {
					return p.printJSON(e)
				}
				fmt.Fprintf(&p.out, "queries  nDCG@10  Recall@5  Recall@10  Recall@20  MRR@10     p50     p99\n")
				fmt.Fprintf(&p.out, "%7d  %7.4f  %8.4f  %9.4f  %9.4f  %6.4f  %4.1fms  %4.1fms\n", e.Queries, e.NDCG10, e.Recall5, e.Recall10, e.Recall20, e.MRR10,
					float64(e.P50.Microseconds())/1000, float64(e.P99.Microseconds())/1000)
				return nil
			})
		},
	}
	c.Flags().StringVar(&queries, "queries", "", "`FILE` of questions: name, tab, question")
	c.Flags().StringVar(&qrels, "qrels", "", "`FILE` of judgements: name, tab, path, tab, grade (0 is not relevant)")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// checkTable refuses a file of questions or judgements that is not there.
func checkTable(flag, file string) error {
	const hint = "vademecum eval FOLDER --queries FILE --qrels FILE"
	if file == "" {
		return mistake(hint, "--%s is missing", flag)
	}
	info, err := os.Stat(file)
	switch {
	case isMissing(err):
		return mistake("", "--%s %s: no such file", flag, shown(file))
	case err == nil && info.IsDir():
		return mistake("", "--%s %s is a folder, not a file", flag, shown(file))
	}
	return nil
}

func (p *program) printStatus(s index.Status) {
	for _, f := range s.Folders {
		fmt.Fprintf(&p.out, "folder:     %s\n", f.Folder)
		if f.Bytes == 0 {
			fmt.Fprintf(&p.out, "index:      none yet; vademecum index makes one\n")
			continue
		}
		fmt.Fprintf(&p.out, "index:      %s (%.1f MB)\nmodel:      %s\nlast scan:  %s\n", f.File, float64(f.Bytes)/1e6, f.Model, scanTime(f.Synced))
		if f.Host != "" {
			fmt.Fprintf(&p.out, "text is sent to: %s\n", f.Host)
		}
		if f.Fault != "" {
			fmt.Fprintf(&p.out, "model fails: %s\n", f.Fault)
		}
		if f.Failure != "" {
			fmt.Fprintf(&p.out, "last run failed: %s\n", f.Failure)
		}
		if f.SnapshotFailure != "" {
			fmt.Fprintf(&p.out, "starts are slow, no snapshot could be saved: %s\n", f.SnapshotFailure)
		}
		if f.Indexer != nil {
			fmt.Fprintf(&p.out, "indexer:    process %d, since %s\n", f.Indexer.PID, scanTime(f.Indexer.Since))
		}
	}
	fmt.Fprintf(&p.out, "documents:  %d\npassages:   %d (%d with a vector)\n", s.Documents, s.Chunks, s.Chunks-s.Bare)
	if len(s.Skipped) > 0 {
		fmt.Fprintln(&p.out, mcp.DescribeSkipped(s.Skipped))
	}
	for _, r := range s.Refused {
		fmt.Fprintf(&p.out, "refused by the model: %s: %s\n", r.Path, r.Reason)
	}
	for _, d := range s.Partial {
		fmt.Fprintf(&p.out, "partly read: %s: %s\n", d.Path, d.Reason)
	}
	for _, g := range s.Guessed {
		fmt.Fprintf(&p.out, "encoding guessed: %s is read as %s\n", g.Path, g.Encoding)
	}
}

func scanTime(t time.Time) string {
	if t.IsZero() {
		return "never finished"
	}
	return t.Format("2006-01-02 15:04:05")
}

// withIndex loads the index of folders, calls f and closes it.
func (p *program) withIndex(ctx context.Context, folders []string, f func(context.Context, *index.Index) error) error {
	ix, _, err := p.open(folders)
	if err != nil {
		return err
	}
	if p.onDisk {
		err = ix.NoPlace()
	}
	if err == nil {
		err = ix.Load(ctx)
	}
	if err == nil {
		err = f(ctx, ix)
	}
	return errors.Join(err, ix.Close())
}

// modelError is a failure of the embedding model: documents are indexed, but
// some without vectors.
type modelError struct{ error }

func (e modelError) Unwrap() error { return e.error }

// sync brings the index up to date, vectors too, and shows how far it is on
// stderr.
func (p *program) sync(ctx context.Context, ix *index.Index, scope index.Scope) (index.Report, error) {
	watching, stop := context.WithCancel(ctx)
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		p.showProgress(watching, ix)
	}()
	report, err := p.syncAndEmbed(ctx, ix, scope)
	if index.IsDamaged(err) { // found as texts or vectors were read
		report, err = p.syncAndEmbed(ctx, ix, scope)
	}
	stop()
	<-shown
	return report, err
}

func (p *program) syncAndEmbed(ctx context.Context, ix *index.Index, scope index.Scope) (index.Report, error) {
	report, err := ix.Sync(ctx, scope)
	if err != nil {
		return report, err
	}
	embedding, cancel := ctx, context.CancelFunc(func() {})
	if p.modelPatience > 0 {
		embedding, cancel = context.WithTimeout(ctx, p.modelPatience)
	}
	defer cancel()
	err = ix.Embed(embedding)
	switch {
	case err == nil, ctx.Err() != nil:
		return report, err
	case embedding.Err() != nil:
		return report, nil // the answer tells how many passages have no vector
	}
	return report, modelError{fmt.Errorf("some passages have no vector: %w", err)}
}

// showProgress draws a line on a terminal, and otherwise prints one from time
// to time. A run that is through at once shows nothing.
func (p *program) showProgress(ctx context.Context, ix *index.Index) {
	defer func() {
		if fault := recover(); fault != nil { // no reason to stop what is shown
			slog.Error("internal error", "doing", "show progress", "panic", fault, "stack", string(debug.Stack()))
		}
	}()
	every, show := 3*time.Second, func(s stage) { fmt.Fprintln(p.stderr, s.text()) }
	if term.IsTerminal(int(p.stderr.out.Fd())) {
		every, show = 200*time.Millisecond, p.stderr.show
		defer p.stderr.clear()
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	var first stage
	var since time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s := stageOf(ix.State())
			if s.what != first.what || s.done < first.done {
				first, since = s, time.Now()
			}
			if t := time.Since(since); s.perSecond == 0 && t > time.Second && s.done > first.done {
				s.perSecond = float64(s.done-first.done) / t.Seconds()
				s.left = time.Duration(float64(s.total-s.done)/s.perSecond) * time.Second
			}
			if s.total > 0 {
				show(s)
			}
		}
	}
}

// stage is how far the work is that goes on now.
type stage struct {
	what, things string
	counted      string // in words
	done, total  int
	perSecond    float64 // 0: not known
	left         time.Duration
}

func stageOf(s index.State) stage {
	if s.Total > 0 {
		return stage{what: "indexed", things: "files", counted: s.Progress(), done: s.Done, total: s.Total}
	}
	perSecond, left := s.EmbedPace()
	counted := fmt.Sprintf("%d of %d passages", s.EmbedDone, s.EmbedTotal)
	return stage{"embedded", "passages", counted, s.EmbedDone, s.EmbedTotal, perSecond, left}
}

func (s stage) text() string {
	if s.perSecond == 0 {
		return s.what + " " + s.counted
	}
	return fmt.Sprintf("%s %s, %.0f a second, %s left", s.what, s.counted, s.perSecond, s.left)
}

// count is the text in fewer words.
func (s stage) count() string {
	return fmt.Sprintf("%s %d of %d %s", s.what, s.done, s.total, s.things)
}

// line says the most that fits in these columns.
func (s stage) line(columns int) string {
	bar := func(length int) string {
		full := min(length, length*s.done/s.total)
		return "[" + strings.Repeat("#", full) + strings.Repeat(" ", length-full) + "] "
	}
	percent := fmt.Sprintf("%d %%", 100*s.done/s.total)
	for _, line := range []string{bar(20) + s.text(), s.text(), bar(10) + s.count(), s.count(), s.what + " " + percent, percent} {
		if len(line) <= columns {
			return line
		}
	}
	return ""
}

// meter is stderr. On a terminal its last line may tell how far the work is;
// whatever else is written takes the place of that line.
type meter struct {
	out *os.File

	mu    sync.Mutex
	drawn int // columns of the line that stands there
}

func (m *meter) Write(text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw("")
	return m.out.Write(text)
}

func (m *meter) show(s stage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw(s.line(m.columns()))
}

func (m *meter) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.draw("")
}

// draw puts a line in the place of what is drawn.
func (m *meter) draw(line string) {
	if line != "" || m.drawn > 0 {
		fmt.Fprintf(m.out, "\r%s\r%s", strings.Repeat(" ", min(m.drawn, m.columns())), line)
		m.drawn = len(line)
	}
}

// columns is how many a line may take now. The last one of the terminal stays
// free: the cursor would go to the next line, and the line could not be taken
// back.
func (m *meter) columns() int {
	if columns, _, err := term.GetSize(int(m.out.Fd())); err == nil && columns > 0 {
		return columns - 1
	}
	return 79
}
