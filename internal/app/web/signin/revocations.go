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

// revocations are the sessions that users have ended, so that a copied cookie no longer grants
// access. They are files beside the key, so that they apply to all servers that share it, and after
// a restart.
type revocations struct {
	folder string // "" if the key is of this process only
	log    *slog.Logger

	mu    sync.Mutex
	known map[string]revocation // by file name
	swept time.Time
}

// revocation is the time at which a session, or all sessions of a user, were ended. Later sessions
// of the same browser have the same ID as the ended one.
type revocation struct {
	user     string
	at       time.Time // sessions that began before are ended
	replaced time.Time // when the browser's next session replaced it; zero for signing out
}

const (
	endedOne  = "ended-"
	endedAll  = "ended-all-"
	mostEnded = 20 // single revocations per user; beyond that all sessions of the user are ended
	sweepAgo  = time.Hour
)

func newRevocations(folder string, log *slog.Logger) *revocations {
	return &revocations{folder: folder, log: log, known: make(map[string]revocation)}
}

// userHash returns the name of a user in files.
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

// replace ends a session that a new one with the same ID replaces. It never ends other sessions,
// however many the user has: the oldest replacements are forgotten, most of which have expired by
// then.
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

// singleRevocations returns the names of a user's single revocations, by signing out or by
// replacement. The caller of this and of the following methods holds r.mu.
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
		_ = os.Remove(filepath.Join(r.folder, name)) // on failure it is removed later
	}
}

// sweep removes revocations that are older than any session can be.
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
		return // the folder does not exist yet, or the error is reported elsewhere
	}
	for _, f := range files {
		if info, err := f.Info(); err == nil && isSweepable(f.Name()) && now.Sub(info.ModTime()) > longestStay {
			_ = os.Remove(filepath.Join(r.folder, f.Name()))
		}
	}
}

// isSweepable reports whether a file may be removed once it is old.
func isSweepable(name string) bool {
	return strings.HasPrefix(name, endedOne) || strings.HasPrefix(name, ".new-")
}

// has reports whether a session was ended by this server or another.
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

// readTime returns the time in a revocation file, which may be another server's, up to which
// sessions are ended.
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
