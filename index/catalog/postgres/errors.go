package postgres

import (
	"cmp"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/index/catalog"
)

// The errors that are for who runs the database.
var (
	// ErrBehind says that the tables are older than this program, or not there.
	ErrBehind error = unready("the tables of the database are not those of this version: make them with vademecum store migrate")
	// ErrAhead says that the tables are newer, and that this program may not go on.
	ErrAhead = fmt.Errorf("the tables of the database are of a newer version of this program: use that one (%w)", catalog.ErrOtherFormat)
	// ErrUnknownEnd says that nobody knows whether a commit has come to its end: the
	// connection broke then. To do the same again does no harm.
	ErrUnknownEnd = errors.New("the connection broke in the middle of a commit")
	// errGone says that the rows of a library are not there any more.
	errGone = errors.New("the library was removed from the database")
)

// Codes of errors, see appendix A of PostgreSQL's manual.
const (
	codeReadOnly      = "25006"
	codeNoSchema      = "3F000"
	codeNoTable       = "42P01"
	codeNoRights      = "42501"
	codeDiskFull      = "53100"
	codeLockTimeout   = "55P03"
	codeSerialization = "40001"
	codeDeadlock      = "40P01"
	codeManySessions  = "53300"
	codeShutdown      = "57P01"
	codeCrash         = "57P02"
	codeStarting      = "57P03"
	codeIdle          = "25P03" // it was idle in a transaction for too long
	codePassword      = "28P01"
	codeNobody        = "28000" // no such role, or no rule that lets it in
	codeNoDatabase    = "3D000"
	codeNoFile        = "58P01"
	codeNoSetting     = "42704" // among other things that are not known
)

// codeOf is the code of an error that the database gave, "" of another error.
func codeOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// unready says what has to be put right in the database.
type unready string

func (u unready) Error() string { return string(u) }

func (u unready) Is(target error) bool { return target == catalog.ErrUnready }

// explained is an error in words for people, and what it comes to.
type explained struct {
	words string
	all   []error
}

func (e explained) Error() string { return e.words }

func (e explained) Unwrap() []error { return e.all }

// advised is what is to be done about errors by their codes.
var advised = map[string]string{
	codePassword:   "the password is wrong or missing: give it in PGPASSWORD or in the file ~/.pgpass",
	codeNobody:     "the server does not let this user in",
	codeNoDatabase: "there is no such database: create it first",
	codeNoRights:   "this user was not given the rights: vademecum store migrate --grant USER gives them",
	codeNoFile:     "the server lacks an extension: install pgvector on it",
}

// mark has an error match what it comes to for who uses a catalogue, and say what is
// to be done about it where that is known. It has the server's own words, or those of
// the network, in one line and without a password.
func mark(err error) error {
	var server *pgconn.PgError
	if errors.As(err, &explained{}) {
		return err
	}
	code := codeOf(err)
	connecting := errors.As(err, new(*pgconn.ConnectError))
	as := map[string]error{codeDiskFull: catalog.ErrRefused, codeReadOnly: catalog.ErrRefused, codeLockTimeout: catalog.ErrHeld}[code]
	switch {
	case as != nil:
		return fmt.Errorf("%w (%w)", as, err)
	case advised[code] != "" && errors.As(err, &server):
		return explained{fmt.Sprintf("%s (%s)", advised[code], server.Message), []error{catalog.ErrUnready, err}}
	case code == codeNoSetting && connecting && errors.As(err, &server):
		return explained{fmt.Sprintf("the address of the database has a setting that the server does not know (%s)", server.Message), []error{catalog.ErrUnready, err}}
	case code == "" && isCut(err) || code == codeManySessions || code == codeStarting || code == codeShutdown || code == codeCrash:
		return explained{fmt.Sprintf("%v: %s", catalog.ErrUnreachable, reason(err)), []error{catalog.ErrUnreachable, err}}
	case connecting && errors.As(err, &server):
		return explained{"the server refuses the connection: " + server.Message, []error{err}}
	}
	return err
}

// reason is what the network or the server says, in a line.
func reason(err error) string {
	var server *pgconn.PgError
	var network *net.OpError
	var name *net.DNSError
	var cause syscall.Errno
	switch {
	case errors.As(err, &server):
		return server.Message
	case errors.Is(err, errForgotten):
		return errForgotten.Error()
	case errors.As(err, &name) && name.IsNotFound:
		return "there is no host of the name " + name.Name
	case errors.As(err, &name):
		return fmt.Sprintf("the host %s cannot be looked up: %s", name.Name, name.Err)
	case errors.As(err, &network) && network.Addr != nil && errors.As(err, &cause):
		return fmt.Sprintf("%v at %s; see whether host and port are right and the server runs", cause, network.Addr)
	case errors.As(err, &network):
		return network.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return "it does not answer in time"
	}
	return cmp.Or(untrusted(err), strings.Join(strings.Fields(err.Error()), " "))
}

// untrusted says why there is no safe connection, "" for another reason.
func untrusted(err error) string {
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return "the server takes no connections by TLS, which sslmode asks for"
	case errors.As(err, &unknown):
		return "the certificate of the server is of an authority that is not known: sslrootcert names the file with the right one"
	case errors.As(err, &other):
		return fmt.Sprintf("the certificate of the server is not for %s", other.Host)
	case errors.As(err, &invalid):
		return "the certificate of the server is not valid, it may have expired"
	}
	return ""
}

// isPassing tells whether the same may succeed a little later, as a server starts,
// stops, is replaced by another, or has other work first.
func isPassing(err error) bool {
	switch codeOf(err) {
	case codeReadOnly, codeSerialization, codeDeadlock, codeManySessions, codeShutdown, codeCrash, codeStarting, codeIdle:
		return true
	case "":
		return isCut(err)
	}
	return false
}

// isCut tells whether there was no connection, or none any more.
func isCut(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.Is(err, errForgotten) || errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
