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

// Library is a set of folders for the web pages: what an MCP server needs, and overviews.
type Library interface {
	mcp.Library

	// Size returns the number of documents that can be searched, and that of their passages.
	Size() (documents, passages int)

	// Overview summarises the documents by kind, and the files that are not indexed.
	Overview(ctx context.Context) (index.Overview, error)

	// Browse lists the documents that match a query. If the query has a name, it lists matching
	// files that are not indexed as well.
	Browse(ctx context.Context, q index.BrowseQuery) (index.Listing, error)

	// DirectoryTree returns the tree of directories that contain documents. Only the directories on
	// the path openPath are expanded.
	DirectoryTree(ctx context.Context, openPath string) (index.Directory, error)

	// Exclusions lists the files and directories that rules leave out, sorted by path. The error
	// matches docs.ErrRemoteFolder if the folders are not on this machine.
	Exclusions(ctx context.Context) ([]docs.Exclusion, error)

	// FindFiles lists the documents and excluded files that a name or path may mean, likeliest first.
	FindFiles(ctx context.Context, name string, exclusions []docs.Exclusion) ([]index.File, error)

	// DrawPage returns an image of a page of a document as PNG. The document need not be indexed.
	DrawPage(ctx context.Context, q index.PageDrawingQuery) ([]byte, error)

	// Picture returns a picture file, which need not be indexed. The error matches
	// index.ErrNotFound if there is none.
	Picture(ctx context.Context, ref string) (index.BrowserPicture, error)

	// LinkTarget returns the path of the target of a link in a document; "" if there is none.
	// isName reports that the link is the name of a note.
	LinkTarget(from, link string, isName bool) string

	// DescribeDocument describes a document, or a file that is not indexed. The error matches
	// index.ErrNotFound if there is neither.
	DescribeDocument(ctx context.Context, ref string) (index.Document, error)

	// Neighbours lists the documents before and after a document in its directory, nearest first, at
	// most limit each.
	Neighbours(ctx context.Context, path string, limit int) (before, after []index.Document, err error)
}

// View is what a user gets: the library of the folders that the user sees, and an MCP server for
// it.
type View struct {
	Library Library
	Server  *mcp.Server
}

// Views holds the views of all sets of folders that users see. A view is opened at the first
// request of a user who sees exactly its folders. The lock is not held meanwhile, as a drive that
// does not respond must not block the users of other folders.
type Views struct {
	rules func() Rules // returns the rules in force
	begin func(folders []int) (*View, error)

	mu   sync.Mutex
	open map[string]*openedView // by the positions of the folders
}

// openedView is a view that is open or being opened.
type openedView struct {
	done chan struct{} // closed when the view is open or err is set
	view *View
	err  error
}

// mostViews is the maximum number of views. Each holds its documents in memory.
const mostViews = 64

// Errors of ViewFor.
var (
	ErrNoFolderVisible = message.Errorf("you may not see any of the folders")
	errTooManyViews    = message.Errorf("too many different sets of folders are in use")
)

// NewViews returns Views that get the rules in force by calling rules, and open a view by calling
// open with the positions of its folders.
func NewViews(rules func() Rules, open func(folderIndexes []int) (*View, error)) *Views {
	return &Views{rules: rules, begin: open, open: make(map[string]*openedView)}
}

// ViewFor returns the view of a user, which it opens if needed. The error may be ErrNoFolderVisible
// or errTooManyViews.
func (s *Views) ViewFor(u signin.User) (*View, error) {
	seen := s.rules().foldersSeenBy(u)
	if len(seen) == 0 {
		return nil, ErrNoFolderVisible
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

// reserve returns the view with a key. If isNew is set, the caller has to open it.
func (s *Views) reserve(key string) (opened *openedView, isNew bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if opened = s.open[key]; opened != nil {
		return opened, false, nil
	}
	if len(s.open) >= mostViews {
		return nil, false, errTooManyViews
	}
	opened = &openedView{done: make(chan struct{})}
	s.open[key] = opened
	return opened, true, nil
}

var errNotOpened = errors.New("open folders: internal error")

// openReserved opens a view that reserve has returned as new. After an error it is removed, so that
// the next request tries again.
func (s *Views) openReserved(opened *openedView, folders []int) {
	opened.err = errNotOpened // in case s.begin panics
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
