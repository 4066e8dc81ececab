package e2e

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// span is a time; its end is zero while it lasts.
type span struct{ from, to time.Time }

// waits returns how long it took after an event until all hosts were answered, and until they were
// answered without an admission. ok is false if other events kept all of them from it.
func (s *struck) waits(e struckAt) (answer, complete time.Duration, ok bool) {
	for _, a := range s.hosts {
		one, whole, isAnswered := a.wait(e.at)
		answer, complete, ok = max(answer, one), max(complete, whole), ok || isAnswered
	}
	return answer, complete, ok
}

// wait returns how long a host waited for an answer after an event. The first may have been on its way
// already, so that the longer wait of two counts. ok is false if something else kept the host from it.
// complete is the time from the event to an answer that admits nothing; zero if that is not known.
func (a *asker) wait(after time.Time) (longest, complete time.Duration, ok bool) {
	seen := 0
	for _, one := range a.answers {
		if one.host != a.number || one.at.Before(after) {
			continue
		}
		if anyWithin(a.disturbed, after, one.at) {
			break
		}
		from := one.asked
		if after.After(from) {
			from = after
		}
		if seen++; seen <= 2 {
			longest = max(longest, one.at.Sub(from))
		}
		if !one.isAdmitting && one.asked.After(after) {
			complete = one.at.Sub(after)
		}
		if seen >= 2 && complete > 0 {
			break
		}
	}
	return longest, complete, seen >= 2
}

// anyWithin reports whether one of the spans is partly between two times.
func anyWithin(spans []span, from, to time.Time) bool {
	return slices.ContainsFunc(spans, func(d span) bool { return d.from.Before(to) && (d.to.IsZero() || d.to.After(from)) })
}

// tellWaits prints how long hosts waited when the owner was struck or a drive began to hang.
func (s *struck) tellWaits() {
	waits := make(map[string][]time.Duration)
	for _, e := range s.strikes {
		answer, complete, ok := s.waits(e)
		what := e.what
		if e.isOwner {
			what += ", of the owner"
		}
		meanwhile := ""
		if what != hungDrive && anyWithin(s.hangs, e.at, e.at.Add(answer)) {
			meanwhile = ", while the drive hangs"
		}
		if !ok {
			s.t.Logf("%s %s%s: the hosts were kept from asking by others", e.at.Format(clock), what, meanwhile)
			continue
		}
		s.t.Logf("%s %s%s: answered within %s, completely within %s", e.at.Format(clock), what, meanwhile, answer.Round(time.Millisecond), complete.Round(time.Millisecond))
		waits[what+meanwhile] = append(waits[what+meanwhile], answer)
		if e.isOwner {
			waits["take-overs of all kinds"+meanwhile] = append(waits["take-overs of all kinds"+meanwhile], answer)
		}
	}
	for _, what := range slices.Sorted(maps.Keys(waits)) {
		s.t.Logf("until all hosts were answered, %s: %s", what, quantiles(waits[what]))
	}
}

func (s *struck) tell(what string, counts map[string]int) {
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		s.t.Logf("%s: %d %s", what, counts[name], name)
	}
}

// tellLogs prints what servers have logged.
func (s *struck) tellLogs() {
	files, _ := filepath.Glob(filepath.Join(s.cache, "*.log")) // the pattern is right
	for _, file := range files {
		f, err := os.Open(file)
		if err != nil {
			continue
		}
		text, _ := io.ReadAll(io.LimitReader(f, 2000))
		f.Close()
		if len(text) > 0 {
			s.t.Logf("%s:\n%s", filepath.Base(file), text)
		}
	}
}
