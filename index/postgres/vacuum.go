package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
)

// tend connects to a database with the tables of this program.
func tend(ctx context.Context, at Address) (*pgx.Conn, error) {
	if at.config == nil {
		return nil, ErrAddress
	}
	conn, err := pgx.ConnectConfig(ctx, at.config.ConnConfig.Copy())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", at, mark(err))
	}
	have, oldest, err := schemaVersion(ctx, conn)
	if err == nil {
		err = fits(have, oldest)
	}
	if err != nil {
		_ = conn.Close(context.WithoutCancel(ctx)) // there is nothing to lose
		return nil, fmt.Errorf("open %s: %w", at, mark(err))
	}
	return conn, nil
}

// unlimited lifts the limits of time that a service gives its roles, which the work on
// whole tables is over. Through a pooler that would stay in a session that others get.
func unlimited(ctx context.Context, conn *pgx.Conn) error {
	isDirect, err := isDirect(ctx, conn)
	if err != nil {
		return err
	}
	if !isDirect {
		return ErrPooler
	}
	_, err = conn.Exec(ctx, "SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')")
	return err
}

// Old is a library in a format that this program does not read.
type Old struct {
	Library   string
	Format    int
	Documents int64
	Bytes     int64  // that its rows take, without indexes
	Kept      string // why it was kept, "" when it was removed
}

// Vacuum removes what is in older formats of libraries that are there in the format of
// this program, too: programs of older versions would have to index them again. Then it
// gives the room of removed rows back and has the database look at its tables. It returns
// what there was in other formats, and is for the role that owns the tables, not through
// a pooler.
func Vacuum(ctx context.Context, at Address) ([]Old, error) {
	conn, err := tend(ctx, at)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // all is done then
	if err := unlimited(ctx, conn); err != nil {
		return nil, fmt.Errorf("vacuum %s: %w", at, mark(err))
	}
	tables, err := ownTables(ctx, conn)
	if err != nil {
		return nil, err
	}
	all, err := removeOld(ctx, conn)
	if err != nil {
		return all, fmt.Errorf("remove what is in older formats: %w", mark(err))
	}
	for _, table := range tables {
		if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) "+pgx.Identifier{"vademecum", table}.Sanitize()); err != nil {
			return all, fmt.Errorf("vacuum %s: %w", table, mark(err))
		}
	}
	return all, nil
}

// listOld lists what is in other formats, and whether this one has it, too. The size of a
// column is known without its content, that of a whole row is not.
const listOld = `SELECT l.id, l.name, l.format,
		EXISTS (SELECT FROM vademecum.libraries now WHERE now.name = l.name AND now.format = $1 AND now.last_change > 0),
		(SELECT count(*) FROM vademecum.documents d WHERE d.library = l.id AND d.skip = ''),
		coalesce((SELECT sum(pg_column_size(d.*)) FROM vademecum.documents d WHERE d.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(t.text) + pg_column_size(t.parts)) FROM vademecum.texts t WHERE t.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(c.chunks)) FROM vademecum.chunks c WHERE c.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(p.chunk) + pg_column_size(p.sketch)) FROM vademecum.passages p WHERE p.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(p.term) + pg_column_size(p.list)) FROM vademecum.postings p WHERE p.library = l.id), 0)
	FROM vademecum.libraries l WHERE l.format != $1 ORDER BY l.name, l.format`

// removeOld removes what is of no use any more. With an error it returns what it came to.
func removeOld(ctx context.Context, conn *pgx.Conn) ([]Old, error) {
	type row struct {
		Old
		id    int64
		isNew bool // in the format of this program
	}
	rows, err := conn.Query(ctx, listOld, catalog.Format)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, func(from pgx.CollectableRow) (r row, err error) {
		err = from.Scan(&r.id, &r.Library, &r.Format, &r.isNew, &r.Documents, &r.Bytes)
		r.Library = unescape(r.Library)
		return r, err
	})
	if err != nil {
		return nil, err
	}
	var all []Old
	for _, r := range found {
		switch {
		case r.Format > catalog.Format:
			r.Kept = "it is of a newer version of this program"
		case !r.isNew:
			r.Kept = "no program of this version has indexed the library yet"
		default:
			if _, err := conn.Exec(ctx, "DELETE FROM vademecum.libraries WHERE id = $1", r.id); err != nil {
				return all, err
			}
		}
		all = append(all, r.Old)
	}
	return all, nil
}

// ownTables lists the tables, and fails where they are another role's: the database
// would pass over them.
func ownTables(ctx context.Context, conn *pgx.Conn) (tables []string, err error) {
	rows, err := conn.Query(ctx, "SELECT relname, pg_has_role(relowner, 'USAGE'), pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'vademecum'::regnamespace AND relkind = 'r' ORDER BY 1")
	if err != nil {
		return nil, mark(err)
	}
	var table, owner string
	var mine bool
	_, err = pgx.ForEachRow(rows, []any{&table, &mine, &owner}, func() error {
		if !mine {
			return fmt.Errorf("the tables belong to the role %s: run it as that one, in the address or by PGUSER", owner)
		}
		tables = append(tables, table)
		return nil
	})
	return tables, mark(err)
}
