// Package owner lets one process on this machine hold the index of some folders for all hosts that
// serve them with the same settings. The first process becomes the owner. Those that start later
// connect their hosts to it over a socket, and hold no index of their own. When the owner ends or
// does not respond, one of the others takes its place.
//
// The precedent is gopls -remote=auto. There a daemon outlives the editors; here the owner is one
// of the processes that hosts have started, so nothing is left running after the last host has
// ended.
package owner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"vademecum/index/lease"
	"vademecum/internal/base/message"
	"vademecum/internal/base/system"
)

// EndpointURL is the URL at which an HTTP client with the Transport of a group reaches the owner.
const EndpointURL = "http://vademecum/mcp"

const (
	checkEvery  = 500 * time.Millisecond // how often a process checks whether it can become the owner, or still is
	startLimit  = 2 * time.Second        // time limit for an owner to open its socket
	answerLimit = time.Second            // time limit for the owner to accept a connection and to answer a probe
	longestName = 100                    // maximum length of the path of a socket in bytes; macOS allows 103, Linux 107
)

// SharingGroup is the group of processes with the same folders and settings. They share a lease, which the
// owner holds, and a socket, at which the owner answers.
type SharingGroup struct {
	lease  *lease.Lease
	socket string
	failed chan struct{} // receives an element when the owner could not be reached

	mu   sync.Mutex
	open map[net.Conn]fs.FileInfo // open connections to owners, each with the file of the socket it was opened to
}

// serversFolder is the folder, within the cache folder, in which servers publish how to reach them.
const serversFolder = "servers"

// checksum returns a checksum of a text that can be used as a file name.
func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:12])
}

// NewSharingGroup returns the group of the processes with the same settings. The error says why processes
// cannot share an index on this machine.
func NewSharingGroup(cacheDir string, s Settings) (*SharingGroup, error) {
	name := s.key()
	cacheDir = filepath.Join(cacheDir, serversFolder)
	if len(filepath.Join(cacheDir, name)+".socket") > longestName {
		cacheDir = filepath.Join(os.TempDir(), "vademecum-"+strconv.Itoa(os.Getuid()))
	}
	path := filepath.Join(cacheDir, name)
	if len(path+".socket") > longestName {
		return nil, message.Errorf("the path of a socket would be longer than %d bytes: %s", longestName, path)
	}
	if err := makePrivate(cacheDir); err != nil {
		return nil, err
	}
	return &SharingGroup{lease: lease.New(path + ".lock"), socket: path + ".socket", failed: make(chan struct{}, 1), open: make(map[net.Conn]fs.FileInfo)}, nil
}

// makePrivate creates a folder that only the user can access. It refuses symbolic links and folders
// of other users, who could read the questions or answer them.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", dir)
	}
	if err := system.CheckOwner(dir); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// TryOwn makes this process the owner if there is none, and reports whether this process is the
// owner.
func (g *SharingGroup) TryOwn() bool {
	dir := filepath.Dir(g.socket)
	if _, err := os.Lstat(dir); err != nil { // the user has emptied the cache
		_ = makePrivate(dir) // without the folder the lease cannot be taken
	}
	return g.lease.TryAcquireUnthrottled() && g.lease.NotExclusiveReason() == nil
}

// ReleaseOwnership gives up the role of owner, so that another process can take it.
func (g *SharingGroup) ReleaseOwnership() error { return g.lease.Release() }

// unusedAfter is the age at which the files of a group are deleted. They are renewed while the
// group has an owner; a process with another version or other flags forms another group.
const unusedAfter = 30 * 24 * time.Hour

// sweep deletes the files of groups that no process has used for long, and the descriptions of
// processes that have ended.
func sweep(dir string, now time.Time) {
	locks, _ := filepath.Glob(filepath.Join(dir, "*"+lockSuffix)) // the pattern is right
	for _, lock := range locks {
		if _, err := os.Lstat(strings.TrimSuffix(lock, lockSuffix) + processSuffix); err == nil { // of a process
			continue
		}
		if info, err := os.Lstat(lock); err == nil && now.Sub(info.ModTime()) > unusedAfter {
			_ = os.Remove(strings.TrimSuffix(lock, lockSuffix) + ".socket") // most owners have removed it
			_ = os.Remove(lock)
		}
	}
	for _, file := range descriptions(dir) {
		_, _ = readProcess(file)
	}
}

// Join makes this process the owner, or finds an owner that answers, and returns the role of this
// process. If there is an owner that cannot be reached in time, the role is RoleStandalone, and the
// error says why.
func (g *SharingGroup) Join(ctx context.Context) (Role, error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	var unreached error
	for {
		if g.TryOwn() {
			return RoleOwner, nil
		}
		err := g.probe(ctx)
		switch {
		case err == nil:
			return RoleConnected, nil
		case unreached == nil || !errors.Is(err, context.DeadlineExceeded): // an earlier error says more, as the last attempt may have had too little time
			unreached = err
		}
		select {
		case <-time.After(10 * time.Millisecond): // the owner may have just started, or be about to end
		case <-ctx.Done():
			return RoleStandalone, unreachedError(unreached)
		}
	}
}

// unreachedError returns the error for an owner that could not be reached, with the cause.
func unreachedError(err error) error {
	if of := new(url.Error); errors.As(err, &of) {
		err = of.Err
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return message.Errorf("the process that holds the index did not answer within %v", startLimit)
	}
	return message.Errorf("the process that holds the index cannot be reached: %v", err)
}

