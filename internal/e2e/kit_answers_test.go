package e2e

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// found is the result of retrieve_docs.
type found struct {
	Passages []foundPassage
	Notes    []string
}

type foundPassage struct {
	URI, Text               string
	Score                   float64
	LexicalRank, VectorRank int
}

// String returns the answer without most of the texts.
func (f found) String() string {
	var out strings.Builder
	for _, p := range f.Passages {
		fmt.Fprintf(&out, "%s %.6f words #%d vectors #%d %.60q\n", p.URI, p.Score, p.LexicalRank, p.VectorRank, p.Text)
	}
	return out.String() + strings.Join(f.Notes, "\n")
}

// holds reports whether a passage contains the word.
func (f found) holds(word string) bool {
	return slices.ContainsFunc(f.Passages, func(p foundPassage) bool { return strings.Contains(p.Text, word) })
}

// says reports whether a note contains the words.
func (f found) says(words string) bool {
	return slices.ContainsFunc(f.Notes, func(n string) bool { return strings.Contains(n, words) })
}

// isHybrid reports whether vectors contributed to the answer, and nothing is missing.
func (f found) isHybrid() bool {
	return len(f.Notes) == 0 && slices.ContainsFunc(f.Passages, func(p foundPassage) bool { return p.VectorRank > 0 })
}

// isLexical reports whether words alone answered, and one note says so.
func (f found) isLexical() bool {
	byWords := slices.DeleteFunc(slices.Clone(f.Notes), func(n string) bool { return !strings.Contains(n, "by words only") })
	return len(f.Passages) > 0 && len(byWords) == 1 &&
		!slices.ContainsFunc(f.Passages, func(p foundPassage) bool { return p.VectorRank > 0 })
}

func (f found) hasVectors() bool {
	return slices.ContainsFunc(f.Passages, func(p foundPassage) bool { return p.VectorRank > 0 })
}

// equals compares answers. A database sums in another order than memory, so scores may differ
// slightly. Then the order of passages that are equally good otherwise may differ as well, the
// ranks of their vectors, which passage is the last, and which of two is shown that differ only in
// numbers.
func (f found) equals(g found) bool {
	if !slices.Equal(f.Notes, g.Notes) || len(f.Passages) != len(g.Passages) {
		return false
	}
	for i, p := range f.Passages {
		last := p.scoresLike(f.Passages[len(f.Passages)-1])
		if !p.scoresLike(g.Passages[i]) || !last && !p.isEditionOf(g.Passages[i]) && !slices.ContainsFunc(g.Passages, p.equals) {
			return false
		}
	}
	return true
}

func (p foundPassage) equals(q foundPassage) bool {
	const nearRanks = 3
	if d := p.VectorRank - q.VectorRank; p.VectorRank > 0 && q.VectorRank > 0 && -nearRanks <= d && d <= nearRanks {
		p.VectorRank = q.VectorRank
	}
	like := p.scoresLike(q)
	p.Score = q.Score
	return like && p == q
}

var digits = regexp.MustCompile(`[0-9]+`)

// isEditionOf reports whether two passages of two documents differ only in numbers, in which case
// only the better one is shown.
func (p foundPassage) isEditionOf(q foundPassage) bool {
	return p.URI != q.URI && digits.ReplaceAllString(p.Text, "0") == digits.ReplaceAllString(q.Text, "0")
}

func (p foundPassage) scoresLike(q foundPassage) bool { return math.Abs(p.Score-q.Score) < 1e-5 }

// differs returns how one server's answers differ from those of another.
func differs(s, fresh *client) error {
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

// marker matches the word that is unique to a text.
var marker = regexp.MustCompile(`zx[bdfghjklmn]{7}`)

// differsFrom returns an error if the answers of a server differ from the listed documents.
func (s *client) differsFrom(listed []string, here map[string]string, gone []string) error {
	list, err := s.resources()
	if err != nil {
		return err
	}
	if !slices.Equal(list, listed) {
		extra := slices.DeleteFunc(slices.Clone(list), func(uri string) bool { return slices.Contains(listed, uri) })
		missing := slices.DeleteFunc(slices.Clone(listed), func(uri string) bool { return slices.Contains(list, uri) })
		return fmt.Errorf("lists %d documents and not %d, too many are\n%s\nmissing are\n%s", len(list), len(listed), strings.Join(extra, "\n"), strings.Join(missing, "\n"))
	}
	for m, uri := range here {
		if f, err := s.retrieve(m); err != nil || !f.holds(m) {
			return errors.Join(err, fmt.Errorf("does not find %s of %s:\n%s", m, uri, f))
		}
	}
	for _, m := range gone {
		if f, err := s.retrieve(m); err != nil || f.holds(m) {
			return errors.Join(err, fmt.Errorf("still finds %s:\n%s", m, f))
		}
	}
	return nil
}
