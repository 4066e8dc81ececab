package doctor

import "vademecum/internal/hosts"

// missingTokenFinding tells of an entry that takes the token from a variable which is not set.
func (s *examination) missingTokenFinding(t entryTrial) Finding {
	return t.newFinding(Fault, t.launch.NoToken+" is not set, which it takes the token from", t.host.UnsetAdvice(s.Machine, t.launch.NoToken))
}

// placeholderFinding tells of an entry in which nobody has put a token yet.
func (t entryTrial) placeholderFinding() Finding {
	return t.newFinding(Fault, "the server asks for a token, and the entry still has "+hosts.YourToken, "put your token in its place; the server's administrator gives one")
}
