package anki

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"vademecum/docs/extract"
	"vademecum/docs/extract/extracttest"
	"vademecum/docs/extract/extracttest/sqlitetest"
)

// SQL statements that create the tables that are read: those of schema 11, and the additional ones
// of schema 18.
const (
	tables = `
		CREATE TABLE col (id integer primary key, ver integer, models text, decks text);
		CREATE TABLE notes (id integer primary key, mid integer, tags text, flds text);
		CREATE TABLE cards (id integer primary key, nid integer, did integer, ord integer, odid integer);
		CREATE INDEX ix_notes_usn ON notes (mid);
		INSERT INTO col VALUES (1, 11,
			'{"10": {"name": "Basic", "flds": [{"name": "Front", "ord": 0}, {"name": "Back", "ord": 1}]}, "11": {"name": "Word", "flds": [{"name": "Word"}, {"name": "Meaning"}, {"name": "Example"}]}}',
			'{"1": {"name": "Default"}, "20": {"name": "Geography::Europe"}}');`
	newTables = `
		CREATE TABLE decks (id integer primary key, name text COLLATE unicase, kind blob);
		CREATE TABLE fields (ntid integer, ord integer, name text COLLATE unicase, config blob, PRIMARY KEY (ntid, ord)) without rowid;
		CREATE UNIQUE INDEX idx_decks_name ON decks (name);
		CREATE UNIQUE INDEX idx_fields_name_ntid ON fields (name, ntid);
		INSERT INTO decks VALUES (1, 'Default', ''), (20, 'Geography' || x'1f' || 'Europe', '');
		INSERT INTO fields VALUES (10, 0, 'Front', ''), (10, 1, 'Back', ''), (11, 2, 'Example', ''), (11, 1, 'Meaning', ''), (11, 0, 'Word', '');
		UPDATE col SET ver = 18, models = '', decks = '';`
	rows = `
		INSERT INTO notes VALUES (3, 10, 'a b', 'Capital of <b>France</b>?[sound:france.mp3]' || x'1f' || '{{c1::Paris::a city}}<br>on the Seine'),
			(2, 11, '', 'ebb' || x'1f' || 'falling tide' || x'1f' || ''), (4, 10, '', 'Coast &amp; sea' || x'1f' || '<img src="a.jpg">');
		INSERT INTO cards VALUES (1, 3, 1, 1, 0), (2, 3, 99, 0, 20), (3, 2, 1, 0, 0), (4, 4, 20, 0, 0);`
)

func database(t testing.TB, statements string) []byte {
	t.Helper()
	if err := registerOrder(); err != nil {
		t.Fatal(err)
	}
	return sqlitetest.NewFile(t, statements)
}

func compressed(t testing.TB, content []byte) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll(content, nil))
}

// old returns the database that new versions of Anki add to an export for old versions.
func old(t testing.TB) string {
	return string(database(t, tables+`INSERT INTO notes VALUES (1, 10, '', 'Please update to the latest Anki version' || x'1f')`))
}

func TestRead(t *testing.T) {
	const want = "# Default\n\nebb\nMeaning: falling tide\n\n# Geography::Europe\n\nCapital of France?\nParis\non the Seine\n\nCoast & sea\n"
	walFile := database(t, tables+rows)
	walFile[18], walFile[19] = 2, 2
	for what, raw := range map[string][]byte{
		"schema 11":          extracttest.Zip(t, "media", "{}", "collection.anki2", string(database(t, tables+rows))),
		"schema 11 with WAL": extracttest.Zip(t, "collection.anki21", string(walFile), "collection.anki2", old(t)),
		"schema 18":          extracttest.Zip(t, "meta", "\x08\x03", "collection.anki2", old(t), "collection.anki21b", compressed(t, database(t, tables+newTables+rows))),
	} {
		c, err := Read(raw, extract.NoProgress)
		extracttest.CheckContent(t, c, err)
		if err != nil || c.Text != want || len(c.Parts) != 2 || c.Parts[1].Name != "Geography::Europe" || c.ExtractionNote != "" {
			t.Errorf("%s: text %q, parts %v, note %q, %v", what, c.Text, c.Parts, c.ExtractionNote, err)
		}
	}
}

