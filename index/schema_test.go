package index

import (
	"database/sql"
	"path/filepath"
	"testing"

	"vademecum/index/indextest"
	"vademecum/index/upkeep"
)

// TestSchemaThatIsNotOurs puts into an index what we never make, such as a view
// without end. The index is as good as damaged, and what it asks is not asked.
func TestSchemaThatIsNotOurs(t *testing.T) {
	const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n) SELECT "
	for name, statements := range map[string]string{
		"meta":       "DROP TABLE meta; CREATE VIEW meta AS " + endless + "'key' || i AS key, i AS value FROM n",
		"models":     "DROP TABLE models; CREATE VIEW models AS " + endless + "i AS id, 'm' || i AS name FROM n",
		"vectors":    "DROP TABLE vectors; CREATE VIEW vectors AS " + endless + "i AS id, 1 AS model, x'' AS text_key, x'' AS vector, 0 AS spare_since FROM n",
		"trigger":    "CREATE TRIGGER more AFTER INSERT ON changes BEGIN INSERT INTO texts " + endless + "i, '', x'', 0 FROM n; END",
		"generated":  "ALTER TABLE documents ADD COLUMN more AS (hex(path))",
		"virtual":    "CREATE VIRTUAL TABLE more USING fts5(x)",
		"expression": "CREATE INDEX more ON documents (hex(path))",
	} {
		t.Run(name, func(t *testing.T) {
			n := indextest.NewNotes(t, map[string]string{"a.md": "alpha"})
			file := filepath.Join(t.TempDir(), "x.db")
			ix := openOn(t, []string{file}, indextest.NewCounting(t), n.Dir)
			mustSync(t, ix, upkeep.Scope{})
			if err := ix.Close(); err != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(statements); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			ix = openOn(t, []string{file}, indextest.NewCounting(t), n.Dir)
			if r := mustSync(t, ix, upkeep.Scope{}); r.Indexed != 1 {
				t.Errorf("reported %+v", r)
			}
			if c := ix.store.Follower(0); onDisk(c).Rebuilt == "" || c.Health().IsUnsaved() {
				t.Errorf("built again because %q, unsaved %t", onDisk(c).Rebuilt, c.Health().IsUnsaved())
			}
			if got := found(mustSearch(t, ix, Query{Text: "alpha"})); got != "a.md" {
				t.Errorf("found %q", got)
			}
		})
	}
}
