package e2e

import (
	"context"
	"flag"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

var faultRuns = flag.Int("faults", 1, "how often TestFaultsOfDatabase has each fault happen")

// storeFault is a fault of a database, or on the way to it, while servers use it.
type storeFault struct {
	name string
	// begin has it happen and returns what ends it, after which all has to go on.
	begin func(p *pair) (end func())
	lasts time.Duration // at most
	// prepare is done to the database before; nil: nothing. It skips the test where the
	// fault cannot be had.
	prepare func(database, *testing.T)
}

var storeFaults = []storeFault{
	{"server killed", (*pair).killOne, 0, nil},
	{"connections cut", (*pair).cut, time.Second, nil},
	{"packets dropped", (*pair).dropPackets, 2 * time.Second, nil},
	{"row locked", (*pair).lockRow, 3 * time.Second, nil},
	{"table locked", (*pair).lockTable, 3 * time.Second, nil},
	{"disk full", (*pair).fillDisk, 2 * time.Second, database.onSmallDisk},
	{"primary killed", (*pair).killPrimary, 0, database.onNodes},
}

// onNodes skips the test where no one kills a primary for it.
func (d database) onNodes(t *testing.T) {
	t.Helper()
	if os.Getenv(breakVariable) == "" {
		t.Skip("this is for .ci/faults: there are no replicas")
	}
}

// goesOnWithin is how long after the end of a fault questions may fail.
const goesOnWithin = 5 * time.Second

// TestFaultsOfDatabase has two servers index a folder and answer, while a fault occurs at
// a random moment: everything found once is found by all afterwards, no answer omits
// earlier saved files without a note, and questions are answered again soon.
func TestFaultsOfDatabase(t *testing.T) {
	if testing.Short() {
		t.Skip("servers wait for what does not answer")
	}
	for _, f := range storeFaults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			var asked, saved []time.Duration
			told := make(map[string]int)
			for n := range *faultRuns {
				t.Run(strconv.Itoa(n), func(t *testing.T) {
					p := newPair(t, f.prepare)
					answered, spread := p.liveThrough(f)
					asked, saved = append(asked, answered), append(saved, spread)
					for what, n := range p.told {
						told[what] += n
					}
				})
			}
			if len(asked) == 0 {
				t.Skip("this is for .ci/faults")
			}
			t.Logf("%s: answered again after %s; a new note found by all after %s", f.name, quantiles(asked), quantiles(saved))
			for what, n := range told {
				t.Logf("%s: said %d times: %s", f.name, n, what)
			}
		})
	}
}

// pair is two servers on a folder and a library, a way to the database for each, an
// editor and a client.
type pair struct {
	t     *testing.T
	d     database
	e     *editor
	ways  [2]*gate
	addrs [2]string

	mu      sync.Mutex
	servers [2]*client
	saved   []string        // words in notes, in the order in which they were saved
	found   map[string]bool // of these, those that an answer had
	told    map[string]int  // instead of an answer
}

// newPair starts two servers on a database that is prepared before.
func newPair(t *testing.T, prepare func(database, *testing.T)) *pair {
	p := &pair{t: t, d: newDatabase(t), found: make(map[string]bool), told: make(map[string]int)}
	if prepare != nil {
		prepare(p.d, t)
	}
	p.e = newEditor(t, manyNotes(t, 3))
	for i := range p.ways {
		p.ways[i], p.addrs[i] = gateTo(t, p.d.serving)
		if strings.Contains(os.Getenv(serverVariable), ",") { // with several database servers the client chooses one
			p.addrs[i] = p.d.serving
		}
		p.ways[i].open()
		p.start(i)
	}
	for i := range p.servers {
		p.save()
		if _, err := p.server(i).await(time.Now(), p.saved[i], func(f found) bool { return f.holds(p.saved[i]) }); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *pair) start(i int) {
	p.t.Helper()
	c := vademecum(p.t, "serve", p.e.dir, "--library", "notes")
	c.Env = append(c.Env, "VADEMECUM_STORE="+p.addrs[i])
	if os.Getenv(breakVariable) != "" { // there are replicas
		c.Env = append(c.Env, "VADEMECUM_STORE_READ="+strings.ReplaceAll(p.addrs[i], "=read-write", "=prefer-standby"))
	}
	s := connect(p.t, c)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.servers[i] = s
}

func (p *pair) server(i int) *client {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.servers[i]
}

// save adds a note with a word of its own.
func (p *pair) save() (unique string) {
	p.t.Helper()
	text, unique := p.e.text()
	p.e.save(p.e.fresh(), text)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saved = append(p.saved, unique)
	return unique
}

// some is a word that was saved: the last one, or any.
func (p *pair) some(last bool) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if last {
		return p.saved[len(p.saved)-1]
	}
	return p.saved[rand.IntN(len(p.saved))]
}

