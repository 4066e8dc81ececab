package analysis

import (
	"slices"
	"testing"
)

// TestAskedDays checks which days without a year a question has.
func TestAskedDays(t *testing.T) {
	for _, c := range []struct {
		question string
		want     []string
	}{
		{"5月2日", []string{"--05-02"}},
		{"5月2号谁上夜班", []string{"--05-02"}},
		{"五月二日夜班", []string{"--05-02"}},
		{"what did we buy on May 2", []string{"--05-02"}},
		{"meeting 2 May", []string{"--05-02"}},
		{"2nd of May", []string{"--05-02"}},
		{"17. April", []string{"--04-17"}},
		{"4 März Termin", []string{"--03-04"}},
		{"notes of 2 may", []string{"--05-02"}},
		// with a year, or nothing of the kind
		{"2 May 2024", nil},
		{"2024年5月2日", nil},
		{"二〇二四年五月二日", nil},
		{"stage 4 may progress", nil},
		{"children may 20 mg", nil},
		{"May 45", nil},
		{"Mars 2", nil},
		{"5月份 2日内", nil},
	} {
		var got []string
		for _, d := range askedDaysOf(normalizeQuestion(c.question)) {
			got = append(got, WithoutField(d.term()))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%q: days %q, want %q", c.question, got, c.want)
		}
	}
}

// TestShortDay: a day in digits counts as what may be a version with the same numbers, and the other way round.
func TestShortDay(t *testing.T) {
	for _, c := range []struct {
		question, form string
		want           bool
	}{
		{"17.4.24", "2024-04-17", true},
		{"2.10.24", "2024-10-02", true},
		{"17.04.2024", "17.4.24", true},
		{"2024-10-02", "2.10.24", true},
		{"17.13.24", "2024-13-17", false}, // no month
		{"17.4.2", "2002-04-17", false},
		{"v2.10.24", "2024-10-02", false}, // a version
		{"2.10.24.1", "2024-10-02", false},
		{"17.04.1924", "17.4.24", false},
	} {
		q := NewQuestion(c.question)
		got := false
		for _, forms := range q.EquivalentTerms {
			got = got || slices.Contains(forms, string(specialField)+c.form)
		}
		if got != c.want {
			t.Errorf("%q counts as %s: %t, want %t", c.question, c.form, got, c.want)
		}
	}
}
