package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var several = flag.Duration("several", 4*time.Second, "how long several servers share a folder that is edited")

// crew is several servers on one folder and one index.
type crew struct {
	t          *testing.T
	dir, index string
	model      *embeddingServer
	servers    []*talk // in the order of their start
	started    int
	keys       map[int]string // of each process, as the model sees it
	dead       map[string]bool
}

func newCrew(t *testing.T, dir string) *crew {
	return &crew{t: t, dir: dir, index: indexFile(t), model: newEmbeddingServer(t), keys: make(map[int]string), dead: make(map[string]bool)}
}

// add starts one more.
func (c *crew) add() {
	c.t.Helper()
	c.started++
	key := fmt.Sprintf("server-%d", c.started)
	cmd := vademecum(c.t, "serve", c.dir, "--index", c.index, "--embed", c.model.spec)
	cmd.Env = append(cmd.Env, "VADEMECUM_API_KEY="+key)
	s := startTalk(c.t, cmd)
	c.servers = append(c.servers, s)
	c.keys[s.cmd.Process.Pid] = "Bearer " + key
}

// leader is the place of the server that indexes. While status names none it
// is taken to be the first.
func (c *crew) leader() (at int, named bool) {
	c.t.Helper()
	for start := time.Now(); ; {
		pid := c.indexer()
		if pid == 0 {
			return 0, false
		}
		at := slices.IndexFunc(c.servers, func(s *talk) bool { return s.cmd.Process.Pid == pid })
		if at >= 0 {
			return at, true
		}
		if time.Since(start) > longestWait {
			c.t.Fatalf("after %s status still says that process %d indexes, which was killed", longestWait, pid)
		}
	}
}

// indexer is what status says of who indexes, 0 for nobody.
func (c *crew) indexer() int {
	c.t.Helper()
	out, err := vademecum(c.t, "status", c.dir, "--index", c.index, "--embed", c.model.spec, "--json").Output()
	if err != nil {
		c.t.Fatalf("status: %v", err)
	}
	var status struct {
		Folders []struct {
			Indexer struct{ Pid int }
		}
	}
	if err := json.Unmarshal(out, &status); err != nil || len(status.Folders) != 1 {
		c.t.Fatalf("status says %s, %v", out, err)
	}
	return status.Folders[0].Indexer.Pid
}

// behead kills the leader, puts a new server in its place, and returns how
// long it took until another process indexed, as status tells; 0 if it does
// not.
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
		for c.indexer() == 0 && time.Since(start) < longestWait {
		}
		if _, named = c.leader(); !named {
			c.t.Fatalf("after %s nobody has taken over", longestWait)
		}
		took = time.Since(start)
	}
	c.add()
	return took
}

// questions are asked at the end.
var questions = []string{
	"warfarin visit", "insulin", "asthma and sleep", "sodium in the diet of the patient", "血压", "糖尿病 insulin", "心脏",
	"a sentence that says little", "number17", "later the word was added", "the visit of the patient", "notes on sleep",
}

// state is all that a server answers: the list of documents, and what it
// finds for the questions.
func (s *talk) state() (list string, answers []found, err error) {
	for cursor := ""; ; {
		blocks, err := s.tool("list_docs", fmt.Sprintf(`{"cursor":%q}`, cursor))
		if err != nil {
			return "", nil, err
		}
		page, more, ok := strings.Cut(blocks[0].Text, "More: call list_docs with cursor ")
		list += page
		if !ok {
			break
		}
		if _, err := fmt.Sscanf(more, "%q", &cursor); err != nil {
			return "", nil, fmt.Errorf("cursor %s: %w", more, err)
		}
	}
	for _, q := range questions {
		f, err := s.retrieve(q)
		if err != nil {
			return "", nil, err
		}
		answers = append(answers, f)
	}
	return list, answers, nil
}

// differs tells how one server's answers are not those of another.
func differs(s, fresh *talk) error {
	list, answers, err := s.state()
	if err != nil {
		return err
	}
	wantList, want, err := fresh.state()
	if err != nil {
		return err
	}
	if list != wantList {
		return fmt.Errorf("process %d lists\n%s\na fresh index\n%s", s.cmd.Process.Pid, list, wantList)
	}
	for i, q := range questions {
		if !answers[i].equals(want[i]) {
			return fmt.Errorf("process %d answers %q with\n%s\na fresh index\n%s", s.cmd.Process.Pid, q, answers[i], want[i])
		}
	}
	return nil
}

func (f found) equals(g found) bool {
	return slices.Equal(f.Notes, g.Notes) && slices.EqualFunc(f.Passages, g.Passages, func(a, b foundPassage) bool {
		near := math.Abs(a.Score-b.Score) < 1e-6
		a.Score = b.Score
		return near && a == b
	})
}

// awaitLike waits until every server answers as a fresh index does.
func (c *crew) awaitLike(fresh *talk) {
	c.t.Helper()
	_, want, err := fresh.state()
	if err != nil || slices.ContainsFunc(want, func(f found) bool { return len(f.Passages) == 0 }) {
		c.t.Fatalf("a fresh index finds nothing for one of the questions: %s, %v", want, err)
	}
	failed := make([]error, len(c.servers))
	var group sync.WaitGroup
	start := time.Now()
	for i, s := range c.servers {
		group.Go(func() {
			for failed[i] = differs(s, fresh); failed[i] != nil && time.Since(start) < longestWait; {
				failed[i] = differs(s, fresh)
			}
		})
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		c.t.Fatalf("still after %s: %v", longestWait, err)
	}
}

// spread saves a note with a new word and returns how long the leader and then
// the last of the others took to find it.
func (c *crew) spread(e *editor) (first, after time.Duration) {
	c.t.Helper()
	text, unique := e.text()
	at, _ := c.leader()
	e.save(e.fresh(), text)
	took := awaitAll(c.t, time.Now(), c.servers, unique, func(f found) bool { return f.holds(unique) })
	return took[at], max(0, slices.Max(took)-took[at])
}

// TestSeveralServers lets eight servers share a folder and an index while the
// folder is edited and the one that indexes is killed again and again.
func TestSeveralServers(t *testing.T) {
	const notes = 200
	dir := manyNotes(t, notes)
	c, e := newCrew(t, dir), newEditor(t, dir)
	for range 8 {
		c.add()
	}
	var takeovers, leaders, followers []time.Duration
	every := min(3*time.Second, *several/4)
	kill := time.Now().Add(every)
	for start := time.Now(); time.Since(start) < *several || len(c.dead) == 0; {
		e.step(notes)
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
	if out, err := vademecum(t, "index", dir, "--index", fresh.index, "--embed", fresh.model.spec).CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	fresh.add()
	c.awaitLike(fresh.servers[0])
	c.checkSent(fresh)
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
	had := c.model.passages()
	for p := range fresh.model.passages() {
		if !had[p] {
			c.t.Fatalf("never embedded: %q", p)
		}
	}
}
