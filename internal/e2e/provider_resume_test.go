package e2e

import (
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestKillWhileEmbedding kills the program while it embeds, and checks that the next run sends
// exactly what was not saved, once.
func TestKillWhileEmbedding(t *testing.T) {
	t.Parallel()
	const notes = 2000
	dir, file, p := manyNotes(t, notes), indexFile(t), newProvider(t)
	run := func(key string) *exec.Cmd {
		c := vademecum(t, "index", dir, "--index", file, "--embed", p.spec("model"))
		c.Env = append(c.Env, "VADEMECUM_API_KEY="+key)
		return c
	}
	p.replyWith(func(*call) reply { return answerSlowly })
	first := run("first")
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, "half of the vectors", func() bool { return p.answered("model") > underWay })
	_ = first.Process.Kill()
	_ = first.Wait()
	saved := savedVectors(t, file)
	if len(saved) == 0 || len(saved) == notes {
		t.Errorf("%d of %d vectors are saved: it was not killed in the middle", len(saved), notes)
	}
	answered := p.answered("model")
	t.Logf("killed when %d passages were sent, %d of them answered and %d saved", len(p.sent("model", "first")), answered, len(saved))
	if lost := answered - len(saved); lost > underWay {
		t.Errorf("%d answered passages were not saved, more than the %d that can be under way", lost, underWay)
	}
	p.replyWith(nil)
	if out, err := run("second").CombinedOutput(); err != nil {
		t.Fatalf("%s %v", out, err)
	}
	sent := p.sent("model", "second")
	for _, text := range sent {
		if saved[keyOf(text)] != nil {
			t.Errorf("sent again although it was saved: %q", text)
		}
	}
	if len(sent) != notes-len(saved) {
		t.Errorf("after the kill %d passages were sent, want %d", len(sent), notes-len(saved))
	}
	var all []string
	for i := range notes {
		all = append(all, note(i))
	}
	checkVectors(t, file, all, p.vector)
}

var haveVectors = regexp.MustCompile(`(\d+) of (\d+) passages`)

// TestModelSwitch switches from one model to another, slow one, and back.
func TestModelSwitch(t *testing.T) {
	t.Parallel()
	const notes = 300
	dir, file, p := manyNotes(t, notes), indexFile(t), newProvider(t)
	indexWith := func(model string) {
		t.Helper()
		if out, err := vademecum(t, "index", dir, "--index", file, "--embed", p.spec(model)).CombinedOutput(); err != nil {
			t.Fatalf("%s %v", out, err)
		}
	}
	indexWith("a")
	release := make(chan struct{})
	p.replyWith(heldBack(release))
	s, _ := serveWith(t, dir, file, p.spec("b"))
	awaitAnswer(t, s, func(f found) bool {
		count := haveVectors.FindStringSubmatch(strings.Join(f.Notes, " "))
		done := countSaved(t, file) - notes // those of the first model are still there
		return len(f.Passages) > 0 && done > 0 && count != nil && count[2] == strconv.Itoa(notes) &&
			(count[1] == strconv.Itoa(done) || count[1] == strconv.Itoa(notes-done))
	})
	close(release)
	awaitAnswer(t, s, found.isHybrid)
	if n := p.answered("b"); n != notes {
		t.Errorf("the other model was asked for %d passages, want %d", n, notes)
	}
	s.kill()
	before := len(p.sent("a", ""))
	indexWith("a")
	if n := len(p.sent("a", "")) - before; n != 0 {
		t.Errorf("going back sent %d passages", n)
	}
	s, _ = serveWith(t, dir, file, p.spec("a"))
	awaitAnswer(t, s, found.isHybrid)
	if n := len(p.sent("a", "")) - before; n != 0 {
		t.Errorf("serving with the first model again sent %d passages", n)
	}
}

// heldBack answers the requests that contain one of the notes only when the channel is closed.
func heldBack(until <-chan struct{}) func(c *call) reply {
	return func(c *call) reply {
		if !slices.Contains(c.texts, note(0)) {
			return answerRight
		}
		return func(p *provider, w http.ResponseWriter, r *http.Request, c *call) bool {
			select {
			case <-until:
				return answerRight(p, w, r, c)
			case <-r.Context().Done():
				return false
			}
		}
	}
}
