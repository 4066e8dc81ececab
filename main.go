// Command vademecum turns folders of documents into a knowledge base that any
// MCP host can query.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"vademecum/docs/extract"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/mcp"
)

// version is the program's; a release build may set it.
var version = "0.1.0"

// Exit codes.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	extract.RunChild()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:])
	stop()
	os.Exit(code)
}

// run executes one command line and returns the exit code.
func run(ctx context.Context, args []string) int {
	p := &program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}
	root := p.command()
	root.SetArgs(args)
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	err := root.ExecuteContext(ctx)
	switch {
	case err == nil:
		return 0
	case !p.started || errors.As(err, new(usageError)):
		fmt.Fprintf(p.stderr, "vademecum: %v\nhint: vademecum --help shows the commands, vademecum COMMAND --help what each takes\n", strings.TrimSpace(err.Error()))
		return exitUsage
	case ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(p.stderr, "vademecum: interrupted; what was indexed is kept")
		return exitFailed
	}
	fmt.Fprintf(p.stderr, "vademecum: %v\n", err)
	return exitFailed
}

// usageError is a mistake in the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// program is one execution: its streams and flags.
type program struct {
	stdin   io.ReadCloser
	stdout  io.WriteCloser
	stderr  io.Writer
	started bool // the command line was understood

	indexFiles []string
	embedSpec  string
	logLevel   string
	patience   time.Duration // with other processes, 0: endless

	modelPatience time.Duration // with the embedding of passages, 0: endless
}

// patience is how long a question waits for another process that indexes.
const patience = 3 * time.Second

func (p *program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "vademecum",
		Short:         "turn folders of documents into a knowledge base for MCP hosts",
		Version:       version,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRun: func(*cobra.Command, []string) {
			p.started = true
		},
	}
	root.SetVersionTemplate("vademecum {{.Version}}\n")
	flags := root.PersistentFlags()
	flags.StringArrayVar(&p.indexFiles, "index", nil, "`FILE` to keep the index in, one for each folder (default: in the user's cache folder)")
	flags.StringVar(&p.embedSpec, "embed", "builtin", "embedding `MODEL`: builtin, ollama:MODEL, openai:MODEL or https://host/v1#MODEL")
	flags.StringVar(&p.logLevel, "log-level", "warn", "what to log on stderr: debug, info, warn or error")
	root.AddCommand(p.serve(), p.search(), p.index(), p.status(), p.eval(), p.version())
	return root
}

// atLeast asks for n arguments and says which.
func atLeast(n int, what string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) < n {
			return errors.New(what)
		}
		return nil
	}
}

func (p *program) version() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "print the version", Args: cobra.NoArgs,
		Run: func(*cobra.Command, []string) { fmt.Fprintln(p.stdout, "vademecum", version) },
	}
}

// logger writes to stderr: stdout is the protocol, or the answer.
func (p *program) logger() (*slog.Logger, error) {
	var level slog.Level
	if err := level.UnmarshalText([]byte(p.logLevel)); err != nil {
		return nil, usageError{fmt.Errorf("unknown log level %q: choose debug, info, warn or error", p.logLevel)}
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
		return nil, nil, usageError{err}
	}
	if n := len(p.indexFiles); n > 0 && n != len(folders) {
		return nil, nil, usageError{fmt.Errorf("--index is given %d times for %d folders: give one for each", n, len(folders))}
	}
	ix, err := index.New(index.Options{Folders: folders, Files: p.indexFiles, Embedder: e, Logger: log, Host: embed.Remote(p.embedSpec), Patience: p.patience})
	return ix, log, err
}

