package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// TestDatabaseLibrariesOfOthers: a user who may not see a library gets, for any guess,
// exactly the answers of a server without it.
func TestDatabaseLibrariesOfOthers(t *testing.T) {
	t.Parallel()
	hidesFromOthers(t, func(folders []string, flags ...string) *httpServer {
		d := newDatabase(t)
		for _, f := range folders {
			flags = append(flags, "--library", filepath.Base(f))
		}
		c := vademecum(t, append(append([]string{"serve", "--http=127.0.0.1:0"}, flags...), folders...)...)
		c.Env = append(c.Env, d.env())
		return startHTTP(t, c)
	})
}

// twins are two servers of one folder: one with its index in a database, the other
// with a file.
type twins struct {
	dir                string
	d                  database
	inDatabase, inFile *client
}

func newTwins(t testing.TB) *twins {
	t.Helper()
	w := &twins{dir: t.TempDir(), d: newDatabase(t)}
	for name, text := range map[string]string{
		"asthma.md": "---\ntags: [lungs]\nstatus: done\ndate: 2024-05-01\n---\n# Asthma\n\nA spacer helps children with their inhaler: 100% of $1 \\ 'so' \"it\" _is_.\n",
		"血压.md":     "# 血压\n\n每天测量一次血压。\n",
		"100%_a.md": "# Percent\n\nNothing of the kind.\n",
	} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	c := vademecum(t, "serve", w.dir, "--library", "l'\"%_\\$1; --")
	c.Env = append(c.Env, w.d.env())
	w.inDatabase = connect(t, c)
	w.inFile = connect(t, vademecum(t, "serve", w.dir, "--index", indexFile(t)))
	w.index(t)
	return w
}

// index has both bring their index up to date.
func (w *twins) index(t testing.TB) {
	t.Helper()
	for _, s := range []*client{w.inDatabase, w.inFile} {
		if _, err := s.tool("index_docs", "{}"); err != nil {
			t.Fatal(err)
		}
	}
}

