package oauth

import (
	"cmp"
	"slices"
	"time"

	"vademecum/internal/app/web/reread"
	"vademecum/internal/base/message"
)

// Limits of the grants in a file. A grant is pending until its code has been redeemed.
const (
	maxGrants        = 1000
	maxGrantsOfUser  = 50                          // a further grant replaces the least recently used
	maxPendingOfUser = 10                          // a further grant replaces the oldest
	maxBytesForNew   = reread.MaxFileBytes / 4 * 3 // bytes of the file up to which grants are added; the rest is for the tokens of existing grants
)

var errTooManyGrants = message.Errorf("there are %d grants, and no more are kept", maxGrants)

var errFileTooLarge = message.Errorf("grants take more than %d bytes, and no more are kept", maxBytesForNew)

// removeExpired removes pending grants whose code has expired, and grants that ended long ago.
func (b *storedGrants) removeExpired(now time.Time) {
	b.Grants = slices.DeleteFunc(b.Grants, func(g *Grant) bool {
		return g.Code != nil && !isValidAt(g.Code.Created, codeLifetime, now) || now.Sub(g.ExpiresAt) >= endedGrantRetention
	})
}

// addPending adds a pending grant. If the user has too many pending ones, it replaces the oldest of
// them; if there are too many grants in all, it returns an error. It never removes a grant that is
// in use: asking for consent must not end one.
func (b *storedGrants) addPending(added *Grant) error {
	own := b.all(func(g *Grant) bool { return g.Code != nil && g.UserID == added.UserID })
	if len(own) >= maxPendingOfUser {
		b.remove(slices.MinFunc(own, func(x, y *Grant) int { return x.Created.Compare(y.Created) }).ID)
	}
	if len(b.Grants) >= 2*maxGrants {
		return errTooManyGrants
	}
	b.Grants = append(b.Grants, added)
	if text, err := b.encode(); err != nil || len(text) > maxBytesForNew {
		b.remove(added.ID)
		return cmp.Or(err, errFileTooLarge)
	}
	return nil
}

// makeRoomFor removes grants beyond the limits when the code of a pending grant is redeemed: all
// that have expired, and the least recently used one of the same user.
func (b *storedGrants) makeRoomFor(redeemed *Grant, now time.Time) error {
	own := b.all(func(g *Grant) bool { return g.Code == nil && g.UserID == redeemed.UserID })
	if len(own) >= maxGrantsOfUser {
		b.remove(slices.MinFunc(own, func(x, y *Grant) int { return x.LastUsed.Compare(y.LastUsed) }).ID)
	}
	if b.countRedeemed() >= maxGrants {
		b.Grants = slices.DeleteFunc(b.Grants, func(g *Grant) bool { return g.Code == nil && g.isExpired(now) })
	}
	if b.countRedeemed() >= maxGrants {
		return errTooManyGrants
	}
	return nil
}

func (b *storedGrants) countRedeemed() int {
	return len(b.all(func(g *Grant) bool { return g.Code == nil }))
}

func (b *storedGrants) all(is func(*Grant) bool) []*Grant {
	return slices.DeleteFunc(slices.Clone(b.Grants), func(g *Grant) bool { return !is(g) })
}
