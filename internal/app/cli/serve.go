package cli

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"vademecum/index"
	"vademecum/internal/app/hosts"
	"vademecum/internal/app/mcpapp"
	"vademecum/internal/base/message"
	"vademecum/mcp"
)

// giveServed is the hint for a command line of serve without a folder.
var giveServed = message.New("give the folder to serve")

func (p *program) serve() *cobra.Command {
	var results, tools string
	var logQueries bool
	var over httpFlags
	c := &cobra.Command{
		Use:   "serve FOLDER...",
		Short: "answer an MCP host over stdin and stdout (what a host starts), or many over HTTP",
		Long: `answer an MCP host over stdin and stdout, or with --http many over HTTP

A host starts the former automatically, once it has been set up with
vademecum install or by hand. Give it the full paths of the program and of your folder.`,
		Example: `  vademecum serve /path/to/notes
  vademecum serve --http notes
  claude mcp add --transport http notes http://127.0.0.1:8765/mcp`,
		Args: p.requireFolders(giveServed),
		RunE: func(c *cobra.Command, folders []string) error {
			mode, err := mcp.ParseResultsMode(results)
			if err != nil {
				return usageError{error: err}
			}
			offered, err := offeredTools(tools)
			if err != nil {
				return err
			}
			p.stderr.startAsync()
			serving := mcp.Options{Version: p.release, App: mcpapp.App(), ResultsMode: mode, PassesResourcesToModel: hosts.ReadsResources, ResultLimits: hosts.ResultLimit, HasSearchAndFetch: offered, LogQueries: logQueries}
			if c.Flags().Changed("http") {
				if !c.Flags().Changed("log-level") {
					p.logLevel = "info" // at this level each call is logged, as the server has users other than the one who starts it
				}
				if len(folders) == 1 && !isFolder(folders[0]) && portAddress(folders[0]) != folders[0] && p.minFolders() > 0 {
					return usageError{message.NewError(giveServed), commandLine("serve --http", folders[0], "FOLDER")}
				}
				return p.serveHTTP(c.Context(), over.parseAddressArg(folders, p.minFolders(), p.argAfter("--http")), serving, &over)
			}
			if err := over.requireHTTP(c.Flags()); err != nil {
				return err
			}
			return p.serveStdio(c.Context(), folders, serving)
		},
	}
	c.Flags().StringVar(&results, "results", "auto", "how passages are returned, `MODE`: auto, text, resource or both")
	c.Flags().StringVar(&tools, "tools", "auto", "to whom search and fetch are offered in addition to the other tools, `MODE`: auto (ChatGPT, by its name) or openai (all)")
	c.Flags().BoolVar(&logQueries, "log-queries", false, "also log questions when calls are logged (level info, the default over HTTP)")
	p.reranker.define(c.Flags())
	over.define(c.Flags())
	return c
}

// offeredTools returns a function that reports whether a client is offered the tools search and
// fetch, given the value of --tools.
func offeredTools(mode string) (func(client string) bool, error) {
	switch mode {
	case "auto":
		return hosts.ExpectsSearchAndFetch, nil
	case "openai":
		return func(string) bool { return true }, nil
	}
	return nil, usageErrorf("--tools is auto or openai, got %q", mode)
}

// argAfter returns the argument that follows a flag; "" if there is none.
func (p *program) argAfter(flag string) string {
	if i := slices.Index(p.args, flag); i >= 0 && i+1 < len(p.args) {
		return p.args[i+1]
	}
	return ""
}

// explainServing prints help for a user who has started by hand what a host should start.
func (p *program) explainServing(folders []string) {
	fmt.Fprintln(p.stderr, p.localise("vademecum: waiting for an MCP host to speak on stdin; Ctrl-C ends this"))
	if len(folders) == 0 {
		return
	}
	fmt.Fprint(p.stderr, p.localise("hint: a host starts it automatically, after: %[1]s install HOST %[2]s\nhint: to ask here: %[1]s search %[3]s \"QUESTION\"\n", programName(), shellLine(folders), quoteArg(folders[0])))
}

// sessionTextOpener returns a function that creates an index for the texts of a session, with the
// embedding model of ix.
func sessionTextOpener(ix *index.Index) func(context.Context) mcp.Library {
	return func(ctx context.Context) mcp.Library {
		texts := ix.NewForClientTexts()
		go func() { _ = texts.Run(ctx) }() // a failure is reported in answers
		return texts
	}
}

// closing is how long the index may take to finish after the client is gone. What is not committed
// by then is repeated by the next scan.
const closing = 200 * time.Millisecond

// syncWhileServing keeps an index up to date until serve returns.
func syncWhileServing(ctx context.Context, ix *index.Index, log *slog.Logger, serve func(context.Context) error) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		if err := ix.Run(ctx); err != nil {
			log.Error("the index cannot be used", "error", err) // answers have a note on it as well
		}
	}()
	err := serve(ctx)
	cancel()
	select {
	case <-stopped:
		return errors.Join(err, ix.Close())
	case <-time.After(closing):
		return err
	}
}

// parentEvery is how often a server checks whether the process that has started it is still
// running.
const parentEvery = 2 * time.Second

// endWithParent calls end when the process that has started this one is gone. Otherwise a server
// would go on if another process holds its stdin open as well. On systems where an orphan keeps its
// parent's ID, only the end of stdin ends it.
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
