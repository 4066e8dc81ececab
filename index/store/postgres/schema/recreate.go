package schema

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/message"
)

// ofLibraries lists all tables that are filled from the files. If one of them is lost, other than
// the first spared ones, the remaining documents are incomplete. Only programs of formats up to 20
// use requests.
var ofLibraries = []string{"settings", "changes", "requests", "duties",
	"libraries", "documents", "texts", "chunks", "passages", "segments", "postings", "gone", "vocabulary"}

// spared is how many tables at the start of ofLibraries are not essential for documents: their rows are
// written again if they are missing.
const spared = 4

// sequences holds the statements that make recreated sequences continue after the numbers in use.
var sequences = map[string]string{
	"document_ids":    "SELECT setval('vademecum.document_ids', (SELECT coalesce(max(id), 0) + 1 FROM vademecum.documents), false)",
	"segment_numbers": "SELECT setval('vademecum.segment_numbers', (SELECT greatest((SELECT max(number) FROM vademecum.segments), (SELECT max(segment) FROM vademecum.postings), 0) + 1), false)",
}

// droppedParts states what data is lost with dropped tables.
type droppedParts struct {
	documents bool // documents of all libraries
	models    bool // it is unknown which model vectors belong to
	vectors   bool // vectors or refusals
}

func droppedBy(missing []schemaObject) (l droppedParts) {
	for _, name := range tablesIn(missing) {
		l.documents = l.documents || slices.Contains(ofLibraries[spared:], name)
		l.models = l.models || name == "models"
		l.vectors = l.vectors || name == "vectors" || name == "refusals"
	}
	return l
}

// restoreTables recreates missing objects, in a transaction. If rows of documents are lost with
// them, it empties the libraries permanently, to be indexed again by a process that sees their
// files; vectors are kept.
func restoreTables(ctx context.Context, tx pgx.Tx, missing []schemaObject) error {
	made := make(map[string]bool)
	var later []schemaObject
	for _, p := range missing { // tables and sequences come first
		if p.kind != "table" && p.kind != "sequence" {
			later = append(later, p)
			continue
		}
		if err := createObject(ctx, tx, p); err != nil {
			return err
		}
		made[p.name] = p.kind == "table" && p.name != "program"
	}
	// recreated keys and references may not fit the remaining rows
	if err := truncateOrphans(ctx, tx, missing); err != nil {
		return err
	}
	for _, p := range later {
		if made[p.table] && (p.kind == "key" || p.kind == "reference") {
			continue // created with the table
		}
		if err := createObject(ctx, tx, p); err != nil {
			return err
		}
	}
	return grantAgain(ctx, tx)
}

func createObject(ctx context.Context, tx pgx.Tx, p schemaObject) error {
	if _, err := tx.Exec(ctx, p.sql); err != nil {
		return fmt.Errorf("make the %s again: %w", p, err)
	}
	return nil
}

// truncateOrphans deletes the rows that depend on lost ones.
func truncateOrphans(ctx context.Context, tx pgx.Tx, missing []schemaObject) error {
	var statements []string
	l := droppedBy(missing)
	if l.documents {
		statements = append(statements, "TRUNCATE vademecum."+strings.Join(ofLibraries, ", vademecum."))
	}
	if l.models {
		statements = append(statements, "TRUNCATE vademecum.models, vademecum.vectors, vademecum.refusals")
	} else if l.documents || l.vectors {
		statements = append(statements, "UPDATE vademecum.models SET embedded_before = 0 WHERE embedded_before > 0")
	}
	for _, p := range missing {
		if p.kind == "sequence" {
			statements = append(statements, sequences[p.name])
		}
	}
	for _, s := range statements {
		if _, err := tx.Exec(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// checkLoss returns an error if more is lost than a server may recreate by itself: vectors, or
// documents of libraries that are not in ownLibraries.
func checkLoss(ctx context.Context, tx pgx.Tx, missing []schemaObject, ownLibraries []string) error {
	l, lost := droppedBy(missing), tablesIn(missing)
	if l.models && !slices.Contains(lost, "vectors") {
		var there bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.vectors)").Scan(&there); err != nil {
			return err
		}
		if there {
			return lossError(lost, message.New("the vectors of all libraries"))
		}
	}
	if !l.documents {
		return nil
	}
	var of []string
	if !slices.Contains(lost, "libraries") {
		of = append(of, "SELECT name FROM vademecum.libraries")
	}
	if !l.models {
		of = append(of, "SELECT library FROM vademecum.models")
	}
	if len(of) == 0 {
		return lossError(lost, message.New("all libraries"))
	}
	rows, err := tx.Query(ctx, strings.Join(of, " UNION ")+" ORDER BY 1")
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if name := db.UnescapeNUL(name); !slices.Contains(ownLibraries, name) {
			return lossError(lost, message.New("library %s", name))
		}
	}
	return nil
}

