package signin

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"

	"vademecum/internal/app/web/reread"
	"vademecum/internal/base/message"
)

// EncryptionKey encrypts data that a server stores in browsers, which can then neither read nor forge it. The
// key alone gives no access: the data contains a token, which is checked at each request.
type EncryptionKey struct {
	folder string // "" for a key that only this process has
	files  *reread.Files
	seals  atomic.Pointer[cipher.AEAD]
	log    *slog.Logger
}

// NewEncryptionKey returns a key that only this process has.
func NewEncryptionKey() *EncryptionKey {
	k := &EncryptionKey{}
	if err := k.setSecret(newSecret()); err != nil {
		panic(err) // cannot fail: the length is right
	}
	return k
}

// OpenEncryptionKey reads the key in a folder, which several servers may share, and creates it if there is
// none. If the key is replaced or removed, it becomes invalid at once, which signs all users out.
func OpenEncryptionKey(folder string, log *slog.Logger) (*EncryptionKey, error) {
	k := &EncryptionKey{folder: folder, log: log}
	var err error
	k.files, err = reread.Open(log, "the key of the page's sessions", k.readFile, k.file())
	return k, err
}

func (k *EncryptionKey) file() string { return filepath.Join(k.folder, "key") }

const secretLength = 32

func newSecret() []byte {
	secret := make([]byte, secretLength)
	_, _ = rand.Read(secret) // never fails
	return secret
}

func (k *EncryptionKey) setSecret(secret []byte) error {
	block, err := aes.NewCipher(secret)
	if err != nil {
		return err
	}
	seals, err := cipher.NewGCMWithRandomNonce(block)
	if err == nil {
		k.seals.Store(&seals)
	}
	return err
}

var errNoKey = message.Errorf("it is not a key")

// readFile reads the key file, or creates it. A new file is read back, as another server may have
// created it at the same time: all servers use the key in the file.
func (k *EncryptionKey) readFile() error {
	secret, err := readKey(k.file())
	switch {
	case err == nil:
		k.restrictToOwner()
		return k.setSecret(secret)
	case errors.Is(err, errNoKey):
		k.log.Warn("the key of the page's sessions is damaged and is replaced: who was signed in has to do it again", "file", k.file(), "error", err)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	case k.seals.Load() != nil:
		k.log.Warn("the key of the page's sessions is gone and a new one is made: who was signed in has to do it again", "file", k.file())
	}
	text := base64.StdEncoding.EncodeToString(newSecret()) + "\n"
	if err := writeFile(k.file(), text, errors.Is(err, errNoKey)); err != nil {
		return err
	}
	if secret, err = readKey(k.file()); err != nil {
		return err
	}
	return k.setSecret(secret)
}

// restrictToOwner removes other users' permissions on the key file.
func (k *EncryptionKey) restrictToOwner() {
	info, err := os.Stat(k.file())
	if err != nil || runtime.GOOS == "windows" || info.Mode().Perm()&0o077 == 0 {
		return
	}
	err = os.Chmod(k.file(), 0o600)
	k.log.Warn("others could read the key of the page's sessions: now its owner alone can, if there is no error", "file", k.file(), "error", err)
}

// readKey reads a key file. The error matches errNoKey if the file does not contain a key.
func readKey(file string) ([]byte, error) {
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, message.Errorf("%s is not a file", file)
	}
	text, _, err := reread.ReadFile(file)
	if err != nil {
		return nil, err
	}
	secret, err := base64.StdEncoding.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(secret) != secretLength {
		return nil, errNoKey
	}
	return secret, nil
}

// writeFile writes a file that only its owner may read, atomically. Unless replace is set, an
// existing file stays as it is.
func writeFile(file, text string, replace bool) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".new-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if replace {
		return os.Rename(f.Name(), file)
	}
	err = os.Link(f.Name(), file)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	return os.Rename(f.Name(), file) // not all drives support links
}

// seal encrypts a text for a purpose. It can be decrypted only for the same purpose.
func (k *EncryptionKey) seal(purpose, text string) string {
	k.rereadIfChanged()
	return base64.RawURLEncoding.EncodeToString((*k.seals.Load()).Seal(nil, nil, []byte(text), []byte(purpose)))
}

// open decrypts a text that was encrypted with this key for a purpose; for any other text the error
// is ErrInvalidToken.
func (k *EncryptionKey) open(purpose, sealed string) (string, error) {
	k.rereadIfChanged()
	secret, err := base64.RawURLEncoding.Strict().DecodeString(sealed)
	if err != nil || strings.ContainsAny(sealed, "\r\n") { // the decoder would ignore line breaks
		return "", ErrInvalidToken
	}
	text, err := (*k.seals.Load()).Open(nil, nil, secret, []byte(purpose))
	if err != nil {
		return "", ErrInvalidToken
	}
	return string(text), nil
}

// rereadIfChanged reads the key file again if it has changed.
func (k *EncryptionKey) rereadIfChanged() {
	if k.files != nil {
		k.files.ReloadIfChanged()
	}
}
