package access

import (
	"context"
	"fmt"
	"sync"

	"vademecum/docs"
	"vademecum/index"
	"vademecum/internal/message"
	"vademecum/internal/web/signin"
	"vademecum/mcp"
)

// Library is a set of folders as people look at it: what a server over them needs,
// and what there is to tell of the whole.
type Library interface {
	mcp.Library

	// Size counts the documents that can be searched, and their passages.
	Size() (documents, passages int)

	// Overview tells what is held, of which kinds, and what is not.
	Overview(ctx context.Context) (index.Overview, error)

	// Browse lists the documents that a query means, and with a name files that are not
	// indexed.
	Browse(ctx context.Context, q index.BrowseQuery) (index.Listing, error)

	// Tree lists the directories that documents lie in, and those on the way to one.
	Tree(ctx context.Context, open string) (index.Directory, error)

	// Exclusions lists the files and directories that are left out by rules, in the order of
	// their paths. Its error matches docs.ErrAway where nobody here sees them.
	Exclusions(ctx context.Context) ([]docs.Exclusion, error)

	// FindFiles lists the files that somebody may mean by a name or a path, likeliest first,
	// among documents and what is left out.
	FindFiles(ctx context.Context, name string, left []docs.Exclusion) ([]index.File, error)

	// DrawPage returns a page of a document as it looks, as PNG, be it indexed or not.
	DrawPage(ctx context.Context, q index.PageQuery) ([]byte, error)

	// Picture returns a file that is a picture, be it indexed or not. Its error matches
	// index.ErrNotFound when there is none.
	Picture(ctx context.Context, ref string) (index.WebPicture, error)

	// LinkTarget returns the path of what a link in a document leads to, "" for nowhere;
	// isName tells one by the name of a note.
	LinkTarget(from, link string, isName bool) string

	// About tells of a document, or of a file that is not indexed. Its error matches
	// index.ErrNotFound when there is neither.
	About(ctx context.Context, ref string) (index.Document, error)

	// Neighbours lists the documents beside one, nearest first.
	Neighbours(ctx context.Context, path string, most int) (before, after []index.Document, err error)
}

// View is a set of folders, with the server over it.
type View struct {
	Library Library
	Server  *mcp.Server
}

// Views are those of all sets of folders that users see. Each is opened when the first
// user comes who sees just these.
type Views struct {
	rules func() Rules // in force now
	begin func(folders []int) (*View, error)

	mu   sync.Mutex
	open map[string]*View
}

// mostViews bounds them: each holds its documents in memory of its own.
const mostViews = 64

// Errors of ViewFor.
var (
	ErrNone = message.Errorf("none of the folders is for you", "没有可供你查看的文件夹")
	ErrMany = message.Errorf("too many different sets of folders are in use", "正在使用的文件夹组合太多")
)

// NewViews opens each by open, which gets the numbers of its folders. The rules may change.
func NewViews(rules func() Rules, open func(folders []int) (*View, error)) *Views {
	return &Views{rules: rules, begin: open, open: make(map[string]*View)}
}

// ViewFor returns the one that a user sees.
func (s *Views) ViewFor(u signin.User) (*View, error) {
	seen := s.rules().FoldersSeenBy(u)
	if len(seen) == 0 {
		return nil, ErrNone
	}
	key := fmt.Sprint(seen)
	s.mu.Lock()
	defer s.mu.Unlock()
	if view := s.open[key]; view != nil {
		return view, nil
	}
	if len(s.open) >= mostViews {
		return nil, ErrMany
	}
	view, err := s.begin(seen)
	if err != nil {
		return nil, message.Errorf("open folders: %v", "打开文件夹：%v", err)
	}
	s.open[key] = view
	return view, nil
}