func (p *program) serve() *cobra.Command {
	var results string
	c := &cobra.Command{
		Use:   "serve FOLDER...",
		Short: "answer an MCP host over stdin and stdout (what a host starts)",
		Args:  atLeast(1, "give the folder to serve"),
		RunE: func(c *cobra.Command, folders []string) error {
			mode, err := mcp.ParseResultsMode(results)
			if err != nil {
				return usageError{err}
			}
			ix, log, err := p.open(folders)
			if err != nil {
				return err
			}
			server := mcp.New(ix, mcp.Options{Version: version, Results: mode, Logger: log})
			return serveWhile(c.Context(), ix, log, func(ctx context.Context) error {
				return server.ServeStdio(ctx, p.stdin, p.stdout)
			})
		},
	}
	c.Flags().StringVar(&results, "results", "auto", "how passages are returned: auto, text, resource or both")
	return c
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
		Use:     "search FOLDER... QUERY",
		Short:   "print the passages that answer a question",
		Example: `  vademecum search notes "what to eat with high blood pressure"`,
		Args:    atLeast(2, "give a folder and a question; a question of several words in quotes"),
		RunE: func(c *cobra.Command, args []string) error {
			q.Text = args[len(args)-1]
			if c.Flags().Changed("top-k") && q.TopK == 0 { // elsewhere 0 means the default
				return usageError{fmt.Errorf("top_k must be a whole number from 1 to %d, got 0", index.MaxTopK)}
			}
			if err := q.Check(); err != nil {
				return usageError{err}
			}
			p.patience = patience
			if p.embedSpec != "builtin" {
				p.modelPatience = patience
			}
			return p.withIndex(c.Context(), args[:len(args)-1], func(ctx context.Context, ix *index.Index) error {
				if _, err := p.sync(ctx, ix, index.Scope{}); err != nil && !errors.As(err, new(modelError)) {
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
				return nil
			})
		},
	}
	c.Flags().IntVar(&q.TopK, "top-k", index.DefaultTopK, fmt.Sprintf("how many passages, 1 to %d", index.MaxTopK))
	c.Flags().StringArrayVar(&q.Also, "also", nil, "the question in other words or languages; may be repeated")
	c.Flags().StringVar(&q.Path, "path", "", "only documents that this `GLOB` means")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *program) printAnswer(a index.Answer) {
	if len(a.Passages) == 0 {
		fmt.Fprintln(p.stdout, "Nothing in the documents matches.")
	}
	for i, passage := range a.Passages {
		fmt.Fprintf(p.stdout, "%d. %s (score %.2f)\n", i+1, mcp.Citation(passage), passage.Score)
		if above := headingsAbove(passage); len(above) > 0 {
			fmt.Fprintf(p.stdout, "   %s\n", strings.Join(above, " > "))
		}
		if len(passage.Copies) > 0 {
			fmt.Fprintf(p.stdout, "   same text in: %s\n", strings.Join(passage.Copies, "; "))
		}
		fmt.Fprintf(p.stdout, "\n%s\n\n", indent(passage.Text))
	}
	for _, note := range a.Notes {
		fmt.Fprintf(p.stderr, "note: %s\n", note)
	}
}

// headingsAbove leaves out the headings that stand in the passage itself.
func headingsAbove(p index.Passage) []string {
	return slices.DeleteFunc(slices.Clone(p.Heading), func(h string) bool { return strings.Contains(p.Text, h) })
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(text, "\n", "\n   ")
}

