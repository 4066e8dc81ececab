package catalog

import (
	"vademecum/internal/base/message"
)

// DatabaseStatus is the condition of the database that stores the indexes, for people who operate
// it.
type DatabaseStatus struct {
	Address       string          `json:"address"` // without a password
	WriteRefusal  message.Message `json:"takes_no_changes,omitempty"`
	Remedy        message.Message `json:"remedy,omitempty"`                   // how to fix the fault
	LatencyMillis int64           `json:"milliseconds_a_statement,omitempty"` // minimum time for a statement in milliseconds; 0 if that is short
	Replica       *ReplicaStatus  `json:"replica,omitempty"`
}

// ReplicaStatus is the condition of a replica, and how far it lags behind the database.
type ReplicaStatus struct {
	Address              string          `json:"address"`
	Fault                message.Message `json:"fault,omitempty"`          // why it is not used; "" if it is used
	MissingCommits       int64           `json:"lacks,omitempty"`          // number of commits that it does not have yet
	LastCommitAgeSeconds int64           `json:"seconds_behind,omitempty"` // age of its last commit in seconds, if it lacks some; else 0
}

// String describes the condition of the replica in English.
func (r ReplicaStatus) String() string { return r.Message().String() }

// Message describes the condition of the replica.
func (r ReplicaStatus) Message() message.Message {
	switch {
	case r.Fault != "":
		return message.New("it cannot be queried, so the database answers all questions: %s", r.Fault)
	case r.MissingCommits == 0:
		return message.New("it is up to date with the database")
	}
	return message.New("it lacks the latest commits to libraries (%d, its newest one is %d s old): the database answers until it catches up", r.MissingCommits, r.LastCommitAgeSeconds)
}

// ReplicaStats counts the queries that a replica could have answered, by the server that answered
// them.
type ReplicaStats struct {
	AnsweredByReplica  int64           // queries that the replica answered
	AnsweredByDatabase int64           // queries that the database answered instead
	FallbackReason     message.Message // why the database answered last; "" while the replica answers
}
