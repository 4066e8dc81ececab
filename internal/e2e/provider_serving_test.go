package e2e

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// concepts are groups of words with the same meaning, in one or several languages.
var concepts = [][]string{
	{"heart attack", "myocardial infarction", "心肌梗死"},
	{"automobile", "car", "汽车"},
	{"high blood pressure", "hypertension", "高血压"},
	{"salt", "sodium chloride", "盐"},
	{"physician", "doctor", "医生"},
	{"sleeplessness", "insomnia", "失眠"},
}

// meaning returns the vector of a text for a model that knows the concepts. Every other word, or
// Chinese character, has a direction of its own.
func meaning(text string) []float32 {
	text = strings.ToLower(text)
	var units []string
	for i, words := range concepts {
		for _, w := range words {
			units = append(units, slices.Repeat([]string{fmt.Sprint("concept ", i)}, strings.Count(text, w))...)
			text = strings.ReplaceAll(text, w, " ")
		}
	}
	for _, w := range strings.FieldsFunc(text, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if c := []rune(w); unicode.Is(unicode.Han, c[0]) {
			units = append(units, strings.Split(w, "")...)
		} else {
			units = append(units, w)
		}
	}
	v := make([]float32, 256)
	for _, u := range units {
		h := fnv.New64a()
		_, _ = h.Write([]byte(u))
		random := rand.New(rand.NewPCG(h.Sum64(), 1))
		for i := range v {
			v[i] += float32(random.NormFloat64())
		}
	}
	if len(units) == 0 {
		v[0] = 1
	}
	return v
}

// meanings are passages, and questions that have no word in common with the
// one that answers them.
var meanings = map[string]struct{ text, question string }{
	"infarction.md": {"# Emergencies\n\nIn myocardial infarction give aspirin at once.", "heart attack"},
	"garage.md":     {"# Garage\n\nThe car needs winter tyres in November.", "automobile"},
	"xueya.md":      {"# 饮食\n\n高血压患者应当少吃盐。", "high blood pressure, salt"},
	"shui.md":       {"# 睡眠\n\n失眠的人下午不要喝咖啡。", "sleeplessness"},
	"arzt.md":       {"# Wann\n\nBei Fieber sofort den doctor rufen.", "医生"},
}

func meaningNotes(t *testing.T) string {
	t.Helper()
	dir := manyNotes(t, 100)
	stray := "# Lungs\n\nAn asthma attack needs the inhaler at once.\n" // a word of a question, and not its meaning
	if err := os.WriteFile(filepath.Join(dir, "stray.md"), []byte(stray), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, m := range meanings {
		if err := os.WriteFile(filepath.Join(dir, path), []byte(m.text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// searchJSON returns the paths of what search finds.
func searchJSON(t *testing.T, args ...string) (paths []string) {
	t.Helper()
	out, err := vademecum(t, append([]string{"search", "--json"}, args...)...).Output()
	if err != nil {
		t.Fatalf("search: %v", err)
	}
	var answer struct{ Passages []struct{ Path string } }
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	for _, p := range answer.Passages {
		paths = append(paths, p.Path)
	}
	return paths
}

// TestMeaning asks questions that share no word with their answer, nor always the
// language: a semantic model finds it first, and words alone do not.
func TestMeaning(t *testing.T) {
	t.Parallel()
	dir, file, p := meaningNotes(t), indexFile(t), newProvider(t)
	p.vector = meaning
	s, _ := serveWith(t, dir, file, p.spec("model"))
	if _, err := s.await(time.Now(), "heart attack", func(f found) bool { return len(f.Passages) > 0 && !f.says("no vector yet") && !f.says("scanned") }); err != nil {
		t.Fatal(err)
	}
	builtin := indexFile(t)
	for path, m := range meanings {
		f, err := s.retrieve(m.question)
		if err != nil || len(f.Passages) == 0 || !strings.Contains(f.Passages[0].URI, path) {
			t.Errorf("retrieve_docs %q: want %s first, have\n%v %v", m.question, path, f, err)
		}
		if paths := searchJSON(t, dir, m.question, "--index", file, "--embed", p.spec("model")); len(paths) == 0 || paths[0] != path {
			t.Errorf("search %q: want %s first, have %q", m.question, path, paths)
		}
		if paths := searchJSON(t, dir, m.question, "--index", builtin); len(paths) > 0 && paths[0] == path {
			t.Errorf("the built-in vectors find %s for %q, so this shows nothing", path, m.question)
		}
	}
}

// lapse is a way in which a provider fails and recovers.
type lapse struct {
	name       string
	begin, end func(p *provider)
}

var lapses = []lapse{
	{"stopped", (*provider).stop, (*provider).start},
	{"silent", (*provider).hang, (*provider).restart},
}

// hang makes the provider accept requests and answer none.
func (p *provider) hang() { p.replyWith(func(*call) reply { return answerNever }) }

// restart makes the provider answer again.
func (p *provider) restart() {
	p.replyWith(nil)
	p.stop()
	p.start()
}

// TestProviderGoesAway stops the provider, or makes it hang, during the life of a server, and
// checks that the server then answers by words, and with vectors again when the provider is back.
func TestProviderGoesAway(t *testing.T) {
	t.Parallel()
	for _, l := range lapses {
		t.Run(l.name, func(t *testing.T) {
			t.Parallel()
			const notes = 50
			dir, p := manyNotes(t, notes), newProvider(t)
			s, _ := serveWith(t, dir, indexFile(t), p.spec("model"))
			if _, err := s.await(time.Now(), "warfarin", found.isHybrid); err != nil {
				t.Fatal(err)
			}
			l.begin(p)
			for range 3 {
				start := time.Now()
				f, err := s.retrieve("warfarin")
				if err != nil || !f.isLexical() {
					t.Errorf("the answer without the provider is\n%v %v", f, err)
				}
				t.Logf("answered without the provider after %s: %q", time.Since(start).Round(time.Millisecond), f.Notes)
			}
			late := addNote(t, dir)
			if _, err := s.await(time.Now(), late, func(f found) bool { return f.holds(late) && f.isLexical() }); err != nil {
				t.Error(err)
			}
			l.end(p)
			awaitRecovery(t, p, s, late, notes+1)
		})
	}
}

// awaitRecovery waits for answers with vectors, and for the vectors of what was
// added meanwhile.
func awaitRecovery(t *testing.T, p *provider, s *client, late string, notes int) {
	t.Helper()
	start := time.Now()
	took, err := s.await(start, "warfarin", func(f found) bool { return !f.isLexical() && f.hasVectors() })
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("hybrid again after %s", took.Round(time.Millisecond))
	isComplete := poll(longestCall, func() bool {
		f, err := s.retrieve(late)
		if err != nil {
			t.Fatal(err)
		}
		return f.isHybrid() && f.Passages[0].VectorRank > 0 && f.holds(late)
	})
	if !isComplete {
		t.Fatalf("the passage that was added has no vector after %s", longestCall)
	}
	t.Logf("nothing missing after %s", time.Since(start).Round(time.Millisecond))
	if n := p.answered("model"); n != notes {
		t.Errorf("%d passages were embedded, want %d", n, notes)
	}
}
