package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var faultSeed = flag.Uint64("faultseed", 1, "of the faults of the embedding provider")

// A provider that fails in these ways sends no vector that can be used, or only
// some.
var faultKinds = map[string]reply{
	"429 at once":     refuse(http.StatusTooManyRequests, "rate limit", "Retry-After", "0"),
	"429 in a second": refuse(http.StatusTooManyRequests, "rate limit", "Retry-After", "1"),
	"500":             refuse(http.StatusInternalServerError, "internal"),
	"503":             refuse(http.StatusServiceUnavailable, "overloaded"),
	"reset":           resetConnection,
	"truncated":       truncate,
	"HTML":            say("text/html", "<!DOCTYPE html><html><body>Welcome</body></html>"),
	"error in 200":    say("application/json", `{"error":{"message":"the engine is overloaded"}}`),
	"wrong count":     spoil(func(data []embedding) []embedding { return data[1:] }),
	"wrong index":     spoil(func(data []embedding) []embedding { data[0].Index = len(data); return data }),
	"NaN":             spoilNumber("NaN"),
	"null":            spoilNumber("null"),
	"zero": spoil(func(data []embedding) []embedding {
		data[0].Embedding = make([]float32, len(data[0].Embedding.([]float32)))
		return data
	}),
	"dimension": spoil(func(data []embedding) []embedding {
		for i := range data {
			data[i].Embedding = data[i].Embedding.([]float32)[:8]
		}
		return data
	}),
}

var goodKinds = map[string]reply{"right": answerRight, "reordered": answerReordered, "base64": answerBase64, "slow": answerSlowly}

func say(kind, body string) reply {
	return func(_ *provider, w http.ResponseWriter, _ *http.Request, _ *call) bool {
		w.Header().Set("Content-Type", kind)
		fmt.Fprint(w, body)
		return false
	}
}

func spoil(change func([]embedding) []embedding) reply {
	return func(p *provider, w http.ResponseWriter, _ *http.Request, c *call) bool {
		send(w, c, change(p.embeddings(c)))
		return false
	}
}

// spoilNumber replaces a number in the first vector by something else.
func spoilNumber(with string) reply {
	return func(p *provider, w http.ResponseWriter, _ *http.Request, c *call) bool {
		data := p.embeddings(c)
		numbers, _ := json.Marshal(data[0].Embedding)
		_, rest, _ := bytes.Cut(numbers, []byte(","))
		spoiled := fmt.Sprintf("[%s,%s", with, rest)
		data[0].Embedding = "SPOILED"
		whole, _ := json.Marshal(map[string]any{"object": "list", "data": data, "model": c.model})
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, strings.Replace(string(whole), `"SPOILED"`, spoiled, 1))
		return false
	}
}

func resetConnection(_ *provider, w http.ResponseWriter, _ *http.Request, _ *call) bool {
	if conn, _, err := w.(http.Hijacker).Hijack(); err == nil {
		_ = conn.(*net.TCPConn).SetLinger(0) // so that closing resets
		_ = conn.Close()
	}
	return false
}

// truncate announces a longer response than it sends.
func truncate(p *provider, w http.ResponseWriter, _ *http.Request, c *call) bool {
	whole, _ := json.Marshal(map[string]any{"object": "list", "data": p.embeddings(c), "model": c.model})
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", fmt.Sprint(len(whole)))
	_, _ = w.Write(whole[:len(whole)/2])
	return false
}

const (
	forbidden    = "poisonous"
	poisonReason = "the content policy forbids input"
)

// deck deals out kinds of responses: one of six is a fault, and all faults are equally frequent.
type deck struct {
	mu    sync.Mutex
	rng   *rand.Rand
	cards []string
	dealt map[string]int
	row   map[string]int // how often in a row a batch got none, by its texts
}

// mostInARow is how often in a row the same batch gets no response: the program tries three times
// before it blames a text.
const mostInARow = 2

func newDeck(seed uint64) *deck {
	return &deck{rng: rand.New(rand.NewPCG(seed, 0)), dealt: make(map[string]int), row: make(map[string]int)}
}

func (d *deck) shuffle() {
	for kind := range faultKinds {
		d.cards = append(d.cards, kind)
	}
	for range len(faultKinds) {
		d.cards = append(d.cards, "right", "right", "reordered", "base64", []string{"right", "slow"}[d.rng.IntN(2)])
	}
	slices.Sort(d.cards)
	d.rng.Shuffle(len(d.cards), func(i, j int) { d.cards[i], d.cards[j] = d.cards[j], d.cards[i] })
}

func (d *deck) draw() (kind string) {
	if len(d.cards) == 0 {
		d.shuffle()
	}
	kind, d.cards = d.cards[0], d.cards[1:]
	return kind
}

