package catalog

import (
	"errors"
	"testing"
	"time"
)

// TestTimes: times come back as precisely as files have them, also those before 1970, and
// no time is the beginning of 1970.
func TestTimes(t *testing.T) {
	for _, at := range []time.Time{time.Unix(1_700_000_000, 123_456_789), time.Unix(-5, 1), time.Unix(0, 0)} {
		if got := TimeOfNanoseconds(Nanoseconds(at)); !got.Equal(at) {
			t.Errorf("%v comes back as %v", at, got)
		}
	}
	if got := Nanoseconds(time.Time{}); got != 0 {
		t.Errorf("no time is %d", got)
	}
}

// TestEmbeddingInput: a chunk is embedded with the headings above it, but for those that
// stand in it already.
func TestEmbeddingInput(t *testing.T) {
	for _, c := range []struct {
		text    string
		heading []string
		want    string
	}{
		{"take one a day", nil, "take one a day"},
		{"take one a day", []string{"Warfarin", "Dose"}, "Warfarin\nDose\ntake one a day"},
		{"## Dose\ntake one a day", []string{"Warfarin", "Dose"}, "Warfarin\n## Dose\ntake one a day"},
		{"# Warfarin", []string{"Warfarin"}, "# Warfarin"},
	} {
		if got := EmbeddingInput(c.text, c.heading); got != c.want {
			t.Errorf("%q below %q is embedded as %q, want %q", c.text, c.heading, got, c.want)
		}
	}
}

func TestCharset(t *testing.T) {
	for saved, want := range map[string]bool{"": false, "GBK": false, MarkGuessedEncoding("GBK"): true} {
		encoding, isGuess := ParseStoredEncoding(saved)
		if isGuess != want || encoding != saved && encoding != "GBK" {
			t.Errorf("%q is %q, guessed: %t", saved, encoding, isGuess)
		}
	}
}

func TestUnread(t *testing.T) {
	if skip := ReadFailureReason(errors.New("permission denied")); !IsReadFailureReason(skip) || skip.String() != "cannot be read: permission denied" {
		t.Errorf("a file that cannot be read is skipped for %q", skip)
	}
	if IsReadFailureReason("") || IsReadFailureReason("it is empty") {
		t.Error("a file that was read is to be tried again")
	}
}

func TestReplicaInWords(t *testing.T) {
	for want, r := range map[string]ReplicaStatus{
		"it is up to date with the database":                                                                                {Address: "a"},
		"it cannot be queried, so the database answers all questions: it is a primary":                                      {Fault: "it is a primary", MissingCommits: 3},
		"it lacks the latest commits to libraries (2, its newest one is 9 s old): the database answers until it catches up": {MissingCommits: 2, LastCommitAgeSeconds: 9},
	} {
		if got := r.String(); got != want {
			t.Errorf("%+v:\n got %s\nwant %s", r, got, want)
		}
	}
}
