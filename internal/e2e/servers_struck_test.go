package e2e

import (
	"cmp"
	"context"
	"flag"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vademecum/internal/app/owner"
)

var (
	strikes = flag.Int("strikes", 0, "how many kills, stops, logouts and hung drives TestStruckServers goes through; it is skipped without any")
	seed    = flag.Uint64("seed", 0, "which events TestStruckServers has, as it printed them; 0 for others each time")
)

const (
	askers        = 4
	saveEvery     = 50 * time.Millisecond
	longestStop   = 60 * time.Second // of a server
	longestHang   = 30 * time.Second // of a drive
	longestAnswer = longestStop + longestCall
	clock         = "15:04:05.000"
)

// struck is four hosts that ask all the time about folders of which a file changes twenty times a
// second, while their servers are killed, stopped and ended, and a drive hangs.
type struck struct {
	t     *testing.T
	seed  uint64
	rng   *rand.Rand // of the events
	dir   string
	cache string // which all servers share
	drive slowDrive
	hosts []*asker

	begun, saved atomic.Int64 // numbers of the last text of the file that changes: the one begun, and the one saved

	left    sync.WaitGroup // servers that are to end
	mu      sync.Mutex
	all     []*client // every server there ever was
	strikes []struckAt
	answers []answered
	counts  map[string]int // of events
	said    map[string]int // of answers, by what is to be said of them
	faults  int
	isHung  bool
	hangs   []span // of the drive
}

// slowDrive is a drive that can be made to hang.
type slowDrive interface {
	write(name, text string)
	hang()
	resume()
	folder() string
}

// struckAt is one event.
type struckAt struct {
	what    string
	at      time.Time
	isOwner bool // the server that was struck held the index for the others
}

func (s *struck) arguments(name string) []string {
	arguments := []string{name, s.dir}
	if s.drive != nil {
		arguments = append(arguments, s.drive.folder())
	}
	return arguments
}

// index makes an index in a cache folder.
func (s *struck) index(cache string) {
	s.t.Helper()
	c := vademecum(s.t, s.arguments("index")...)
	c.Env = append(c.Env, cachedIn(cache)...)
	if out, err := c.CombinedOutput(); err != nil {
		s.t.Fatalf("%v, %s", err, out)
	}
}

