package formats

import (
	"encoding/json"
	"strings"

	"vademecum/internal/base/message"
)

// UnreadMember is a member of an archive that was not read, with the reason.
type UnreadMember struct {
	Name   string // path in the archive
	Reason message.Message
}

// maxUnread is the maximum number of unread members that a message lists.
const maxUnread = 200

// membersCode is the prefix of the code of a message that lists unread members; the list follows as
// JSON.
const membersCode = "members"

// withMembers returns m with a code that lists the unread members, for UnreadMembers.
func withMembers(m message.Message, unread []UnreadMember) message.Message {
	if len(unread) == 0 {
		return m
	}
	var all [][2]string
	for _, m := range unread {
		all = append(all, [2]string{m.Name, string(m.Reason)})
	}
	code, err := json.Marshal(all)
	if err != nil {
		return m
	}
	return m.WithCode(membersCode + string(code))
}

// UnreadMembers lists the members of an archive that were not read, at most maxUnread, given the note
// on its content or the reason why it was skipped. For any other message it returns nil.
func UnreadMembers(note message.Message) (all []UnreadMember) {
	code, ok := strings.CutPrefix(note.Code(), membersCode)
	if !ok {
		return nil
	}
	var unread [][2]string
	if json.Unmarshal([]byte(code), &unread) != nil {
		return nil
	}
	for _, m := range unread {
		all = append(all, UnreadMember{m[0], message.Message(m[1])})
	}
	return all
}
