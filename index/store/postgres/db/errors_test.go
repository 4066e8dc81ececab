package db

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

// TestErrors: what an error comes to for whoever uses a catalogue, and whether to try
// again.
func TestErrors(t *testing.T) {
	server := func(code string) error {
		return fmt.Errorf("save a.md: %w", &pgconn.PgError{Severity: "ERROR", Code: code, Message: "no"})
	}
	for _, c := range []struct {
		name    string
		err     error
		passing bool
		as      error // nil: itself alone
	}{
		{"nothing", nil, false, nil},
		{"full disk", server("53100"), false, catalog.ErrDatabaseReadOnly},
		{"replica", server("25006"), true, catalog.ErrDatabaseReadOnly},
		{"held lock", server("55P03"), false, catalog.ErrLocked},
		{"deadlock", server("40P01"), true, nil},
		{"shutdown", server("57P01"), true, catalog.ErrDatabaseUnreachable},
		{"starting", server("57P03"), true, catalog.ErrDatabaseUnreachable},
		{"pooler without a server", server("08P01"), true, catalog.ErrDatabaseUnreachable},
		{"ended by the server behind it", &pgconn.PgError{Severity: "FATAL", Code: "55000", Message: "no"}, true, catalog.ErrDatabaseUnreachable},
		{"ended in the server's language", &pgconn.PgError{Severity: "致命错误", SeverityUnlocalized: "FATAL", Code: "57P05", Message: "no"}, true, catalog.ErrDatabaseUnreachable},
		{"wrong password behind it", &pgconn.PgError{Severity: "FATAL", Code: "28P01", Message: "no"}, false, catalog.ErrSetupRequired},
		{"full disk, for who connects", errors.Join(new(pgconn.ConnectError), server("53100")), true, catalog.ErrSetupRequired},
		{"closed to all", errors.Join(new(pgconn.ConnectError), server("55000")), true, catalog.ErrDatabaseUnreachable},
		{"no rights", server("42501"), false, catalog.ErrSetupRequired},
		{"wrong password", server("28P01"), false, catalog.ErrSetupRequired},
		{"broken connection", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true, catalog.ErrDatabaseUnreachable},
		{"no answer", context.DeadlineExceeded, true, catalog.ErrDatabaseUnreachable},
		{"given up", context.Canceled, false, nil},
		{"two of one key", server("23505"), false, catalog.ErrDamaged},
		{"a row of a library that is gone", server("23503"), false, catalog.ErrSetupRequired},
		{"a value that is not allowed", server("23514"), false, nil},
		{"damage", catalog.ErrDamaged, false, catalog.ErrDamaged},
	} {
		marked := ClassifyError(c.err)
		if isTransient(c.err) != c.passing || !errors.Is(marked, c.err) || c.as != nil && !errors.Is(marked, c.as) {
			t.Errorf("%s: passing %t, marked %v", c.name, isTransient(c.err), marked)
		}
		for _, other := range []error{catalog.ErrDatabaseUnreachable, catalog.ErrSetupRequired, catalog.ErrDatabaseReadOnly, catalog.ErrWriteRejected, catalog.ErrLocked, catalog.ErrDamaged} {
			if errors.Is(marked, other) && !errors.Is(other, c.as) {
				t.Errorf("%s is taken for: %v", c.name, other)
			}
		}
	}
}

// TestErrorsInALine: what is reported of an error is one readable line.
func TestErrorsInALine(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&pgconn.PgError{Code: "28P01", Message: "no user \"a\xe6\x95\""}, "the password is wrong or missing: give it in PGPASSWORD or in the file ~/.pgpass (SQLSTATE 28P01)"},
		{&pgconn.PgError{Code: "53300", Message: "sorry,\n\ttoo many clients"}, "the database cannot be reached: sorry, too many clients"},
		{fmt.Errorf("dial: %w", &net.DNSError{Err: "no such host", Name: "db.invalid"}), "the database cannot be reached: the host db.invalid cannot be looked up: no such host"},
		{errors.Join(new(pgconn.ConnectError), &pgconn.PgError{Severity: "FATAL", Code: "53100", Message: "could not write init file: No space left on device"}), "the database refuses all connections because its disk is full: free up space there (could not write init file: No space left on device)"},
	} {
		if got := ClassifyError(c.err).Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	denied := &pgconn.PgError{Code: "42501", Message: "permission denied for table libraries"}
	if err := ClassifyWriteError(denied); !errors.Is(err, catalog.ErrDatabaseReadOnly) || errors.Is(err, catalog.ErrSetupRequired) {
		t.Errorf("a change that is denied: %v", err)
	}
	if err := ClassifyError(denied); errors.Is(err, catalog.ErrDatabaseReadOnly) || !errors.Is(err, catalog.ErrSetupRequired) {
		t.Errorf("a question that is denied: %v", err)
	}
}

