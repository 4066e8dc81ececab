package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/index/catalog"
)

// TestErrors: what an error comes to for who uses a catalogue, and whether to try
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
		{"full disk", server("53100"), false, catalog.ErrNoWrites},
		{"replica", server("25006"), true, catalog.ErrNoWrites},
		{"held lock", server("55P03"), false, catalog.ErrHeld},
		{"deadlock", server("40P01"), true, nil},
		{"shutdown", server("57P01"), true, catalog.ErrUnreachable},
		{"starting", server("57P03"), true, catalog.ErrUnreachable},
		{"pooler without a server", server("08P01"), true, catalog.ErrUnreachable},
		{"ended by the server behind it", &pgconn.PgError{Severity: "FATAL", Code: "55000", Message: "no"}, true, catalog.ErrUnreachable},
		{"wrong password behind it", &pgconn.PgError{Severity: "FATAL", Code: "28P01", Message: "no"}, false, catalog.ErrUnready},
		{"closed to all", errors.Join(new(pgconn.ConnectError), server("55000")), true, catalog.ErrUnreachable},
		{"no rights", server("42501"), false, catalog.ErrUnready},
		{"wrong password", server("28P01"), false, catalog.ErrUnready},
		{"broken connection", fmt.Errorf("read: %w", io.ErrUnexpectedEOF), true, catalog.ErrUnreachable},
		{"no answer", context.DeadlineExceeded, true, catalog.ErrUnreachable},
		{"given up", context.Canceled, false, nil},
		{"damage", catalog.ErrDamaged, false, catalog.ErrDamaged},
	} {
		marked := mark(c.err)
		if isPassing(c.err) != c.passing || !errors.Is(marked, c.err) || c.as != nil && !errors.Is(marked, c.as) {
			t.Errorf("%s: passing %t, marked %v", c.name, isPassing(c.err), marked)
		}
		for _, other := range []error{catalog.ErrUnreachable, catalog.ErrUnready, catalog.ErrNoWrites, catalog.ErrRefused, catalog.ErrHeld, catalog.ErrDamaged} {
			if errors.Is(marked, other) && !errors.Is(other, c.as) {
				t.Errorf("%s is taken for: %v", c.name, other)
			}
		}
	}
}

// TestErrorsInALine: what is told of an error is one line of text that can be read.
func TestErrorsInALine(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&pgconn.PgError{Code: "28P01", Message: "no user \"a\xe6\x95\""}, "the password is wrong or missing: give it in PGPASSWORD or in the file ~/.pgpass (SQLSTATE 28P01)"},
		{&pgconn.PgError{Code: "53300", Message: "sorry,\n\ttoo many clients"}, "the database cannot be reached: sorry, too many clients"},
		{fmt.Errorf("dial: %w", &net.DNSError{Err: "no such host", Name: "db.invalid"}), "the database cannot be reached: db.invalid: no such host"},
	} {
		if got := mark(c.err).Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	denied := &pgconn.PgError{Code: "42501", Message: "permission denied for table libraries"}
	if err := markChange(denied); !errors.Is(err, catalog.ErrNoWrites) || errors.Is(err, catalog.ErrUnready) {
		t.Errorf("a change that is denied: %v", err)
	}
	if err := mark(denied); errors.Is(err, catalog.ErrNoWrites) || !errors.Is(err, catalog.ErrUnready) {
		t.Errorf("a question that is denied: %v", err)
	}
}

// TestAddress: people are told the hosts and the database.
func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"postgres://u:secret@a.example:1,b.example:2/d?target_session_attrs=read-write": "postgres://a.example:1,b.example:2/d",
		"host=::1 port=5433 dbname=d user=u password=secret":                            "postgres://[::1]:5433/d",
	} {
		at, err := Parse(text)
		if err != nil || at.String() != want || fmt.Sprintf("%v %+v", at, at) != want+" "+want {
			t.Errorf("%s: %s, %v", text, at, err)
		}
	}
	if _, err := Open(t.Context(), Address{}, patience); !errors.Is(err, ErrAddress) {
		t.Errorf("no address: %v", err)
	}
}
