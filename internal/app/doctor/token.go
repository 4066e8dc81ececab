package doctor

import (
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
)

// missingTokenFinding tells of an entry that takes the token from a variable which is not set.
func (s *examination) missingTokenFinding(t entryTrial) Finding {
	return t.newFinding(Fault, message.New("%s is not set, which it takes the token from", t.launch.NoToken), t.host.UnsetAdvice(s.Machine, t.launch.NoToken))
}

// placeholderFinding tells of an entry in which nobody has put a token yet.
func (t entryTrial) placeholderFinding() Finding {
	return t.newFinding(Fault, message.New("the server asks for a token, and the entry still has %s", hosts.YourToken), message.New("put your token in its place; the server's administrator gives one"))
}
