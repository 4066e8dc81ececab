package db

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"vademecum/internal/base/message"

	"github.com/jackc/pgx/v5"
)

// ErrPgvectorUnavailable means that the database cannot compare vectors.
var ErrPgvectorUnavailable error = setupError{message.New("the database lacks pgvector 0.8 or newer, which compares the vectors of a model: install it on the server, and run CREATE EXTENSION vector in this database as a superuser"), nil}

// CheckPgvector returns an error if the database cannot compare vectors.
func (d *DB) CheckPgvector(ctx context.Context) error {
	_, err := d.PgvectorSchema(ctx)
	if err != nil {
		return fmt.Errorf("open %s: %w", d.Address, ClassifyError(err))
	}
	return nil
}

// InvalidatePgvectorSchema makes PgvectorSchema query the schema again, because it may have changed.
func (d *DB) InvalidatePgvectorSchema() { d.extension.Store(nil) }

// PgvectorSchema returns the schema that contains pgvector's types and operators, quoted for use in
// statements.
func (d *DB) PgvectorSchema(ctx context.Context) (schema string, err error) {
	if known := d.extension.Load(); known != nil {
		return *known, nil
	}
	err = d.RetryRead(ctx, QuickTimeout, func(ctx context.Context) (err error) {
		schema, err = PgvectorSchema(ctx, d.Pool)
		return err
	})
	if err == nil {
		d.extension.Store(&schema)
	}
	return schema, err
}

// isPgvectorMoved reports whether an error may be due to pgvector having been moved to another
// schema, or removed.
func isPgvectorMoved(err error) bool {
	switch CodeOf(err) {
	case codeNoSetting, CodeNoSchema, codeNoFunction:
		return true
	}
	return false
}

// PgvectorSchema queries the schema of pgvector on a connection; see DB.PgvectorSchema.
func PgvectorSchema(ctx context.Context, from RowQuerier) (schema string, err error) {
	var version string
	err = from.QueryRow(ctx, "SELECT quote_ident(n.nspname), e.extversion FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'").Scan(&schema, &version)
	if errors.Is(err, pgx.ErrNoRows) {
		return "", ErrPgvectorUnavailable
	}
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(rest, ".")
	if n, _ := strconv.Atoi(minor); err == nil && major == "0" && n < 8 {
		err = ErrPgvectorUnavailable
	}
	return schema, err
}
