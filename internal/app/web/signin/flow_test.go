package signin

import (
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"
)

// TestFlowEnds checks that a sign-in expires after FlowTimeout.
func TestFlowEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := NewClient(nil, ClientOptions{CookieKey: NewEncryptionKey()})
		text, err := json.Marshal(signInFlow{State: "s", To: "/library", Begun: time.Now()})
		if err != nil {
			t.Fatal(err)
		}
		kept := c.o.CookieKey.seal(forFlow, string(text))
		time.Sleep(FlowTimeout)
		if f, ok := c.openFlow(kept); !ok || f.To != "/library" {
			t.Errorf("in time: %+v, %t", f, ok)
		}
		time.Sleep(time.Second)
		if _, ok := c.openFlow(kept); ok {
			t.Error("it goes on for ever")
		}
		if _, ok := c.openFlow(c.o.CookieKey.seal(sessionCookiePurpose, string(text))); ok {
			t.Error("a session is taken for one")
		}
	})
}