func TestClozes(t *testing.T) {
	for text, want := range map[string]string{
		"{{c1::Paris}} is in {{c2::France::a country}}.":  "Paris is in France.",
		"{{c1::the {{c2::left::side}} ventricle::where}}": "the left ventricle",
		"{{c1::\\frac{a}{b} }} and std::vector }}":        "\\frac{a}{b}  and std::vector }}",
		"{{c1::open::end": "{{c1::open::end",
		"{{c1,2::both}}":  "both",
		strings.Repeat("{{c1::", 10_000) + strings.Repeat("}}", 10_000): "",
	} {
		if got := showClozes(text); got != want {
			t.Errorf("%.60q is %q, want %q", text, got, want)
		}
	}
}

// TestHostile checks that files which are no Anki databases, or unpack to too much, are skipped
// with a reason at little cost.
func TestHostile(t *testing.T) {
	endless := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i AS id, 10 AS mid, '' AS tags, 'words' AS flds FROM n"
	whole := database(t, tables+rows)
	for what, tt := range map[string]struct {
		raw  []byte
		want error
	}{
		"no database":      {extracttest.Zip(t, "media", "{}"), errDamaged},
		"a text":           {extracttest.Zip(t, "collection.anki2", "words"), errDamaged},
		"no notes":         {extracttest.Zip(t, "collection.anki2", string(database(t, tables))), extract.ErrNoText},
		"cut off":          {extracttest.Zip(t, "collection.anki2", string(whole[:len(whole)/2])), errDamaged},
		"other tables":     {extracttest.Zip(t, "collection.anki2", string(database(t, "CREATE TABLE a (b)"))), errDamaged},
		"a view":           {extracttest.Zip(t, "collection.anki2", string(database(t, "CREATE TABLE col (id); CREATE TABLE cards (id); CREATE VIEW notes AS "+endless))), errDamaged},
		"names in no JSON": {extracttest.Zip(t, "collection.anki2", string(database(t, tables+rows+"UPDATE col SET decks = '[['"))), errDamaged},
		"no zstd":          {extracttest.Zip(t, "collection.anki21b", "words", "collection.anki2", old(t)), errDamaged},
	} {
		t.Log(what)
		_, err := Read(tt.raw, extract.NoProgress)
		extracttest.WantSkip(t, err, tt.want.Error())
	}
}

func TestBomb(t *testing.T) {
	const most = 1 << 20
	for _, size := range []int{most + 1, 64 << 20} {
		_, err := unpack(strings.NewReader(compressed(t, make([]byte, size))), most)
		extracttest.WantSkip(t, err, extract.ErrUnpackedTooLarge.Error())
	}
	if file, err := unpack(strings.NewReader(compressed(t, make([]byte, most))), most); len(file) != most || err != nil {
		t.Errorf("%d bytes, %v", len(file), err)
	}
}

// pageCount is a Progress that counts the reported pages.
type pageCount struct {
	extract.ProgressReporter
	pages int
	text  string
}

func (p *pageCount) ReportPage(c *extract.Content, page, pages int) { p.pages, p.text = pages, c.Text }

func TestManyNotes(t *testing.T) {
	const many = 1200
	notes := fmt.Sprintf("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO notes SELECT i, 10, '', 'word' || i || x'1f' || 'back' FROM n;", many)
	p := &pageCount{ProgressReporter: extract.NoProgress}
	c, err := Read(extracttest.Zip(t, "collection.anki2", string(database(t, tables+notes))), p)
	if err != nil || strings.Count(c.Text, "\n\n") != many-1 || p.pages != 3 || p.text != c.Text {
		t.Errorf("%d notes on %d pages, %v", strings.Count(c.Text, "\n\n"), p.pages, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(database(f, tables+rows))
	f.Add(database(f, tables+newTables+rows))
	f.Fuzz(func(t *testing.T, file []byte) {
		c, err := Read(extracttest.Zip(t, "collection.anki2", string(file)), extract.NoProgress)
		extracttest.CheckContent(t, c, err)
	})
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte(compressed(f, []byte("words"))))
	f.Fuzz(func(t *testing.T, raw []byte) {
		if file, err := unpack(bytes.NewReader(raw), 1<<20); err == nil && len(file) > 1<<20 {
			t.Errorf("%d bytes", len(file))
		}
	})
}
