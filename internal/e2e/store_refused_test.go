package e2e

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// refusal is a way in which a database that answers takes no changes.
type refusal struct {
	name, why  string // name in a test, and message for people
	remedy     string
	begin, end func(d database, t *testing.T)
}

// leaveAll ends the sessions of all others: a setting of the database is that of new ones.
func (d database) leaveAll(t *testing.T) {
	inDatabase(t, os.Getenv(serverVariable), "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '"+d.name+"'")
}

var storeRefusals = []refusal{
	{
		"read-only", "it is read-only", "name a primary in --store, or turn off default_transaction_read_only there",
		func(d database, t *testing.T) {
			inDatabase(t, d.owner, "ALTER DATABASE "+d.name+" SET default_transaction_read_only = on")
			d.leaveAll(t)
		},
		func(d database, t *testing.T) {
			inDatabase(t, d.owner, "SET default_transaction_read_only = off", "ALTER DATABASE "+d.name+" RESET default_transaction_read_only")
		},
	},
	{
		"read-only user", "it is read-only", "name a primary in --store, or turn off default_transaction_read_only there",
		func(d database, t *testing.T) {
			inDatabase(t, d.owner, "ALTER ROLE "+d.name+" SET default_transaction_read_only = on")
			d.leaveAll(t)
		},
		func(d database, t *testing.T) {
			inDatabase(t, d.owner, "ALTER ROLE "+d.name+" RESET default_transaction_read_only")
		},
	},
	{
		"no rights", "the user of this server may not write to it", "vademecum store migrate --grant USER grants the privileges",
		func(d database, t *testing.T) {
			inDatabase(t, d.owner, "REVOKE INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA vademecum FROM "+d.name)
		},
		func(d database, t *testing.T) {
			onStore(t, d, d.owner, "may serve from them", "store", "migrate", "--grant", d.name)
		},
	},
}

// TestDatabaseRefuses: while a database is read-only, questions are answered, and all
// users are informed once and in the same words; files saved meanwhile are found when it
// accepts changes again.
func TestDatabaseRefuses(t *testing.T) {
	for _, r := range storeRefusals {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			r.test(t, d, d.serving)
		})
	}
}

// TestDatabaseRefusesBehindPooler: the same behind PgBouncer, which keeps sessions with
// earlier settings until they are ended.
func TestDatabaseRefusesBehindPooler(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	r := storeRefusals[0]
	r.end = func(d database, t *testing.T) {
		storeRefusals[0].end(d, t)
		d.leaveAll(t)
	}
	r.test(t, d, d.behindPooler(t))
}

// TestDatabaseClosed: a database that refuses connections counts as down, also where a
// pooler refuses them.
func TestDatabaseClosed(t *testing.T) {
	for name, way := range map[string]func(database, *testing.T) string{
		"direct": func(d database, _ *testing.T) string { return d.serving },
		"pooler": database.behindPooler,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDatabase(t)
			c := vademecum(t, "serve", "--http=127.0.0.1:0", manyNotes(t, 3), "--library", "notes")
			c.Env = append(c.Env, "VADEMECUM_STORE="+way(d, t))
			s := startHTTP(t, c)
			s.awaitReady("ready")
			client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
			inDatabase(t, os.Getenv(serverVariable), "ALTER DATABASE "+d.name+" ALLOW_CONNECTIONS false")
			await(t, "word that the database is away", func() bool {
				d.leaveAll(t) // a session that was being opened exists only now
				return s.readiness() == "not ready: the database does not answer"
			})
			if text := client.saysOf("retrieve_docs", "query", "warfarin"); text != away {
				t.Errorf("while it is closed: %s", text)
			}
			inDatabase(t, os.Getenv(serverVariable), "ALTER DATABASE "+d.name+" ALLOW_CONNECTIONS true")
			s.awaitReady("ready")
			await(t, "an answer", func() bool { return strings.Contains(client.saysOf("retrieve_docs", "query", "warfarin"), "[1] ") })
			log := ""
			await(t, "the end of it in the log", func() bool {
				log += s.newLines()
				return strings.Contains(log, "the database serves again")
			})
			if strings.Count(log, "level=WARN")+strings.Count(log, "level=ERROR") != 2 {
				t.Errorf("the log says more than that it is away, and back: %s", log)
			}
		})
	}
}

