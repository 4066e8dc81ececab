package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"

	"github.com/jackc/pgx/v5/pgconn"

	"vademecum/index/catalog"
)

// The errors that are for who runs the database.
var (
	// ErrBehind says that the tables are older than this program.
	ErrBehind = errors.New("the tables of the database are not those of this version: migrate it first")
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
)

// codeOf is the code of an error that the database gave, "" of another error.
func codeOf(err error) string {
	var e *pgconn.PgError
	if errors.As(err, &e) {
		return e.Code
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
	return errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed)
}

// mark has an error match what it comes to for who uses a catalogue.
func mark(err error) error {
	as := map[string]error{codeDiskFull: catalog.ErrRefused, codeReadOnly: catalog.ErrRefused, codeLockTimeout: catalog.ErrHeld}[codeOf(err)]
	if as == nil || errors.Is(err, as) {
		return err
	}
	return fmt.Errorf("%w (%w)", as, err)
}
