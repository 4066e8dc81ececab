package web

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// writePair writes a certificate with a serial number, and its key.
func writePair(t *testing.T, cert, key string, number int64) {
	t.Helper()
	writeCertificate(t, cert, key, &x509.Certificate{SerialNumber: big.NewInt(number), NotAfter: time.Now().Add(time.Hour)})
}

func writeCertificate(t *testing.T, cert, key string, about *x509.Certificate) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
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

// TestCertificate checks that a certificate and key that do not match, as during a replacement,
// leave the previous pair in use, and are logged once.
func TestCertificate(t *testing.T) {
	var said bytes.Buffer
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writePair(t, cert, key, 1)
	c, err := OpenCertificate(cert, key, nil, slog.New(slog.NewTextHandler(&said, nil)))
	if err != nil {
		t.Fatal(err)
	}
	number := func() int64 {
		shown, err := c.TLSConfig().GetCertificate(nil)
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
	if err := c.Reload(); err == nil {
		t.Error("it can be read again")
	}
	if err := os.Rename(filepath.Join(dir, "its key.pem"), key); err != nil {
		t.Fatal(err)
	}
	if number() != 2 {
		t.Errorf("with its own key, %d is shown", number())
	}
}

// TestCertificateWarns checks that reasons why clients reject a certificate are logged at the start
// and after a reload, and that the metrics have its remaining days.
func TestCertificateWarns(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	const day = 24 * time.Hour
	for name, c := range map[string]struct {
		from, until time.Duration
		of, reached []string
		want        []string
	}{
		"good":         {-day, 90 * day, []string{"kb.example.com"}, []string{"kb.example.com"}, nil},
		"of a domain":  {-day, 90 * day, []string{"*.example.com"}, []string{"kb.example.com"}, nil},
		"no name":      {-day, 90 * day, []string{"kb.example.com"}, nil, nil},
		"expired":      {-90 * day, -2 * day, []string{"kb.example.com"}, []string{"kb.example.com"}, []string{"has expired"}},
		"soon":         {-80 * day, 5 * day, []string{"kb.example.com"}, []string{"kb.example.com"}, []string{"expires soon"}},
		"not yet":      {day, 90 * day, []string{"kb.example.com"}, []string{"kb.example.com"}, []string{"not valid yet"}},
		"another name": {-day, 90 * day, []string{"example.com"}, []string{"kb.example.com", "192.0.2.1"}, []string{"name=kb.example.com", "name=192.0.2.1"}},
		"both":         {-90 * day, -2 * day, []string{"example.com"}, []string{"kb.example.com"}, []string{"has expired", "name=kb.example.com"}},
	} {
		var said bytes.Buffer
		now := time.Now()
		writeCertificate(t, cert, key, &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(c.from), NotAfter: now.Add(c.until), DNSNames: c.of})
		opened, err := OpenCertificate(cert, key, c.reached, slog.New(slog.NewTextHandler(&said, nil)))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if strings.Count(said.String(), "level=WARN") != len(c.want) {
				t.Errorf("%s: %s", name, said.String())
			}
			for _, want := range c.want {
				if !strings.Contains(said.String(), want) {
					t.Errorf("%s: no %q in %s", name, want, said.String())
				}
			}
			said.Reset()
			if err := opened.Reload(); err != nil {
				t.Error(err)
			}
		}
		s := watchedServer(t, Options{})
		s.o.Stats.WatchCertificate(opened)
		_, left, _ := strings.Cut(ask(s, "GET", "/metrics").Body.String(), "\nvademecum_certificate_days_left ")
		left, _, _ = strings.Cut(left, "\n")
		if days, err := strconv.ParseFloat(left, 64); err != nil || math.Abs(days-c.until.Hours()/24) > 0.5 {
			t.Errorf("%s: %q days are left", name, left)
		}
	}
}
