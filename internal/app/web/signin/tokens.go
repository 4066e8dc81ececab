package signin

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"log/slog"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"vademecum/internal/app/web/reread"
	"vademecum/internal/base/message"
)

// TokenStore checks tokens against a token file, which is read again when it changes, and a fixed list.
type TokenStore struct {
	file  string
	files *reread.Files // nil if there is no file
	fixed users
	kept  atomic.Pointer[users] // users in the file; nil until it has been read
	log   *slog.Logger

	// OnReload, if not nil, is called after the file was read again.
	OnReload func()
}

// OpenTokenStore reads a token file, unless file is "", and tokenLines, lines in the same format, which
// semicolons may separate as well.
func OpenTokenStore(file, tokenLines string, log *slog.Logger) (*TokenStore, error) {
	t := &TokenStore{file: file, log: log, fixed: make(users)}
	var err error
	for _, l := range parseLines(strings.ReplaceAll(tokenLines, ";", "\n")) {
		err = errors.Join(err, l.wrong)
		t.fixed.add(l.entry)
	}
	if err != nil {
		return nil, message.Errorf("the list of tokens: %v", err)
	}
	if file == "" {
		return t, nil
	}
	t.files, err = reread.Open(log, "the file of tokens", t.readFile, file)
	return t, err
}

func (t *TokenStore) users() users {
	if kept := t.kept.Load(); kept != nil {
		return *kept
	}
	return nil
}

// count returns the number of tokens.
func (t *TokenStore) count() int { return len(t.fixed) + len(t.users()) }

// Users returns the users who have tokens.
func (t *TokenStore) Users() []User {
	return slices.AppendSeq(slices.Collect(maps.Values(t.fixed)), maps.Values(t.users()))
}

// CanAcceptTokens reports whether there is a token.
func (t *TokenStore) CanAcceptTokens() bool { return t.count() > 0 }

// Check returns the user of a token.
func (t *TokenStore) Check(_ context.Context, token string) (User, error) {
	if u, ok := t.byHashSum(sha256.Sum256([]byte(token))); ok {
		return u, nil
	}
	return User{}, ErrInvalidToken
}

// UserByHash returns the user of the token with a hash in hexadecimal, as in User.TokenHash.
func (t *TokenStore) UserByHash(hexHash string) (u User, ok bool) {
	hash, err := hex.DecodeString(hexHash)
	if err != nil || len(hash) != sha256.Size {
		return User{}, false
	}
	return t.byHashSum([sha256.Size]byte(hash))
}

func (t *TokenStore) byHashSum(hash [sha256.Size]byte) (u User, ok bool) {
	if u, ok = t.fixed[hash]; ok {
		return u, true
	}
	if t.files != nil {
		t.files.ReloadIfChanged()
	}
	u, ok = t.users()[hash]
	return u, ok
}

// Reload reads the file again, if there is one.
func (t *TokenStore) Reload() error {
	if t.files == nil {
		return nil
	}
	return t.files.Reload()
}

// readFile reads the file, and ignores invalid lines. If the file is missing, damaged or
// incomplete, the previous tokens stay valid.
func (t *TokenStore) readFile() error {
	text, info, err := reread.ReadFile(t.file)
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0 {
		return message.Errorf("%s may be written by everyone: chmod 600 it", t.file)
	}
	lines, err := parseWholeFile(text)
	before := t.kept.Load()
	if err == nil && before != nil {
		err = unfinishedFileError(text, lines, info)
	}
	if err != nil {
		return message.Errorf("read %s: %v", t.file, err)
	}
	now := make(users)
	for _, l := range lines {
		if l.wrong != nil {
			t.log.Warn("a line of the tokens is left out", "file", t.file, "line", l.number, "error", l.wrong)
			continue
		}
		now.add(l.entry)
	}
	t.kept.Store(&now)
	if before != nil {
		t.log.Info("tokens read again: "+now.changesSince(*before), "file", t.file)
		if t.OnReload != nil {
			t.OnReload()
		}
	}
	return nil
}

// settled is how old a file without content must be to count as emptied on purpose.
const settled = 2 * time.Second

// unfinishedFileError returns an error if a file seems to be written only in part.
func unfinishedFileError(text []byte, lines []listLine, info os.FileInfo) error {
	if len(text) == 0 && time.Since(info.ModTime()) < settled {
		return message.Errorf("it is empty, as if it were still being written")
	}
	if n := len(lines); n > 0 && lines[n-1].wrong != nil && lines[n-1].at+len(lines[n-1].text) == len(text) {
		return message.Errorf("its last line, %d, is incomplete", lines[n-1].number)
	}
	return nil
}
