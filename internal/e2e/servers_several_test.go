package e2e

import (
	"flag"
	"runtime"
	"slices"
	"testing"
	"time"
)

var several = flag.Duration("several", 4*time.Second, "how long several servers share a folder that is edited")

// behead kills the leader, starts a new server in its place, and returns how long it took
// until another process indexed, according to status; 0 if none did.
func (c *crew) behead() time.Duration {
	c.t.Helper()
	at, named := c.leader()
	old := c.servers[at]
	c.servers = slices.Delete(c.servers, at, at+1)
	start := time.Now()
	old.kill()
	c.dead[c.keys[old.cmd.Process.Pid]] = true
	var took time.Duration
	if named {
		poll(longestWait, func() bool { return c.indexer() != 0 })
		if _, named = c.leader(); !named {
			c.t.Fatalf("after %s nobody has taken over", longestWait)
		}
		took = time.Since(start)
	}
	c.add()
	return took
}

// spread saves a note with a new word, and returns how long the leader and then the last of the
// others took to find it.
func (c *crew) spread(e *editor) (first, after time.Duration) {
	c.t.Helper()
	text, unique := e.text()
	at, _ := c.leader()
	e.save(e.fresh(), text)
	took := awaitAll(c.t, time.Now(), c.servers, unique, func(f found) bool { return f.holds(unique) })
	return took[at], max(0, slices.Max(took)-took[at])
}

// TestSeveralServers lets five servers, or eight with -full, share a folder and an index while
// the folder is edited and the one that indexes is killed again and again.
func TestSeveralServers(t *testing.T) {
	t.Parallel()
	c := newCrew(t, manyNotes(t, notesOfCrew))
	servers := 5
	if *inFull {
		servers = 8
	}
	for range servers {
		c.add()
	}
	c.liveThrough()
}

// notesOfCrew is how many notes there are in the folder of several servers.
const notesOfCrew = 200

// liveThrough edits the folder of several servers and kills the indexer repeatedly. It checks that
// in the end they answer like a fresh index, and have sent each text to the model once.
func (c *crew) liveThrough() {
	t, dir, e := c.t, c.dir, newEditor(c.t, c.dir)
	t.Helper()
	var takeovers, leaders, followers []time.Duration
	every := min(3*time.Second, *several/4)
	kill := time.Now().Add(every)
	for start := time.Now(); time.Since(start) < *several || len(c.dead) == 0; {
		e.step(notesOfCrew)
		if _, err := c.servers[e.rng.IntN(len(c.servers))].retrieve(questions[e.rng.IntN(len(questions))]); err != nil {
			t.Fatal(err)
		}
		if time.Now().After(kill) {
			first, after := c.spread(e)
			leaders, followers = append(leaders, first), append(followers, after)
			if took := c.behead(); took > 0 {
				takeovers = append(takeovers, took)
			}
			kill = time.Now().Add(every)
		}
	}
	t.Logf("%d texts, %d kills", len(e.past), len(c.dead))
	t.Logf("saved to found by the leader: %s", quantiles(leaders))
	t.Logf("found by the leader to found by all others: %s", quantiles(followers))
	if len(takeovers) > 0 {
		t.Logf("killed to taken over: %s", quantiles(takeovers))
	} else {
		t.Error("status does not name the indexer")
	}
	fresh := newCrew(t, dir)
	if c.model == nil {
		fresh.model = nil
	}
	if out, err := fresh.vademecum("index").CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	fresh.add()
	c.awaitLike(fresh.servers[0])
	if c.model != nil {
		c.checkSent(fresh)
	}
}

// checkSent checks that each text was sent to the embedding model once.
func (c *crew) checkSent(fresh *crew) {
	c.t.Helper()
	distinct, excused, again := c.model.tally(func(key string) bool { return c.dead[key] })
	c.t.Logf("%d distinct passages embedded, %d of them again because of a kill", distinct, excused)
	if len(again) > 0 {
		c.t.Errorf("%d passages were sent again, for example %q", len(again), again[0])
	}
	if bound := len(c.dead) * max(2, runtime.GOMAXPROCS(0)) * 64; excused > bound {
		c.t.Errorf("%d passages were sent again after %d kills, at most %d can have been under way", excused, len(c.dead), bound)
	}
	had := c.model.sent("model", "")
	for _, text := range fresh.model.sent("model", "") {
		if !slices.Contains(had, text) {
			c.t.Fatalf("never embedded: %q", text)
		}
	}
}
