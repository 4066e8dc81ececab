package signin

import (
	"bytes"
	"encoding/base64"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
)

// openKey opens the key in a folder, and returns it with the log.
func openKey(t *testing.T, folder string) (k *EncryptionKey, said *bytes.Buffer) {
	t.Helper()
	said = new(bytes.Buffer)
	k, err := OpenEncryptionKey(folder, slog.New(slog.NewTextHandler(said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	return k, said
}

func (k *EncryptionKey) opens(sealed string) bool {
	text, err := k.open("test", sealed)
	return err == nil && text == "text"
}

// TestKey checks that a key can be read only by its owner, and is the same for all who open it.
func TestKey(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "sessions")
	keys := make([]*EncryptionKey, 16)
	var all sync.WaitGroup
	for i := range keys {
		all.Go(func() { keys[i], _ = openKey(t, folder) })
	}
	all.Wait()
	sealed := keys[0].seal("test", "text")
	for i, k := range keys {
		if !k.opens(sealed) {
			t.Errorf("key %d is another", i)
		}
	}
	if _, err := keys[0].open("another purpose", sealed); err == nil {
		t.Error("it opens for any purpose")
	}
	info, err := os.Stat(filepath.Join(folder, "key"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if files, _ := os.ReadDir(folder); len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
}

// TestDamagedKey checks that a damaged key file is replaced, which is logged, and that other users'
// permissions are removed.
func TestDamagedKey(t *testing.T) {
	whole := base64.StdEncoding.EncodeToString(make([]byte, secretLength))
	for name, text := range map[string]string{"empty": "", "cut": whole[:20], "longer": whole + whole, "zeros": strings.Repeat("\x00", 45), "something else": "alice sha256:00 read\n", "large": strings.Repeat("A", 1<<20)} {
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "key"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		k, said := openKey(t, folder)
		if lines := strings.Count(said.String(), "\n"); lines != 1 || !strings.Contains(said.String(), "damaged and is replaced") {
			t.Errorf("%s: %s", name, said)
		}
		again, said := openKey(t, folder)
		if !again.opens(k.seal("test", "text")) || said.Len() > 0 {
			t.Errorf("%s: it is another when opened again: %s", name, said)
		}
		if info, err := os.Stat(filepath.Join(folder, "key")); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	folder := t.TempDir()
	k, _ := openKey(t, folder)
	if err := os.Chmod(filepath.Join(folder, "key"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, said := openKey(t, folder)
	if info, err := os.Stat(filepath.Join(folder, "key")); err != nil || info.Mode().Perm() != 0o600 || !strings.Contains(said.String(), "others could read") || !again.opens(k.seal("test", "text")) {
		t.Errorf("%v, %v: %s", info.Mode(), err, said)
	}
}

// TestReplacedKey checks that removing or replacing the key signs all users out while the server is
// running.
func TestReplacedKey(t *testing.T) {
	folder := t.TempDir()
	k, said := openKey(t, folder)
	beside, _ := openKey(t, folder)
	before := k.seal("test", "text")
	if err := os.Remove(filepath.Join(folder, "key")); err != nil {
		t.Fatal(err)
	}
	if k.opens(before) || beside.opens(before) || !strings.Contains(said.String(), "gone") {
		t.Errorf("what was sealed before is opened: %s", said)
	}
	if !beside.opens(k.seal("test", "text")) {
		t.Error("two servers have different keys")
	}
	if err := writeFile(filepath.Join(folder, "key"), base64.StdEncoding.EncodeToString(newSecret()), true); err != nil {
		t.Fatal(err)
	}
	if !k.opens(beside.seal("test", "text")) {
		t.Error("a key that was put there is not taken up")
	}
}

// TestNoPlaceForKey checks the error if the key cannot be stored.
func TestNoPlaceForKey(t *testing.T) {
	folder := t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "key"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{folder, filepath.Join(folder, "key", "\x00")} {
		if _, err := OpenEncryptionKey(at, slog.New(slog.DiscardHandler)); err == nil {
			t.Errorf("there is a key in %q", at)
		}
	}
}
