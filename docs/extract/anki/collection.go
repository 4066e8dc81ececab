package anki

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"

	"modernc.org/sqlite"

	"vademecum/docs/extract"
	"vademecum/docs/extract/markdown"
)

// A collection is an Anki database with schema 11 or 18. It is held in memory, and only the queries
// in this file are run on it.
type collection struct {
	db   *sql.DB
	conn *sql.Conn
}

// registerOrder registers the case-insensitive collation that schema 18 uses. Without it, SQLite
// cannot read any table that uses it.
var registerOrder = sync.OnceValue(func() error {
	return sqlite.RegisterCollationUtf8("unicase", func(a, b string) int {
		return strings.Compare(strings.ToLower(a), strings.ToLower(b))
	})
})

const sqliteMagic = "SQLite format 3\x00"

func openCollection(file []byte) (*collection, error) {
	if !bytes.HasPrefix(file, []byte(sqliteMagic)) || len(file) < 100 { // 100 is the length of the header
		return nil, errDamaged
	}
	file[18], file[19] = 1, 1 // set the format versions to those without a write-ahead log, which a database in memory cannot have
	if err := registerOrder(); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	conn, err := db.Conn(context.Background())
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	c := &collection{db, conn}
	if err := c.load(file); err != nil {
		c.close()
		return nil, errDamaged
	}
	return c, nil
}

// load deserializes a database. It accepts tables only, because a view could run arbitrary queries.
func (c *collection) load(file []byte) error {
	const limitLength = 0 // SQLITE_LIMIT_LENGTH: maximum size of a value, in bytes
	if _, err := sqlite.Limit(c.conn, limitLength, extract.MaxTextBytes); err != nil {
		return err
	}
	err := c.conn.Raw(func(driver any) error {
		return driver.(interface{ Deserialize([]byte) error }).Deserialize(file)
	})
	if err != nil {
		return err
	}
	if _, err := c.conn.ExecContext(context.Background(), "PRAGMA trusted_schema = OFF; PRAGMA query_only = ON"); err != nil {
		return err
	}
	if !c.hasTables("notes", "cards", "col") {
		return errDamaged
	}
	return nil
}

func (c *collection) hasTables(names ...string) bool {
	for _, name := range names {
		found := 0
		err := c.each("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = '"+name+"' AND sql LIKE 'CREATE TABLE%'", func(*sql.Rows) error { found++; return nil })
		if err != nil || found != 1 {
			return false
		}
	}
	return true
}

func (c *collection) close() {
	_ = c.conn.Close()
	_ = c.db.Close()
}

// each runs a query and calls take for each row of the result.
func (c *collection) each(query string, take func(*sql.Rows) error) error {
	rows, err := c.conn.QueryContext(context.Background(), query)
	if err != nil {
		return errDamaged
	}
	defer rows.Close()
	for rows.Next() {
		if err := take(rows); err != nil {
			return err
		}
	}
	if rows.Err() != nil {
		return errDamaged
	}
	return nil
}

// notes returns all notes. If there is an error, it returns those before it as well.
func (c *collection) notes() (all []note, err error) {
	decks, fields, err := c.names()
	if err != nil {
		return nil, err
	}
	deckOf := make(map[int64]int64)
	// For a card in a filtered deck, odid is its home deck. The first card of a note (lowest ord)
	// decides.
	err = c.each("SELECT nid, CASE WHEN odid <> 0 THEN odid ELSE did END FROM cards ORDER BY ord DESC", func(rows *sql.Rows) error {
		var of, deck int64
		err := rows.Scan(&of, &deck)
		deckOf[of] = deck
		return err
	})
	if err != nil {
		return nil, errDamaged
	}
	size := 0
	err = c.each("SELECT id, mid, flds FROM notes", func(rows *sql.Rows) error {
		var n note
		var kind int64
		var text string
		if err := rows.Scan(&n.id, &kind, &text); err != nil {
			return errDamaged
		}
		if size += len(text) + extract.CellOverheadBytes; size > extract.MaxUnpackedBytes {
			return extract.ErrUnpackedTooLarge
		}
		n.deck, n.names, n.fields = decks[deckOf[n.id]], fields[kind], strings.Split(text, fieldSeparator)
		all = append(all, n)
		return nil
	})
	return all, err
}

const fieldSeparator = "\x1f" // separates fields and, in schema 18, the levels of deck names

// names returns the names of the decks and the field names of each note type, by their ids.
func (c *collection) names() (decks map[int64]string, fields map[int64][]string, err error) {
	decks, fields = make(map[int64]string), make(map[int64][]string)
	if !c.hasTables("decks", "fields") {
		err := c.each("SELECT decks, models FROM col", func(rows *sql.Rows) error {
			var decksJSON, typesJSON []byte
			if err := rows.Scan(&decksJSON, &typesJSON); err != nil {
				return errDamaged
			}
			return parseNames(decksJSON, typesJSON, decks, fields)
		})
		return decks, fields, err
	}
	err = c.each("SELECT id, name FROM decks", func(rows *sql.Rows) error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		decks[id] = deckName(name)
		return err
	})
	if err != nil {
		return nil, nil, errDamaged
	}
	err = c.each("SELECT ntid, name FROM fields ORDER BY ntid, ord", func(rows *sql.Rows) error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		fields[id] = append(fields[id], markdown.OneLine(name))
		return err
	})
	if err != nil {
		return nil, nil, errDamaged
	}
	return decks, fields, nil
}

// parseNames adds the names that schema 11 stores as JSON to decks and fields.
func parseNames(decksJSON, typesJSON []byte, decks map[int64]string, fields map[int64][]string) error {
	var named map[string]struct{ Name string }
	var types map[string]struct {
		Fields []struct{ Name string } `json:"flds"`
	}
	if json.Unmarshal(decksJSON, &named) != nil || json.Unmarshal(typesJSON, &types) != nil {
		return errDamaged
	}
	for key, deck := range named {
		id, _ := strconv.ParseInt(key, 10, 64)
		decks[id] = deckName(deck.Name)
	}
	for key, t := range types {
		id, _ := strconv.ParseInt(key, 10, 64)
		for _, f := range t.Fields {
			fields[id] = append(fields[id], markdown.OneLine(f.Name))
		}
	}
	return nil
}

// deckName returns the name of a deck as Anki shows it, such as "Geography::Europe".
func deckName(name string) string {
	return markdown.OneLine(strings.ReplaceAll(name, fieldSeparator, "::"))
}
