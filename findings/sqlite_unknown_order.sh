#!/usr/bin/env bash
# A table whose text has an order (collation) that only the program knows which wrote it, as the
# names of fields in Anki's database of schema 18 ("unicase").
# Expected: a query that compares no text reads it, or SQLite says which order is missing.
# What happens: of a table WITHOUT ROWID it says "no query solution", and nothing of the order. A
# table with rowids is read.
# Seen with modernc.org/sqlite v1.60.1.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
cat > main.go <<'GO'
package main

import (
	"database/sql"
	"fmt"
	"os"
	"strings"

	"modernc.org/sqlite"
)

func main() {
	if os.Args[1] == "write" {
		sqlite.MustRegisterCollationUtf8("unicase", strings.Compare)
	}
	db, err := sql.Open("sqlite", "test.db")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if os.Args[1] == "write" {
		_, err := db.Exec(`
			CREATE TABLE decks (id INTEGER PRIMARY KEY, name TEXT COLLATE unicase);
			CREATE TABLE fields (type INTEGER, ord INTEGER, name TEXT COLLATE unicase, PRIMARY KEY (type, ord)) WITHOUT ROWID;
			CREATE UNIQUE INDEX names ON fields (name, type);
			INSERT INTO decks VALUES (1, 'Default');
			INSERT INTO fields VALUES (10, 0, 'Front');`)
		if err != nil {
			panic(err)
		}
		return
	}
	for _, query := range []string{"SELECT name FROM decks", "SELECT name FROM fields ORDER BY type, ord"} {
		var name string
		if err := db.QueryRow(query).Scan(&name); err != nil {
			name = err.Error()
		}
		fmt.Println(query + ": " + name)
	}
}
GO
go mod init example.org/finding >/dev/null 2>&1
go get modernc.org/sqlite@v1.60.1 >/dev/null 2>&1
CGO_ENABLED=0 go build -o finding .
./finding write
got=$(./finding read)
want='SELECT name FROM decks: Default
SELECT name FROM fields ORDER BY type, ord: SQL logic error: no query solution (1)'
go list -m modernc.org/sqlite
echo "$got"
[ "$got" = "$want" ]
