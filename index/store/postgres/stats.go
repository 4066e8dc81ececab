package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/catalog"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
)

// Stats describes the content of a database.
type Stats struct {
	SchemaVersion int            `json:"schema"` // version of the tables
	Libraries     []LibraryStats `json:"libraries"`
	Models        []ModelStats   `json:"models"`
	Tables        []TableStats   `json:"tables"`
}

// ModelStats describes the vectors of a library by a model.
type ModelStats struct {
	Library    string `json:"library"`
	Model      string `json:"model"`
	Vectors    int64  `json:"vectors"`
	Dimensions int    `json:"dimensions"`
	// 0 if there is no index, so that all vectors are compared
	IndexBytes int64 `json:"index_bytes"`
	IsIndexDue bool  `json:"index_due"` // an index should exist; IndexVectors builds it
}

// LibraryStats describes a library in one format.
type LibraryStats struct {
	Name            string `json:"name"`
	Format          int    `json:"format"`
	IsCurrentFormat bool   `json:"current"`   // in the format of this program
	Documents       int64  `json:"documents"` // without the skipped ones
	Passages        int64  `json:"passages"`
	Skipped         int64  `json:"skipped"`
	Vectors         int64  `json:"vectors"` // number of vectors of all models and formats
}

// TableStats describes a table.
type TableStats struct {
	Name  string `json:"name"`
	Bytes int64  `json:"bytes"` // size including the indexes of the table
}

// countLibraries counts the rows of each library.
const countLibraries = `SELECT l.name, l.format, coalesce(c.documents, 0), coalesce(c.passages, 0), coalesce(d.skipped, 0), coalesce(v.vectors, 0)
	FROM vademecum.libraries l
	LEFT JOIN (SELECT library, count(*) AS documents, sum(count) AS passages FROM vademecum.chunks GROUP BY library) c ON c.library = l.id
	LEFT JOIN (SELECT library, count(*) FILTER (WHERE skip != '') AS skipped FROM vademecum.documents GROUP BY library) d ON d.library = l.id
	LEFT JOIN (SELECT m.library, count(*) AS vectors FROM vademecum.models m JOIN vademecum.vectors v ON v.model = m.id GROUP BY m.library) v ON v.library = l.name
	ORDER BY l.name, l.format`

// countModels counts the vectors of each model that has any.
const countModels = `SELECT m.library, m.name, v.vectors, l.length, coalesce(pg_relation_size(i.indexrelid), 0),
		i.indexrelid IS NULL AND v.vectors >= $1 AND l.length BETWEEN 1 AND $2
	FROM vademecum.models m JOIN (SELECT model, count(*) AS vectors FROM vademecum.vectors GROUP BY model) v ON v.model = m.id
	CROSS JOIN LATERAL (SELECT array_length(vector, 1) AS length FROM vademecum.vectors WHERE model = m.id LIMIT 1) l
	LEFT JOIN pg_index i ON i.indexrelid = to_regclass('vademecum.vectors_near_' || m.id || '_' || l.length) AND i.indisvalid
	ORDER BY m.library, m.name`

// sizeTables selects the name and the size in bytes, with indexes, of each table of this program,
// largest first.
const sizeTables = `SELECT relname, pg_total_relation_size(oid) FROM pg_class
	WHERE relnamespace = 'vademecum'::regnamespace AND relkind = 'r' ORDER BY 2 DESC, 1`

// Stats counts the rows of the database, which takes a while if it is large.
func (s *Store) Stats(ctx context.Context) (found Stats, err error) {
	if found.SchemaVersion, _, err = schema.ReadVersion(ctx, s.Pool); err != nil {
		return found, db.ClassifyError(err)
	}
	rows, err := s.Pool.Query(ctx, countLibraries)
	if err != nil {
		return found, db.ClassifyError(err)
	}
	found.Libraries, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (l LibraryStats, err error) {
		err = row.Scan(&l.Name, &l.Format, &l.Documents, &l.Passages, &l.Skipped, &l.Vectors)
		l.Name, l.IsCurrentFormat = db.UnescapeNUL(l.Name), l.Format == catalog.FormatVersion
		return l, err
	})
	if err != nil {
		return found, db.ClassifyError(err)
	}
	if rows, err = s.Pool.Query(ctx, countModels, indexedFrom, indexable); err != nil {
		return found, db.ClassifyError(err)
	}
	found.Models, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (m ModelStats, err error) {
		err = row.Scan(&m.Library, &m.Model, &m.Vectors, &m.Dimensions, &m.IndexBytes, &m.IsIndexDue)
		m.Library, m.Model = db.UnescapeNUL(m.Library), db.UnescapeNUL(m.Model)
		return m, err
	})
	if err != nil {
		return found, db.ClassifyError(err)
	}
	if rows, err = s.Pool.Query(ctx, sizeTables); err != nil {
		return found, db.ClassifyError(err)
	}
	found.Tables, err = pgx.CollectRows(rows, pgx.RowToStructByPos[TableStats])
	return found, db.ClassifyError(err)
}