func lossError(tables []string, what message.Message) error {
	return db.NewSetupError(message.New("tables of this program are missing from the database (%s), and what is left of %v is useless without them: servers do not discard it automatically, but vademecum store migrate does, and recreates the tables", strings.Join(tables, ", "), what), nil)
}

// grantAgain grants serving roles the same rights on recreated tables as on the others.
func grantAgain(ctx context.Context, tx pgx.Tx) error {
	rows, err := tx.Query(ctx, `SELECT DISTINCT pg_get_userbyid(g.grantee) FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) g
		WHERE c.relnamespace = 'vademecum'::regnamespace AND c.relkind IN ('r', 'p') AND g.privilege_type = 'UPDATE' AND g.grantee NOT IN (0, c.relowner)`)
	if err != nil {
		return err
	}
	roles, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, role := range roles {
		for _, statement := range grantStatements(role) {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// RecreatedTables describes what was missing and has been recreated.
type RecreatedTables struct {
	Objects          []string
	EmptiedLibraries bool // libraries must be indexed again
	LostVectors      bool // it is not known which passages have vectors
}

// describeRestored describes the result of restoreTables.
func describeRestored(missing []schemaObject) (r RecreatedTables) {
	l := droppedBy(missing)
	r.EmptiedLibraries, r.LostVectors = l.documents, l.models || l.vectors
	of := make(map[string]bool)
	for _, p := range missing {
		if p.kind == "table" {
			of[p.name] = true
		}
	}
	for _, p := range missing {
		if p.kind == "table" || !of[p.table] {
			r.Objects = append(r.Objects, p.String())
		}
	}
	return r
}

// RecreateMissingTables recreates missing tables if others exist and this role is allowed to,
// because a dropped table does not come back otherwise. It empties libraries for that only if all
// of them are in ownLibraries. It does nothing while a backup may be being restored: then all keys
// are missing.
func RecreateMissingTables(ctx context.Context, d *db.DB, ownLibraries []string) (r RecreatedTables, err error) {
	err = d.Retry(ctx, d.RetryTimeout, db.WriteTimeout, func(ctx context.Context) error {
		have, oldest, err := ReadVersion(ctx, d.Pool)
		if err == nil {
			err = checkVersions(have, oldest)
		}
		if err == nil {
			err = checkRestored(ctx, d.Pool)
		}
		if !AreTablesMissing(err) {
			return err
		}
		tx, err := d.BeginTx(ctx, db.QuickTimeout, db.WithTimeouts("begin", db.WriteTimeout, d.RetryTimeout, db.DefaultRetryTimeout))
		if err != nil {
			return err
		}
		return d.InTx(ctx, tx, func(ctx context.Context) error {
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+migrationLock+")"); err != nil {
				return err
			}
			missing, err := missingObjects(ctx, tx)
			if err != nil || len(tablesIn(missing)) == 0 { // another process was faster
				return err
			}
			if err := checkLoss(ctx, tx, missing, ownLibraries); err != nil {
				return err
			}
			if err := restoreTables(ctx, tx, missing); err != nil {
				return err
			}
			r = describeRestored(missing)
			return tx.Commit(ctx)
		})
	})
	if err != nil {
		return RecreatedTables{}, fmt.Errorf("make the tables again that are gone: %w", db.ClassifyError(err))
	}
	return r, nil
}

// RecreateMissingTablesAt recreates the missing tables of a database that cannot be opened without
// them. It empties no library for that, because no process has compared folders with them.
func RecreateMissingTablesAt(ctx context.Context, address db.Address) (r RecreatedTables, err error) {
	d, err := db.Open(ctx, address, firstPatience)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	return RecreateMissingTables(ctx, d, nil)
}
