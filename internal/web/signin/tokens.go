package signin

import (
	"bufio"
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"vademecum/internal/web/reread"
)

// prefix begins each token, so that it can be told from others and found where it
// was left by mistake.
const prefix = "vdm_"

// Entry is a line of a list of tokens: who has the token, its hash, and what the
// user may do.
type Entry struct {
	Name   string
	Hash   [sha256.Size]byte
	Scopes []string
	Groups []string
}

// NewEntry makes a token for a user, which is shown once, and the line that is kept.
func NewEntry(name string, scopes, groups []string) (token string, e Entry, err error) {
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // it does not fail
	token = prefix + base64.RawURLEncoding.EncodeToString(secret[:])
	e = Entry{Name: name, Hash: sha256.Sum256([]byte(token)), Scopes: scopes, Groups: groups}
	return token, e, e.check()
}

// isName tells what a user or group may be called: a list has spaces, commas and
// colons between names.
var isName = regexp.MustCompile(`^[\p{L}\p{N}._@+-]{1,64}$`).MatchString

func (e Entry) check() error {
	if !isName(e.Name) {
		return fmt.Errorf("%q is no name: take letters, digits and .-_@+", e.Name)
	}
	for _, g := range e.Groups {
		if !isName(g) {
			return fmt.Errorf("%q is no name of a group: take letters, digits and .-_@+", g)
		}
	}
	for _, s := range e.Scopes {
		if !slices.Contains(AllScopes, s) {
			return fmt.Errorf("unknown scope %q: there are %s", s, strings.Join(AllScopes, ", "))
		}
	}
	if len(e.Scopes) == 0 {
		return errors.New("no scope")
	}
	return nil
}

// String is the line.
func (e Entry) String() string {
	line := fmt.Sprintf("%s sha256:%x %s", e.Name, e.Hash, strings.Join(e.Scopes, ","))
	if len(e.Groups) > 0 {
		line += " " + strings.Join(e.Groups, ",")
	}
	return line
}

// parseEntry reads a line.
func parseEntry(line string) (e Entry, err error) {
	fields := strings.Fields(line)
	if len(fields) < 3 || len(fields) > 4 {
		return e, errors.New("a line has a name, the hash of a token, scopes, and may have groups")
	}
	sum, ok := strings.CutPrefix(fields[1], "sha256:")
	hash, err := hex.DecodeString(sum)
	if !ok || err != nil || len(hash) != len(e.Hash) {
		return e, errors.New("the second word is no sha256:HASH") // it may be a token
	}
	e = Entry{Name: fields[0], Hash: [sha256.Size]byte(hash), Scopes: strings.Split(fields[2], ",")}
	if len(fields) == 4 {
		e.Groups = strings.Split(fields[3], ",")
	}
	return e, e.check()
}

// parse reads a list. A line that is wrong lets nobody in, and stops no other.
func parse(list io.Reader, wrong func(line int, err error)) (map[[sha256.Size]byte]User, error) {
	users := make(map[[sha256.Size]byte]User)
	lines := bufio.NewScanner(list)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		e, err := parseEntry(line)
		if err != nil {
			wrong(n, err)
			continue
		}
		users[e.Hash] = User{ID: "token:" + e.Name, Name: e.Name, Groups: e.Groups, Scopes: e.Scopes}
	}
	return users, lines.Err()
}

// Tokens are those that this server has given, from a file that is read again when
// it changes, and a list that does not.
type Tokens struct {
	file  string
	files *reread.Files // nil without a file
	fixed map[[sha256.Size]byte]User
	kept  atomic.Pointer[map[[sha256.Size]byte]User] // of the file
	log   *slog.Logger
}

// OpenTokens reads a file, "" for none, and a list whose lines may end with
// semicolons too.
func OpenTokens(file, list string, log *slog.Logger) (*Tokens, error) {
	t := &Tokens{file: file, log: log}
	var first error
	fixed, err := parse(strings.NewReader(strings.ReplaceAll(list, ";", "\n")), func(_ int, err error) { first = errors.Join(first, err) })
	if err = errors.Join(first, err); err != nil {
		return nil, fmt.Errorf("the list of tokens: %w", err)
	}
	t.fixed = fixed
	if file == "" {
		return t, nil
	}
	if _, err := os.Stat(file); err != nil {
		return nil, err
	}
	t.files, err = reread.Open(log, "the file of tokens", t.read, file)
	return t, err
}

// Count is how many tokens there are.
func (t *Tokens) Count() int { return len(t.fixed) + len(t.users()) }

func (t *Tokens) users() map[[sha256.Size]byte]User {
	if kept := t.kept.Load(); kept != nil {
		return *kept
	}
	return nil
}

// IsReady tells whether there is a token.
func (t *Tokens) IsReady() bool { return t.Count() > 0 }

// Check is called with each request.
func (t *Tokens) Check(_ context.Context, token string) (User, error) {
	hash := sha256.Sum256([]byte(token))
	if u, ok := t.fixed[hash]; ok {
		return u, nil
	}
	if t.files != nil {
		t.files.Look()
	}
	if u, ok := t.users()[hash]; ok {
		return u, nil
	}
	return User{}, ErrInvalid
}

// Reread reads the file again, if there is one.
func (t *Tokens) Reread() error {
	if t.files == nil {
		return nil
	}
	return t.files.Again()
}

// read takes in the file. Of one that was taken away no token counts: that is how
// all of them are locked out.
func (t *Tokens) read() error {
	text, info, err := reread.List(t.file)
	if errors.Is(err, fs.ErrNotExist) {
		t.log.Error("the file of tokens is gone: nobody is let in by them", "error", err)
		t.kept.Store(nil)
		return nil
	}
	if err != nil {
		return err
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o002 != 0 {
		return fmt.Errorf("%s may be written by everyone: chmod 600 it", t.file)
	}
	users, err := parse(bytes.NewReader(text), func(line int, err error) {
		t.log.Warn("a line of the tokens is left out", "file", t.file, "line", line, "error", err)
	})
	if err != nil {
		return fmt.Errorf("read %s: %w", t.file, err)
	}
	t.kept.Store(&users)
	return nil
}

// Append adds a line to a file, which only its owner may read.
func (e Entry) Append(file string) error {
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	line := e.String() + "\n"
	if last := make([]byte, 1); endsWithin(f, last) {
		line = "\n" + line
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}

// endsWithin tells whether the last line of a file has no end.
func endsWithin(f *os.File, last []byte) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}