func (p *program) printJSON(v any) error {
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func (p *program) index() *cobra.Command {
	var force, dryRun bool
	c := &cobra.Command{
		Use:   "index FOLDER...",
		Short: "bring the index up to date and tell what is not indexed",
		Args:  atLeast(1, "give the folder to index"),
		RunE: func(c *cobra.Command, folders []string) error {
			if dryRun {
				return p.estimate(c.Context(), folders)
			}
			return p.withIndex(c.Context(), folders, func(ctx context.Context, ix *index.Index) error {
				report, err := p.sync(ctx, ix, index.Scope{Force: force})
				if err == nil || errors.As(err, new(modelError)) {
					fmt.Fprintln(p.stdout, mcp.DescribeReport(report))
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
	fmt.Fprintf(p.stdout, "files:     %d\npassages:  %d, %d of them to be embedded\ntokens:    about %d\n", e.Files, e.Chunks, e.Missing, e.Tokens)
	if host := embed.Remote(p.embedSpec); host != "" {
		fmt.Fprintf(p.stdout, "sent to:   %s\n", host)
	}
	if price, ok := embed.PriceOf(p.embedSpec); ok {
		fmt.Fprintf(p.stdout, "price:     about %.4f %s (%g a million tokens, as of %s, %s)\n",
			float64(e.Tokens)/1e6*price.PerMillion, price.Currency, price.PerMillion, price.Date, price.Source)
	}
	if len(e.Skipped) > 0 {
		fmt.Fprintln(p.stdout, mcp.DescribeSkipped(e.Skipped))
	}
	fmt.Fprintln(p.stdout, "Nothing was saved or sent.")
	return nil
}

func (p *program) status() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "status FOLDER...",
		Short: "tell what is in the index, without bringing it up to date",
		Args:  atLeast(1, "give the folder whose index is meant"),
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
		Use:   "eval FOLDER... --queries FILE --qrels FILE",
		Short: "measure how well questions of your own are answered",
		Args:  atLeast(1, "give the folder to ask"),
		RunE: func(c *cobra.Command, folders []string) error {
			if queries == "" || qrels == "" {
				return usageError{errors.New("give --queries and --qrels")}
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
				fmt.Fprintf(p.stdout, "queries  nDCG@10  Recall@5  Recall@10  Recall@20  MRR@10     p50     p99\n")
				fmt.Fprintf(p.stdout, "%7d  %7.4f  %8.4f  %9.4f  %9.4f  %6.4f  %4.1fms  %4.1fms\n", e.Queries, e.NDCG10, e.Recall5, e.Recall10, e.Recall20, e.MRR10,
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

func (p *program) printStatus(s index.Status) {
	for _, f := range s.Folders {
		fmt.Fprintf(p.stdout, "folder:     %s\n", f.Folder)
		if f.Bytes == 0 {
			fmt.Fprintf(p.stdout, "index:      none yet; vademecum index makes one\n")
			continue
		}
		fmt.Fprintf(p.stdout, "index:      %s (%.1f MB)\nmodel:      %s\nlast scan:  %s\n", f.File, float64(f.Bytes)/1e6, f.Model, scanTime(f.Synced))
		if f.Host != "" {
			fmt.Fprintf(p.stdout, "text is sent to: %s\n", f.Host)
		}
		if f.Fault != "" {
			fmt.Fprintf(p.stdout, "model fails: %s\n", f.Fault)
		}
		if f.Indexer != nil {
			fmt.Fprintf(p.stdout, "indexer:    process %d, since %s\n", f.Indexer.PID, scanTime(f.Indexer.Since))
		}
	}
	fmt.Fprintf(p.stdout, "documents:  %d\npassages:   %d (%d with a vector)\n", s.Documents, s.Chunks, s.Chunks-s.Bare)
	if len(s.Skipped) > 0 {
		fmt.Fprintln(p.stdout, mcp.DescribeSkipped(s.Skipped))
	}
	for _, r := range s.Refused {
		fmt.Fprintf(p.stdout, "refused by the model: %s: %s\n", r.Path, r.Reason)
	}
	for _, d := range s.Partial {
		fmt.Fprintf(p.stdout, "partly read: %s: %s\n", d.Path, d.Reason)
	}
	for _, g := range s.Guessed {
		fmt.Fprintf(p.stdout, "encoding guessed: %s is read as %s\n", g.Path, g.Encoding)
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
	if err = ix.Load(ctx); err == nil {
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

// showProgress draws a bar on a terminal, and otherwise prints a line from
// time to time. A run that is through at once shows nothing.
func (p *program) showProgress(ctx context.Context, ix *index.Index) {
	every, show := 3*time.Second, p.printStage
	if f, ok := p.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		m := &meter{out: p.stderr}
		defer m.finish()
		every, show = 200*time.Millisecond, m.show
	}
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if s := stageOf(ix.State()); s.total > 0 {
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

func (p *program) printStage(s stage) {
	pace := ""
	if s.perSecond > 0 {
		pace = fmt.Sprintf(", %.0f a second, %s left", s.perSecond, s.left)
	}
	fmt.Fprintf(p.stderr, "%s %s%s\n", s.what, s.counted, pace)
}

// meter draws stages as bars on a terminal.
type meter struct {
	out  io.Writer
	what string
	bar  *progressbar.ProgressBar
}

func (m *meter) show(s stage) {
	if s.what != m.what {
		m.finish()
		m.what = s.what
		m.bar = progressbar.NewOptions(s.total, progressbar.OptionSetWriter(m.out), progressbar.OptionSetDescription(s.what),
			progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetItsString(s.things), progressbar.OptionClearOnFinish())
	}
	m.bar.ChangeMax(s.total)
	_ = m.bar.Set(s.done) // a bar that cannot be drawn is no reason to stop
}

func (m *meter) finish() {
	if m.bar != nil {
		_ = m.bar.Finish()
	}
}
