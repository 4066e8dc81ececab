package analysis

import (
	"strings"
	"sync"
)

// salts are words that follow the name of a drug, and are not names themselves.
const salts = "besylate besilate mesylate maleate tartrate bitartrate succinate fumarate hydrochloride hydrobromide tosylate pamoate " +
	"besilat mesilat maleat tartrat succinat fumarat hydrochlorid hydrobromid tosilat"

// commonHeads are the last parts of German compounds that name a property or an action, as in Anfangsdosis.
const commonHeads = "dosis dosierung menge dauer störung funktion insuffizienz wirkung wirkungen nummer kosten frist schutz versicherung steuer kontrolle " +
	"behandlung therapie krankheit schwäche ordnung anweisung pflicht bedarf verlauf beginn bereich einnahme zeit wert grenze temperatur lagerung prüfung"

// leastModifier is the minimum length, in bytes, of what precedes the last part of a compound.
const leastModifier = 4

var saltTerms = sync.OnceValue(func() map[string]bool {
	m := make(map[string]bool)
	for word := range strings.FieldsSeq(salts) {
		m[termOfWord(word)] = true
	}
	return m
})

// headTerms are the terms of commonHeads, with which the terms of compounds end.
var headTerms = sync.OnceValue(func() (ends []string) {
	for word := range strings.FieldsSeq(commonHeads) {
		ends = append(ends, termOfWord(word))
	}
	return ends
})

// isCommonCompound reports whether a term is that of a German compound with a common last part.
func isCommonCompound(t string) bool {
	if len(t) < leastModifier+4 {
		return false
	}
	for _, end := range headTerms() {
		if len(t) >= leastModifier+len(end) && strings.HasSuffix(t, end) {
			return true
		}
	}
	return false
}
