package signin

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// revocations are the sessions that users have ended: a copied cookie of one no longer grants
// access. They are files beside the key, so that they count for all servers that share it, and
// after a restart.
type revocations struct {
	folder string // "" where the key is of this process alone, too
	log    *slog.Logger

	mu    sync.Mutex
	known map[string]revocation // by the name of the file
	swept time.Time
}

// revocation is the time at which sessions were ended: a single one, or all sessions of a
// user. A browser's next sessions have the same ID as the ended one.
type revocation struct {
	user     string
	at       time.Time // sessions that began before it are ended
	replaced time.Time // by the next of that browser, zero for signing out
}

const (
	endedOne  = "ended-"
	endedAll  = "ended-all-"
	mostEnded = 20 // single revocations of a user: beyond that all sessions are ended
	sweepAgo  = time.Hour
)

func newRevocations(folder string, log *slog.Logger) *revocations {
	return &revocations{folder: folder, log: log, known: make(map[string]revocation)}
}

// userHash names a user in files.
func userHash(user string) string {
	sum := sha256.Sum256([]byte(user))
	return hex.EncodeToString(sum[:16])
}

// revoke ends a session when its user signs out.
func (r *revocations) revoke(it session, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	end := revocation{user: it.User, at: laterOf(now, it.Begun)}
	single := r.singleRevocations(it.User, false)
	if len(single) < mostEnded {
		r.write(endedOne+it.ID, end)
		return
	}
	r.write(endedAll+it.User, end)
	for _, name := range single {
		r.remove(name)
	}
}

// replace ends a session that a new one with its ID replaces. However many a user has, no
// other ends: the oldest replacements are forgotten, most of which have expired by
// themselves.
func (r *revocations) replace(it session, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sweep(now)
	name, single := endedOne+it.ID, r.singleRevocations(it.User, true)
	if len(single) >= mostEnded && !slices.Contains(single, name) {
		r.remove(slices.MinFunc(single, func(a, b string) int { return r.known[a].replaced.Compare(r.known[b].replaced) }))
	}
	r.write(name, revocation{it.User, it.Begun, now})
}

// singleRevocations returns the sessions of a user that were ended one by one, by signing out
// or by being replaced. It is called with r.mu held, as the following are.
func (r *revocations) singleRevocations(user string, replaced bool) (names []string) {
	for name, it := range r.known {
		if it.user == user && !it.replaced.IsZero() == replaced && !strings.HasPrefix(name, endedAll) {
			names = append(names, name)
		}
	}
	return names
}

func (r *revocations) write(name string, it revocation) {
	r.known[name] = it
	if r.folder == "" {
		return
	}
	if err := writeFile(filepath.Join(r.folder, name), it.at.UTC().Format(time.RFC3339Nano)+"\n", true); err != nil {
		r.log.Warn("that somebody signed out is known to this server alone, until it ends", "error", err)
	}
}

func (r *revocations) remove(name string) {
	delete(r.known, name)
	if r.folder != "" {
		_ = os.Remove(filepath.Join(r.folder, name)) // it is removed later
	}
}

// sweep forgets what no session can be as old as.
func (r *revocations) sweep(now time.Time) {
	if now.Sub(r.swept) < sweepAgo {
		return
	}
	r.swept = now
	for name, it := range r.known {
		if now.Sub(it.at) > longestStay {
			delete(r.known, name)
		}
	}
	if r.folder == "" {
		return
	}
	files, err := os.ReadDir(r.folder)
	if err != nil {
		return // there is nothing yet, or it is noticed elsewhere
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && isSweepable(f.Name()) && now.Sub(info.ModTime()) > longestStay {
			_ = os.Remove(filepath.Join(r.folder, f.Name()))
		}
	}
}

// isSweepable reports whether a file may be removed when it is old.
func isSweepable(name string) bool {
	return strings.HasPrefix(name, endedOne) || strings.HasPrefix(name, ".new-")
}

// has reports whether a session was ended, by this server or another.
func (r *revocations) has(it session) (bool, error) {
	for _, name := range []string{endedOne + it.ID, endedAll + it.User} {
		r.mu.Lock()
		end, known := r.known[name]
		r.mu.Unlock()
		if known && !it.Begun.After(end.at) {
			return true, nil
		}
		at, found, err := r.readTime(name)
		if err != nil || found && !it.Begun.After(at) {
			return err == nil, err
		}
	}
	return false, nil
}

// readTime returns the time of a revocation file, up to which sessions are ended, by any
// server.
func (r *revocations) readTime(name string) (at time.Time, found bool, err error) {
	if r.folder == "" {
		return at, false, nil
	}
	text, err := os.ReadFile(filepath.Join(r.folder, name))
	if errors.Is(err, fs.ErrNotExist) {
		return at, false, nil
	}
	if err == nil {
		at, err = time.Parse(time.RFC3339Nano, strings.TrimSpace(string(text)))
	}
	return at, err == nil, err
}

func laterOf(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
