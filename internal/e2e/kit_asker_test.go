package e2e

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// answered is a question and when it was answered.
type answered struct {
	host        int
	asked, at   time.Time
	isAdmitting bool // the answer says what it may miss
}

// asker is a host that starts a server again when it has ended, and asks it one thing after the other.
type asker struct {
	*struck
	number int
	rng    *rand.Rand
	saves  int // of the note that the host itself saves

	// guarded by struck.mu
	server    *client
	isStopped bool
	changed   chan struct{} // closed when there is another server
	disturbed []span        // when it could not ask or hear
}

// add starts the server of a host.
func (a *asker) add() {
	a.t.Helper()
	c := vademecum(a.t, a.arguments("serve")...)
	c.Env = append(c.Env, cachedIn(a.cache)...)
	log, err := os.Create(filepath.Join(a.cache, fmt.Sprintf("%d-%d.log", a.number, time.Now().UnixNano())))
	if err != nil {
		a.t.Fatal(err)
	}
	defer log.Close()
	c.Stderr = log
	next := connect(a.t, c)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.all = append(a.all, next)
	a.server, a.isStopped = next, false
	close(a.changed)
	a.changed = make(chan struct{})
	for i := range a.disturbed {
		if a.disturbed[i].to.IsZero() {
			a.disturbed[i].to = time.Now()
		}
	}
}

// fault reports an answer that is not as it must be.
func (a *asker) fault(server *client, what string, arguments ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.faults++
	pid := server.cmd.Process.Pid
	a.t.Errorf("%s: host %d, process %d: %s", time.Now().Format(clock), a.number, pid, fmt.Sprintf(what, arguments...))
}

func (a *asker) count(what string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.said[what]++
}