func (r refusal) test(t *testing.T, d database, serving string) {
	e := newEditor(t, manyNotes(t, 3))
	c := vademecum(t, "serve", "--http=127.0.0.1:0", e.dir, "--library", "notes")
	c.Env = append(c.Env, "VADEMECUM_STORE="+serving)
	s := startHTTP(t, c)
	s.awaitReady("ready")
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	old, known := e.text()
	path := e.fresh()
	e.save(path, old)
	await(t, "a note", func() bool { return strings.Contains(client.saysOf("retrieve_docs", "query", known), "[1] ") })

	r.begin(d, t)
	fresh, unique := e.text()
	e.save(e.fresh(), fresh)
	note := "Note: The database accepts no changes now (" + r.why + "): the latest saved changes may be missing."
	await(t, "being told", func() bool { return strings.Contains(client.saysOf("retrieve_docs", "query", unique), note) })
	r.checkTold(t, client, map[string]string{
		"retrieve_docs of what is there": client.saysOf("retrieve_docs", "query", known),
		"retrieve_docs of what is not":   client.saysOf("retrieve_docs", "query", unique),
		"list_docs":                      client.mustTool("list_docs", nil),
		"read_doc":                       client.saysOf("read_doc", "path", e.relative(path)),
	})
	s.awaitReady("ready")
	if !strings.Contains(s.text("/metrics"), `vademecum_database_refuses{folders="1"} 1`) {
		t.Errorf("/metrics: %s", s.text("/metrics"))
	}
	if state := s.text("/library/state"); !strings.Contains(state, r.why) || strings.Contains(state, "Up to date") {
		t.Errorf("the page says %s", state)
	}
	onStore(t, d, serving, "accepts no changes: "+r.why+": "+r.remedy, "status", e.dir, "--library", "notes")
	onStore(t, d, serving, "accepts no changes: "+r.why+"; newly saved files are not indexed\n", "doctor", e.dir, "--library", "notes")
	onStore(t, d, serving, "("+r.why+")", "search", e.dir, unique, "--library", "notes")

	r.end(d, t)
	await(t, "what was saved meanwhile", func() bool {
		text := client.saysOf("retrieve_docs", "query", unique)
		return strings.Contains(text, "[1] ") && !strings.Contains(text, "no changes")
	})
	await(t, "the end of it in the metrics", func() bool { return strings.Contains(s.text("/metrics"), `vademecum_database_refuses{folders="1"} 0`) })
	var log string
	await(t, "the end of it in the log", func() bool {
		log += s.newLines()
		return strings.Contains(log, "the database takes changes again")
	})
	if err := c.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	log += s.log()
	for _, once := range []string{"the database accepts no changes", "the database takes changes again"} {
		if n := strings.Count(log, once); n != 1 {
			t.Errorf("the log says %d times %q: %s", n, once, log)
		}
	}
	if strings.Contains(log, "level=ERROR") || strings.Contains(log, "another process") {
		t.Errorf("the log says more than that: %s", log)
	}
}

// checkTold checks the answers of the tools.
func (r refusal) checkTold(t *testing.T, client *webClient, said map[string]string) {
	t.Helper()
	for tool, text := range said {
		if strings.Count(text, "The database accepts no changes now ("+r.why+")") != 1 || strings.Contains(text, "process") || strings.Contains(text, "compared") {
			t.Errorf("%s says %s", tool, text)
		}
	}
	if text := client.mustTool("index_docs", nil); text != "the database accepts no changes now ("+r.why+"): changes in the folder are indexed automatically once it does" {
		t.Errorf("index_docs says %s", text)
	}
}
