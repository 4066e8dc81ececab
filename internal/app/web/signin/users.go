package signin

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// users maps the hashes of tokens to the users who have them.
type users map[[sha256.Size]byte]User

// add adds the user of an entry.
func (u users) add(e TokenEntry) {
	u[e.Hash] = User{ID: "token:" + e.Name, Name: e.Name, Groups: e.Groups, Scopes: e.Scopes, TokenHash: hex.EncodeToString(e.Hash[:])}
}

// changesSince describes, for the log, how many users there are and which of them were added,
// removed or changed.
func (u users) changesSince(before users) string {
	said := fmt.Sprint(len(u))
	for _, change := range []struct {
		what  string
		names []string
	}{
		{"more", u.namesOf(func(hash [sha256.Size]byte) bool { _, was := before[hash]; return !was })},
		{"fewer", before.namesOf(func(hash [sha256.Size]byte) bool { _, is := u[hash]; return !is })},
		{"changed", u.namesOf(func(hash [sha256.Size]byte) bool { was, ok := before[hash]; return ok && !was.isSame(u[hash]) })},
	} {
		if len(change.names) > 0 {
			said += ", " + countWords(len(change.names)) + " " + change.what + " (" + joinNames(change.names) + ")"
		}
	}
	return said
}

// namesOf returns the names of the users whose tokens' hashes satisfy is.
func (u users) namesOf(is func(hash [sha256.Size]byte) bool) (names []string) {
	for hash, user := range u {
		if is(hash) {
			names = append(names, user.Name)
		}
	}
	slices.Sort(names)
	return names
}

// isSame reports whether two users have the same name and rights.
func (u User) isSame(other User) bool {
	return u.Name == other.Name && slices.Equal(u.Scopes, other.Scopes) && slices.Equal(u.Groups, other.Groups)
}

func countWords(n int) string {
	if n == 1 {
		return "one"
	}
	return fmt.Sprint(n)
}

// mostNamed is the maximum number of names in a log line.
const mostNamed = 20

func joinNames(names []string) string {
	if more := len(names) - mostNamed; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), more)
	}
	return strings.Join(names, ", ")
}
