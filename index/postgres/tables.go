package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// part is something that the migrations make: a table, an index, a key, a reference, a
// sequence, a function or a trigger.
type part struct {
	kind, name string // of keys and references, the table with the columns
	table      string // that it is of, "" of none
	sql        string // makes it; of a table, with all that is of it
}

func (p part) String() string { return p.kind + " " + p.name }

var (
	ofTable    = regexp.MustCompile(`^(?:CREATE|ALTER) TABLE vademecum\.(\w+)`)
	ofProgram  = regexp.MustCompile(`^(?:INSERT INTO|UPDATE) vademecum\.program\b`)
	ofSequence = regexp.MustCompile(`^CREATE SEQUENCE vademecum\.(\w+)`)
	ofFunction = regexp.MustCompile(`^CREATE FUNCTION vademecum\.(\w+)`)
	ofIndex    = regexp.MustCompile(`^CREATE INDEX (\w+) ON vademecum\.(\w+) \(([^)]*)\)`)
	ofTrigger  = regexp.MustCompile(`^CREATE TRIGGER (\w+) .* ON vademecum\.(\w+) FOR`)
	ofKey      = regexp.MustCompile(`^\s*(PRIMARY KEY|UNIQUE) \(([^)]*)\)`)
	ofNumber   = regexp.MustCompile(`^\s*(\w+) .*\bPRIMARY KEY`)
	ofParent   = regexp.MustCompile(`^\s*(\w+) .*\b(REFERENCES vademecum\.\w+ ON DELETE CASCADE)`)
	ofParents  = regexp.MustCompile(`^\s*FOREIGN KEY \(([^)]*)\) (REFERENCES vademecum\.\w+ ON DELETE CASCADE)`)
)

// parts lists what the migrations make, in an order in which it can be made.
func parts() ([]part, error) {
	statements, err := migrationStatements()
	if err != nil {
		return nil, err
	}
	var first, tables, last []part
	at := make(map[string]int)
	for _, s := range statements {
		if m := ofTable.FindStringSubmatch(s); m != nil {
			n, known := at[m[1]]
			if !known {
				n, at[m[1]] = len(tables), len(tables)
				tables = append(tables, part{kind: "table", name: m[1], table: m[1]})
				last = append(last, keysIn(m[1], s)...)
			}
			tables[n].sql += s + ";\n"
		} else if ofProgram.MatchString(s) {
			tables[at["program"]].sql += s + ";\n"
		} else if m := ofSequence.FindStringSubmatch(s); m != nil {
			first = append(first, part{"sequence", m[1], "", s})
		} else if m := ofFunction.FindStringSubmatch(s); m != nil {
			last = append(last, part{"function", m[1], "", s})
		} else if m := ofIndex.FindStringSubmatch(s); m != nil {
			last = append(last, part{"index", m[2] + " (" + m[3] + ")", m[2], s})
		} else if m := ofTrigger.FindStringSubmatch(s); m != nil {
			last = append(last, part{"trigger", m[1] + " on " + m[2], m[2], s})
		}
	}
	return slices.Concat(first, tables, last), nil
}

// keysIn lists the keys and references of a table by the statement that makes it.
func keysIn(table, statement string) (all []part) {
	add := func(kind, columns, what string) {
		all = append(all, part{kind, table + " (" + columns + ")", table, "ALTER TABLE vademecum." + table + " ADD " + what})
	}
	for line := range strings.SplitSeq(statement, "\n") {
		if m := ofKey.FindStringSubmatch(line); m != nil {
			add("key", m[2], m[1]+" ("+m[2]+")")
		} else if m := ofParents.FindStringSubmatch(line); m != nil {
			add("reference", m[1], "FOREIGN KEY ("+m[1]+") "+m[2])
		} else if m := ofNumber.FindStringSubmatch(line); m != nil {
			add("key", m[1], "PRIMARY KEY ("+m[1]+")")
		} else if m := ofParent.FindStringSubmatch(line); m != nil {
			add("reference", m[1], "FOREIGN KEY ("+m[1]+") "+m[2])
		}
	}
	return all
}

// migrationStatements are those of all migrations, without comments.
func migrationStatements() (all []string, err error) {
	names, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		text, err := migrations.ReadFile(name)
		if err != nil {
			return nil, err
		}
		for i, some := range strings.Split(withoutComments(string(text)), "$$") {
			if i%2 == 1 { // the body of a function
				all[len(all)-1] += "$$" + some + "$$"
				continue
			}
			ends := strings.Split(some, ";")
			if i > 0 {
				all[len(all)-1] += ends[0]
				ends = ends[1:]
			}
			for _, s := range ends {
				all = append(all, strings.TrimSpace(s))
			}
		}
	}
	return slices.DeleteFunc(all, func(s string) bool { return s == "" }), nil
}

