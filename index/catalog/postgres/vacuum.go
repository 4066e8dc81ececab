package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
)

// tend connects to a database with the tables of this program, without the time limits
// of a server.
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

// Vacuum removes what is in older formats of libraries that are there in the format of
// this program, too: programs of older versions would have to index them again. Then it
// gives the room of removed rows back and has the database look at its tables. It returns
// how many libraries it removed, and is for the role that owns the tables.
func Vacuum(ctx context.Context, at Address) (removed int64, err error) {
	conn, err := tend(ctx, at)
	if err != nil {
		return 0, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }() // all is done then
	tables, err := ownTables(ctx, conn)
	if err != nil {
		return 0, err
	}
	done, err := conn.Exec(ctx, `DELETE FROM vademecum.libraries old WHERE format < $1
		AND EXISTS (SELECT FROM vademecum.libraries now WHERE now.name = old.name AND now.format = $1 AND now.last_change > 0)`, catalog.Format)
	if err != nil {
		return 0, mark(err)
	}
	for _, table := range tables {
		if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) "+pgx.Identifier{"vademecum", table}.Sanitize()); err != nil {
			return 0, fmt.Errorf("vacuum %s: %w", table, mark(err))
		}
	}
	return done.RowsAffected(), nil
}

// ownTables lists the tables, and fails where they are another role's: the database
// would pass over them.
func ownTables(ctx context.Context, conn *pgx.Conn) (tables []string, err error) {
	rows, err := conn.Query(ctx, "SELECT relname, pg_has_role(relowner, 'USAGE') FROM pg_class WHERE relnamespace = 'vademecum'::regnamespace AND relkind = 'r' ORDER BY 1")
	if err != nil {
		return nil, mark(err)
	}
	var table string
	var mine bool
	_, err = pgx.ForEachRow(rows, []any{&table, &mine}, func() error {
		if !mine {
			return fmt.Errorf("table %s is another role's: give the role that made it", table)
		}
		tables = append(tables, table)
		return nil
	})
	return tables, mark(err)
}
