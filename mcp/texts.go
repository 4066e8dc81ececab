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

// TotalTextQuota limits the total size of the texts that clients add, across several Servers. A nil
// TotalTextQuota does not limit it; each session has its own limit in any case.
type TotalTextQuota struct {
	most int64

	mu   sync.Mutex
	used int64
}

// NewTotalTextQuota returns a TotalTextQuota with a limit in bytes.
func NewTotalTextQuota(maxBytes int64) *TotalTextQuota { return &TotalTextQuota{most: maxBytes} }

// takeIfRoom reserves space, and reports whether there was enough.
func (r *TotalTextQuota) takeIfRoom(size int64) bool {
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

func (r *TotalTextQuota) giveBack(size int64) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.used -= size
}

// textsBySession holds the texts that clients have added, each of which only its owner sees.
type textsBySession struct {
	open func(context.Context) Library // nil if texts are refused
	room *TotalTextQuota

	mu sync.Mutex
	of map[textsOwner]*sessionTexts
}

// maxTextOwners is the maximum number of owners of texts.
const maxTextOwners = 1000

// textsOwner is the owner of texts: a session, or the user if requests have no session. The zero
// value has no texts.
type textsOwner struct {
	session *mcp.ServerSession
	user    requestOwner
}

// requestOwner is the sender of requests without a session.
type requestOwner struct {
	known bool // the sender can be told apart from others
	name  string
	idle  time.Duration // after this long without a request, the sender is considered gone
}

type requestOwnerKey struct{}

// textsOwnerOf returns the owner of the texts that the sender of a request may see.
func textsOwnerOf(ctx context.Context, session *mcp.ServerSession) textsOwner {
	if v, ok := ctx.Value(requestOwnerKey{}).(requestOwner); ok {
		if !v.known {
			return textsOwner{}
		}
		return textsOwner{user: v}
	}
	return textsOwner{session: session}
}

// sessionTexts holds the texts of one owner.
type sessionTexts struct {
	library Library // the documents together with the texts
	texts   Library
	room    *TotalTextQuota
	ctx     context.Context // done when the owner is gone
	end     func()
	idle    *time.Timer // ends the texts of an owner without a session; nil for others

	mu    sync.Mutex
	given int   // how many times new texts were added
	held  int64 // total size of the texts in bytes
	ended bool
}

// libraryFor returns the Library from which a request is answered: the documents, with the texts of
// its sender if there are any.
func (s *Server) libraryFor(ctx context.Context, session *mcp.ServerSession) Library {
	if d := s.sessionTexts.find(textsOwnerOf(ctx, session)); d != nil {
		return d.library
	}
	return s.library
}

// find returns the texts of an owner; nil if there are none.
func (ds *textsBySession) find(h textsOwner) *sessionTexts {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	d := ds.of[h]
	if d != nil && d.idle != nil {
		d.idle.Reset(h.user.idle)
	}
	return d
}

// additionCount returns how many times an owner has added new texts.
func (ds *textsBySession) additionCount(h textsOwner) int {
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

// Errors for texts that are refused.
var (
	errNoTexts   = errors.New("this server does not accept texts: put the documents into the folder instead")
	errNoSession = errors.New("texts belong to the session that gives them, but this request has no session and does not say who sends it: put the documents into the folder instead")
	errNoRoom    = errors.New("the server cannot hold more texts: try again later, or put the documents into the folder instead")
)

// textsFor returns the texts of the sender of a request, and creates them if needed.
func (s *Server) textsFor(ctx context.Context, session *mcp.ServerSession) (*sessionTexts, error) {
	h := textsOwnerOf(ctx, session)
	if s.sessionTexts.open == nil {
		return nil, errNoTexts
	}
	if h == (textsOwner{}) {
		return nil, errNoSession
	}
	if d := s.sessionTexts.find(h); d != nil {
		return d, nil
	}
	s.sessionTexts.mu.Lock()
	defer s.sessionTexts.mu.Unlock()
	if d := s.sessionTexts.of[h]; d != nil {
		return d, nil
	}
	if len(s.sessionTexts.of) >= maxTextOwners {
		return nil, errNoRoom
	}
	d := &sessionTexts{room: s.sessionTexts.room}
	d.ctx, d.end = context.WithCancel(s.life)
	d.texts = s.sessionTexts.open(d.ctx)
	d.library = &textsOverlay{s.library, d.texts}
	s.sessionTexts.of[h] = d
	if h.session == nil {
		d.idle = time.AfterFunc(h.user.idle, func() { s.sessionTexts.forgetOwner(h) })
		return d, nil
	}
	go func() {
		_ = h.session.Wait() // the reason does not matter
		s.sessionTexts.forgetOwner(h)
	}()
	return d, nil
}

// forgetOwner removes the texts of an owner.
func (ds *textsBySession) forgetOwner(h textsOwner) {
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

// addTexts adds texts and returns how many are new.
func (d *sessionTexts) addTexts(ctx context.Context, texts []string, progress chan<- int) (added int, err error) {
	said, err := d.library.AreDocumentTexts(ctx, texts)
	if err != nil {
		return 0, err
	}
	var size int64
	for i, text := range texts {
		if !said[i] {
			size += int64(len(text))
		}
	}
	if !d.room.takeIfRoom(size) {
		return 0, errNoRoom
	}
	defer func() {
		if failed := d.returnUnusedRoom(size, added); failed != nil && err == nil {
			err = failed
		}
	}()
	_, added, err = d.library.AddTexts(ctx, texts, progress)
	return added, err
}

// returnUnusedRoom returns the part of the reserved space that was not needed because some texts
// already existed or were refused.
func (d *sessionTexts) returnUnusedRoom(taken int64, added int) error {
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
