package access

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"vademecum/docs"
	"vademecum/index"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
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

// Views are the views of all sets of folders that users see. A view is opened at the first request of
// a user who sees exactly its folders. The lock is not held meanwhile: a drive that does not
// answer must not block the users of other folders.
type Views struct {
	rules func() Rules // in force now
	begin func(folders []int) (*View, error)

	mu   sync.Mutex
	open map[string]*openedView // by the numbers of the folders
}

// openedView is a view that is open, or is being opened.
type openedView struct {
	done chan struct{} // closed when the view is open, or err is set
	view *View
	err  error
}

// mostViews bounds their number: each holds its documents in memory.
const mostViews = 64

// Errors of ViewFor.
var (
	ErrNone = message.Errorf("none of the folders is for you")
	ErrMany = message.Errorf("too many different sets of folders are in use")
)

// NewViews returns Views that open calls with the numbers of the folders of a view. The rules may
// change.
func NewViews(rules func() Rules, open func(folders []int) (*View, error)) *Views {
	return &Views{rules: rules, begin: open, open: make(map[string]*openedView)}
}

// ViewFor returns the view of a user.
func (s *Views) ViewFor(u signin.User) (*View, error) {
	seen := s.rules().FoldersSeenBy(u)
	if len(seen) == 0 {
		return nil, ErrNone
	}
	opened, isNew, err := s.reserve(fmt.Sprint(seen))
	if err != nil {
		return nil, err
	}
	if isNew {
		s.openReserved(opened, seen)
	}
	<-opened.done
	return opened.view, opened.err
}

// reserve returns the entry of a view. If isNew is true the caller has to open the view.
func (s *Views) reserve(key string) (opened *openedView, isNew bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if opened = s.open[key]; opened != nil {
		return opened, false, nil
	}
	if len(s.open) >= mostViews {
		return nil, false, ErrMany
	}
	opened = &openedView{done: make(chan struct{})}
	s.open[key] = opened
	return opened, true, nil
}

var errNotOpened = errors.New("open folders: internal error")

// openReserved opens a view. After an error the entry is removed, so that the next request tries again.
func (s *Views) openReserved(opened *openedView, folders []int) {
	opened.err = errNotOpened // unless begin returns
	defer func() {
		if opened.err != nil {
			s.mu.Lock()
			delete(s.open, fmt.Sprint(folders))
			s.mu.Unlock()
		}
		close(opened.done)
	}()
	view, err := s.begin(folders)
	if err != nil {
		opened.err = message.Errorf("open folders: %v", err)
		return
	}
	opened.view, opened.err = view, nil
}
