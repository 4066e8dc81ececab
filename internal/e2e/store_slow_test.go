package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestDatabaseSaysNothing: a server that starts while the database accepts connections
// without answering is as fast as where it cannot be reached, and continues when it
// answers.
func TestDatabaseSaysNothing(t *testing.T) {
	t.Parallel()
	d := newDatabase(t)
	g, address := gateTo(t, d.serving)
	g.open()
	g.forget(true)
	c := vademecum(t, "serve", "--http=127.0.0.1:0", manyNotes(t, 3), "--library", "notes")
	c.Env = append(c.Env, "VADEMECUM_STORE="+address)
	s := startHTTP(t, c)
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	began := time.Now()
	said := client.saysOf("retrieve_docs", "query", "warfarin")
	if took := time.Since(began); took > 20*time.Second || !strings.Contains(said, "the database cannot be reached") { // 45 s before
		t.Errorf("after %.1f s it says %s", took.Seconds(), said)
	}
	t.Logf("the first answer came after %.1f s", time.Since(began).Seconds())
	g.forget(false)
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "[isError]")
}

// TestDatabaseSlow: answers over a slow network mention that and do not take long, and so
// do the log and status.
func TestDatabaseSlow(t *testing.T) {
	t.Parallel()
	const delay = 150 * time.Millisecond // each way
	d, dir := newDatabase(t), manyNotes(t, 3)
	g, address := gateTo(t, d.serving)
	g.open()
	c := vademecum(t, "serve", "--http=127.0.0.1:0", dir, "--library", "notes")
	c.Env = append(c.Env, "VADEMECUM_STORE="+address)
	s := startHTTP(t, c)
	client := connectHTTP(t, s.url, "2025-06-18", http.DefaultClient)
	client.awaits("retrieve_docs", "query", "warfarin", "0.md", "database is slow")
	g.slow(delay)
	client.awaits("retrieve_docs", "query", "warfarin", "The database is slow (3", "[isError]")
	s.awaitsLine("the database answers slowly")
	for range 2 {
		began := time.Now()
		said := client.saysOf("retrieve_docs", "query", "warfarin visit")
		t.Logf("a question took %.1f s", time.Since(began).Seconds())
		if !strings.Contains(said, "0.md") || !strings.Contains(said, "database is slow") {
			t.Errorf("it says %s", said)
		}
	}
	if said := d.run(t, address, "", "status", "--library", "notes", dir); !strings.Contains(said, "answers slowly: 3") {
		t.Errorf("status says %s", said)
	}
	g.slow(0)
	s.awaitsLine("the database answers quickly again")
}
