package mcp

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
)

// TextRoom bounds what the texts that clients give take together, over several
// Servers. A nil one bounds nothing: each session has a bound of its own.
type TextRoom struct {
	most int64

	mu   sync.Mutex
	used int64
}

// NewTextRoom makes room for so many bytes of texts.
func NewTextRoom(most int64) *TextRoom { return &TextRoom{most: most} }

// take takes room, if there is as much.
func (r *TextRoom) take(size int64) bool {
	if r == nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.used+size > r.most {
		return false
	}
	r.used += size
	return true
}

func (r *TextRoom) giveBack(size int64) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= size
}

// desks are where the texts lie that sessions have given, each for its session alone.
type desks struct {
	open func(context.Context) Library // nil: no texts are taken
	room *TextRoom

	mu sync.Mutex
	of map[holder]*desk
}

// mostDesks is how many there may be.
const mostDesks = 1000

// holder is whose texts some are: a session, or where requests have none the user who
// sends them. The zero value holds none.
type holder struct {
	session *mcp.ServerSession
	user    visitor
}

// visitor is who sends requests that are in no session.
type visitor struct {
	known bool // it can be told from others
	name  string
	idle  time.Duration // after which they are taken to be gone
}

type visitorKey struct{}

// holderOf is whose texts a request may see.
func holderOf(ctx context.Context, session *mcp.ServerSession) holder {
	if v, ok := ctx.Value(visitorKey{}).(visitor); ok {
		if !v.known {
			return holder{}
		}
		return holder{user: v}
	}
	return holder{session: session}
}

// desk has the texts of one holder.
type desk struct {
	library Library // the documents, and the texts beside them
	texts   Library
	room    *TextRoom
	ctx     context.Context // ends with the holder
	end     func()
	idle    *time.Timer // of a visitor

	mu    sync.Mutex
	given int   // how often there were new texts
	held  int64 // bytes
	ended bool
}

// at is the Library that a request is answered from.
func (s *Server) at(ctx context.Context, session *mcp.ServerSession) Library {
	if d := s.desks.find(holderOf(ctx, session)); d != nil {
		return d.library
	}
	return s.library
}

// find is the desk of a holder, nil if it has none.
func (ds *desks) find(h holder) *desk {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.of[h]
	if d != nil && d.idle != nil {
		d.idle.Reset(h.user.idle)
	}
	return d
}

// given counts how often a holder has given new texts.
func (ds *desks) given(h holder) int {
	ds.mu.Lock()
	d := ds.of[h]
	ds.mu.Unlock()
	if d == nil {
		return 0
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.given
}

// Errors of texts that are not taken.
var (
	errNoTexts   = errors.New("this server takes no texts: put the documents into the folder instead")
	errNoSession = errors.New("texts belong to the session that gives them, and this request is in none and says not who sends it: put the documents into the folder instead")
	errNoRoom    = errors.New("the server holds as many texts as it can: try again later, or put the documents into the folder instead")
)

// deskOf is the desk of who sends a request, a new one if there is none.
func (s *Server) deskOf(ctx context.Context, session *mcp.ServerSession) (*desk, error) {
	h := holderOf(ctx, session)
	if s.desks.open == nil {
		return nil, errNoTexts
	}
	if h == (holder{}) {
		return nil, errNoSession
	}
	if d := s.desks.find(h); d != nil {
		return d, nil
	}
	s.desks.mu.Lock()
	defer s.desks.mu.Unlock()
	if d := s.desks.of[h]; d != nil {
		return d, nil
	}
	if len(s.desks.of) >= mostDesks {
		return nil, errNoRoom
	}
	d := &desk{room: s.desks.room}
	d.ctx, d.end = context.WithCancel(s.life)
	d.texts = s.desks.open(d.ctx)
	d.library = &beside{s.library, d.texts}
	s.desks.of[h] = d
	if h.session == nil {
		d.idle = time.AfterFunc(h.user.idle, func() { s.desks.clear(h) })
		return d, nil
	}
	go func() {
		_ = h.session.Wait() // why it ended does not matter here
		s.desks.clear(h)
	}()
	return d, nil
}

// clear forgets the texts of a holder.
func (ds *desks) clear(h holder) {
	ds.mu.Lock()
	d := ds.of[h]
	delete(ds.of, h)
	ds.mu.Unlock()
	if d == nil {
		return
	}
	d.end()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.room.giveBack(d.held)
	d.held, d.ended = 0, true
}

// add puts texts on the desk, and returns how many are new.
func (d *desk) add(ctx context.Context, texts []string, progress chan<- int) (added int, err error) {
	said, err := d.library.Says(ctx, texts)
	if err != nil {
		return 0, err
	}
	var size int64
	for i, text := range texts {
		if !said[i] {
			size += int64(len(text))
		}
	}
	if !d.room.take(size) {
		return 0, errNoRoom
	}
	defer func() {
		if failed := d.settle(size, added); failed != nil && err == nil {
			err = failed
		}
	}()
	_, added, err = d.library.AddTexts(ctx, texts, progress)
	return added, err
}

// settle gives back what of the room taken is not needed: some texts were there
// already, others were not taken.
func (d *desk) settle(taken int64, added int) error {
	all, err := d.texts.List(context.WithoutCancel(d.ctx), index.Filter{})
	if err != nil {
		return fmt.Errorf("list the texts: %w", err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if added > 0 {
		d.given++
	}
	if d.ended {
		d.room.giveBack(taken)
		return nil
	}
	var held int64
	for _, t := range all {
		held += t.Size
	}
	d.room.giveBack(taken + d.held - held)
	d.held = held
	return nil
}
