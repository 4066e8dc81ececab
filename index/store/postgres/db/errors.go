package db

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/index/store/catalog"
	"vademecum/internal/base/message"
)

var (
	// ErrCommitOutcomeUnknown means that the connection broke during a commit, so that its outcome is
	// unknown. Repeating the transaction does no harm.
	ErrCommitOutcomeUnknown = message.Errorf("the connection broke in the middle of a commit")
	// ErrLibraryRemoved means that the rows of a library no longer exist.
	ErrLibraryRemoved error = setupError{message.New("the library was removed from the database, or the database was restored"), catalog.ErrStorageRemoved}
)

// Error codes, see appendix A of PostgreSQL's manual.
const (
	codeReadOnly              = "25006"
	CodeNoSchema              = "3F000"
	CodeNoTable               = "42P01"
	CodeInsufficientPrivilege = "42501"
	CodeDiskFull              = "53100"
	codeLockTimeout           = "55P03"
	codeSerialization         = "40001"
	codeDeadlock              = "40P01"
	codeManySessions          = "53300"
	CodeShutdown              = "57P01"
	CodeCrash                 = "57P02"
	codeStarting              = "57P03"
	codeIdle                  = "25P03" // the session was idle in a transaction for too long
	codePassword              = "28P01"
	codeNobody                = "28000" // no such role, or no rule admits it
	codeNoDatabase            = "3D000"
	CodeNoFile                = "58P01"
	codeNoSetting             = "42704" // unknown setting or other object, such as a type
	codeNoFunction            = "42883" // unknown function or operator
	classConnection           = "08"    // the first two characters of the codes
	codeNull                  = "23502"
	codeNoParent              = "23503" // a referenced row does not exist
	codeTwice                 = "23505"
)

// CodeOf returns the code of an error from the database; "" for another error.
func CodeOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// setupError says what has to be corrected in the database, and which error it matches.
type setupError struct {
	words message.Message
	kind  error // error that it matches in addition to catalog.ErrSetupRequired; nil if none
}

// NewSetupError returns an error with a text that says what has to be corrected in the database. It
// matches catalog.ErrSetupRequired, and matched unless that is nil.
func NewSetupError(text message.Message, matched error) error { return setupError{text, matched} }

func (u setupError) Error() string { return u.words.String() }

func (u setupError) Message() message.Message { return u.words }

func (u setupError) Is(target error) bool { return target == catalog.ErrSetupRequired }

func (u setupError) Unwrap() error { return u.kind }

// explainedError is a message for people, with the errors that it matches.
type explainedError struct {
	words message.Message
	all   []error
}

// NewExplainedError returns an error with a text for people that matches all of the causes.
func NewExplainedError(text message.Message, causes ...error) error {
	return explainedError{text, causes}
}

func (e explainedError) Error() string { return e.words.String() }

func (e explainedError) Message() message.Message { return e.words }

func (e explainedError) Unwrap() []error { return e.all }

// noTables is the message for a database that had tables when it was opened.
var noTables = message.New("the tables of this program are missing from the database: restore them, or create them with vademecum store migrate")

// advised holds what to do about errors, by their codes.
var advised = map[string]message.Message{
	codePassword:              message.New("the password is wrong or missing: give it in PGPASSWORD or in the file ~/.pgpass"),
	codeNobody:                message.New("the server does not let this user in"),
	codeNoDatabase:            message.New("there is no such database: create it first"),
	CodeInsufficientPrivilege: message.New("this user lacks privileges: vademecum store migrate --grant USER grants them"),
	CodeNoTable:               noTables,
	CodeNoSchema:              noTables,
	CodeNoFile:                message.New("the server lacks an extension: install pgvector on it"),
}

// ClassifyError returns an error that matches the catalogue error for its cause, and says what to do
// about it if that is known. It quotes the server or the network in one line, without a password.
func ClassifyError(err error) error {
	var server *pgconn.PgError
	if errors.As(err, &explainedError{}) {
		return err
	}
	code, said := "", ""
	if errors.As(err, &server) {
		code, said = server.Code, serverMessage(server)
	}
	connecting := errors.As(err, new(*pgconn.ConnectError))
	switch {
	case errors.As(err, new(pgx.ScanArgError)): // a number that this program never writes
		return fmt.Errorf("%w: %w", err, catalog.ErrDamaged)
	case code == codeTwice, code == codeNull: // duplicate key, or unexpected NULL
		return fmt.Errorf("%w (%w)", catalog.ErrDamaged, err)
	case code == codeNoParent: // the library was removed while the transaction wrote to it
		return fmt.Errorf("%w (%w)", ErrLibraryRemoved, err)
	case code == codeLockTimeout:
		return fmt.Errorf("%w (%w)", catalog.ErrLocked, err)
	case code == codeReadOnly, code == CodeDiskFull && !connecting:
		return refusedWriteError(code, err)
	case code == CodeDiskFull:
		return explainedError{message.New("the database refuses all connections because its disk is full: free up space there (%s)", said), []error{catalog.ErrSetupRequired, err}}
	case advised[code] != "":
		return explainedError{message.New("%v (%s)", advised[code], said), []error{catalog.ErrSetupRequired, err}}
	case code == codeNoSetting && connecting:
		return explainedError{message.New("the address of the database has a setting that the server does not know (%s)", said), []error{catalog.ErrSetupRequired, err}}
	case IsDisconnected(err) || code == codeManySessions || code == codeStarting || code == CodeShutdown || code == CodeCrash:
		return explainedError{message.New("%v: %v", catalog.ErrDatabaseUnreachable, oneLineReason(err)), []error{catalog.ErrDatabaseUnreachable, err}}
	case connecting && said != "":
		return explainedError{message.New("the server refuses the connection: %s", said), []error{err}}
	}
	return err
}

