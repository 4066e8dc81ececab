package oauth

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var quiet = slog.New(slog.DiscardHandler)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, file string) *GrantStore {
	t.Helper()
	g, err := OpenGrantStore(file, quiet)
	must(t, err)
	return g
}

// put adds a grant of a user.
func (g *GrantStore) put(t *testing.T, id, user string, used time.Time) {
	t.Helper()
	must(t, g.updateFile(func(b *storedGrants) (bool, error) {
		return true, b.addPending(&Grant{ID: id, UserID: user, Created: used, LastUsed: used, ExpiresAt: used.Add(grantLifetime), RefreshTokenHash: "x"})
	}))
}

// TestGrantsShared checks that servers that share a file lose no changes, and see each other's.
func TestGrantsShared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "conf", "grants.json")
	var all sync.WaitGroup
	for i := range 4 {
		g := open(t, file)
		all.Go(func() {
			for j := range 10 {
				g.put(t, fmt.Sprintf("%02d%02d", i, j), fmt.Sprint("user ", i), time.Now())
			}
		})
	}
	all.Wait()
	g, h := open(t, file), open(t, file)
	if got := len(g.current().Grants); got != 40 {
		t.Errorf("%d grants are left", got)
	}
	text, ok := h.verifyPayload(prefixClient, g.signPayload(prefixClient, []byte("x")))
	if !ok || string(text) != "x" {
		t.Error("what one has signed is unknown to the other")
	}
	if _, ok := h.verifyPayload(prefixConsent, strings.Replace(g.signPayload(prefixClient, []byte("x")), prefixClient, prefixConsent, 1)); ok {
		t.Error("what is signed for one purpose counts for another")
	}
	ended, err := EndGrants(file, quiet, []string{"0102", "none"})
	if err != nil || len(ended) != 1 || h.current().find("0102") != nil || h.current().find("0103") == nil {
		t.Errorf("ended: %v, %v", ended, err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestNextSecret checks that the next token is the same for the same salt, and cannot be derived
// with another key, an older salt or another token.
func TestNextSecret(t *testing.T) {
	g, h := open(t, filepath.Join(t.TempDir(), "grants.json")), open(t, filepath.Join(t.TempDir(), "grants.json"))
	want := g.current().deriveToken(prefixRefresh, "00000001", "salt", "sent")
	if id, ok := g.grantIDOf(prefixRefresh, want); !ok || id != "00000001" || g.current().deriveToken(prefixRefresh, "00000001", "salt", "sent") != want {
		t.Errorf("it is %s, of the grant %s", want, id)
	}
	secretOf := func(g *GrantStore, kind, salt, sent string) string {
		payload, ok := g.verifyPayload(kind, g.current().deriveToken(kind, "00000001", salt, sent))
		if !ok {
			t.Fatal("it is not signed")
		}
		return string(payload[grantIDLength:])
	}
	secret := secretOf(g, prefixRefresh, "salt", "sent")
	for name, other := range map[string]string{
		"kind": secretOf(g, prefixAccess, "salt", "sent"), "salt": secretOf(g, prefixRefresh, "other", "sent"),
		"token": secretOf(g, prefixRefresh, "salt", "other"), "key": secretOf(h, prefixRefresh, "salt", "sent"),
	} {
		if other == secret {
			t.Errorf("with another %s it is the same", name)
		}
	}
}

// TestGrantsFile checks that without the file all grants have ended, and that a damaged file is set
// aside, as grants that ended meanwhile must not return.
func TestGrantsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grants.json")
	var log strings.Builder
	g, err := OpenGrantStore(file, slog.New(slog.NewTextHandler(&log, nil)))
	must(t, err)
	signed := g.signPayload(prefixClient, []byte("x"))
	for _, kept := range []struct {
		bytes int // length of the beginning of the file that is kept
		isKey bool
	}{{64, true}, {9, false}} {
		g.put(t, "0001", "alice", time.Now())
		_, err := EndGrants(file, quiet, []string{"0001"})
		must(t, err)
		must(t, os.Truncate(file, int64(kept.bytes)))
		log.Reset()
		g.put(t, "0002", "alice", time.Now())
		if _, err := os.Stat(file + ".damaged"); err != nil || strings.Count(log.String(), "damaged and is set aside") != 1 {
			t.Errorf("%v, the log has %q", err, &log)
		}
		other := open(t, file)
		if _, ok := other.verifyPayload(prefixClient, signed); ok != kept.isKey || other.current().find("0001") != nil || other.current().find("0002") == nil {
			t.Errorf("of %d bytes: the key is kept: %v, %d grants", kept.bytes, ok, len(other.current().Grants))
		}
		must(t, os.Truncate(file, int64(kept.bytes)))
		if g.current().find("0002") != nil {
			t.Error("a damaged file ends nothing")
		}
	}
	must(t, os.Remove(file))
	if _, ok := g.verifyPayload(prefixClient, signed); ok || len(g.current().Grants) != 0 {
		t.Error("without the file grants go on")
	}
	if _, err := os.Stat(file); err != nil {
		t.Error(err)
	}
	must(t, os.WriteFile(file, []byte("x"), 0o644))
	if _, err := ListGrants(file); !errors.Is(err, errDamaged) {
		t.Errorf("a command: %v", err)
	}
	if all, err := ListGrants(file + "none"); err != nil || all != nil {
		t.Errorf("none: %v, %v", all, err)
	}
}

// TestGrantsKeptForOwner checks that other users' permissions on the file are removed.
func TestGrantsKeptForOwner(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such permissions")
	}
	file := filepath.Join(t.TempDir(), "grants.json")
	open(t, file)
	must(t, os.Chmod(file, 0o644))
	open(t, file)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

// TestGrantsLinked checks that a symbolic link to the file is kept, and that servers that use
// different paths of the file share it.
func TestGrantsLinked(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("to make links takes rights of its own there")
	}
	dir := t.TempDir()
	link, between, file := filepath.Join(dir, "conf", "grants.json"), filepath.Join(dir, "dot", "between"), filepath.Join(dir, "real", "kept.json")
	for _, path := range []string{"dot/files", "real"} {
		must(t, os.MkdirAll(filepath.Join(dir, path), 0o700))
	}
	must(t, os.Symlink(filepath.Join("dot", "files"), filepath.Dir(link)))
	must(t, os.Symlink(filepath.Join("..", "between"), link)) // relative to dot/files, not to conf
	must(t, os.Symlink(file, between))
	g := open(t, link) // the file is created at the end of the links
	direct := open(t, file)
	g.put(t, "0001", "alice", time.Now())
	direct.put(t, "0002", "alice", time.Now())
	must(t, os.WriteFile(file, []byte("{"), 0o600))
	g.put(t, "0003", "alice", time.Now())
	if direct.current().find("0003") == nil || g.current().find("0001") != nil {
		t.Error("they have not the same grants")
	}
	for _, path := range []string{link, between} {
		if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("%s is no link any more: %v", path, err)
		}
	}
	if _, err := os.Lstat(file + ".damaged"); err != nil {
		t.Error(err)
	}
	for to, why := range map[string]string{os.DevNull: "is not a file", dir: "is not a file", filepath.Join(dir, "nowhere", "x"): "no such file"} {
		must(t, os.Remove(between))
		must(t, os.Symlink(to, between))
		if _, err := OpenGrantStore(link, quiet); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("a link to %s: %v", to, err)
		}
	}
	must(t, os.Remove(between))
	must(t, os.Symlink(link, between))
	if _, err := EndGrants(link, quiet, []string{"0003"}); err == nil || !strings.Contains(err.Error(), "too many links") {
		t.Errorf("links in a ring: %v", err)
	}
}

