package signin

import "testing"

// TestUnverifiedEmail checks that an email address that its provider has not verified names no
// user.
func TestUnverifiedEmail(t *testing.T) {
	i := newIssuer(t)
	p := follow(t, i, ProviderOptions{UserClaim: "email"})
	for _, c := range []struct {
		verified any
		want     string
	}{{nil, "a@example.com"}, {true, "a@example.com"}, {"true", "a@example.com"}, {false, ""}, {"false", ""}} {
		u, err := p.Check(t.Context(), i.token(map[string]any{"email": "a@example.com", "email_verified": c.verified}))
		if err != nil || u.Name != c.want || u.ID != i.URL+" u1" {
			t.Errorf("verified %v: %+v, %v", c.verified, u, err)
		}
	}
}