func withoutComments(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i], _, _ = strings.Cut(line, "--")
	}
	return strings.Join(lines, "\n")
}

// selectParts lists what there is, as part.String names it.
const selectParts = `WITH t AS (SELECT oid, relname, relkind FROM pg_class WHERE relnamespace = 'vademecum'::regnamespace)
	SELECT 'table ' || relname FROM t WHERE relkind IN ('r', 'p')
	UNION ALL SELECT 'sequence ' || relname FROM t WHERE relkind = 'S'
	UNION ALL SELECT 'function ' || proname FROM pg_proc WHERE pronamespace = 'vademecum'::regnamespace
	UNION ALL SELECT 'trigger ' || g.tgname || ' on ' || t.relname FROM pg_trigger g JOIN t ON t.oid = g.tgrelid
	UNION ALL SELECT CASE WHEN i.indisunique THEN 'key ' ELSE 'index ' END || t.relname || ' (' || (
		SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k(attnum, n)
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum) || ')' FROM pg_index i JOIN t ON t.oid = i.indrelid WHERE i.indpred IS NULL
	UNION ALL SELECT 'reference ' || t.relname || ' (' || (
		SELECT string_agg(a.attname, ', ' ORDER BY k.n) FROM unnest(r.conkey) WITH ORDINALITY AS k(attnum, n)
		JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.attnum) || ')' FROM pg_constraint r JOIN t ON t.oid = r.conrelid WHERE r.contype = 'f'`

// lacking lists which parts are not there. There is a schema.
func lacking(ctx context.Context, from rowser) (missing []part, err error) {
	all, err := parts()
	if err != nil {
		return nil, err
	}
	rows, err := from.Query(ctx, selectParts)
	if err != nil {
		return nil, err
	}
	there, err := pgx.CollectRows(rows, pgx.RowTo[*string])
	if err != nil {
		return nil, err
	}
	have := make(map[string]bool, len(there))
	for _, name := range there {
		if name != nil {
			have[*name] = true
		}
	}
	return slices.DeleteFunc(all, func(p part) bool { return have[p.String()] }), nil
}

// tablesIn are those parts that are tables, by their names.
func tablesIn(all []part) (names []string) {
	for _, p := range all {
		if p.kind == "table" {
			names = append(names, p.name)
		}
	}
	return names
}

// ofLibraries are all that are made of the files again. Where one of those that follow
// the first few is lost, what is left of documents is not whole.
var ofLibraries = []string{"settings", "changes", "requests", "duties",
	"libraries", "documents", "texts", "chunks", "passages", "segments", "postings", "gone", "vocabulary"}

// spared is how many of ofLibraries documents can do without: who misses a row of these
// writes it again.
const spared = 4

// sequences are the statements that have those that were made again go on after the
// numbers that were given out.
var sequences = map[string]string{
	"document_ids":    "SELECT setval('vademecum.document_ids', (SELECT coalesce(max(id), 0) + 1 FROM vademecum.documents), false)",
	"segment_numbers": "SELECT setval('vademecum.segment_numbers', (SELECT greatest((SELECT max(number) FROM vademecum.segments), (SELECT max(segment) FROM vademecum.postings), 0) + 1), false)",
}

// loss is what is lost with parts that are gone.
type loss struct {
	documents bool // of all libraries
	models    bool // and so nobody knows of which model vectors are
	vectors   bool // or refusals
}

func lossOf(missing []part) (l loss) {
	for _, name := range tablesIn(missing) {
		l.documents = l.documents || slices.Contains(ofLibraries[spared:], name)
		l.models = l.models || name == "models"
		l.vectors = l.vectors || name == "vectors" || name == "refusals"
	}
	return l
}

// restoreTables makes again what is missing of the tables, in a transaction. Where rows
// of documents are lost with it, the libraries are emptied for good, to be indexed again
// by who sees their files; vectors stay.
func restoreTables(ctx context.Context, tx pgx.Tx, missing []part) error {
	made := make(map[string]bool)
	var later []part
	for _, p := range missing { // tables and sequences come first
		if p.kind != "table" && p.kind != "sequence" {
			later = append(later, p)
			continue
		}
		if err := makeAgain(ctx, tx, p); err != nil {
			return err
		}
		made[p.name] = p.kind == "table" && p.name != "program"
	}
	if err := settle(ctx, tx, missing); err != nil { // what is added to rows that are left may not fit them
		return err
	}
	for _, p := range later {
		if made[p.table] && (p.kind == "key" || p.kind == "reference") {
			continue // they came with it
		}
		if err := makeAgain(ctx, tx, p); err != nil {
			return err
		}
	}
	return grantAgain(ctx, tx)
}

