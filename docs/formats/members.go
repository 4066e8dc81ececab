package formats

import (
	"encoding/json"
	"strings"

	"vademecum/internal/base/message"
)

// Member is an unread member of an archive, with the reason.
type Member struct {
	Name string // path in the archive
	Why  message.Message
}

// maxUnread is the maximum number of unread members that are listed.
const maxUnread = 200

// membersCode is the prefix of the code of a note that lists unread members in JSON.
const membersCode = "members"

// withMembers returns a message whose code lists unread members.
func withMembers(m message.Message, unread []Member) message.Message {
	if len(unread) == 0 {
		return m
	}
	var all [][2]string
	for _, m := range unread {
		all = append(all, [2]string{m.Name, string(m.Why)})
	}
	code, err := json.Marshal(all)
	if err != nil {
		return m
	}
	return m.WithCode(membersCode + string(code))
}

// UnreadMembers lists the unread members of an archive, at most maxUnread, according to its note or
// the reason why it is not indexed. It returns none for any other file.
func UnreadMembers(note message.Message) (all []Member) {
	code, ok := strings.CutPrefix(note.Code(), membersCode)
	if !ok {
		return nil
	}
	var unread [][2]string
	if json.Unmarshal([]byte(code), &unread) != nil {
		return nil
	}
	for _, m := range unread {
		all = append(all, Member{m[0], message.Message(m[1])})
	}
	return all
}