// ask queries a server for a word, and reports whether the answer contains it.
func (p *pair) ask(i int, word string) bool {
	s := p.server(i)
	f, err := s.retrieve(word)
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil:
		p.told[shape(err.Error())]++
		return false
	case f.holds(word):
		p.found[word] = true
		return true
	}
	for _, n := range f.Notes {
		p.told[shape(n)]++
	}
	if !slices.ContainsFunc(f.Notes, isExcuse) {
		p.t.Errorf("server %d leaves out %s, which was saved before, and says only %q (found before: %t): %s", i, word, f.Notes, p.found[word], f)
	}
	return false
}

// inWords are the numbers and words of a note that are others each time.
var inWords = regexp.MustCompile(`zx\w+|\d[\d:.]*`)

// shape returns the common part of notes that say the same.
func shape(said string) string { return inWords.ReplaceAllString(said, "…") }

// isExcuse reports whether a note says that an answer may miss something.
func isExcuse(note string) bool {
	return slices.ContainsFunc([]string{"database", "not indexed yet", "may be behind", "may be missing", "not up to date", "keeps the index", "index", "ask again for a complete answer"}, func(s string) bool { return strings.Contains(note, s) })
}

// liveThrough has a fault happen, and returns how long after its end all servers
// answered again, and found what was saved then.
func (p *pair) liveThrough(f storeFault) (answered, spread time.Duration) {
	p.t.Helper()
	ctx, stop := context.WithCancel(p.t.Context())
	defer stop()
	var busy sync.WaitGroup
	for i := range p.servers {
		busy.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				p.ask(i, p.some(n%2 == 0))
			}
		})
	}
	p.saveFor(rand.N(500 * time.Millisecond))
	end := f.begin(p)
	if f.lasts > 0 {
		p.saveFor(rand.N(f.lasts))
	}
	end()
	since := time.Now()
	p.mu.Lock()
	old := p.saved[0]
	p.mu.Unlock()
	fresh := p.save()
	answered, spread = p.awaitAll(since, old), p.awaitAll(since, fresh)
	stop()
	busy.Wait()
	if answered > goesOnWithin {
		p.t.Errorf("%s: questions are answered %s after it", f.name, answered)
	}
	p.checkKept()
	return answered, spread
}

// saveFor saves notes for a while.
func (p *pair) saveFor(d time.Duration) {
	start := time.Now()
	poll(2*d, func() bool { p.save(); return time.Since(start) > d })
}

// awaitAll waits until all servers find a word, and returns how long that is after a
// time.
func (p *pair) awaitAll(since time.Time, word string) time.Duration {
	p.t.Helper()
	var all sync.WaitGroup
	for i := range p.servers {
		all.Go(func() {
			if !poll(longestCall, func() bool { return p.ask(i, word) }) {
				p.t.Errorf("server %d does not find %s after %s", i, word, longestCall)
			}
		})
	}
	all.Wait()
	return time.Since(since)
}

// checkKept queries a new server without access to files for everything that was in an
// answer.
func (p *pair) checkKept() {
	p.t.Helper()
	for i := range p.servers {
		p.server(i).kill()
	}
	c := vademecum(p.t, "serve", "--library", "notes")
	c.Env = append(c.Env, p.d.env())
	s := connect(p.t, c)
	defer s.kill()
	for word := range p.found {
		if f, err := s.retrieve(word); err != nil || !f.holds(word) {
			p.t.Errorf("%s was in an answer and is not there any more: %s, %v", word, f, err)
		}
	}
}

