package ranking

// isOnOtherSubject reports whether, in a question with one name, the title of a passage's document has
// a word of the question that none of the given passages has. The name outweighs all else, so that such a
// passage looks too weak to be shown: in a question about an animal, salt and pressure, these are the notes
// called Salt and Pressure.
func (r *Ranking) isOnOtherSubject(p *Passage, shown []*Passage) bool {
	if p.Parts[byName] < namedByName || len(r.possibleNames()) != 1 {
		return false
	}
	words := newQuestionWords(r.found.Words)
	missing := words.inText(p.Traits.Language, p.Document.Title)
	for _, other := range shown {
		missing &^= words.in(&other.Candidate, other.Text)
	}
	return missing != 0
}
