package catalog

import (
	"context"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// RequestMailbox passes requests from other processes to the process that indexes a folder or embeds its
// passages, and the responses back, as values of the catalogue. A request is written by the process that
// submits it until another one carries it out, and moves from one key to another when it is answered, so
// nothing depends on two processes writing a value at once.
type RequestMailbox struct{ values KeyValueStore }

// NewRequestMailbox returns the mailbox of the processes that share the values of a catalogue.
func NewRequestMailbox(values KeyValueStore) RequestMailbox { return RequestMailbox{values} }

// The keys of requests without a response, and of responses, begin with these, which are followed
// by the number of the request. IsRequestMailboxKey tells them from others.
const (
	requestPrefix = "request/"
	answerPrefix  = "answer/"
)

func numbered(prefix string, number int64) string { return prefix + strconv.FormatInt(number, 10) }

// IsRequestMailboxKey reports whether a key is that of a request or a response in a mailbox: these concern
// only processes that have the same catalogue open.
func IsRequestMailboxKey(key string) bool {
	return strings.HasPrefix(key, requestPrefix) || strings.HasPrefix(key, answerPrefix)
}

// list returns the values whose keys are a prefix and a number, by number.
func (m RequestMailbox) list(ctx context.Context, prefix string) (map[int64]string, error) {
	values, err := m.values.Values(ctx, prefix)
	if err != nil {
		return nil, err
	}
	all := make(map[int64]string, len(values))
	for key, value := range values {
		if number, err := strconv.ParseInt(key[len(prefix):], 10, 64); err == nil {
			all[number] = value
		}
	}
	return all, nil
}

// SubmitRequest saves a request and returns its number. Later requests have higher numbers, to
// the millisecond and as far as the clocks of the processes agree.
func (m RequestMailbox) SubmitRequest(ctx context.Context, request string) (number int64, err error) {
	const distinct = 20 // bits that distinguish requests of the same millisecond
	number = time.Now().UnixMilli()<<distinct | rand.Int64N(1<<distinct)
	return number, m.values.SetValue(ctx, numbered(requestPrefix, number), request)
}

// PendingRequests returns the requests without a response, by number.
func (m RequestMailbox) PendingRequests(ctx context.Context) (map[int64]string, error) {
	return m.list(ctx, requestPrefix)
}

// UpdateRequest replaces a request. isPending is false if the request has been withdrawn or
// answered. A request that is withdrawn at the same moment may be carried out nevertheless.
func (m RequestMailbox) UpdateRequest(ctx context.Context, number int64, request string) (isPending bool, err error) {
	key := numbered(requestPrefix, number)
	before, err := m.values.Value(ctx, key)
	if err != nil || before == "" {
		return false, err
	}
	return true, m.values.SetValue(ctx, key, request)
}

// keepAnswers is how many responses are kept for the processes that wait for them.
const keepAnswers = 20

// AnswerRequest saves the response to a request, unless the request was withdrawn.
func (m RequestMailbox) AnswerRequest(ctx context.Context, number int64, answer string) error {
	key := numbered(requestPrefix, number)
	if asked, err := m.values.Value(ctx, key); err != nil || asked == "" {
		return err
	}
	// in this order, so that the request is never gone without a response: see ReadAnswer
	if err := m.values.SetValue(ctx, numbered(answerPrefix, number), answer); err != nil {
		return err
	}
	if err := m.values.SetValue(ctx, key, ""); err != nil {
		return err
	}
	return m.pruneAnswers(ctx)
}

// pruneAnswers removes all but the latest responses.
func (m RequestMailbox) pruneAnswers(ctx context.Context) error {
	all, err := m.list(ctx, answerPrefix)
	if err != nil || len(all) <= keepAnswers {
		return err
	}
	numbers := make([]int64, 0, len(all))
	for number := range all {
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	for _, number := range numbers[:len(numbers)-keepAnswers] {
		if err := m.values.SetValue(ctx, numbered(answerPrefix, number), ""); err != nil {
			return err
		}
	}
	return nil
}

// ReadAnswer returns the response to a request, or "" if there is none yet. The error matches
// ErrRequestNotFound if the request does not exist.
func (m RequestMailbox) ReadAnswer(ctx context.Context, number int64) (string, error) {
	answer, err := m.values.Value(ctx, numbered(answerPrefix, number))
	if err != nil || answer != "" {
		return answer, err
	}
	if asked, err := m.values.Value(ctx, numbered(requestPrefix, number)); err != nil || asked != "" {
		return "", err
	}
	// it may have been answered meanwhile
	if answer, err = m.values.Value(ctx, numbered(answerPrefix, number)); err == nil && answer == "" {
		err = ErrRequestNotFound
	}
	return answer, err
}

// CancelRequest withdraws a request.
func (m RequestMailbox) CancelRequest(ctx context.Context, number int64) error {
	return m.values.SetValue(ctx, numbered(requestPrefix, number), "")
}