// ClassifyWriteError returns the error of a change as ClassifyError does. If the role lacks a
// privilege, the error says that the database accepts no changes.
func ClassifyWriteError(err error) error {
	if CodeOf(err) == CodeInsufficientPrivilege && !errors.As(err, &explainedError{}) {
		return refusedWriteError(CodeInsufficientPrivilege, err)
	}
	return ClassifyError(err)
}

// refusedWriteError returns the error for a database that accepts no changes.
func refusedWriteError(code string, err error) error {
	words := message.New("%v: %v: %v", catalog.ErrDatabaseReadOnly, refusals[code], remedies[refusals[code]])
	if code != codeReadOnly { // for a read-only database, the server's message adds nothing
		words = message.New("%v (%v)", words, oneLineReason(err))
	}
	return explainedError{words, []error{catalog.ErrDatabaseReadOnly, err}}
}

// oneLineReason returns the message of the network or the server, in one line.
func oneLineReason(err error) message.Message {
	var server *pgconn.PgError
	var name *net.DNSError
	var network *net.OpError
	var connect *pgconn.ConnectError
	var cause syscall.Errno
	switch {
	case errors.As(err, &server):
		return message.Message(serverMessage(server))
	case errors.Is(err, errOtherServer), errors.As(err, new(tls.RecordHeaderError)):
		// e.g. SSH, whose first byte is valid too
		return message.FromError(errOtherServer)
	case errors.Is(err, errForgotten):
		return message.FromError(errForgotten)
	case errors.As(err, &name) && name.IsNotFound:
		return message.New("there is no host called %s", name.Name)
	case errors.As(err, &name):
		return message.New("the host %s cannot be looked up: %s", name.Name, name.Err)
	case errors.As(err, &network) && network.Addr != nil && errors.As(err, &cause):
		return message.New("%v at %s", cause, network.Addr)
	case errors.As(err, &network):
		return message.FromError(network).MapForeignTexts(asOneLine)
	case errors.Is(err, context.DeadlineExceeded):
		return message.New("it does not answer in time")
	case errors.As(err, &connect):
		err = connect.Unwrap() // omits the user and the database
	}
	return cmp.Or(certificateFault(err), message.FromError(err).MapForeignTexts(asOneLine))
}

// serverMessage returns the message of a server. Before authentication, a server writes in its
// system's encoding, and truncates long names at any byte: if the message cannot be decoded, its
// code is returned.
func serverMessage(server *pgconn.PgError) string {
	if !utf8.ValidString(server.Message) {
		return "SQLSTATE " + server.Code
	}
	return asOneLine(server.Message)
}

// asOneLine returns the text in one line.
func asOneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
}

// certificateFault returns why there is no secure connection; "" if the cause is another.
func certificateFault(err error) message.Message {
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case strings.Contains(err.Error(), "server refused TLS connection"):
		return message.New("the server does not accept TLS connections, which sslmode requires")
	case errors.As(err, &unknown):
		return message.New("the certificate of the server is from an unknown authority: set sslrootcert to the file with the right one")
	case errors.As(err, &other):
		return message.New("the certificate of the server is not for %s", other.Host)
	case errors.As(err, &invalid):
		return message.New("the certificate of the server is not valid; it may have expired")
	}
	return ""
}

// isTransient reports whether a retry may succeed a little later, because a server is starting,
// stopping, being replaced, or busy.
func isTransient(err error) bool {
	switch CodeOf(err) {
	case codeReadOnly, codeSerialization, codeDeadlock, codeManySessions, CodeShutdown, CodeCrash, codeStarting, codeIdle:
		return true
	}
	return IsDisconnected(err) && advised[CodeOf(err)] == ""
}

// IsDisconnected reports whether there was no connection, or it broke. A pooler that has no
// connection itself reports that by the codes of such errors, or passes on why the server ended it.
// A server also reports the severity in its own language, whereas a pooler reports it only once.
func IsDisconnected(err error) bool {
	var connect *pgconn.ConnectError
	var network net.Error
	var server *pgconn.PgError
	if errors.As(err, &server) && (cmp.Or(server.SeverityUnlocalized, server.Severity) == "FATAL" || strings.HasPrefix(server.Code, classConnection)) {
		return true
	}
	return errors.Is(err, errForgotten) || errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}