// askOn asks until ctx is done, and ends when what was asked is answered.
func (a *asker) askOn(ctx context.Context) {
	for ctx.Err() == nil {
		a.mu.Lock()
		server, changed := a.server, a.changed
		a.mu.Unlock()
		if a.askOne(server) {
			continue
		}
		select { // its server has ended
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// askOne asks one question, and reports whether the server lives on.
func (a *asker) askOne(server *client) bool {
	switch a.rng.IntN(8) {
	case 0, 1, 2:
		return a.askForGauge(server)
	case 3:
		return a.readGauge(server)
	case 4, 5, 6:
		return a.askForOwnNote(server)
	default:
		return a.askForDrive(server)
	}
}

// call sends a call of a tool and waits for its result. isOver reports that the server has ended before.
func (a *asker) call(server *client, tool, arguments string) (blocks []content, isOver bool) {
	asked := time.Now()
	answer, err := server.send("tools/call", fmt.Sprintf(`{"name":%q,"arguments":%s}`, tool, arguments))
	if err != nil {
		<-server.ended
		return nil, true
	}
	var m serverMessage
	select {
	case m = <-answer:
	case <-server.ended:
		select {
		case m = <-answer:
		default:
			a.count("unanswered, as the host's own server has ended")
			return nil, true
		}
	case <-time.After(longestAnswer):
		a.fault(server, "%s %s is not answered in %s: lost", tool, arguments, longestAnswer)
		return nil, false
	}
	took := time.Since(asked).Round(time.Millisecond)
	if m.Error != nil {
		a.fault(server, "%s %s fails after %s: %s", tool, arguments, took, m.Error.Message)
		return nil, false
	}
	blocks, err = contents(tool, m.Result)
	switch {
	case err != nil && strings.Contains(err.Error(), "ask again"):
		a.count("put off")
	case err != nil:
		a.fault(server, "%s %s fails after %s: %v", tool, arguments, took, err)
	}
	a.mu.Lock()
	a.answers = append(a.answers, answered{a.number, asked, time.Now(), err != nil || admits(blocks) != ""})
	a.mu.Unlock()
	return blocks, false
}

// admissions begin the notes which say that anything saved last may be missing.
var admissions = []string{
	"The index may be ", "The index is being built", "The folder is still being scanned", "The folder was being scanned", "Changes may show only after",
}

// admits returns what an answer says that it may miss; "" if it says nothing of that kind.
func admits(blocks []content) string {
	for _, note := range notesIn(blocks) {
		if slices.ContainsFunc(admissions, func(words string) bool { return strings.HasPrefix(note, words) }) {
			return note
		}
	}
	return ""
}

func notesIn(blocks []content) (notes []string) {
	for _, b := range blocks {
		for line := range strings.Lines(b.Text) {
			if note, isNote := strings.CutPrefix(line, "Note: "); isNote {
				notes = append(notes, strings.TrimSpace(note))
			}
		}
	}
	return notes
}

// excuses returns the admission that an answer may lack what was saved last in a folder, or in a file
// of it.
func excuses(blocks []content, folder, file string) string {
	if words := admits(blocks); words != "" {
		return words
	}
	for _, note := range notesIn(blocks) {
		isSilent := strings.HasPrefix(note, "The folder does not respond") && strings.Contains(note, folder)
		isAtIntervals := strings.HasPrefix(note, "changes constantly") || // where the file is read
			strings.Contains(note, " changes constantly") && (strings.Contains(note, file) || strings.Contains(note, "(like "))
		if isSilent || isAtIntervals {
			return note
		}
	}
	return ""
}

// judge counts an answer: wrong is what is wrong with it, which it may have admitted.
func (a *asker) judge(server *client, tool, wrong string, blocks []content, excuse string) {
	switch {
	case wrong == "":
		a.count(tool + ": right")
	case excuse != "":
		a.count(tool + ": not up to date, and says: " + digits.ReplaceAllString(excuse, "0"))
	default:
		a.fault(server, "%s %s, with the notes %q", tool, wrong, notesIn(blocks))
	}
}

// gaugeFile is the file that changes all the time, and gaugeWord a word that only this file has.
const (
	gaugeFile = "gauge.md"
	gaugeWord = "barometer"
)

func gaugeText(n int64) string {
	return fmt.Sprintf("# The %s\n\nThe %s on the wall of the harbour says %s now.\n", gaugeWord, gaugeWord, word(int(n)))
}

// gaugeNumber returns which text of the file a passage is of.
func gaugeNumber(text string) (n int64) {
	_, err := fmt.Sscanf(strings.NewReplacer("b", "0", "d", "1", "f", "2", "g", "3", "h", "4", "j", "5", "k", "6", "l", "7", "m", "8", "n", "9").Replace(strings.TrimPrefix(marker.FindString(text), "zx")), "%d", &n)
	if err != nil {
		return -1
	}
	return n
}

// replaceFile saves as good editors do. Where a file that another process reads cannot be replaced, it
// tries again.
func replaceFile(path, text string) (err error) {
	beside := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"~")
	poll(longestWait, func() bool {
		err = errors.Join(os.WriteFile(beside, []byte(text), 0o644), os.Rename(beside, path))
		return err == nil
	})
	return err
}

// askForGauge checks that a text is found that was there while the answer was made.
func (a *asker) askForGauge(server *client) bool {
	least := a.saved.Load()
	blocks, isOver := a.call(server, "retrieve_docs", fmt.Sprintf(`{"query":"what does the %s say","top_k":10}`, gaugeWord))
	if blocks == nil {
		return !isOver
	}
	most := a.begun.Load()
	var numbers []int64
	for _, p := range foundIn(blocks).Passages {
		if strings.Contains(p.Text, gaugeWord) {
			numbers = append(numbers, gaugeNumber(p.Text))
		}
	}
	a.judgeGauge(server, "retrieve_docs", numbers, least, most, blocks)
	return true
}

// readGauge reads the file in place of searching.
func (a *asker) readGauge(server *client) bool {
	least := a.saved.Load()
	blocks, isOver := a.call(server, "read_doc", fmt.Sprintf(`{"path":%q}`, filepath.ToSlash(filepath.Join(a.dir, gaugeFile))))
	if blocks == nil {
		return !isOver
	}
	most := a.begun.Load()
	var numbers []int64
	for _, b := range blocks {
		if text := b.Text + b.Resource.Text; strings.Contains(text, gaugeWord) {
			numbers = append(numbers, gaugeNumber(text))
		}
	}
	a.judgeGauge(server, "read_doc", numbers, least, most, blocks)
	return true
}

func (a *asker) judgeGauge(server *client, tool string, numbers []int64, least, most int64, blocks []content) {
	wrong := ""
	switch {
	case len(numbers) == 0:
		wrong = "does not find the file that changes: lost"
	case len(numbers) > 1:
		wrong = fmt.Sprintf("finds the file that changes %d times: doubled", len(numbers))
	case numbers[0] > most:
		wrong = fmt.Sprintf("finds text %d, while the last is %d", numbers[0], most)
	case numbers[0] < least:
		wrong = fmt.Sprintf("finds text %d, while %d was saved before the question: stale", numbers[0], least)
	}
	a.judge(server, tool, wrong, blocks, excuses(blocks, a.dir, gaugeFile))
}

// own is a word that only the n-th text of a host's note has.
func (a *asker) own(n int) string { return word((a.number+1)*1_000_000 + n) }

// askForOwnNote saves a note and asks for it at once, or for what was in its place.
func (a *asker) askForOwnNote(server *client) bool {
	a.saves++
	name := fmt.Sprintf("host%d.md", a.number)
	text := note(a.rng.IntN(1000)) + "\n\nLater the word " + a.own(a.saves) + " was added.\n"
	if err := replaceFile(filepath.Join(a.dir, name), text); err != nil {
		a.fault(server, "the note cannot be saved: %v", err)
		return true
	}
	return a.askForWord(server, "a note just saved", a.dir, name)
}

// askForDrive is askForOwnNote on the drive.
func (a *asker) askForDrive(server *client) bool {
	if a.drive == nil {
		return true
	}
	a.saves++
	name := fmt.Sprintf("log%d.md", a.number)
	a.drive.write(name, "# A log\n\nIn the log of the ship stands "+a.own(a.saves)+" today.\n")
	return a.askForWord(server, "a note on the drive", a.drive.folder(), name)
}

// askForWord checks that the last word is found, or that the one before it, which may be of another
// file, is not found in this one.
func (a *asker) askForWord(server *client, what, folder, name string) bool {
	wanted, isGone := a.own(a.saves), a.rng.IntN(3) == 0
	if isGone {
		wanted = a.own(a.saves - 1)
	}
	blocks, isOver := a.call(server, "retrieve_docs", fmt.Sprintf(`{"query":%q,"top_k":10}`, wanted))
	if blocks == nil {
		return !isOver
	}
	times := 0
	for _, p := range foundIn(blocks).Passages {
		if strings.Contains(p.Text, wanted) && (!isGone || strings.HasSuffix(p.URI, "/"+name)) {
			times++
		}
	}
	wrong := ""
	switch {
	case isGone && times > 0:
		wrong = fmt.Sprintf("still finds %s, which is %s no more: stale", wanted, what)
	case !isGone && times == 0:
		wrong = fmt.Sprintf("does not find %s, which is %s: stale", wanted, what)
	case times > 1:
		wrong = fmt.Sprintf("finds %s %d times: doubled", wanted, times)
	}
	a.judge(server, "retrieve_docs", wrong, blocks, excuses(blocks, folder, name))
	return true
}
