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

// revocations are the sessions that users have ended, so that a copied cookie no longer gives
// access. They are stored in files beside the key, so that all servers that share the key know
// them, also after a restart.
type revocations struct {
	folder string // "" for a key that only this process has
	log    *slog.Logger

	mu    sync.Mutex
	known map[string]revocation // by file name
	swept time.Time             // when old revocations were last removed
}

// revocation is the time at which a session, or all sessions of a user, were ended. A later session
// of the same browser may have the same ID as the ended one.
type revocation struct {
	user     string
	at       time.Time // sessions that began before this time are ended
	replaced time.Time // when the browser's next session replaced the session; zero if the user signed out
}

const (
	endedOne  = "ended-"
	endedAll  = "ended-all-"
	mostEnded = 20 // single revocations per user; beyond that all sessions of the user are ended
	sweepAgo  = time.Hour
)

// userHash returns the form of a user's name in file names.
func userHash(user string) string {
	sum := sha256.Sum256([]byte(user))
	return hex.EncodeToString(sum[:16])
}

// revoke ends a session because its user signs out.
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

// replace ends a session that a new one with the same ID replaces. However many sessions the user
// has, it never ends others: beyond the limit the oldest replacements are forgotten, most of which
// have expired by then.
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

// singleRevocations returns the file names of the revocations of a user's single sessions: of those
// that were replaced, or of those that were signed out of. The caller holds r.mu.
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

// sweep removes revocations that are older than any session may become.
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

// isSweepable reports whether sweep may remove a file with a name once it is old.
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

// readTime returns the time in a revocation file, which another server may have written. Sessions
// that began before it are ended.
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
