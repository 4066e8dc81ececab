package index

import "sync"

// untilChange remembers what was made of all documents, by what it was asked for, until a
// document changes: pages ask for the same again and again.
type untilChange[K comparable, V any] struct {
	mu   sync.Mutex
	at   uint64 // change number of the documents
	made map[K]V
}

// mostRemembered bounds what is remembered of one state of the documents.
const mostRemembered = 32

// get returns what makeIt makes, which is called for each state of the documents once.
func (u *untilChange[K, V]) get(number uint64, key K, makeIt func() (V, error)) (V, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.at != number || u.made == nil || len(u.made) >= mostRemembered {
		u.at, u.made = number, make(map[K]V)
	}
	if v, ok := u.made[key]; ok {
		return v, nil
	}
	v, err := makeIt()
	if err == nil {
		u.made[key] = v
	}
	return v, err
}
