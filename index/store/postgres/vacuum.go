package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
	"vademecum/internal/base/message"
)

// OtherFormatLibrary is a library in a format that this program does not read.
type OtherFormatLibrary struct {
	Library    string
	Format     int
	Documents  int64
	Bytes      int64  // size of its rows, without indexes
	KeptReason string // why it was kept; "" if it was removed
}

// RemoveOldFormats removes libraries in older formats that also exist in the format of this
// program: programs of older versions would have to index them again. Then it releases the space of
// removed rows, and makes the database analyse its tables. It returns the libraries found in other
// formats. It must run as the role that owns the tables, and does not work through a pooler.
func RemoveOldFormats(ctx context.Context, address db.Address) ([]OtherFormatLibrary, error) {
	conn, err := schema.Connect(ctx, address)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // by then, everything is written
	if err := db.ClearTimeouts(ctx, conn); err != nil {
		return nil, fmt.Errorf("vacuum %s: %w", address, db.ClassifyError(err))
	}
	tables, err := ownTables(ctx, conn)
	if err != nil {
		return nil, err
	}
	all, err := removeOld(ctx, conn)
	if err != nil {
		return all, fmt.Errorf("remove what is in older formats: %w", db.ClassifyError(err))
	}
	for _, table := range tables {
		if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) "+pgx.Identifier{"vademecum", table}.Sanitize()); err != nil {
			return all, fmt.Errorf("vacuum %s: %w", table, db.ClassifyError(err))
		}
	}
	return all, nil
}

// listOld lists the libraries in other formats, and whether each exists in this format too. The
// size of a column can be determined without its content, unlike that of a whole row.
const listOld = `SELECT l.id, l.name, l.format,
		EXISTS (SELECT FROM vademecum.libraries now WHERE now.name = l.name AND now.format = $1 AND now.last_change > 0),
		(SELECT count(*) FROM vademecum.documents d WHERE d.library = l.id AND d.skip = ''),
		coalesce((SELECT sum(pg_column_size(d.*)) FROM vademecum.documents d WHERE d.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(t.text) + pg_column_size(t.parts)) FROM vademecum.texts t WHERE t.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(c.chunks)) FROM vademecum.chunks c WHERE c.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(p.chunk) + pg_column_size(p.sketch)) FROM vademecum.passages p WHERE p.library = l.id), 0)
		+ coalesce((SELECT sum(pg_column_size(p.term) + pg_column_size(p.list)) FROM vademecum.postings p WHERE p.library = l.id), 0)
	FROM vademecum.libraries l WHERE l.format != $1 ORDER BY l.name, l.format`

// removeOld removes the libraries in older formats that also exist in the format of this program,
// and returns the libraries in other formats; after an error, only those examined so far.
func removeOld(ctx context.Context, conn *pgx.Conn) ([]OtherFormatLibrary, error) {
	type row struct {
		OtherFormatLibrary
		id    int64
		isNew bool // exists in the format of this program
	}
	rows, err := conn.Query(ctx, listOld, catalog.FormatVersion)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, func(from pgx.CollectableRow) (r row, err error) {
		err = from.Scan(&r.id, &r.Library, &r.Format, &r.isNew, &r.Documents, &r.Bytes)
		r.Library = db.UnescapeNUL(r.Library)
		return r, err
	})
	if err != nil {
		return nil, err
	}
	var all []OtherFormatLibrary
	for _, r := range found {
		switch {
		case r.Format > catalog.FormatVersion:
			r.KeptReason = "it is of a newer version of this program"
		case !r.isNew:
			r.KeptReason = "no program of this version has indexed the library yet"
		default:
			if _, err := conn.Exec(ctx, "DELETE FROM vademecum.libraries WHERE id = $1", r.id); err != nil {
				return all, err
			}
		}
		all = append(all, r.OtherFormatLibrary)
	}
	return all, nil
}

// ownTables lists the tables, and returns an error if another role owns them: the database would
// silently skip them.
func ownTables(ctx context.Context, conn *pgx.Conn) (tables []string, err error) {
	rows, err := conn.Query(ctx, "SELECT relname, pg_has_role(relowner, 'USAGE'), pg_get_userbyid(relowner) FROM pg_class WHERE relnamespace = 'vademecum'::regnamespace AND relkind = 'r' ORDER BY 1")
	if err != nil {
		return nil, db.ClassifyError(err)
	}
	var table, owner string
	var mine bool
	_, err = pgx.ForEachRow(rows, []any{&table, &mine, &owner}, func() error {
		if !mine {
			return message.Errorf("the tables belong to the role %s: run the command as that role, set in the address or in PGUSER", owner)
		}
		tables = append(tables, table)
		return nil
	})
	return tables, db.ClassifyError(err)
}
