package oauth

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"vademecum/internal/lockfile"
	"vademecum/internal/message"

	"vademecum/internal/web/reread"
)

// Grant is what somebody has agreed to: that a client asks in their name. Of what the
// client was given there are hashes alone.
type Grant struct {
	ID       string    `json:"id"`
	User     string    `json:"user"`             // by which rules mean them
	UserID   string    `json:"user_id"`          // see signin.User
	Token    string    `json:"token,omitempty"`  // hash of the token that they had, with which the grant ends
	Groups   []string  `json:"groups,omitempty"` // of people without one, as their provider told them
	May      []string  `json:"may,omitempty"`    // the scopes of those
	Client   string    `json:"client"`           // as it calls itself
	Host     string    `json:"host"`             // where it is, as people were told it
	ClientID string    `json:"client_id"`        // hash of it
	Scopes   []string  `json:"scopes"`
	Resource string    `json:"resource"` // what the client may ask
	Made     time.Time `json:"made"`
	Used     time.Time `json:"used"` // to within the life of an access token
	Until    time.Time `json:"until"`

	Code    *code         `json:"code,omitempty"`    // that was not redeemed yet
	Refresh string        `json:"refresh,omitempty"` // hash of the token that gets the next
	Before  *usedToken    `json:"before,omitempty"`  // the refresh token that got it
	Access  []accessToken `json:"access,omitempty"`
}

// usedToken is the refresh token that was used last, and of what its answer can be made
// again by whoever has it.
type usedToken struct {
	Hash string    `json:"hash"`
	Salt string    `json:"salt"`
	Used time.Time `json:"used"`
}

// code is for what a client gets its first tokens.
type code struct {
	Hash      string    `json:"hash"`
	Challenge string    `json:"challenge"`
	Redirect  string    `json:"redirect"`
	Made      time.Time `json:"made"`
}

// accessToken is one that a client asks with.
type accessToken struct {
	Hash   string    `json:"hash"`
	Scopes []string  `json:"scopes"`
	Made   time.Time `json:"made"`
}

// How long all that lasts.
const (
	codeLasts     = time.Minute
	accessLasts   = time.Hour
	resendLasts   = time.Minute          // clients wait half of that for an answer before they ask again
	grantIdle     = 30 * 24 * time.Hour  // without new tokens
	grantLasts    = 365 * 24 * time.Hour // of people with a token, which ends it sooner
	providedLasts = 7 * 24 * time.Hour   // of people whose provider is not asked again meanwhile
	skew          = 5 * time.Minute      // by which clocks of servers may differ
)

// Bounds of the file.
const (
	mostGrants  = 1000
	mostOfUser  = 50 // the one that was used longest ago makes room for the next
	mostWaiting = 10 // of a user, for their codes; the oldest makes room for the next
	staysEnded  = 30 * 24 * time.Hour
	lockTimeout = 5 * time.Second
	mostForNew  = reread.MostOfList / 4 * 3 // bytes: what there is has room for its next tokens
)

// isExpired tells a grant that gets no tokens any more, unless the clock be set back.
func (g *Grant) isExpired(now time.Time) bool { return !now.Before(g.EndAt(now)) }

// EndAt is when a grant has ended at a time: since it was not used, or was to. Of one that
// goes on it is when that ends at the latest.
func (g *Grant) EndAt(now time.Time) time.Time {
	if idle := g.Used.Add(grantIdle); idle.Before(g.Until) && !now.Before(idle) {
		return idle
	}
	return g.Until
}

// isValidAt tells whether what was made at a time and lasts so long counts now: not before
// it was made.
func isValidAt(made time.Time, lasts time.Duration, now time.Time) bool {
	age := now.Sub(made)
	return age >= -skew && age < lasts
}

// grantBook is what the file holds.
type grantBook struct {
	Key    []byte   `json:"key"` // signs what is given out
	Grants []*Grant `json:"grants"`
}

func (b *grantBook) find(id string) *Grant {
	if i := slices.IndexFunc(b.Grants, func(g *Grant) bool { return g.ID == id }); i >= 0 {
		return b.Grants[i]
	}
	return nil
}

func (b *grantBook) remove(id string) {
	b.Grants = slices.DeleteFunc(b.Grants, func(g *Grant) bool { return g.ID == id })
}

// Grants keeps grants in a file, which several servers may share and commands change: each
// reads it anew before it writes. Without the file all grants are ended.
type Grants struct {
	file  string
	files *reread.Files
	now   atomic.Pointer[grantBook]
	log   *slog.Logger
}

// GrantsFileIn is where grants are in the folder of configurations.
func GrantsFileIn(configuration string) string {
	return filepath.Join(configuration, "vademecum", "grants.json")
}

