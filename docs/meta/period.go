package meta

import "slices"

// A DateRange is the first and the last day of an event, or twice the day of a message; zero if unknown.
type DateRange struct{ First, Last Date }

// A Period is a range of days, without a first or last day where that is 0.
type Period struct{ NotBefore, NotAfter Date }

// IsUnlimited reports whether all days are in the period.
func (p Period) IsUnlimited() bool { return p == Period{} }

// Contains reports whether a day is in the period.
func (p Period) Contains(day Date) bool {
	return (p.NotBefore == 0 || day >= p.NotBefore) && (p.NotAfter == 0 || day <= p.NotAfter)
}

// MeetsChunk reports whether one of the days of a chunk is in the period: those of its message or event or, if
// they are unknown, the day of the document.
func (p Period) MeetsChunk(day Date, own DateRange) bool {
	if own == (DateRange{}) {
		return p.Contains(day)
	}
	return (p.NotBefore == 0 || own.Last >= p.NotBefore) && (p.NotAfter == 0 || own.First <= p.NotAfter)
}

// MeetsDocument reports whether the period has the day of a document or, if its chunks have days of
// their own, one of these.
func (p Period) MeetsDocument(day Date, chunks []DateRange) bool {
	if p.IsUnlimited() {
		return true
	}
	if len(chunks) == 0 {
		return p.Contains(day)
	}
	return slices.ContainsFunc(chunks, func(own DateRange) bool { return p.MeetsChunk(day, own) })
}
