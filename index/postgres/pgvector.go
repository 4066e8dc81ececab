package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
)

// ErrNoComparing says that vectors cannot be compared in the database.
var ErrNoComparing error = unready{"the database has no pgvector 0.8 or newer, which compares the vectors of a model: install it on the server, and as a superuser in this database CREATE EXTENSION vector", nil}

// CanCompare fails where the database cannot compare vectors.
func (d *DB) CanCompare(ctx context.Context) error {
	_, err := d.comparing(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", d.address, mark(err))
	}
	return nil
}

// forgetExtension has it be asked anew where pgvector is: it may be elsewhere.
func (d *DB) forgetExtension() { d.extension.Store(nil) }

// comparing is the schema in which pgvector's types and operators are, as it is written
// in statements.
func (d *DB) comparing(ctx context.Context) (schema string, err error) {
	if known := d.extension.Load(); known != nil {
		return *known, nil
	}
	err = d.read(ctx, quickLimit, func(ctx context.Context) (err error) {
		schema, err = extension(ctx, d.pool)
		return err
	})
	if err == nil {
		d.extension.Store(&schema)
	}
	return schema, err
}

// isMoved tells whether an error may come of a pgvector that is in another schema than it
// was, or is gone.
func isMoved(err error) bool {
	switch codeOf(err) {
	case codeNoSetting, codeNoSchema, codeNoFunction:
		return true
	}
	return false
}

// extension is comparing of a connection.
func extension(ctx context.Context, from queryer) (schema string, err error) {
	var version string
	err = from.QueryRow(ctx, "SELECT quote_ident(n.nspname), e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'").Scan(&schema, &version)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrNoComparing
	}
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	if n, _ := strconv.Atoi(minor); err == nil && major == "0" && n < 8 {
		err = ErrNoComparing
	}
	return schema, err
}
