package lexical

import (
	"cmp"
	"context"
	"encoding/binary"

	"vademecum/index/rank"
)

// Leading is the best chunks for a question before anything is known of them: of each
// list so many, those that have the same wording not told apart.
type Leading struct {
	Words    []rank.Slot
	Headings []rank.Slot
	Named    []rank.Slot // first chunks of documents, by their names and folders
}

// Leading lists the leading chunks of those to keep, so many by their words and so many
// each by names.
func (sc *Scores) Leading(ctx context.Context, most, named int, keep rank.Filter) (Leading, error) {
	words, err := sc.Top(ctx, most, keep, apart{})
	if err != nil {
		return Leading{}, err
	}
	slots := func(hits []rank.Hit) []rank.Slot {
		all := make([]rank.Slot, len(hits))
		for i, h := range hits {
			all[i] = h.Slot
		}
		return all
	}
	return Leading{
		Words:    slots(words),
		Headings: slots(sc.TopHeadings(named, keep, apart{})),
		Named:    append(slots(sc.TopNames(named, keep, apart{})), slots(sc.TopFolders(named, keep, apart{}))...),
	}, nil
}

// apart are chunks no two of which are alike, in the order of their slots.
type apart struct{}

func (apart) Wording(s rank.Slot) (w rank.Wording) {
	binary.BigEndian.PutUint64(w[:], uint64(s))
	return w
}

func (apart) Compare(s, t rank.Slot) int { return cmp.Compare(s, t) }