// keepSaving saves the file twenty times a second.
func (s *struck) keepSaving(ctx context.Context) error {
	tick := time.NewTicker(saveEvery)
	defer tick.Stop()
	for n := int64(1); ; n++ {
		s.begun.Store(n)
		if err := replaceFile(filepath.Join(s.dir, gaugeFile), gaugeText(n)); err != nil {
			return err
		}
		s.saved.Store(n)
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// ending is a way in which a host ends its server, or a system all of them.
type ending struct {
	name string
	end  func(s *client) error
}

// endings returns those of this system.
func endings() []ending {
	return append([]ending{{"stdin closed", func(s *client) error { return s.in.Close() }}}, endingSignals...)
}

// end ends the server of a host, as told; it is awaited in the background, as it cannot end while a
// drive hangs. The caller starts another.
func (a *asker) end(e ending) {
	a.mu.Lock()
	server, wasStopped := a.server, a.isStopped
	a.disturbed = append(a.disturbed, span{from: time.Now()})
	a.isStopped = false
	a.mu.Unlock()
	if err := e.end(server); err != nil {
		a.fault(server, "%s: %v", e.name, err)
	}
	if wasStopped { // as a system that ends a session lets it go on
		_ = goOn(server) // it may have been killed
	}
	a.left.Go(func() { _ = server.wait() }) // it has been told how to end
}

var killed = ending{"killed", func(s *client) error { return s.cmd.Process.Kill() }}

// stop stops a server for a while.
func (a *asker) stop(length time.Duration) {
	a.mu.Lock()
	defer a.mu.Unlock()
	server := a.server
	if err := stop(server); err != nil {
		a.t.Errorf("it cannot be stopped: %v", err)
		return
	}
	a.isStopped = true
	a.disturbed = append(a.disturbed, span{from: time.Now()})
	at := len(a.disturbed) - 1
	time.AfterFunc(length, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.server == server && a.isStopped {
			_ = goOn(server)
			a.isStopped, a.disturbed[at].to = false, time.Now()
		}
	})
}

// some returns the host of the owner half of the time, else another one.
func (s *struck) some() (victim *asker, isOwner bool) {
	pid := 0
	for _, p := range owner.Processes(filepath.Join(s.cache, "vademecum"), s.dir) {
		if p.Role == owner.RoleOwner {
			pid = p.PID
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.hosts, func(a *asker) bool { return a.server.cmd.Process.Pid == pid })
	other := s.rng.IntN(askers)
	if at < 0 || s.rng.IntN(2) == 0 {
		return s.hosts[other], other == at
	}
	return s.hosts[at], true
}

func (s *struck) note(what string, isOwner bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strikes = append(s.strikes, struckAt{what, time.Now(), isOwner})
	if isOwner {
		what += ", of the owner"
	}
	s.counts[what]++
}

// random is a duration, short ones as often as long ones.
func (s *struck) random(longest time.Duration) time.Duration {
	length := longest
	for s.rng.IntN(3) > 0 && length > 100*time.Millisecond {
		length /= 2
	}
	return time.Duration((0.5 + s.rng.Float64()/2) * float64(length))
}

// strike has something happen.
func (s *struck) strike() {
	s.t.Helper()
	victim, isOwner := s.some()
	s.mu.Lock()
	stopped := 0
	for _, a := range s.hosts {
		if a.isStopped {
			stopped++
		}
	}
	wasStopped, isHung := victim.isStopped, s.isHung
	s.mu.Unlock()
	ways := endings()
	switch chance := s.rng.IntN(20); {
	case chance < 6 && !wasStopped && stopped < askers-1:
		length := s.random(longestStop)
		s.note("stopped", isOwner)
		victim.stop(length)
	case chance >= 6 && chance < 8 && s.drive != nil && !isHung:
		s.hang(s.random(longestHang))
	case chance == 8:
		s.note("logout of all", false)
		for _, a := range s.hosts {
			a.end(ways[s.rng.IntN(len(ways))])
		}
		for _, a := range s.hosts {
			a.add()
		}
	case chance >= 9 && chance < 14:
		e := ways[s.rng.IntN(len(ways))]
		s.note(e.name, isOwner)
		victim.end(e)
		victim.add()
	default:
		s.note(killed.name, isOwner)
		victim.end(killed)
		victim.add()
	}
}

const hungDrive = "hung drive"

// hang has the drive hang for a while.
func (s *struck) hang(length time.Duration) {
	s.note(hungDrive, false)
	s.mu.Lock()
	s.isHung, s.hangs = true, append(s.hangs, span{from: time.Now()})
	s.mu.Unlock()
	s.drive.hang()
	time.AfterFunc(length, s.unhang)
}

func (s *struck) unhang() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.isHung {
		s.isHung, s.hangs[len(s.hangs)-1].to = false, time.Now()
		s.drive.resume()
	}
}

// calm lets everything go on.
func (s *struck) calm() {
	if s.drive != nil {
		s.unhang()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range s.hosts {
		if a.server != nil && a.isStopped {
			_ = goOn(a.server)
			a.isStopped, a.disturbed[len(a.disturbed)-1].to = false, time.Now()
		}
	}
}

// compare checks the answers of all servers with those of an index that is made now.
func (s *struck) compare() {
	s.t.Helper()
	cache := s.t.TempDir()
	s.index(cache)
	c := vademecum(s.t, s.arguments("serve")...)
	c.Env = append(c.Env, cachedIn(cache)...)
	fresh := connect(s.t, c)
	if _, err := fresh.tool("index_docs", `{}`); err != nil {
		s.t.Fatal(err)
	}
	want, err := fresh.resources()
	if err != nil {
		s.t.Fatal(err)
	}
	here, gone := make(map[string]string), []string{word(int(s.saved.Load()) - 1)}
	here[word(int(s.saved.Load()))] = gaugeFile
	for _, a := range s.hosts {
		gone = append(gone, a.own(max(0, a.saves-20)))
	}
	for _, server := range append([]*client{fresh}, s.servers()...) {
		var wrong error
		isEqual := func() bool {
			wrong = cmp.Or(server.differsFrom(want, here, gone), differs(server, fresh))
			return wrong == nil
		}
		if !poll(longestWait, isEqual) {
			s.t.Errorf("after %s process %d: %v", longestWait, server.cmd.Process.Pid, wrong)
		}
	}
}

func (s *struck) servers() (all []*client) {
	for _, a := range s.hosts {
		all = append(all, a.server)
	}
	return all
}

// TestStruckServers: while four hosts ask on and a file changes twenty times a second, servers are
// killed, stopped and ended and a drive hangs. Each answer has what was saved before it was asked for, or
// says what it may miss; each question is answered once.
func TestStruckServers(t *testing.T) {
	if *strikes == 0 {
		t.Skip("takes minutes: -strikes 200")
	}
	passages := 10_000
	if testing.Short() {
		passages = 1000
	}
	s := &struck{t: t, seed: *seed, dir: writeNotes(t, passages), cache: t.TempDir(), counts: make(map[string]int), said: make(map[string]int)}
	if s.seed == 0 {
		s.seed = rand.Uint64()
	}
	t.Logf("-seed %d", s.seed)
	s.rng = rand.New(rand.NewPCG(s.seed, 1))
	s.drive = mountSlowDrive(t)
	if err := replaceFile(filepath.Join(s.dir, gaugeFile), gaugeText(0)); err != nil {
		t.Fatal(err)
	}
	s.index(s.cache)
	for i := range askers {
		a := &asker{struck: s, number: i, rng: rand.New(rand.NewPCG(s.seed, uint64(2+i))), changed: make(chan struct{})}
		s.hosts = append(s.hosts, a)
	}
	defer s.calm() // also after a fault, or nothing would end
	for _, a := range s.hosts {
		a.add()
	}
	saving, endSaving := context.WithCancel(t.Context())
	asking, endAsking := context.WithCancel(t.Context())
	var hosts, writer sync.WaitGroup
	defer hosts.Wait()
	defer endAsking()
	defer endSaving()
	writer.Go(func() {
		if err := s.keepSaving(saving); err != nil {
			t.Error(err)
		}
	})
	for _, a := range s.hosts {
		hosts.Go(func() { a.askOn(asking) })
	}
	for range *strikes {
		time.Sleep(time.Duration(s.rng.IntN(4000)) * time.Millisecond) // the random moment
		s.strike()
	}
	s.calm()
	endAsking()
	hosts.Wait()
	endSaving()
	writer.Wait()
	s.left.Wait()
	for _, server := range s.all {
		server.mu.Lock()
		for _, line := range server.strays {
			t.Errorf("process %d sends what nobody waits for: %.300s", server.cmd.Process.Pid, line)
		}
		server.mu.Unlock()
	}
	s.compare()
	s.tellWaits()
	s.tell("events", s.counts)
	t.Logf("%d texts saved, %d answers, %d faults", s.saved.Load(), len(s.answers), s.faults)
	s.tell("answers", s.said)
	s.tellLogs()
}
