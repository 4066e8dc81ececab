package doctor

import (
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
)

// missingTokenFinding returns a finding on an entry that takes its token from an environment
// variable that is not set.
func (s *examination) missingTokenFinding(t entryTrial) Finding {
	return t.newFinding(LevelFault, message.New("%s is not set, from which it reads the token", t.launch.UnsetTokenVariable), t.host.UnsetTokenAdvice(s.Machine, t.launch.UnsetTokenVariable))
}

// placeholderFinding returns a finding on an entry that still contains the placeholder for a token.
func (t entryTrial) placeholderFinding() Finding {
	return t.newFinding(LevelFault, message.New("the server asks for a token, and the entry still has %s", hosts.TokenPlaceholder), message.New("put your token in its place; the server's administrator issues one"))
}