// killOne kills a server, any of the two, and starts another.
func (p *pair) killOne() (end func()) {
	i := rand.IntN(len(p.servers))
	p.server(i).kill()
	return func() { p.start(i) }
}

func (p *pair) cut() (end func()) {
	for _, g := range p.ways {
		g.shut()
	}
	return func() {
		for _, g := range p.ways {
			g.open()
		}
	}
}

// dropPackets has nothing pass on the way of one server, or of both.
func (p *pair) dropPackets() (end func()) {
	meant := p.ways[:]
	if i := rand.IntN(3); i < len(meant) {
		meant = meant[i : i+1]
	}
	for _, g := range meant {
		g.forget(true)
	}
	return func() {
		for _, g := range meant {
			g.forget(false)
		}
	}
}

func (p *pair) lockRow() (end func()) {
	return p.hold("SELECT FROM vademecum.libraries FOR UPDATE")
}

func (p *pair) lockTable() (end func()) {
	tables := []string{"libraries", "documents", "passages", "postings"}
	return p.hold("LOCK TABLE vademecum." + tables[rand.IntN(len(tables))] + " IN ACCESS EXCLUSIVE MODE")
}

// hold runs a statement in a transaction that stays open.
func (p *pair) hold(statement string) (end func()) {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), p.d.owner)
	if err == nil {
		_, err = conn.Exec(p.t.Context(), "BEGIN; "+statement)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	return func() {
		if err := conn.Close(context.WithoutCancel(p.t.Context())); err != nil {
			p.t.Error(err)
		}
	}
}

// smallSpace is a tablespace of a few megabytes, which .ci/faults makes in a server.
const smallSpace = "vademecum_small"

// onSmallDisk has the database be there, and skips the test where there is no such.
func (d database) onSmallDisk(t *testing.T) {
	t.Helper()
	ctx := t.Context()
	conn, err := pgx.Connect(ctx, os.Getenv(serverVariable))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(ctx)
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_tablespace WHERE spcname = $1)", smallSpace).Scan(&there); err != nil {
		t.Fatal(err)
	}
	if !there {
		t.Skip("this is for .ci/faults: the server has no small disk")
	}
	await(t, "nobody in the database", func() bool { // the creator of the tables disconnects a moment later
		_, err := conn.Exec(ctx, "ALTER DATABASE "+d.name+" SET TABLESPACE "+smallSpace)
		return err == nil
	})
}

// fillDisk writes until the disk is full: from then on new clients cannot connect.
func (p *pair) fillDisk() (end func()) {
	p.t.Helper()
	ctx := context.WithoutCancel(p.t.Context())
	conn, err := pgx.Connect(ctx, p.d.owner)
	if err == nil {
		_, err = conn.Exec(ctx, "CREATE TABLE filler (b bytea); ALTER TABLE filler ALTER b SET STORAGE EXTERNAL")
	}
	if err != nil {
		p.t.Fatal(err)
	}
	for _, size := range []int{1 << 20, 8 << 10, 1 << 10} {
		for err = nil; err == nil; {
			_, err = conn.Exec(ctx, "INSERT INTO filler SELECT decode(repeat('5a', $1), 'hex')", size)
		}
	}
	return func() {
		if _, err := conn.Exec(ctx, "DROP TABLE filler"); err != nil {
			p.t.Error(err)
		}
		_ = conn.Close(ctx)
	}
}

// breakVariable names a file that has .ci/faults kill the primary and promote a
// replica. It is gone when that is done.
const breakVariable = "VADEMECUM_TEST_BREAK"

func (p *pair) killPrimary() (end func()) {
	p.t.Helper()
	file := os.Getenv(breakVariable)
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		p.t.Fatal(err)
	}
	await(p.t, "a new primary", func() bool {
		p.save()
		_, err := os.Stat(file)
		return err != nil
	})
	return func() {}
}