func makeAgain(ctx context.Context, tx pgx.Tx, p part) error {
	if _, err := tx.Exec(ctx, p.sql); err != nil {
		return fmt.Errorf("make the %s again: %w", p, err)
	}
	return nil
}

// settle has the rows that are left fit those that are lost.
func settle(ctx context.Context, tx pgx.Tx, missing []part) error {
	var statements []string
	l := lossOf(missing)
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

// checkLoss fails where more is lost than a server may go over: documents of libraries
// that are not its own, or vectors.
func checkLoss(ctx context.Context, tx pgx.Tx, missing []part, own []string) error {
	l, lost := lossOf(missing), tablesIn(missing)
	if l.models && !slices.Contains(lost, "vectors") {
		var there bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM vademecum.vectors)").Scan(&there); err != nil {
			return err
		}
		if there {
			return errLoss(lost, "the vectors of all libraries")
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
		return errLoss(lost, "all libraries")
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
		if name := unescape(name); !slices.Contains(own, name) {
			return errLoss(lost, "library "+name)
		}
	}
	return nil
}

func errLoss(tables []string, what string) error {
	return unready{fmt.Sprintf("tables of this program are gone from the database (%s), and what is left of %s is of no use without them: no server gives that up by itself, vademecum store migrate does and makes the tables again", strings.Join(tables, ", "), what), nil}
}

// grantAgain gives the roles that serve from other tables their rights to those that
// were made.
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
		for _, statement := range grants(role) {
			if _, err := tx.Exec(ctx, statement); err != nil {
				return err
			}
		}
	}
	return nil
}

// Restored is what was missing of the tables and was made again.
type Restored struct {
	Parts   []string
	Emptied bool // libraries are to be indexed again
}

// restored says what came of restoreTables.
func restored(missing []part) (r Restored) {
	r.Emptied = lossOf(missing).documents
	of := make(map[string]bool)
	for _, p := range missing {
		if p.kind == "table" {
			of[p.name] = true
		}
	}
	for _, p := range missing {
		if p.kind == "table" || !of[p.table] {
			r.Parts = append(r.Parts, p.String())
		}
	}
	return r
}

// Restore makes tables again that are gone although others are there, if this role may:
// who drops a table does not bring it back. Libraries are emptied for that only where there
// are no others than own. Nothing is done while a backup may be being restored: then all
// keys are missing.
func (s *Store) Restore(ctx context.Context, own []string) (r Restored, err error) {
	err = s.retry(ctx, s.patience, writeLimit, func(ctx context.Context) error {
		have, oldest, err := schemaVersion(ctx, s.pool)
		if err == nil {
			err = fits(have, oldest)
		}
		if err == nil {
			err = isRestored(ctx, s.pool)
		}
		if !IsLacking(err) {
			return err
		}
		tx, err := s.beginTx(ctx, quickLimit, limits("begin", writeLimit, s.patience, usualPatience))
		if err != nil {
			return err
		}
		return s.undone(ctx, tx, func(ctx context.Context) error {
			if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock("+migrationLock+")"); err != nil {
				return err
			}
			missing, err := lacking(ctx, tx)
			if err != nil || len(tablesIn(missing)) == 0 { // another was faster
				return err
			}
			if err := checkLoss(ctx, tx, missing, own); err != nil {
				return err
			}
			if err := restoreTables(ctx, tx, missing); err != nil {
				return err
			}
			r = restored(missing)
			return tx.Commit(ctx)
		})
	})
	if err != nil {
		return Restored{}, fmt.Errorf("make the tables again that are gone: %w", mark(err))
	}
	return r, nil
}

// IsLacking tells whether an error says that tables are gone although others are there.
func IsLacking(err error) bool { return errors.As(err, new(lackingTables)) }

// RestoreAt is Restore of a database that cannot be opened as tables are gone: no library
// is emptied, as nobody has compared folders with them.
func RestoreAt(ctx context.Context, at Address) (Restored, error) {
	pool, err := pgxpool.NewWithConfig(ctx, at.config.Copy())
	if err != nil {
		return Restored{}, fmt.Errorf("open %s: %w", at, err)
	}
	defer pool.Close()
	s := &Store{place: place{address: at, pool: pool}, patience: firstPatience}
	return s.Restore(ctx, nil)
}

// lackingTables says which tables are gone although others are there.
type lackingTables struct{ unready }

func errLacking(tables []string) error {
	return lackingTables{unready{fmt.Sprintf("tables of this program are gone from the database (%s): vademecum store migrate makes them again", strings.Join(tables, ", ")), nil}}
}
