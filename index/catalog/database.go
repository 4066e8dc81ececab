package catalog

import (
	"vademecum/internal/base/message"
)

// DatabaseState is the state of the database that keeps the indexes.
type DatabaseState struct {
	Address string          `json:"address"` // without a password
	Refusal message.Message `json:"takes_no_changes,omitempty"`
	Remedy  message.Message `json:"remedy,omitempty"`                   // what is to be done about that
	Slow    int64           `json:"milliseconds_a_statement,omitempty"` // how long each takes at least, where that is long
	Replica *Replica        `json:"replica,omitempty"`
}

// Replica is how a replica is, and how far it is behind the database.
type Replica struct {
	Address string          `json:"address"`
	Fault   message.Message `json:"fault,omitempty"`          // why it is not asked, "" when it is
	Lacks   int64           `json:"lacks,omitempty"`          // commits to libraries that it does not have yet
	Behind  int64           `json:"seconds_behind,omitempty"` // how old the last of those is that it has, where it lacks some
}

// String says in English how a replica is.
func (r Replica) String() string { return r.Message().String() }

// Message says how a replica is.
func (r Replica) Message() message.Message {
	switch {
	case r.Fault != "":
		return message.New("it cannot be asked, so that the database answers all questions: %s", r.Fault)
	case r.Lacks == 0:
		return message.New("it has all that the database has")
	}
	return message.New("it lacks the last commits to libraries (%d, the last that it has is %d s old): the database answers until it has them", r.Lacks, r.Behind)
}

// ReplicaUse reports how questions are asked of a replica.
type ReplicaUse struct {
	Asked   int64           // questions that it has answered
	Instead int64           // questions that the database itself was asked instead
	Why     message.Message // of the last of these, "" while the replica answers
}
