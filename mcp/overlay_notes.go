package mcp

import (
	"slices"

	"vademecum/index/notice"
)

// settleNotes adapts the notes of two answers to the answer merged from them. little reports
// whether the merged answer covers little of the question, and lacks whether the subject of the
// question occurs nowhere.
func settleNotes(notes []notice.Note, little, lacks bool) []notice.Note {
	for i, n := range notes {
		switch {
		case isOfUnknown(n) && lacks:
			notes[i].Kind = notice.QuestionSubjectNotFound
		case isOfUnknown(n):
			notes[i].Kind = notice.UnknownWords
		}
	}
	return slices.DeleteFunc(notes, func(n notice.Note) bool { return n.Kind == notice.OtherLanguage && !little })
}

// isOfUnknown reports whether a note is about words that occur nowhere.
func isOfUnknown(n notice.Note) bool {
	return n.Kind == notice.UnknownWords || n.Kind == notice.QuestionSubjectNotFound
}

// ofNone are the kinds of notes that explain why nothing was found, or why no document matches a
// filter.
var ofNone = []notice.Kind{notice.NoDocumentAtPath, notice.NoDocumentWithTag, notice.NoDocumentWithKey, notice.NoDocumentWithValue, notice.NoDocumentInPeriod, notice.NoDocumentWithLink, notice.NoDocumentMeetsAll, notice.NothingSearchable, notice.NoMatchInFilter}

func isWhyNone(n notice.Note) bool { return slices.Contains(ofNone, n.Kind) }

// mergeNotes returns the notes that hold for the documents and the texts together: a word that
// occurs in one of them, for example, is not unknown. found reports whether any passage was found.
func mergeNotes(documents, texts []notice.Note, found bool) []notice.Note {
	var all []notice.Note
	for _, n := range documents {
		o := noteOfKind(n, texts)
		switch {
		case isOfUnknown(n):
			n.Words = slices.DeleteFunc(slices.Clone(n.Words), func(w string) bool { return !isUnknown(w, texts) })
			if len(n.Words) > 0 {
				all = append(all, n)
			}
		case isWhyNone(n):
		case n.Kind == notice.PassagesWithoutVector || n.Kind == notice.PassagesRefusedByModel:
			n.Count, n.Total, n.Duration = n.Count+o.Count, n.Total+o.Total, max(n.Duration, o.Duration)
			all = append(all, n)
		default:
			all = append(all, n)
		}
	}
	for _, n := range texts {
		if !isOfUnknown(n) && !isWhyNone(n) && noteOfKind(n, documents).Kind == "" {
			all = append(all, n)
		}
	}
	if found {
		return all
	}
	return append(all, mergeWhyNone(documents, texts)...)
}

// isUnknown reports whether one of the notes states that a word occurs nowhere.
func isUnknown(word string, notes []notice.Note) bool {
	return slices.ContainsFunc(notes, func(n notice.Note) bool { return isOfUnknown(n) && slices.Contains(n.Words, word) })
}

// mergeWhyNone returns the notes that explain why neither the documents nor the texts contain a
// match; it returns none if one of the two does not explain it.
func mergeWhyNone(documents, texts []notice.Note) []notice.Note {
	one, other := slices.Clone(documents), slices.Clone(texts)
	one = slices.DeleteFunc(one, func(n notice.Note) bool { return !isWhyNone(n) })
	other = slices.DeleteFunc(other, func(n notice.Note) bool { return !isWhyNone(n) })
	if len(one) == 0 || len(other) == 0 {
		return nil
	}
	isIn := func(n notice.Note) bool { return n.Kind == notice.NoMatchInFilter }
	in, alsoIn := slices.IndexFunc(one, isIn), slices.IndexFunc(other, isIn)
	switch {
	case alsoIn < 0:
		return one
	case in >= 0:
		one[in].Count += other[alsoIn].Count
		return one
	}
	return other
}

// noteOfKind returns the note of the same kind as n; the zero value if there is none.
func noteOfKind(n notice.Note, among []notice.Note) notice.Note {
	if at := slices.IndexFunc(among, func(o notice.Note) bool { return o.Kind == n.Kind }); at >= 0 {
		return among[at]
	}
	return notice.Note{}
}
