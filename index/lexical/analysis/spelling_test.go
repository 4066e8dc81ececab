package analysis

import (
	"slices"
	"strings"
	"testing"
)

// TestAcronyms: an acronym and its plural meet in both directions, in capitals and in
// small letters.
func TestAcronyms(t *testing.T) {
	for _, pair := range []string{"PPIs PPI", "CCBs CCB", "PDFs PDF", "LDLs LDL", "CPUs CPU", "GPUs GPU", "TCAs TCA", "PVCs PVC", "TKIs TKI", "STDs STD", "MRIs MRI", "EKGs EKG", "NSAIDs NSAID", "ACEs ACE", "IDs ID", "HRs HR"} {
		plural, single, _ := strings.Cut(pair, " ")
		if !meet(t, "en", "a "+single, plural) || !meet(t, "en", "the "+plural, single) {
			t.Errorf("%s and %s do not meet", plural, single)
		}
		if lower := strings.ToLower(plural); len(lower) > 3 && !meet(t, "en", "a "+single, lower) {
			t.Errorf("%s does not find %s", lower, single)
		}
	}
	for _, word := range []string{"plus", "this", "bias", "us", "CSS", "css", "DNS", "tls", "pass"} {
		if got := termOfWord(word); got != strings.ToLower(word) {
			t.Errorf("%s is %s", word, got)
		}
	}
}

// TestWordsCountOnce: a word that a change of case parts is one word, whose parts count
// less together than it does.
func TestWordsCountOnce(t *testing.T) {
	for word, want := range map[string]string{
		"PPIs": "ppi", "PDFs": "pdf", "mRNAs": "mrna", "IPv6": "ipv6", "eGFR": "egfr", "OpenSSL": "openssl open ssl", "XMLParser": "xmlparser xml parser", "runTarget": "runtarget run target",
	} {
		if got := strings.Join(appendTerms(nil, word), " "); got != want {
			t.Errorf("%s is %q, want %q", word, got, want)
		}
		parts := 0.0
		q := NewQuestion(word)
		for _, weight := range q.OtherSpellings {
			parts += weight
		}
		if len(q.ContentTerms) != 1 || parts >= 1 {
			t.Errorf("%s counts %v and %v", word, q.ContentTerms, q.OtherSpellings)
		}
	}
}

// TestCompounds: open and closed compounds find each other.
func TestCompounds(t *testing.T) {
	for _, pair := range []string{"wifi|Wi-Fi", "email|e-mail", "setup|set up", "login|log in", "B12|B-12", "T4|T-4", "GPT4|GPT-4", "followup|follow-up", "backups|back up", "fibre|fiber", "tumours|tumor", "anaemia|anemia", "organisation|organization", "centre|center", "modelling|modeling"} {
		closed, open, _ := strings.Cut(pair, "|")
		if !meet(t, "en", "how to "+open+" here", closed) || !meet(t, "en", "the "+closed+" here", open) {
			t.Errorf("%s and %s do not meet", closed, open)
		}
	}
	if !meet(t, "en", "healthcare for all", "health care") {
		t.Error("what is asked for in two words is not found in one")
	}
	for _, text := range []string{"pages 3-4 and 2024-11-05", "look at it in the morning", "and up to this", "β-blocker"} {
		joined := func(term string) bool {
			return slices.Contains([]string{"34", "202411", "1105", "itin", "atit", "andup", "upto", "βblocker"}, term)
		}
		if terms := appendTerms(nil, text); slices.ContainsFunc(terms, joined) {
			t.Errorf("%q has the terms %q", text, terms)
		}
	}
}
