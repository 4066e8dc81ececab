package page

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"vademecum/internal/base/message"
)

// TestRetryAfter checks that a temporary error says when to try again.
func TestRetryAfter(t *testing.T) {
	for status, want := range map[int]string{http.StatusServiceUnavailable: againAfter, http.StatusBadRequest: ""} {
		w, r := httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/events", http.NoBody)
		(&Pages{}).fail(w, r, status, message.New("why"))
		if got := w.Header().Get("Retry-After"); w.Code != status || got != want {
			t.Errorf("%d: after %q, want %q", w.Code, got, want)
		}
	}
}
