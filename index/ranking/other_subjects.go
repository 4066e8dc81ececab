package ranking

// otherSubjects finds passages about further subjects of a question with one name. What has the name
// outweighs all else, so that these would look too weak to be shown: of a question for an animal, salt
// and pressure, the notes called Salt and Pressure.
type otherSubjects struct {
	words *questionWords // nil if the question has no name, or several
	shown wordSet        // words of the question in the passages shown
}

func (r *Ranking) newOtherSubjects() *otherSubjects {
	if r.MinScoreShare == 0 || len(r.chosen) < 2 || len(r.possibleNames()) != 1 {
		return &otherSubjects{}
	}
	return &otherSubjects{words: newQuestionWords(r.found.Words)}
}

// add takes note of a passage that is shown.
func (o *otherSubjects) add(p *Passage) {
	if o.words != nil {
		o.shown |= o.words.in(&p.Candidate, p.Text)
	}
}

// has reports whether the document of a passage is called by a word of the question that no passage shown has.
func (o *otherSubjects) has(p *Passage) bool {
	return o.words != nil && p.Parts[byName] >= namedByName && o.words.inText(p.Traits.Language, p.Document.Title)&^o.shown != 0
}