// TestOtherServer: where something else than PostgreSQL answers, that is what is said, and
// nothing of TLS that nobody has asked for.
func TestOtherServer(t *testing.T) {
	for name, c := range map[string]struct{ settings, says, want string }{
		"a proxy":                    {"", "HTTP/1.1 400 Bad Request\r\n\r\n", "the server there is not PostgreSQL"},
		"a proxy, with TLS":          {"?sslmode=require", "HTTP/1.1 400 Bad Request\r\n\r\n", "the server there is not PostgreSQL"},
		"TLS at once":                {"", "\x15\x03\x01\x00\x02\x02\x46", "the server there is not PostgreSQL"},
		"a shell":                    {"", "SSH-2.0-OpenSSH_9.9\r\n", "the server there is not PostgreSQL"},
		"a server that takes no TLS": {"?sslmode=require", "N", "the server does not accept TLS connections"},
	} {
		t.Run(name, func(t *testing.T) {
			at := atServer(t, c.settings, c.says)
			_, err := pgx.ConnectConfig(t.Context(), at.Config.ConnConfig)
			if err = ClassifyError(err); err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, catalog.ErrDatabaseUnreachable) {
				t.Errorf("it says %v, want %s", err, c.want)
			}
		})
	}
}

// TestTLSFirst: a server may be spoken to by TLS from the first byte on.
func TestTLSFirst(t *testing.T) {
	at := atServer(t, "?sslmode=require&sslnegotiation=direct", "E\x00\x00\x00\x17SFATAL\x00C28P01\x00Mno\x00\x00")
	_, err := pgx.ConnectConfig(t.Context(), at.Config.ConnConfig)
	if CodeOf(err) != codePassword {
		t.Errorf("it says %v", ClassifyError(err))
	}
}

// atServer is the address of a server that says so and no more to everybody, by TLS where
// the settings of the address have that come first.
func atServer(t *testing.T, settings, says string) Address {
	t.Helper()
	on, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { _ = on.Close() })
	accepts := on
	if strings.Contains(settings, "direct") {
		other := httptest.NewTLSServer(nil) // which has a certificate
		t.Cleanup(other.Close)
		accepts = tls.NewListener(on, &tls.Config{Certificates: other.TLS.Certificates, NextProtos: []string{"postgresql"}})
	}
	go func() {
		for {
			c, err := accepts.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.WriteString(c, says)
				_, _ = io.Copy(io.Discard, c) // until who asked has heard enough
				_ = c.Close()
			}()
		}
	}()
	at, err := ParseAddress("postgres://u@" + on.Addr().String() + "/d" + settings)
	must(t, err)
	return at
}

// TestAddress: people are told the hosts and the database.
func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://u:secret@a.example:1,b.example:2/d?target_session_attrs=read-write": "postgres://a.example:1,b.example:2/d",
		"host=::1 port=5433 dbname=d user=u password=secret":                            "postgres://[::1]:5433/d",
		"postgres://u%40x:12%2F@h/d%40e?application_name=a%40b":                         "postgres://h:5432/d@e",
		"postgres://u:?#@h/d": "postgres://h:5432/d",
	} {
		at, err := ParseAddress(text)
		if err != nil || at.String() != want || fmt.Sprintf("%v %+v", at, at) != want+" "+want {
			t.Errorf("%s: %s, %v", text, at, err)
		}
	}
	if _, err := Open(t.Context(), Address{}, patience); !errors.Is(err, errInvalidAddress) {
		t.Errorf("no address: %v", err)
	}
}