// TestGrantsOverwritten checks that a file that cannot be replaced is overwritten without ever
// losing content, and that a file mounted empty counts as missing.
func TestGrantsOverwritten(t *testing.T) {
	file := filepath.Join(t.TempDir(), "grants.json")
	must(t, os.WriteFile(file, nil, 0o644))
	before, err := os.Stat(file)
	must(t, err)
	b := newStoredGrants()
	for _, n := range []int{0, 20, 3, 0, 40} {
		b.Grants = nil
		for i := range n {
			b.Grants = append(b.Grants, &Grant{ID: fmt.Sprint(i)})
		}
		text, err := json.Marshal(b)
		must(t, err)
		must(t, overwriteFile(file, text))
		got, err := readStoredGrants(file)
		if err != nil || len(got.Grants) != n {
			t.Fatalf("%d grants: %v", n, err)
		}
	}
	if after, err := os.Stat(file); err != nil || !os.SameFile(before, after) || runtime.GOOS != "windows" && after.Mode().Perm() != 0o600 {
		t.Errorf("it is another file, or others can read it: %v, %v", after.Mode(), err)
	}
	must(t, os.WriteFile(file, nil, 0o600))
	if all, err := ListGrants(file); err != nil || len(all) != 0 {
		t.Errorf("an empty file: %v, %v", all, err)
	}
	open(t, file).put(t, "0001", "alice", time.Now())
	if _, err := os.Lstat(file + ".damaged"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an empty file is damaged: %v", err)
	}
}

