package access

import (
	"errors"
	"fmt"
	"sync"

	"vademecum/internal/web/signin"
	"vademecum/mcp"
)

// Shelves are the servers over the sets of folders that users see. Each is begun
// when the first user comes who sees just these.
type Shelves struct {
	rules func() Rules // in force now
	begin func(folders []int) (*mcp.Server, error)

	mu   sync.Mutex
	open map[string]*mcp.Server
}

// mostShelves bounds the sets: each is held in memory of its own.
const mostShelves = 64

// Errors of Server.
var (
	ErrNone = errors.New("none of the folders is for you")
	ErrMany = errors.New("too many different sets of folders are in use")
)

// NewShelves begins servers by begin, which gets the numbers of their folders. The
// rules may change.
func NewShelves(rules func() Rules, begin func(folders []int) (*mcp.Server, error)) *Shelves {
	return &Shelves{rules: rules, begin: begin, open: make(map[string]*mcp.Server)}
}

// Server is the one that answers a user.
func (s *Shelves) Server(u signin.User) (*mcp.Server, error) {
	seen := s.rules().Seen(u)
	if len(seen) == 0 {
		return nil, ErrNone
	}
	key := fmt.Sprint(seen)
	s.mu.Lock()
	defer s.mu.Unlock()
	if server := s.open[key]; server != nil {
		return server, nil
	}
	if len(s.open) >= mostShelves {
		return nil, ErrMany
	}
	server, err := s.begin(seen)
	if err != nil {
		return nil, fmt.Errorf("open folders: %w", err)
	}
	s.open[key] = server
	return server, nil
}
