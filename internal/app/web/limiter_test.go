package web

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"vademecum/index"
	"vademecum/internal/app/web/access"
	"vademecum/internal/app/web/signin"
	"vademecum/mcp"
)

// slowLibrary answers a question when it is released.
type slowLibrary struct {
	access.Library
	answers chan struct{}
}

func (l slowLibrary) Ask(context.Context, index.Question) (index.Reply, error) {
	<-l.answers
	return index.Answer{}, nil
}

// TestTurns checks that questions wait for others, but for a limited time and in limited number.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := slowLibrary{answers: make(chan struct{})}
		library := NewQuestionLimiter(1, false, NewStats("")).LimitLibrary(slow)
		failed := make(chan error, 2*waitingEach)
		ask := func() {
			_, err := library.Ask(t.Context(), index.Query{})
			failed <- err
		}
		go ask()
		synctest.Wait()
		for range waitingEach {
			go ask()
		}
		synctest.Wait()
		if _, err := library.Ask(t.Context(), index.Query{}); !errors.Is(err, errBusy) {
			t.Errorf("one too many gets %v", err)
		}
		slow.answers <- struct{}{}
		if err := <-failed; err != nil {
			t.Errorf("the first gets %v", err)
		}
		time.Sleep(longestTurn + time.Second)
		for range waitingEach - 1 {
			if err := <-failed; !errors.Is(err, errBusy) {
				t.Errorf("one that has waited too long gets %v", err)
			}
		}
		slow.answers <- struct{}{}
		if err := <-failed; err != nil {
			t.Errorf("the second gets %v", err)
		}
	})
}

// TestTurnsOfUsers checks that one user cannot fill the queue, and gets an error that says so.
func TestTurnsOfUsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := slowLibrary{answers: make(chan struct{})}
		turns := NewQuestionLimiter(1, true, NewStats(""))
		library := turns.LimitLibrary(slow)
		answered := make(chan error, waitingEach)
		asks := func(user string) error {
			_, err := library.Ask(signin.WithUser(t.Context(), signin.User{ID: user}), index.Query{})
			return err
		}
		const share = waitingEach / userShare
		for range 1 + share { // one question is answered, the others wait
			go func() { answered <- asks("alice") }()
			synctest.Wait()
		}
		if err := asks("alice"); !errors.Is(err, errMany) {
			t.Errorf("alice asks one more and gets %v", err)
		}
		go func() { answered <- asks("bob") }()
		synctest.Wait()
		if _, n := turns.counts(); n != share+1 || turns.refused.Load() != 1 {
			t.Errorf("%d wait, %d were turned away", n, turns.refused.Load())
		}
		for range share + 2 {
			slow.answers <- struct{}{}
			if err := <-answered; err != nil {
				t.Error(err)
			}
		}
	})
}

// TestTurnsOfEachCost checks that each question waits for others of the same cost only: scans of
// all texts do not delay searches, nor regular expressions scans.
func TestTurnsOfEachCost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		costs := map[index.Cost]index.Question{
			index.CostSearch: index.Query{Text: "x"}, index.CostScan: index.FindQuery{Text: "x"}, index.CostPattern: index.FindQuery{Text: "x", IsRegexp: true},
		}
		for cost, q := range costs {
			slow := slowLibrary{answers: make(chan struct{})}
			turns := NewQuestionLimiter(scansAtOnce, false, NewStats(""))
			library := turns.LimitLibrary(slow)
			ask := func(q index.Question) { _, _ = library.Ask(t.Context(), q) }
			for range scansAtOnce + 1 {
				go ask(q)
			}
			synctest.Wait()
			if running, waiting := turns.counts(); running != scansAtOnce || waiting != 1 {
				t.Errorf("of the %s %d are answered and %d wait", cost, running, waiting)
			}
			others := []index.Question{index.ReadQuery{}, index.PageImageQuery{}}
			for other, q := range costs {
				if other != cost {
					others = append(others, q)
				}
			}
			for _, other := range others {
				go ask(other)
			}
			synctest.Wait()
			if running, waiting := turns.counts(); running != scansAtOnce+2 || waiting != 1 {
				t.Errorf("beside the %s %d are answered and %d wait", cost, running, waiting)
			}
			for range scansAtOnce + 1 + len(others) {
				slow.answers <- struct{}{}
			}
			synctest.Wait()
			if running, waiting := turns.counts(); running != 0 || waiting != 0 {
				t.Errorf("after the %s %d are answered and %d wait", cost, running, waiting)
			}
		}
	})
}

// toldLibrary records the users who ask.
type toldLibrary struct {
	noLibrary
	asks chan string
}

func (l toldLibrary) Ask(ctx context.Context, _ index.Question) (index.Reply, error) {
	l.asks <- signin.UserFrom(ctx).ID
	return index.Answer{}, nil
}

// asUser authenticates all requests as one user.
type asUser struct{ name string }

func (u asUser) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+u.name)
	return http.DefaultTransport.RoundTrip(r)
}

// TestTurnsKnowUsers checks that the limiter knows the user of each question, in each version of
// the protocol.
func TestTurnsKnowUsers(t *testing.T) {
	asks := make(chan string, 1)
	over := watchedServer(t, Options{Authenticator: &signin.Authenticator{Checkers: []signin.Checker{scoped{true}}}})
	view := access.View{Server: mcp.New(toldLibrary{asks: asks}, mcp.Options{Logger: over.o.Logger})}
	over.o.ChooseView = func(signin.User) (*access.View, error) { return &view, nil }
	s := httptest.NewServer(over)
	t.Cleanup(s.Close)
	for _, protocol := range []string{"2024-11-05", "2025-11-25", "2026-07-28"} {
		through := &http.Client{Transport: asUser{signin.ScopeRead}}
		var transport sdk.Transport = &sdk.StreamableClientTransport{Endpoint: s.URL + "/mcp", HTTPClient: through}
		if protocol == "2024-11-05" {
			transport = &sdk.SSEClientTransport{Endpoint: s.URL + "/sse", HTTPClient: through}
		}
		c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, &sdk.ClientSessionOptions{ProtocolVersion: protocol})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "retrieve_docs", Arguments: map[string]any{"query": "x"}}); err != nil {
			t.Fatal(err)
		}
		if got := <-asks; got != signin.ScopeRead {
			t.Errorf("%s: %q asks", protocol, got)
		}
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
