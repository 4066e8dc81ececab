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

// resourcePage is the number of resources per page of their list, about 100 KB. Claude Code stops
// after 20 pages, so 10,000 documents can be listed.
const resourcePage = 500

// listPause is the first pause between notifications that the list of resources has changed, while
// many files are being indexed. The pause doubles each time, since some clients list all resources
// again.
const listPause = 10 * time.Second

// listResources is middleware that lists the documents of the library as resources. In the SDK
// (v1.8.0) each document would have to be registered as a resource, which takes 600 bytes of memory
// each.
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
			if err := s.libraryFor(ctx, session).WaitFresh(ctx, index.WaitPurposeAnswer); err != nil && !index.IsMissingFolderError(err) { // no documents yet
				return nil, s.internalError(err)
			}
			s.notifyResourceChanges(session)
		}
		return resourcesAfter(ctx, s.libraryFor(ctx, session), cursor)
	}
}

// resourceCursor returns the cursor of the page that begins after a path. It contains a checksum,
// by which a made-up cursor is recognised.
func resourceCursor(after string) string {
	sum := binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(after)))
	return base64.RawURLEncoding.EncodeToString(append(sum, after...))
}

// pathBeforeCursor returns the path after which the page of a cursor begins; "" for the first page.
// ok is false if the cursor is invalid.
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

// resourcesAfter returns the page of the list at a cursor.
func resourcesAfter(ctx context.Context, library Library, cursor string) (*mcp.ListResourcesResult, error) {
	after, ok := pathBeforeCursor(cursor)
	if !ok {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor is none of this list"}
	}
	all, err := library.ListAfter(ctx, after, resourcePage+1)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
	}
	// not nil: null is not a list
	page := &mcp.ListResourcesResult{Cacheable: neverCached, Resources: []*mcp.Resource{}}
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

// knownResources is the list of documents as last looked up, with which later ones are compared to
// notify clients of changes.
type knownResources struct {
	mu           sync.Mutex
	fingerprints []index.DocumentFingerprint // sorted by URI
	written      uint64                      // change number of the library at that time, so that an unchanged list is not looked up again
	folders      []string                    // folders of the library at that time, as they are part of the URIs
	complete     bool                        // the list has contained all documents of the folders at some time
	state        int                         // number of the state of the list; it increases when documents are added or removed
	pause        time.Duration               // see listPause; 0 while nothing is being indexed
	quiet        time.Time                   // clients are not notified of changes of the list before this time
}

// versionOf returns the version of the document with a URI; noVersion if there is none.
func (l *knownResources) versionOf(uri string) version {
	n, found := slices.BinarySearchFunc(l.fingerprints, index.HashURI(uri), func(v index.DocumentFingerprint, uri uint64) int { return cmp.Compare(v.URIHash, uri) })
	if !found {
		return noVersion
	}
	return versionOf(l.fingerprints[n].ContentHash)
}

// shouldWait reports whether notifications about the list have to wait. behind reports that files
// are still to be indexed. The caller holds l.mu.
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

// notifyResourceChanges compares the documents with what clients know, and notifies them of
// differences. lists, if not nil, is the session of a client that is about to list the resources,
// which therefore needs no notification about the list. The result reports whether notifications
// are still waiting.
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

// listState returns the number of the state of the list for an owner of texts. The caller holds
// s.listed.mu.
func (s *Server) listState(h textsOwner) int { return s.listed.state + s.sessionTexts.additionCount(h) }

// listedVersion returns the version of the document with a URI, also if its name is stored
// decomposed (NFD) and clients subscribed to the composed name before it existed. A text has a
// version only for its owner. The caller holds s.listed.mu.
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

// textVersion returns the version of a text of an owner, which never changes; noVersion if the
// owner has no such text.
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

// refreshListed looks up the list of documents, and reports whether any were added or removed. The
// caller holds s.listed.mu.
func (s *Server) refreshListed() (changed bool) {
	written, folders := s.library.ChangeNumber(), s.library.Folders() // read before listing, so that no change is missed
	if s.listed.fingerprints != nil && s.listed.written == written && slices.Equal(s.listed.folders, folders) {
		return false
	}
	now, err := s.library.DocumentFingerprints(s.life)
	if err != nil { // keep the previous list
		if s.life.Err() == nil {
			s.log.Warn("could not list the documents", "error", err)
		}
		return false
	}
	slices.SortFunc(now, func(a, b index.DocumentFingerprint) int { return cmp.Compare(a.URIHash, b.URIHash) })
	isSame := func(a, b index.DocumentFingerprint) bool { return a.URIHash == b.URIHash }
	now = slices.CompactFunc(now, isSame) // folders may be nested
	before := s.listed.fingerprints
	s.listed.fingerprints, s.listed.written, s.listed.folders = now, written, folders
	return !slices.EqualFunc(before, now, isSame)
}