// quoted is a string of JSON with the bytes as they are, valid or not.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString("\\" + string(c))
		case c < ' ':
			fmt.Fprintf(&b, "\\u%04x", c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// sayings are requests with a string in each place where a client may put one.
func sayings(s string) (all [][2]string) {
	q := quoted(s)
	tool := func(name, arguments string) {
		all = append(all, [2]string{"tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, name, arguments)})
	}
	for _, of := range []string{"path", "after", "before"} {
		tool("retrieve_docs", fmt.Sprintf(`{"query":"spacer","%s":%s}`, of, q))
	}
	for _, of := range []string{"tags", "where", "also"} {
		tool("retrieve_docs", fmt.Sprintf(`{"query":"spacer","%s":[%s]}`, of, q))
	}
	tool("retrieve_docs", fmt.Sprintf(`{"query":%s}`, q))
	tool("retrieve_docs", fmt.Sprintf(`{%s:%s,"query":"血压"}`, q, q))
	for _, of := range []string{"path", "cursor", "after"} {
		tool("list_docs", fmt.Sprintf(`{"%s":%s}`, of, q))
	}
	tool("list_docs", fmt.Sprintf(`{"tags":[%s]}`, q))
	tool("list_docs", fmt.Sprintf(`{"where":[%s]}`, quoted("status="+s)))
	for _, of := range []string{"path", "uri"} {
		tool("read_doc", fmt.Sprintf(`{"%s":%s}`, of, q))
	}
	all = append(all,
		[2]string{"resources/read", fmt.Sprintf(`{"uri":%s}`, q)},
		[2]string{"resources/list", fmt.Sprintf(`{"cursor":%s}`, q)},
		[2]string{"prompts/get", fmt.Sprintf(`{"name":"answer_from_docs","arguments":{"question":%s}}`, q)})
	for _, of := range []string{"path", "tags", "where"} {
		all = append(all, [2]string{"completion/complete", fmt.Sprintf(`{"ref":{"type":"ref/prompt","name":"answer_from_docs"},"argument":{"name":%q,"value":%s}}`, of, q)})
	}
	return all
}

// inexact are scores, which a database adds up in another order, and times.
var inexact = regexp.MustCompile(`"score":[0-9.e-]+|in \d+(\.\d+)? ?m?s\b`)

// says returns the answer of a server, without the parts that vary.
func says(s *client, request [2]string) string {
	raw, err := s.call(request[0], request[1])
	return inexact.ReplaceAllString(fmt.Sprint(string(raw), err), "")
}

// compare has both answer.
func (w *twins) compare(t *testing.T, request [2]string) {
	t.Helper()
	if got, want := says(w.inDatabase, request), says(w.inFile, request); got != want {
		t.Errorf("%s %q\nin a database: %s\nin a file:     %s", request[0], request[1], got, want)
	}
}

// documentTables are those that only change when a document does, but for the times at
// which it was read.
var documentTables = []string{"program", "schema_version", "documents", "texts", "chunks", "models", "vectors", "refusals", "passages", "vocabulary"}

// contents is what is in these tables, and which tables and functions there are.
func (d database) contents(t testing.TB) string {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	conn, err := pgx.Connect(ctx, d.owner)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var all strings.Builder
	ask := func(statement string) {
		var found string
		if err := conn.QueryRow(ctx, statement).Scan(&found); err != nil {
			t.Fatal(err)
		}
		all.WriteString(found + "\n")
	}
	for _, table := range documentTables {
		ask("SELECT '" + table + " ' || count(*) || ' ' || coalesce(md5(string_agg(row, '|' ORDER BY row)), '') FROM (SELECT (to_jsonb(x) - '{modified,changed,read_at}'::text[])::text AS row FROM vademecum." + table + " x) rows")
	}
	ask("SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class WHERE relnamespace IN ('vademecum'::regnamespace, 'public'::regnamespace)")
	ask("SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc WHERE pronamespace = 'vademecum'::regnamespace")
	ask("SELECT string_agg(name, '|' ORDER BY name) FROM vademecum.libraries")
	return all.String()
}

// FuzzDatabaseStrings: for any input in any place, a server with its index in a database
// answers like one with a file, and nothing else is changed. The same holds for names and
// texts of documents.
func FuzzDatabaseStrings(f *testing.F) {
	for _, s := range []string{
		"spacer", "血压", "%", "_", "100%_a.md", "a\x00b", "\xff\xfe\xc3\x28", `\`, `\\'`, `'; DROP TABLE vademecum.documents; --`, `" OR 1=1`, "$1", "$$", "%s%d", "{a,b}", "[a-", "**/*",
		"\u2028\u202e\ufeff\ufdd0", "2024-05-01", "lungs", "status=done' OR ''='", `E'\x00'`, "asthma.md#line=0,3", "file:///%00/%ff", strings.Repeat("long ", 2000), strings.Repeat("%_", 600),
	} {
		f.Add(s)
	}
	w := newTwins(f)
	f.Fuzz(func(t *testing.T, s string) {
		before := w.d.contents(t)
		for _, request := range sayings(s) {
			w.compare(t, request)
		}
		if after := w.d.contents(t); after != before {
			t.Errorf("%q has changed the tables from\n%s\nto\n%s", s, before, after)
		}
		w.compare(t, [2]string{"tools/call", fmt.Sprintf(`{"name":"index_docs","arguments":{"paths":[%s]}}`, quoted(s))}) // which may add a row with the reason why it is no file
		w.named(t, s)
	})
}

// named gives a document a name, as far as the system accepts it, and the same text.
func (w *twins) named(t *testing.T, s string) {
	t.Helper()
	name := strings.NewReplacer("/", "-", "\x00", "-").Replace(s)
	file := filepath.Join(w.dir, "n"+name[:min(len(name), 200)]+".md")
	if err := os.WriteFile(file, []byte("# "+s+"\n\nA text about "+s+".\n"), 0o600); err != nil {
		return // no name for a file
	}
	w.index(t)
	shown, _ := json.Marshal(filepath.Base(file))
	for _, request := range [][2]string{
		{"tools/call", `{"name":"list_docs","arguments":{}}`},
		{"tools/call", fmt.Sprintf(`{"name":"read_doc","arguments":{"path":%s}}`, shown)},
		{"tools/call", fmt.Sprintf(`{"name":"retrieve_docs","arguments":{"query":"text about %s"}}`, "it")},
		{"resources/list", "{}"},
	} {
		w.compare(t, request)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.index(t)
}