// deal chooses the response to a request. A process that knows no vectors yet cannot detect a wrong
// dimension.
func (d *deck) deal(c *call) reply {
	for _, text := range c.texts {
		if strings.Contains(text, forbidden) {
			return refuse(http.StatusBadRequest, poisonReason)
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	kind, batch := d.draw(), strings.Join(c.texts, "\n")
	if goodKinds[kind] == nil {
		d.row[batch]++
	}
	if d.row[batch] > mostInARow || kind == "dimension" && c.nth <= 32 {
		d.cards = append(d.cards, kind)
		kind = "right"
	}
	if goodKinds[kind] != nil {
		delete(d.row, batch)
	}
	d.dealt[kind]++
	if good := goodKinds[kind]; good != nil {
		return good
	}
	return faultKinds[kind]
}

// poisonedNotes returns a folder of notes of one passage each, some of which the provider refuses,
// the passages that must get a vector, and the paths of the others.
func poisonedNotes(t *testing.T, notes int) (dir string, good []string, bad []string) {
	t.Helper()
	dir = manyNotes(t, notes)
	for i := range notes {
		text := note(i)
		if i%160 == 37 {
			path := fmt.Sprintf("%d/%d.md", i/100, i)
			text += "\n\nThe mushroom was " + forbidden + ".\n"
			if err := os.WriteFile(filepath.Join(dir, path), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			bad = append(bad, path)
			continue
		}
		good = append(good, text)
	}
	return dir, good, bad
}

// TestFaultyProvider indexes notes with a provider that fails in every known way.
func TestFaultyProvider(t *testing.T) {
	t.Parallel()
	const notes = 2400 // so many requests that each fault comes, however the texts are put together
	dir, good, bad := poisonedNotes(t, notes)
	for _, c := range []struct {
		name string
		run  func(t *testing.T, p *provider, dir, file string, refused int) (runs int, said string)
	}{{"index", indexUntilThrough}, {"serve", serveUntilThrough}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, d, file := newProvider(t), newDeck(*faultSeed), indexFile(t)
			p.replyWith(d.deal)
			start := time.Now()
			runs, said := c.run(t, p, dir, file, len(bad))
			t.Logf("seed %d: through after %s and %d failures, with %d requests; answered: %v", *faultSeed, time.Since(start).Round(time.Millisecond), runs-1, p.requests(), d.dealt)
			checkVectors(t, file, good, p.vector)
			if n := countVectors(t, dir, file, p.spec("model")); n != (vectorCount{notes, len(bad)}) {
				t.Errorf("status counts %+v, want %d passages and %d without a vector", n, notes, len(bad))
			}
			for kind := range faultKinds {
				if d.dealt[kind] == 0 {
					t.Errorf("the provider never failed with %q", kind)
				}
			}
			if again := p.again(); len(again) > (runs-1)*underWay {
				t.Errorf("%d passages were sent again that had been answered well, for example %q", len(again), again[0])
			}
			checkListed(t, said, bad)
		})
	}
}

// checkListed checks that each document is listed with the reason that the provider gave.
func checkListed(t *testing.T, said string, bad []string) {
	t.Helper()
	for _, path := range bad {
		if !strings.Contains(said, path) {
			t.Errorf("%s is not named", path)
		}
	}
	if !strings.Contains(said, poisonReason) {
		t.Errorf("the reason %q is not told", poisonReason)
	}
	if t.Failed() {
		t.Logf("it says:\n%s", said)
	}
}

// told returns what status prints of an index.
func told(t *testing.T, dir, file, spec string) string {
	t.Helper()
	out, err := vademecum(t, "status", dir, "--index", file, "--embed", spec, "--json").CombinedOutput()
	if err != nil {
		t.Fatalf("%s %v", out, err)
	}
	return string(out)
}

// indexUntilThrough runs the program until everything is embedded except what the provider refuses.
func indexUntilThrough(t *testing.T, p *provider, dir, file string, refused int) (runs int, said string) {
	t.Helper()
	for runs = 1; runs <= 10; runs++ {
		c := vademecum(t, "index", dir, "--index", file, "--embed", p.spec("model"))
		c.Env = append(c.Env, fmt.Sprintf("VADEMECUM_API_KEY=run-%d", runs))
		out, _ := c.CombinedOutput() // it fails when the provider does
		said += string(out)
		if countVectors(t, dir, file, p.spec("model")).Bare == refused {
			return runs, said + told(t, dir, file, p.spec("model"))
		}
	}
	t.Fatalf("after ten runs there are still vectors missing:\n%s", said)
	return runs, said
}

// serveUntilThrough is indexUntilThrough with one server, which retries by itself.
func serveUntilThrough(t *testing.T, p *provider, dir, file string, refused int) (runs int, said string) {
	t.Helper()
	s, stderr := serveWith(t, dir, file, p.spec("model"))
	isThrough := poll(longestWait, func() bool {
		if _, err := s.tool("index_docs", `{}`); err != nil {
			t.Fatal(err)
		}
		return countVectors(t, dir, file, p.spec("model")).Bare == refused
	})
	said = told(t, dir, file, p.spec("model"))
	if !isThrough {
		t.Fatalf("after %s there are still vectors missing:\n%s", longestWait, said)
	}
	said = stderr.String() + said
	return 1 + strings.Count(said, "next try"), said
}

// TestProviderRecovers: a provider that accepts at most ten texts, as DashScope does,
// refuses all requests while notes are embedded, until the program pauses. No questions
// are asked meanwhile.
func TestProviderRecovers(t *testing.T) {
	t.Parallel()
	const notes = 300
	dir, file, p := manyNotes(t, notes), indexFile(t), newProvider(t)
	small := func(c *call) reply {
		if len(c.texts) > 10 {
			return refuse(http.StatusBadRequest, "batch size is invalid, it should not be larger than 10")
		}
		return answerRight
	}
	few := 0
	p.replyWith(func(c *call) reply {
		if few++; few > 20 {
			return faultKinds["429 at once"]
		}
		return small(c)
	})
	_, log := serveWith(t, dir, file, p.spec("model"))
	leftAlone := func() int { return strings.Count(log.String(), "next try") }
	await(t, "a failure", func() bool { return leftAlone() > 0 })
	p.replyWith(small)
	start := time.Now()
	await(t, "a vector for each passage", func() bool { return countVectors(t, dir, file, p.spec("model")) == vectorCount{notes, 0} })
	t.Logf("through %s after the provider was well again, with %d requests in all", time.Since(start).Round(time.Millisecond), p.requests())
	if n := leftAlone(); n > 1 {
		t.Errorf("the provider was well, and was left alone %d times more", n-1)
	}
}
