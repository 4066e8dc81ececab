package schema

import (
	"context"
	"io/fs"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"vademecum/index/store/postgres/db"
	"vademecum/internal/base/lazyregexp"
)

// schemaObject is an object that the migrations create: a table, an index, a key, a reference, a
// sequence, a function or a trigger.
type schemaObject struct {
	kind, name string // for keys and references, name is the table with the columns
	table      string // table that it belongs to; "" if none
	sql        string // statement that creates it; for a table, including all that belongs to it
}

func (p schemaObject) String() string { return p.kind + " " + p.name }

var (
	ofTable    = lazyregexp.New(`^(?:CREATE|ALTER) TABLE vademecum\.(\w+)`)
	ofProgram  = lazyregexp.New(`^(?:INSERT INTO|UPDATE) vademecum\.program\b`)
	ofSequence = lazyregexp.New(`^CREATE SEQUENCE vademecum\.(\w+)`)
	ofFunction = lazyregexp.New(`^CREATE FUNCTION vademecum\.(\w+)`)
	ofIndex    = lazyregexp.New(`^CREATE INDEX (\w+) ON vademecum\.(\w+) \(([^)]*)\)`)
	ofTrigger  = lazyregexp.New(`^CREATE TRIGGER (\w+) .* ON vademecum\.(\w+) FOR`)
	ofKey      = lazyregexp.New(`^\s*(PRIMARY KEY|UNIQUE) \(([^)]*)\)`)
	ofNumber   = lazyregexp.New(`^\s*(\w+) .*\bPRIMARY KEY`)
	ofParent   = lazyregexp.New(`^\s*(\w+) .*\b(REFERENCES vademecum\.\w+ ON DELETE CASCADE)`)
	ofParents  = lazyregexp.New(`^\s*FOREIGN KEY \(([^)]*)\) (REFERENCES vademecum\.\w+ ON DELETE CASCADE)`)
)

// schemaObjects lists what the migrations create, in an order in which it can be created.
func schemaObjects() ([]schemaObject, error) {
	statements, err := migrationStatements()
	if err != nil {
		return nil, err
	}
	var first, tables, last []schemaObject
	at := make(map[string]int)
	for _, s := range statements {
		if m := ofTable.FindStringSubmatch(s); m != nil {
			n, known := at[m[1]]
			if !known {
				n, at[m[1]] = len(tables), len(tables)
				tables = append(tables, schemaObject{kind: "table", name: m[1], table: m[1]})
				last = append(last, keysIn(m[1], s)...)
			}
			tables[n].sql += s + ";\n"
		} else if ofProgram.MatchString(s) {
			tables[at["program"]].sql += s + ";\n"
		} else if m := ofSequence.FindStringSubmatch(s); m != nil {
			first = append(first, schemaObject{"sequence", m[1], "", s})
		} else if m := ofFunction.FindStringSubmatch(s); m != nil {
			last = append(last, schemaObject{"function", m[1], "", s})
		} else if m := ofIndex.FindStringSubmatch(s); m != nil {
			last = append(last, schemaObject{"index", m[2] + " (" + m[3] + ")", m[2], s})
		} else if m := ofTrigger.FindStringSubmatch(s); m != nil {
			last = append(last, schemaObject{"trigger", m[1] + " on " + m[2], m[2], s})
		}
	}
	return slices.Concat(first, tables, last), nil
}

// keysIn lists the keys and references in the statement that creates a table.
func keysIn(table, statement string) (all []schemaObject) {
	add := func(kind, columns, what string) {
		all = append(all, schemaObject{kind, table + " (" + columns + ")", table, "ALTER TABLE vademecum." + table + " ADD " + what})
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

// migrationStatements returns the statements of all migrations, without comments.
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

// selectParts lists the existing objects, named as by schemaObject.String.
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

// missingObjects lists the objects that do not exist. The schema must exist.
func missingObjects(ctx context.Context, from db.Querier) (missing []schemaObject, err error) {
	all, err := schemaObjects()
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
	return slices.DeleteFunc(all, func(p schemaObject) bool { return have[p.String()] }), nil
}

// tablesIn returns the names of the tables among the objects.
func tablesIn(all []schemaObject) (names []string) {
	for _, p := range all {
		if p.kind == "table" {
			names = append(names, p.name)
		}
	}
	return names
}