// TestAddressFaults: what is wrong with an address is reported in words, and no password.
func TestAddressFaults(t *testing.T) {
	const password = "canary"
	file := filepath.Join(t.TempDir(), "empty.pem")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"postgres:/d":           "does not begin with postgres://",
		"u@h/d?sslmode=require": "does not begin with postgres://",
		"jdbc:postgresql://h/d?user=u&password=canary":                   "does not begin with postgres://",
		"mysql://u:canary@h/d":                                           "does not begin with postgres://",
		"postgres://u:canary@h/d?sslmode=requir":                         "sslmode has the invalid value requir",
		"postgres://u@h/d?sslmode=Canary%201canary":                      "sslmode has an invalid value",
		"host=h password=canary sslmode=requir":                          "sslmode has the invalid value requir",
		"postgres://u:canary@h/d?target_session_attrs=rw":                "target_session_attrs has the invalid value rw",
		"postgres://u:canary@h/d?sslmode=verify-ca&sslrootcert=/no/file": `sslrootcert names a file that cannot be read: "/no/file"`,
		"postgres://u:canary@h/d?sslmode=verify-ca&sslrootcert=" + file:  "sslrootcert names a file without a certificate",
		"postgres://u:canary@h/d?sslmode=require&sslcert=" + file:        "sslcert names a file without a certificate",
		"postgres://u:canary@h/d?hostaddr=127.0.0.1":                     "hostaddr is not a setting that this program supports",
		"postgres://u:canary@h:99999/d":                                  "port is not a number from 1 to 65535",
		"host=u:canary@h dbname=d":                                       "not written as a URL requires",
		"host=h port=x password=canary":                                  "port is not a number from 1 to 65535",
		"postgres://u:canary@h:port/d":                                   "not written as a URL requires",
		"postgres://u:can/ary@h/d":                                       "not written as a URL requires",
		"postgres://u:can@canary@h/d":                                    "not written as a URL requires",
		"postgres://u:12/canary@h/d":                                     "not written as a URL requires",
		"postgres://u:/canary@h/d?sslmode=require":                       "not written as a URL requires",
		"postgresql://u:12/3?a=canary@h/d":                               "not written as a URL requires",
		"postgres://u:can@ary/canary@h/d":                                "not written as a URL requires",
		"postgres://u:can@canary?a=b@h/d":                                "not written as a URL requires",
		"postgres://u:12@canary/d?a=b@h/d":                               "not written as a URL requires",
		"postgres://u:%zzcanary@h/d":                                     "not written as a URL requires",
		"postgres://u:canary@h/d?connect_timeout=soon":                   "connect_timeout is not a number",
		"postgres://u:canary@h/d?service=nosuch":                         "service names a service that is not in any readable file",
		"postgres://u:canary@h/d?pool_max_conns=0":                       "one of its settings has an invalid value",
		"host=h password='canary dbname=d":                               "not a list such as host=",
	} {
		_, err := ParseAddress(text)
		var hint interface{ Hint() message.Message }
		if !errors.Is(err, errInvalidAddress) || !errors.As(err, &hint) {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if said := err.Error() + hint.Hint().String(); !strings.Contains(said, want) || hint.Hint() == "" || strings.Contains(said, password) || strings.ContainsAny(said, "\n`") {
			t.Errorf("%s: it says %s, want %s", text, said, want)
		}
	}
	for _, text := range []string{"postgres://u@h/d?keepalives_idle=60&tcp_user_timeout=1000", "postgresql://u@h/d", "host=h user=u"} {
		at, err := ParseAddress(text)
		if err != nil || len(at.Config.ConnConfig.RuntimeParams) > 1 {
			t.Errorf("%s: %v, and the server is sent %v", text, err, at.Config.ConnConfig.RuntimeParams)
		}
	}
	t.Setenv("PGSSLMODE", "foo")
	if _, err := ParseAddress("postgres://h/d"); err == nil || !strings.Contains(err.Error(), "PGSSLMODE has the invalid value foo") {
		t.Errorf("of the environment it says %v", err)
	}
}