// TestGrantsUnkept checks that if the file cannot be written, no tokens are issued and nothing is
// lost.
func TestGrantsUnkept(t *testing.T) {
	if os.Getuid() <= 0 {
		t.Skip("whoever runs this may write everywhere")
	}
	dir := t.TempDir()
	g := open(t, filepath.Join(dir, "grants.json"))
	g.put(t, "0001", "alice", time.Now())
	must(t, os.Chmod(dir, 0o500))
	defer func() { _ = os.Chmod(dir, 0o700) }()
	err := g.updateFile(func(b *storedGrants) (bool, error) { b.remove("0001"); return true, nil })
	if !errors.Is(err, fs.ErrPermission) || g.current().find("0001") == nil {
		t.Errorf("%v", err)
	}
}

// redeem adds a grant as if its code had been redeemed.
func (b *storedGrants) redeem(it *Grant, at ...time.Time) error {
	it.Code = &authorizationCode{}
	if err := b.addPending(it); err != nil {
		return err
	}
	if err := b.makeRoomFor(it, append(at, it.ExpiresAt.Add(-grantLifetime))[0]); err != nil {
		return err
	}
	it.Code = nil
	return nil
}

// TestGrantsBounded checks that beyond the limit of a user the least recently used grant is
// removed, but no grant of another user and no pending one, and that grants that ended long ago are
// removed.
func TestGrantsBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does the work, which finds no races")
	}
	now := time.Now()
	var b storedGrants
	for i := range maxGrantsOfUser {
		must(t, b.redeem(&Grant{ID: fmt.Sprint("a", i), UserID: "alice", LastUsed: now.Add(time.Duration((i+7)%maxGrantsOfUser) * time.Second), ExpiresAt: now.Add(grantLifetime)}))
	}
	must(t, b.redeem(&Grant{ID: "bob", UserID: "bob", LastUsed: now.Add(-grantIdleTime), ExpiresAt: now.Add(grantLifetime)}))
	for i := range 2 * maxPendingOfUser {
		must(t, b.addPending(&Grant{ID: fmt.Sprint("w", i), UserID: "alice", Created: now.Add(time.Duration(i) * time.Second), ExpiresAt: now.Add(grantLifetime), Code: &authorizationCode{Created: now}}))
	}
	if len(b.Grants) != maxGrantsOfUser+1+maxPendingOfUser || b.find(fmt.Sprint("w", maxPendingOfUser-1)) != nil {
		t.Errorf("%d are left, with those that wait", len(b.Grants))
	}
	b.removeExpired(now.Add(codeLifetime))
	must(t, b.redeem(&Grant{ID: "more", UserID: "alice", LastUsed: now, ExpiresAt: now.Add(grantLifetime)}))
	if b.find(fmt.Sprint("a", maxGrantsOfUser-7)) != nil || b.find("bob") == nil || len(b.Grants) != maxGrantsOfUser+1 {
		t.Errorf("%d are left, and not the right ones", len(b.Grants))
	}
	for i := len(b.Grants); i < maxGrants; i++ {
		must(t, b.redeem(&Grant{ID: fmt.Sprint(i), UserID: fmt.Sprint(i), LastUsed: now, ExpiresAt: now.Add(grantLifetime)}))
	}
	if err := b.redeem(&Grant{ID: "last", UserID: "carol", ExpiresAt: now}); !errors.Is(err, errTooManyGrants) {
		t.Errorf("one too many: %v", err)
	}
	if err := b.redeem(&Grant{ID: "after", UserID: "carol", LastUsed: now.Add(grantIdleTime), ExpiresAt: now.Add(grantLifetime)}, now.Add(grantIdleTime)); err != nil || b.find("bob") != nil || b.find("after") == nil {
		t.Errorf("those that were not used for long leave no room: %v", err)
	}
	later := now.Add(grantLifetime + endedGrantRetention)
	b.removeExpired(later)
	if err := b.redeem(&Grant{ID: "last", UserID: "carol", ExpiresAt: later}); err != nil || len(b.Grants) != 1 {
		t.Errorf("%d are left, %v", len(b.Grants), err)
	}
}