// probe checks whether the owner answers.
func (g *SharingGroup) probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	through := &http.Transport{DialContext: g.dial, DisableKeepAlives: true}
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, EndpointURL, nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Transport: through}).Do(r)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// dial connects to the owner.
func (g *SharingGroup) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	var d net.Dialer
	return d.DialContext(ctx, "unix", g.socket)
}

// Transport returns an HTTP transport that connects to the owner, whatever the host name in the URL
// and whichever process is the owner.
func (g *SharingGroup) Transport() *http.Transport {
	return &http.Transport{DialContext: g.dialTracked, DisableCompression: true, MaxIdleConnsPerHost: 64}
}

// dialTracked connects to the owner, and records the connection, so that it can be closed when
// another process becomes the owner.
func (g *SharingGroup) dialTracked(ctx context.Context, network, address string) (net.Conn, error) {
	info, statErr := os.Lstat(g.socket)
	conn, err := g.dial(ctx, network, address)
	if err != nil || statErr != nil {
		return conn, err
	}
	tracked := &trackedConn{Conn: conn, group: g}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open[tracked] = info
	return tracked, nil
}

// trackedConn is a recorded connection to the owner.
type trackedConn struct {
	net.Conn
	group *SharingGroup
}

func (c *trackedConn) Close() error {
	c.group.mu.Lock()
	delete(c.group.open, c)
	c.group.mu.Unlock()
	return c.Conn.Close()
}

// ReportOwnerUnreachable records that the owner could not be reached, so that RunWhenOwner at once tries
// to make this process the owner.
func (g *SharingGroup) ReportOwnerUnreachable() {
	select {
	case g.failed <- struct{}{}:
	default:
	}
}

// RunWhenOwner calls serve whenever this process becomes the owner, until ctx is done. serve is
// expected to call Serve.
func (g *SharingGroup) RunWhenOwner(ctx context.Context, serve func(context.Context)) {
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		if g.TryOwn() {
			_ = os.Remove(g.socket) // the system would accept connections for a former owner that is stopped
			g.closeConnections(func(fs.FileInfo) bool { return true })
			serve(ctx)
			continue
		}
		g.closeStale()
		g.awaitCause(ctx, tick.C)
	}
}

// awaitCause waits until this process should try to become the owner: at the next tick, or when the
// owner could not be reached.
func (g *SharingGroup) awaitCause(ctx context.Context, tick <-chan time.Time) {
	if after := g.lease.RetryAfter(); after > 0 {
		select {
		case <-time.After(after):
		case <-ctx.Done():
		}
		return
	}
	select {
	case <-g.failed:
		select {
		case <-time.After(10 * time.Millisecond): // the system may not have released the lease of an owner that has just ended
		case <-ctx.Done():
		}
	case <-tick:
	case <-ctx.Done():
	}
}

// cancelWhenReplaced calls cancel when another process has become the owner, which happens if this
// one is stopped for some seconds, or when the socket at the path is no longer the one that this
// process has opened: a former owner that resumes may have replaced it, or the user has emptied the
// cache.
func (g *SharingGroup) cancelWhenReplaced(ctx context.Context, opened fs.FileInfo, cancel func()) {
	acquired, _ := g.lease.HeldSince()
	tick := time.NewTicker(checkEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if !g.lease.IsHeldSince(acquired) || g.isSocketReplaced(opened) {
				cancel()
				return
			}
		}
	}
}

// isSocketReplaced reports whether the socket at the path is another one than the given one, or was
// removed. It returns false if that is unknown.
func (g *SharingGroup) isSocketReplaced(socket fs.FileInfo) bool {
	now, err := os.Lstat(g.socket)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	// the socket of a new owner may get the inode number of the old one
	return socket == nil || !os.SameFile(now, socket) || !now.ModTime().Equal(socket.ModTime())
}

// closeStale closes the connections to a former owner.
func (g *SharingGroup) closeStale() { g.closeConnections(g.isSocketReplaced) }

// closeConnections closes the connections to the sockets that selects accepts, so that the requests
// on them fail.
func (g *SharingGroup) closeConnections(selects func(socket fs.FileInfo) bool) {
	g.mu.Lock()
	var meant []net.Conn
	for conn, socket := range g.open {
		if selects(socket) {
			meant = append(meant, conn)
		}
	}
	g.mu.Unlock()
	for _, conn := range meant {
		_ = conn.Close()
	}
}

// Serve answers the other processes of the group with a handler until ctx is done, another process
// has become the owner, or the socket was replaced. No response is sent after it has returned. It
// returns an error if the socket cannot be opened.
func (g *SharingGroup) Serve(ctx context.Context, handler http.Handler) error {
	sweep(filepath.Dir(g.socket), time.Now())
	if err := os.Remove(g.socket); err != nil && !errors.Is(err, fs.ErrNotExist) { // an owner that was killed has left its socket
		return err
	}
	var config net.ListenConfig
	on, err := config.Listen(ctx, "unix", g.socket)
	if err != nil {
		return err
	}
	on.(*net.UnixListener).SetUnlinkOnClose(false) // by then the next owner may have its socket at this path
	opened, _ := os.Lstat(g.socket)                // on error, any socket at the path counts as another one
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go g.cancelWhenReplaced(ctx, opened, cancel)
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute, BaseContext: func(net.Listener) context.Context { return ctx }}
	defer context.AfterFunc(ctx, func() { _ = server.Close() })()
	if err := server.Serve(on); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return server.Close() // waits for the call above: no response is sent any more
}
