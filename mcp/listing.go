package mcp

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/internal/base/present"
)

// resourcePage is how many resources a page of their list holds, about 100 KB.
// Claude Code stops after 20 pages, so 10,000 documents can be listed.
const resourcePage = 500

// listPause is the first pause between notifications that the list has changed, while many files
// are indexed. It doubles each time, since some clients list all resources again.
const listPause = 10 * time.Second

// listResources answers a request for the list of resources from the library. The SDK
// (v1.8.0) would need a resource for each document, 600 bytes of memory each, used or
// not.
func (s *Server) listResources(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		p, isList := req.GetParams().(*mcp.ListResourcesParams)
		if !isList {
			return next(ctx, method, req)
		}
		cursor := ""
		if p != nil {
			cursor = p.Cursor
		}
		session, ok := req.GetSession().(*mcp.ServerSession)
		if ok && cursor == "" {
			if err := s.libraryFor(ctx, session).WaitFresh(ctx, index.ForAnswer); err != nil && !index.IsMissing(err) { // then there are none yet
				return nil, s.internalError(err)
			}
			s.notifyResourceChanges(session)
		}
		return resourcesAfter(ctx, s.libraryFor(ctx, session), cursor)
	}
}

// resourceCursor returns the cursor of the page that begins after a path. Its checksum
// distinguishes it from one that a client made up.
func resourceCursor(after string) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(after)))
	return base64.RawURLEncoding.EncodeToString(append(sum, after...))
}

// pathBeforeCursor returns the path after which the page of a cursor begins; "" for the first page.
func pathBeforeCursor(cursor string) (after string, ok bool) {
	if cursor == "" {
		return "", true
	}
	raw, err := base64.RawURLEncoding.DecodeString(cursor)
	if err != nil || len(raw) < crc32.Size {
		return "", false
	}
	after = string(raw[crc32.Size:])
	return after, resourceCursor(after) == cursor
}

// resourcesAfter returns the page of the list that follows a cursor, which is the last
// path on the page before.
func resourcesAfter(ctx context.Context, library Library, cursor string) (*mcp.ListResourcesResult, error) {
	after, ok := pathBeforeCursor(cursor)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor is none of this list"}
	}
	all, err := library.Page(ctx, after, resourcePage+1)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	page := &mcp.ListResourcesResult{Cacheable: neverCached, Resources: []*mcp.Resource{}} // null is no list
	if len(all) > resourcePage {
		all = all[:resourcePage]
		page.NextCursor = resourceCursor(all[resourcePage-1].Path)
	}
	for _, d := range all {
		page.Resources = append(page.Resources, resourceOf(d))
	}
	return page, nil
}

func resourceOf(d index.Document) *mcp.Resource {
	return &mcp.Resource{
		URI: d.URI, Name: present.CleanLine(d.Path), Title: present.CleanLine(d.Title), MIMEType: d.MIME, Size: d.Size,
		Annotations: &mcp.Annotations{LastModified: d.Modified.UTC().Format(time.RFC3339)},
	}
}

// knownResources is the state of the documents that clients may know, as of the last
// look.
type knownResources struct {
	mu       sync.Mutex
	versions []index.Version // by their URIs
	written  uint64          // when they were listed: each client that comes has all looked at
	folders  []string        // the folders then, which appear in URIs
	complete bool            // once all documents of the folders were known
	state    int             // counts the changes of which documents there are
	pause    time.Duration   // as listPause, 0 while nothing is being built
	quiet    time.Time       // until when clients are not notified
}

// versionOf of the document with some URI.
func (l *knownResources) versionOf(uri string) version {
	n, found := slices.BinarySearchFunc(l.versions, index.URIKey(uri), func(v index.Version, uri uint64) int { return cmp.Compare(v.URI, uri) })
	if !found {
		return noVersion
	}
	return versionOf(l.versions[n].Bytes)
}

// shouldWait reports whether a notification that the list has changed has to wait. The caller holds
// l.mu.
func (l *knownResources) shouldWait(behind bool, now time.Time) bool {
	switch {
	case !behind:
		l.pause = 0
		return false
	case l.pause == 0:
		l.pause = listPause
	case now.Before(l.quiet):
		return true
	default:
		l.pause *= 2
		l.quiet = now.Add(l.pause)
		return false
	}
	l.quiet = now.Add(l.pause)
	return true
}

// notifyResourceChanges compares the documents with those that clients know, and notifies
// clients of differences. The client that is about to list, if any, is not notified of
// the list. The result reports whether notifications are still waiting.
func (s *Server) notifyResourceChanges(lists *mcp.ServerSession) (waiting bool) {
	s.listed.mu.Lock()
	behind := s.library.State().IsBehind()
	if s.refreshListed() {
		s.listed.state++
	}
	s.listed.complete = s.listed.complete || !behind
	if lists != nil {
		s.listeners.noteListed(lists, s.listState(textsOwner{session: lists}))
	}
	due, waiting := s.listeners.dueNotifications(s.listedVersion, s.listState, s.listed.shouldWait(behind, time.Now()))
	s.listeners.sendAll(s.life, due)
	s.listed.mu.Unlock()
	return waiting
}

// listState returns the state of the list as an owner of texts sees it. It is called with
// s.listed.mu held.
func (s *Server) listState(h textsOwner) int { return s.listed.state + s.sessionTexts.additionCount(h) }

// listedVersion finds a document also when its name is stored with its characters
// decomposed, and clients subscribed to it before it was there; a text only for its
// owner. It is called with s.listed.mu held.
func (s *Server) listedVersion(h textsOwner, uri string) version {
	if isTextURI(uri) {
		return s.textVersion(h, uri)
	}
	if v := s.listed.versionOf(uri); v != noVersion {
		return v
	}
	canonical, _ := s.library.CanonicalURI(uri)
	return s.listed.versionOf(canonical)
}

// textVersion returns the version of a text, which never changes.
func (s *Server) textVersion(h textsOwner, uri string) version {
	d := s.sessionTexts.find(h)
	if d == nil {
		return noVersion
	}
	if _, found := d.texts.CanonicalURI(uri); !found {
		return noVersion
	}
	return onlyVersion
}

// refreshListed updates what is known of the list, and reports whether documents were added or
// removed. The caller holds s.listed.mu.
func (s *Server) refreshListed() (changed bool) {
	written, folders := s.library.ChangeNumber(), s.library.Folders() // before they are listed, so that nothing is missed
	if s.listed.versions != nil && s.listed.written == written && slices.Equal(s.listed.folders, folders) {
		return false
	}
	now, err := s.library.Versions(s.life)
	if err != nil { // what is listed stays
		if s.life.Err() == nil {
			s.log.Warn("could not list the documents", "error", err)
		}
		return false
	}
	slices.SortFunc(now, func(a, b index.Version) int { return cmp.Compare(a.URI, b.URI) })
	isSame := func(a, b index.Version) bool { return a.URI == b.URI }
	now = slices.CompactFunc(now, isSame) // a folder may be in another
	before := s.listed.versions
	s.listed.versions, s.listed.written, s.listed.folders = now, written, folders
	return !slices.EqualFunc(before, now, isSame)
}
