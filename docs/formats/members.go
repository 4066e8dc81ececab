package formats

import (
	"slices"
	"strings"

	"vademecum/internal/message"
)

// Member is a file in an archive that is not read, and why.
type Member struct {
	Name string // its path in the archive
	Why  message.Message
}

// maxUnread is how many members that are not read are known by their names.
const maxUnread = 200

// The code of a note lists members that are not read: after membersCode the name and the
// reason of each in English and in Chinese, with membersSeparator before each of the three.
const (
	membersCode      = "members"
	membersSeparator = "\x1f" // U+001F, the unit separator of ASCII
)

// withMembers returns a message whose code lists members that are not read.
func withMembers(m message.Message, unread []Member) message.Message {
	if len(unread) == 0 {
		return m
	}
	fields := []string{membersCode}
	for _, m := range unread {
		for _, field := range []string{m.Name, m.Why.In(message.English), m.Why.In(message.Chinese)} {
			fields = append(fields, strings.ReplaceAll(field, membersSeparator, " "))
		}
	}
	return m.WithCode(strings.Join(fields, membersSeparator))
}

// UnreadMembers lists the members of an archive that are not read, at most maxUnread, by its
// note, or the reason why it is not indexed; none of any other file.
func UnreadMembers(note message.Message) (all []Member) {
	fields := strings.Split(note.Code(), membersSeparator)
	if fields[0] != membersCode {
		return nil
	}
	for m := range slices.Chunk(fields[1:], 3) {
		if len(m) == 3 {
			all = append(all, Member{m[0], message.New(m[1], m[2])})
		}
	}
	return all
}
