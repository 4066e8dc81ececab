package web

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// writePair writes a certificate with a number, and its key.
func writePair(t *testing.T, cert, key string, number int64) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour)}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: signed}, key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCertificate: a pair that does not go together, as while it is being replaced,
// leaves the one before in use, which is told once.
func TestCertificate(t *testing.T) {
	var said bytes.Buffer
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePair(t, cert, key, 1)
	c, err := OpenCertificate(cert, key, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	number := func() int64 {
		shown, err := c.Config().GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		return shown.Leaf.SerialNumber.Int64()
	}
	other := filepath.Join(dir, "other.pem")
	writePair(t, other, filepath.Join(dir, "its key.pem"), 2)
	if err := os.Rename(other, cert); err != nil {
		t.Fatal(err)
	}
	_ = number()
	if number() != 1 || strings.Count(said.String(), "the certificate cannot be read again") != 1 {
		t.Errorf("with the key of another, %d is shown:\n%s", number(), said.String())
	}
	if err := c.Reread(); err == nil {
		t.Error("it can be read again")
	}
	if err := os.Rename(filepath.Join(dir, "its key.pem"), key); err != nil {
		t.Fatal(err)
	}
	if number() != 2 {
		t.Errorf("with its own key, %d is shown", number())
	}
}
