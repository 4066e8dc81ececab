package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"vademecum/index/catalog"
)

// Stats are numbers about a database.
type Stats struct {
	Schema    int            `json:"schema"` // version of the tables
	Libraries []LibraryStats `json:"libraries"`
	Tables    []TableStats   `json:"tables"`
}

// LibraryStats are those of a library in one format.
type LibraryStats struct {
	Name      string `json:"name"`
	Format    int    `json:"format"`
	Current   bool   `json:"current"`   // this program serves it
	Documents int64  `json:"documents"` // without those that are skipped
	Passages  int64  `json:"passages"`
	Skipped   int64  `json:"skipped"`
	Vectors   int64  `json:"vectors"` // of all models and formats
}

// TableStats are those of a table.
type TableStats struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"` // with its indexes
}

// countLibraries counts what each library has.
const countLibraries = `SELECT l.name, l.format, coalesce(c.documents, 0), coalesce(c.passages, 0), coalesce(d.skipped, 0), coalesce(v.vectors, 0)
	FROM vademecum.libraries l
	LEFT JOIN (SELECT library, count(*) AS documents, sum(count) AS passages FROM vademecum.chunks GROUP BY library) c ON c.library = l.id
	LEFT JOIN (SELECT library, count(*) FILTER (WHERE skip != '') AS skipped FROM vademecum.documents GROUP BY library) d ON d.library = l.id
	LEFT JOIN (SELECT m.library, count(*) AS vectors FROM vademecum.models m JOIN vademecum.vectors v ON v.model = m.id GROUP BY m.library) v ON v.library = l.name
	ORDER BY l.name, l.format`

// sizeTables tells how large the tables are.
const sizeTables = `SELECT relname, pg_total_relation_size(oid) FROM pg_class
	WHERE relnamespace = 'vademecum'::regnamespace AND relkind = 'r' ORDER BY 2 DESC, 1`

// Stats counts what there is. Of a large database that takes a while.
func (s *Store) Stats(ctx context.Context) (found Stats, err error) {
	if found.Schema, _, err = schemaVersion(ctx, s.pool); err != nil {
		return found, mark(err)
	}
	rows, err := s.pool.Query(ctx, countLibraries)
	if err != nil {
		return found, mark(err)
	}
	found.Libraries, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l LibraryStats, err error) {
		err = row.Scan(&l.Name, &l.Format, &l.Documents, &l.Passages, &l.Skipped, &l.Vectors)
		l.Name, l.Current = unescape(l.Name), l.Format == catalog.Format
		return l, err
	})
	if err != nil {
		return found, mark(err)
	}
	if rows, err = s.pool.Query(ctx, sizeTables); err != nil {
		return found, mark(err)
	}
	found.Tables, err = pgx.CollectRows(rows, pgx.RowToStructByPos[TableStats])
	return found, mark(err)
}
