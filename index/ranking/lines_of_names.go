package ranking

import "slices"

// addLinesOfNames is called if each passage is reduced to a line. For each of several names in the question
// that no chosen line has, it adds the line with the name from a passage that was cut, such as a list or
// table with all of the names. whole holds the passages as they were before.
func (r *Ranking) addLinesOfNames(whole []Passage) {
	names := r.possibleNames()
	if len(names) < 2 {
		return
	}
	words := newQuestionWords(r.found.Words)
	words.addNumbers(r.Text)
	sets := make([]wordSet, len(names))
	for i, name := range names {
		for _, term := range name {
			if number, isAsked := words.numbers[term]; isAsked {
				sets[i] |= 1 << number
			}
		}
	}
	for _, name := range sets {
		isShown := func(p *Passage) bool { return words.tells(p, name, sets) }
		if len(r.chosen) >= r.PassagesPerPage {
			break
		}
		if name == 0 || slices.ContainsFunc(r.chosen, isShown) {
			continue
		}
		for i := range whole {
			if line := r.lineWithName(&whole[i], words, name); line != nil {
				r.chosen = append(r.chosen, line)
				break
			}
		}
	}
	slices.SortStableFunc(r.chosen, func(a, b *Passage) int { return a.Candidate.Compare(&b.Candidate) })
}

// tells reports whether a passage has a name of the question: in its text, or in its titles unless these
// have several of the names.
func (q *questionWords) tells(p *Passage, name wordSet, all []wordSet) bool {
	titles, inTitles := q.inTitles(p), 0
	for _, n := range all {
		if n != 0 && n&^titles == 0 {
			inTitles++
		}
	}
	if inTitles == 1 && name&^titles == 0 {
		return true
	}
	return name&^q.inText(p.Traits.Language, p.Text) == 0
}

// lineWithName returns a passage reduced to the line with a name that answers best; nil if none has the name.
func (r *Ranking) lineWithName(p *Passage, words *questionWords, name wordSet) *Passage {
	document := r.bodies[p.Document].Text
	best, most := weighedUnit{}, 0.0
	isStruckOut := newStrikes(document)
	for _, u := range words.weighUnits(p, document) {
		if value := words.weight(u.words); name&^u.words == 0 && !u.isHeadingOrLead() && !isStruckOut(u) && value > most {
			best, most = u, value
		}
	}
	if most == 0 {
		return nil
	}
	line := *p
	line.chunks, line.OmittedSpans = slices.Clone(p.chunks), nil
	line.BestLine = document[best.Start:best.End]
	line.keepOnly(best.Start, best.End, document)
	line.addHeadings(best.Context)
	return &line
}