// TestGrantsLarge checks that new grants are refused before the file becomes too large to read,
// while existing ones get tokens.
func TestGrantsLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("one goroutine does the work, which finds no races")
	}
	file := filepath.Join(t.TempDir(), "grants.json")
	g, now := open(t, file), time.Now()
	groups := make([]string, 20_000)
	for i := range groups {
		groups[i] = fmt.Sprintf("group %d", i)
	}
	var all []string
	err := g.updateFile(func(b *storedGrants) (bool, error) {
		for i := range maxGrants {
			it := &Grant{ID: fmt.Sprint(i), UserID: fmt.Sprint(i), Groups: groups, LastUsed: now, ExpiresAt: now.Add(grantLifetime), Code: &authorizationCode{Created: now}}
			if err := b.addPending(it); err != nil {
				return true, err
			}
			all = append(all, it.ID)
		}
		return true, nil
	})
	if !errors.Is(err, errFileTooLarge) || len(all) == 0 || g.current().find(fmt.Sprint(len(all))) != nil {
		t.Fatalf("%d are kept: %v", len(all), err)
	}
	for _, id := range all {
		must(t, g.updateFile(func(b *storedGrants) (bool, error) {
			it := b.find(id)
			it.AccessTokens = []accessToken{{Created: now}, {Created: now}}
			b.rotateTokens(it, "code", []string{"read"}, now)
			return true, b.makeRoomFor(it, now)
		}))
	}
	if other := open(t, file); len(other.current().Grants) != len(all) {
		t.Errorf("%d of %d are read again", len(other.current().Grants), len(all))
	}
	must(t, g.updateFile(func(b *storedGrants) (bool, error) { b.Grants = nil; return true, nil }))
	err = g.updateFile(func(b *storedGrants) (bool, error) {
		return true, b.addPending(&Grant{ID: "x", Groups: slices.Repeat(groups, 20)})
	})
	if !errors.Is(err, errFileTooLarge) || len(g.current().Grants) != 0 {
		t.Errorf("one that is too large alone: %v", err)
	}
}

// TestGrantsChangeFails checks that a failed change has no effect.
func TestGrantsChangeFails(t *testing.T) {
	g := open(t, filepath.Join(t.TempDir(), "grants.json"))
	g.put(t, "0001", "alice", time.Now())
	g.current() // so that the file need not be read again
	err := g.updateFile(func(b *storedGrants) (bool, error) { b.remove("0001"); return false, errTooManyGrants })
	if !errors.Is(err, errTooManyGrants) || g.current().find("0001") == nil {
		t.Errorf("it counts after %v", err)
	}
}

// TestGrantsGoneMeanwhile checks that removing the file while tokens are issued causes no deadlock.
func TestGrantsGoneMeanwhile(t *testing.T) {
	var said strings.Builder
	file, now := filepath.Join(t.TempDir(), "grants.json"), time.Now()
	g, err := OpenGrantStore(file, slog.New(slog.NewTextHandler(&said, nil)))
	must(t, err)
	var got tokenResponse
	must(t, g.updateFile(func(b *storedGrants) (bool, error) {
		it := &Grant{ID: "00000001", UserID: "alice", Created: now, LastUsed: now, ExpiresAt: now.Add(grantLifetime), Code: &authorizationCode{Created: now}}
		must(t, b.addPending(it))
		must(t, os.Remove(file))
		got = b.rotateTokens(it, "code", []string{"read"}, now)
		return true, nil
	}))
	if id, ok := g.grantIDOf(prefixAccess, got.AccessToken); !ok || g.current().find(id) == nil || said.Len() > 0 {
		t.Errorf("the token is of %q, %v\n%s", id, ok, said.String())
	}
}

