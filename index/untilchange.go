package index

import "sync"

// untilChange caches results computed from all documents, by key, until a document changes: web
// pages request the same results again and again.
type untilChange[K comparable, V any] struct {
	mu   sync.Mutex
	at   uint64 // change number of the documents
	made map[K]V
}

// mostRemembered is the maximum number of results cached for one state of the documents.
const mostRemembered = 32

// get returns the cached result for key, or else that of makeIt.
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
