// Package sqlitetest makes database files for tests. It is a package of its own so that the tests of
// other formats need not link SQLite.
package sqlitetest

import (
	"database/sql"
	"testing"

	_ "modernc.org/sqlite" // the driver
)

// NewFile returns the database file that the given SQL statements create.
func NewFile(t testing.TB, statements string) (file []byte) {
	t.Helper()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.ExecContext(t.Context(), statements); err != nil {
		t.Fatal(err)
	}
	err = conn.Raw(func(driver any) (err error) {
		file, err = driver.(interface{ Serialize() ([]byte, error) }).Serialize()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return file
}
