package cli

import (
	"context"
	"log/slog"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"vademecum/internal/app/web"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// serverOptions are what the servers for different subsets of the folders have in common.
type serverOptions struct {
	program *program
	folders []string
	names   []string // names of all folders, for users who see only some; nil if all users see all
	options mcp.Options
	stats   *web.Stats
	turns   *web.QuestionLimiter // limits the questions that all servers together answer concurrently
	log     *slog.Logger
	ctx     context.Context // done when serving ends
	group   sync.WaitGroup
}

func newServerOptions(ctx context.Context, p *program, folders []string, o mcp.Options, stats *web.Stats, known bool) *serverOptions {
	return &serverOptions{
		program: p, folders: folders, options: o, log: o.Logger, ctx: ctx,
		stats: stats, turns: web.NewQuestionLimiter(2*runtime.GOMAXPROCS(0), known, stats),
	}
}

// newViews returns the views of users according to the rules. If all users see all folders, it
// opens the only view at once.
func (s *serverOptions) newViews(rules func() access.Rules, limited bool) (*access.Views, error) {
	views := access.NewViews(rules, s.newView)
	if limited {
		return views, s.check()
	}
	_, err := views.ViewFor(signin.User{})
	return views, err
}

// check opens the indexes of all folders together. It returns an error for nested folders, as one
// would show what the other should hide. It also determines the names of the folders, so that the
// path of a document is the same for all users.
func (s *serverOptions) check() error {
	ix, _, err := s.program.openIndex(s.folders)
	if err != nil {
		return err
	}
	s.names = ix.FolderNames()
	return ix.Close()
}

// textRoom is the quota, in bytes, for the texts that clients add: as much as four sessions may
// use.
const textRoom = 256 << 20

// newView returns a view of the folders with these positions.
func (s *serverOptions) newView(numbers []int) (*access.View, error) {
	some := *s.program
	var folders, called []string
	some.indexFiles, some.libraries, some.names, some.notes = nil, nil, nil, nil
	for _, n := range numbers {
		called = append(called, strconv.Itoa(n+1))
		if len(s.folders) > 0 {
			folders = append(folders, s.folders[n])
		}
		if len(s.program.indexFiles) > 0 {
			some.indexFiles = append(some.indexFiles, s.program.indexFiles[n])
		}
		if len(s.program.libraries) > 0 {
			some.libraries = append(some.libraries, s.program.libraries[n])
		}
		if len(s.names) > 0 {
			some.names = append(some.names, s.names[n])
		}
	}
	ix, _, err := some.openIndex(folders)
	if err != nil {
		return nil, err
	}
	s.stats.WatchIndex(strings.Join(called, "+"), ix)
	library := s.turns.LimitLibrary(ix)
	o := s.options
	o.NewTextsLibrary, o.OnToolCall = sessionTextOpener(ix), s.stats.CountCall
	server := mcp.New(library, o)
	s.group.Go(func() {
		err := syncWhileServing(s.ctx, ix, s.log, func(ctx context.Context) error {
			server.RunChangeNotifier(ctx)
			return nil
		})
		if err != nil {
			s.log.Error("the index was not closed", "error", err)
		}
	})
	return &access.View{Library: library, Server: server}, nil
}