// OpenGrants reads a file, and makes it where there is none.
func OpenGrants(file string, log *slog.Logger) (*Grants, error) {
	g := &Grants{file: file, log: log}
	if err := g.updateFile(func(*grantBook) (bool, error) { return false, nil }); err != nil {
		return nil, err
	}
	var err error
	g.files, err = reread.Open(log, "the file of grants", g.readFile, file)
	return g, err
}

// ListGrants reads the grants of a file, which need not be there.
func ListGrants(file string) ([]Grant, error) {
	b, err := readGrantBook(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all := make([]Grant, 0, len(b.Grants))
	for _, g := range b.Grants {
		if g.Code == nil {
			all = append(all, *g)
		}
	}
	return all, nil
}

// EndGrants ends grants of a file, and tells which there were.
func EndGrants(file string, log *slog.Logger, ids []string) (ended []Grant, err error) {
	g := &Grants{file: file, log: log}
	err = g.updateFile(func(b *grantBook) (bool, error) {
		ended = nil
		for _, id := range ids {
			if it := b.find(id); it != nil {
				ended = append(ended, *it)
				b.remove(id)
			}
		}
		return len(ended) > 0, nil
	})
	return ended, err
}

var errDamaged = message.Errorf("it is damaged", "它已损坏")

func readGrantBook(file string) (*grantBook, error) {
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() { // to open a pipe may take for ever
		return nil, message.Errorf("read %s: it is no file", "读取 %s：它不是文件", file)
	}
	text, _, err := reread.ReadList(file)
	if err != nil {
		return nil, err
	}
	if len(text) == 0 { // as who mounts a file has to make it first
		return nil, message.Errorf("read %s: it is empty: %v", "读取 %s：它是空的：%v", file, fs.ErrNotExist)
	}
	var b grantBook
	if err := json.Unmarshal(text, &b); err != nil || len(b.Key) != keyLength || slices.Contains(b.Grants, nil) {
		return nil, message.Errorf("read %s: %v", "读取 %s：%v", file, errDamaged)
	}
	return &b, nil
}

const keyLength = 32

func newGrantBook() *grantBook {
	key := make([]byte, keyLength)
	_, _ = rand.Read(key) // it does not fail
	return &grantBook{Key: key}
}

// readFile takes in the file as it is now. One that is gone or damaged ends all grants: a
// change makes it anew. Damage also ends them where it cannot be made.
func (g *Grants) readFile() error {
	b, err := readGrantBook(g.file)
	isDamaged := errors.Is(err, errDamaged) // or it is being written over, which a change waits for
	switch {
	case err == nil:
		g.now.Store(b)
		return nil
	case errors.Is(err, fs.ErrNotExist):
		g.log.Warn("the file of grants is gone: all grants have ended", "file", g.file)
	case !isDamaged:
		return err
	}
	err = g.updateFile(func(*grantBook) (bool, error) { return false, nil })
	if err != nil && isDamaged {
		g.now.Store(newGrantBook())
	}
	return err
}

// currentBook is what is known now.
func (g *Grants) currentBook() *grantBook {
	g.files.RereadIfChanged()
	return g.now.Load()
}

// updateFile changes the file, if do says so: also when it returns an error, which is
// returned then. do may be called with grants that other servers have changed, and asks for
// nothing but what it gets: to read the file again may take the lock, too.
func (g *Grants) updateFile(do func(*grantBook) (changed bool, err error)) error {
	if err := os.MkdirAll(filepath.Dir(g.file), 0o700); err != nil {
		return message.Errorf("keep grants: %v", "保存授权：%v", err)
	}
	file, err := followLinks(g.file)
	if err != nil {
		return message.Errorf("keep grants: %v", "保存授权：%v", err)
	}
	lock := lockfile.New(file + ".lock")
	defer lock.Close()
	ctx, cancel := context.WithTimeout(context.Background(), lockTimeout)
	defer cancel()
	if locked, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil || !locked {
		return message.Errorf("keep grants: lock %s: %v", "保存授权：锁定 %s：%v", file, err)
	}
	leaveToOwner(file+".lock", file)
	b, isNew, err := g.readForUpdate(file)
	if err != nil {
		return message.Errorf("keep grants: %v", "保存授权：%v", err)
	}
	changed, err := do(b)
	if err != nil && !changed && !isNew { // what it did to them is not kept
		return err
	}
	if changed || isNew {
		if err := b.write(file); err != nil {
			return message.Errorf("keep grants: %v", "保存授权：%v", err)
		}
	}
	g.now.Store(b)
	return err
}

// readForUpdate reads the file for a change of it; isNew tells that it has to be written in any
// case. One that is damaged is set aside, and all grants have ended: what was known of them
// may have been revoked since.
func (g *Grants) readForUpdate(file string) (b *grantBook, isNew bool, err error) {
	b, err = readGrantBook(file)
	switch {
	case err == nil:
		g.restrictToOwner(file)
		return b, false, nil
	case errors.Is(err, fs.ErrNotExist):
		return newGrantBook(), true, nil
	case !errors.Is(err, errDamaged):
		return nil, false, err
	}
	aside := file + ".damaged"
	text, _, _ := reread.ReadList(file)
	if file != g.file && !isOfGrants(text) {
		return nil, false, message.Errorf("%s leads to %s, which is no file of grants", "%s 指向 %s，而它不是授权文件", g.file, file)
	}
	if err := replaceFile(aside, text); err != nil {
		return nil, false, err
	}
	leaveToOwner(aside, file)
	g.log.Warn("the file of grants is damaged and is set aside: all grants have ended, and programs have to be connected again", "file", file, "aside", aside)
	b = newGrantBook()
	if key := keyIn(text); key != nil {
		b.Key = key
	}
	return b, true, nil
}

// isOfGrants tells what may be left of a file of grants, whose end or all was lost. Whatever
// else a link leads to by mistake is left alone.
func isOfGrants(text []byte) bool { return len(text) == 0 || text[0] == '{' || text[0] == 0 }

// keyIn is the key of a file that is damaged, nil where that cannot be read. With it
// programs need not register again.
func keyIn(text []byte) (key []byte) {
	in := json.NewDecoder(bytes.NewReader(text))
	for _, before := range []json.Token{json.Delim('{'), "key"} {
		if got, err := in.Token(); err != nil || got != before {
			return nil
		}
	}
	if in.Decode(&key) != nil || len(key) != keyLength {
		return nil
	}
	return key
}

// restrictToOwner has only the owner read the file.
func (g *Grants) restrictToOwner(file string) {
	info, err := os.Stat(file)
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	err = os.Chmod(file, 0o600)
	g.log.Warn("others could read the file of grants: now its owner alone can, if there is no error", "file", file, "error", err)
}

// encode is what the file holds.
func (b *grantBook) encode() ([]byte, error) {
	text, err := json.MarshalIndent(b, "", " ")
	return append(text, '\n'), err
}

func (b *grantBook) write(file string) error {
	text, err := b.encode()
	switch {
	case err != nil:
		return err
	case len(text) > reread.MostOfList: // which nobody could read again
		return errLarge
	}
	return replaceFile(file, text)
}

// forget removes what nobody needs any more.
func (b *grantBook) forget(now time.Time) {
	b.Grants = slices.DeleteFunc(b.Grants, func(g *Grant) bool {
		return g.Code != nil && !isValidAt(g.Code.Made, codeLasts, now) || now.Sub(g.Until) >= staysEnded
	})
}

// addGrant takes in a grant that waits for its code. It counts among those alone, as nobody
// may end what works by asking.
func (b *grantBook) addGrant(it *Grant) error {
	own := b.all(func(g *Grant) bool { return g.Code != nil && g.UserID == it.UserID })
	if len(own) >= mostWaiting {
		b.remove(slices.MinFunc(own, func(x, y *Grant) int { return x.Made.Compare(y.Made) }).ID)
	}
	if len(b.Grants) >= 2*mostGrants {
		return errFull
	}
	b.Grants = append(b.Grants, it)
	if text, err := b.encode(); err != nil || len(text) > mostForNew {
		b.remove(it.ID)
		return cmp.Or(err, errLarge)
	}
	return nil
}

// admit makes room for a grant whose code is redeemed: when there are too many, those that
// have ended go before their time.
func (b *grantBook) admit(it *Grant, now time.Time) error {
	own := b.all(func(g *Grant) bool { return g.Code == nil && g.UserID == it.UserID })
	if len(own) >= mostOfUser {
		b.remove(slices.MinFunc(own, func(x, y *Grant) int { return x.Used.Compare(y.Used) }).ID)
	}
	if b.countRedeemed() >= mostGrants {
		b.Grants = slices.DeleteFunc(b.Grants, func(g *Grant) bool { return g.Code == nil && g.isExpired(now) })
	}
	if b.countRedeemed() >= mostGrants {
		return errFull
	}
	return nil
}

func (b *grantBook) countRedeemed() int {
	return len(b.all(func(g *Grant) bool { return g.Code == nil }))
}

func (b *grantBook) all(is func(*Grant) bool) []*Grant {
	return slices.DeleteFunc(slices.Clone(b.Grants), func(g *Grant) bool { return !is(g) })
}

var errFull = message.Errorf("there are %d grants, and no more are kept", "已有 %d 个授权，不再增加", mostGrants)

var errLarge = message.Errorf("grants take more than %d bytes, and no more are kept", "授权已超过 %d 字节，不再增加", mostForNew)