// TestEndAt checks that a grant ends when it is idle or has expired.
func TestEndAt(t *testing.T) {
	now := time.Now()
	g := &Grant{LastUsed: now, ExpiresAt: now.Add(grantLifetime)}
	for after, want := range map[time.Duration]time.Duration{0: grantLifetime, grantIdleTime - 1: grantLifetime, grantIdleTime: grantIdleTime, 2 * grantLifetime: grantIdleTime, -grantLifetime: grantLifetime} {
		at := now.Add(after)
		if got := g.EndTime(at).Sub(now); got != want || g.isExpired(at) != (after >= grantIdleTime) {
			t.Errorf("after %v it ends after %v, want %v; expired: %v", after, got, want, g.isExpired(at))
		}
	}
	if g.LastUsed = now.Add(grantLifetime - time.Hour); !g.isExpired(now.Add(grantLifetime)) || g.isExpired(now.Add(grantLifetime-1)) {
		t.Error("one that was just used does not end when it was to")
	}
}

// FuzzRedirects checks that an accepted redirect URI leads to the host that users are shown, and
// executes nothing.
func FuzzRedirects(f *testing.F) {
	for _, uri := range []string{"https://claude.ai/api/mcp/auth_callback", "http://127.0.0.1:8080/cb?a=b", "cursor://x/y", "javascript:alert(1)", "https://a@b/c", "http://[::1]/", "com.example:/x", "HTTPS://A/", "data://x"} {
		f.Add(uri)
	}
	f.Fuzz(func(t *testing.T, uri string) {
		if checkRedirectURI(uri) != nil {
			return
		}
		s := &Server{o: Options{Issuer: "https://kb.example"}}
		back := s.redirectURL(AuthorizationRequest{RedirectURI: uri, State: "s"}, "code", "c")
		name, isOnDevice := redirectTarget(uri)
		again, isOwnToo := redirectTarget(back)
		if name == "" || name != again || isOnDevice != isOwnToo || strings.ContainsAny(back, "\r\n \"<>#") || checkRedirectURI(uri+"#") == nil {
			t.Errorf("%q leads to %q: %q, %q", uri, back, name, again)
		}
		if scheme, _, _ := strings.Cut(strings.ToLower(back), ":"); !slices.Contains(append(editorSchemes, "https", "http"), scheme) && !strings.Contains(scheme, ".") {
			t.Errorf("%q may run something", back)
		}
		if c := (Client{RedirectURIs: []string{uri}}); !c.allowsRedirectURI(uri) {
			t.Errorf("%q is not itself", uri)
		}
	})
}

// TestNames checks that invisible characters are removed from names, and that a name is one line.
func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"A" + strings.Repeat("\u0301", 70) + "b\u0301": "A\u0301\u0301\u0301b\u0301", "\u1000\u103c\u103d\u1031\u1038": "\u1000\u103c\u103d\u1031\u1038",
		"Claude": "Claude", "Claude\u200b\u200d": "Claude", "\u202eedualC\u202c": "edualC", "\u2066a\u2069\u200e\u200f\u061c": "a", "Cl\u00adaude\ufeff": "Claude",
		"a\nb\r\tc\u2028d\u0085e": "a b c d e", " \u3000a\u00a0\u00a0b ": "a b", "\u3164\u115f\u2800\u034f": "", "a\ufe0f\U000e0041\U000e0100": "a", "a\x1b[31m\x00": "a[31m", "a\xff": "a\ufffd",
		"病历助手 2": "病历助手 2", "Überblick é": "Überblick é", "🧭 Kompass": "🧭 Kompass", "קלוד": "קלוד", "\u200b": "", strings.Repeat("x\u200b", 81): strings.Repeat("x", 80) + "…",
	} {
		c, err := clientMetadata{Name: name, RedirectURIs: []string{"https://a.example/"}}.toClient()
		if err != nil || c.Name != want {
			t.Errorf("%q is %q, want %q: %v", name, c.Name, want, err)
		}
	}
}

// FuzzDocuments checks that every document yields a client with valid redirect URIs, or an error.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte(goodDocument))
	f.Add([]byte(`{"client_id":1}`))
	f.Add([]byte(strings.Replace(goodDocument, "Claude", "Cl\u200bau\u202ede\u3164", 1)))
	f.Add([]byte(`{"client_id":"` + documentID + `","redirect_uris":[null]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := parseDocument(documentID, text)
		if err != nil {
			return
		}
		if len(c.RedirectURIs) == 0 || len([]rune(c.Name)) > maxNameLength+1 || strings.ContainsAny(c.Name, "\n\r\u202e\u200b\u2066\ufeff\u3164\u00ad\U000e0041") {
			t.Errorf("%+v", c)
		}
		for _, uri := range c.RedirectURIs {
			if checkRedirectURI(uri) != nil {
				t.Errorf("%q", uri)
			}
		}
	})
}
