package guard

import (
	"errors"
	"testing"
)

// TestQuota checks the limits per holder and in total, and that what is returned can be taken
// again.
func TestQuota(t *testing.T) {
	q := NewQuota(3, 2)
	var given []func()
	for i, c := range []struct {
		who string
		err error
	}{{"a", nil}, {"a", nil}, {"a", ErrHolderQuotaExceeded}, {"b", nil}, {"b", errTotalQuotaExceeded}, {"c", errTotalQuotaExceeded}} {
		give, err := q.Acquire(c.who)
		if !errors.Is(err, c.err) {
			t.Errorf("take %d by %s: %v, want %v", i, c.who, err, c.err)
		}
		if err == nil {
			given = append(given, give)
		}
	}
	if q.InUse() != 3 {
		t.Errorf("%d are taken", q.InUse())
	}
	for _, give := range given {
		give()
	}
	if _, err := q.Acquire("c"); err != nil || q.InUse() != 1 || len(q.held) != 1 {
		t.Errorf("%v, %d taken by %v", err, q.InUse(), q.held)
	}
}
