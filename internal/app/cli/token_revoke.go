package cli

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) revokeTokens() *cobra.Command {
	var file tokenFile
	c := &cobra.Command{
		Use:   "revoke NAME|ID...",
		Short: "revoke all tokens of users, one token, or one program that a user has allowed",
		Long: `revoke all tokens of users, one token, or one program that a user has allowed

A name means all tokens of that user, an id from token list that token. Their lines in
the file become comments; a server that uses the file refuses them at once. Programs that
a user allowed with a token lose access with it.`,
		Example: `  vademecum token revoke dave --tokens tokens
  vademecum token revoke 3f9a1c2e --tokens tokens`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageErrorf("give the names of users, or ids of tokens")
			}
			entries, grants, err := file.entriesAndGrants(p)
			switch {
			case err != nil:
				return err
			case file == "" && len(grants) == 0:
				return errNoTokens
			}
			known := revocationSet{file, entries, grants}
			var end revocationSet
			for _, arg := range args {
				meant, err := known.matching(arg)
				if err != nil {
					return err
				}
				end.add(meant)
			}
			return p.revoke(file, end)
		},
	}
	file.addFlag(c)
	return c
}

// revoke revokes tokens, ends grants, and prints both.
func (p *program) revoke(file tokenFile, end revocationSet) error {
	if len(end.tokens) > 0 {
		if err := signin.RevokeTokens(string(file), end.tokens); err != nil {
			return message.Errorf("revoke tokens: %v", err)
		}
	}
	for _, e := range end.tokens {
		fmt.Fprint(&p.out, p.localise("revoked %s of %s\n", e.ID(), e.Name))
	}
	return p.endGrants(end.grants)
}

// leastOfID is the minimum number of digits of an ID by which users may name a token.
const leastOfID = 4

// revocationSet is a set of tokens and grants that are to be revoked.
type revocationSet struct {
	file   tokenFile
	tokens []signin.TokenEntry
	grants []oauth.Grant
}

// add adds those tokens and grants of another set that are not in this one.
func (r *revocationSet) add(others revocationSet) {
	for _, e := range others.tokens {
		if !slices.ContainsFunc(r.tokens, func(has signin.TokenEntry) bool { return has.Hash == e.Hash }) {
			r.tokens = append(r.tokens, e)
		}
	}
	for _, g := range others.grants {
		if !slices.ContainsFunc(r.grants, func(has oauth.Grant) bool { return has.ID == g.ID }) {
			r.grants = append(r.grants, g)
		}
	}
}

// filter returns the tokens and grants for which the functions return true, and the grants that
// depend on these tokens.
func (r revocationSet) filter(token func(signin.TokenEntry) bool, grant func(oauth.Grant) bool) (some revocationSet) {
	for _, e := range r.tokens {
		if token(e) {
			some.tokens = append(some.tokens, e)
		}
	}
	for _, g := range r.grants {
		if grant(g) || slices.ContainsFunc(some.tokens, func(e signin.TokenEntry) bool { return g.UserTokenHash == hex.EncodeToString(e.Hash[:]) }) {
			some.grants = append(some.grants, g)
		}
	}
	return some
}

// matching returns the tokens and grants of the user that arg names, or the only token or grant
// whose ID begins with arg.
func (r revocationSet) matching(arg string) (some revocationSet, err error) {
	some = r.filter(func(e signin.TokenEntry) bool { return e.Name == arg }, func(g oauth.Grant) bool { return g.UserName == arg })
	if len(some.tokens)+len(some.grants) > 0 {
		return some, nil
	}
	var ids []string
	begins := func(id string) bool {
		begins := len(arg) >= leastOfID && strings.HasPrefix(id, strings.ToLower(arg))
		if begins {
			ids = append(ids, id)
		}
		return begins
	}
	some = r.filter(func(e signin.TokenEntry) bool { return begins(e.ID()) }, func(g oauth.Grant) bool { return begins(g.ID) })
	command := commandLine("token list")
	if r.file != "" {
		command = commandLine("token list --tokens", quoteArg(string(r.file)))
	}
	list := message.New("%v shows names and ids", command)
	switch {
	case len(ids) == 1:
		return some, nil
	case len(ids) > 1:
		return some, usageError{message.Errorf("%s matches several tokens", present.QuoteName(arg)), message.New("give more digits: %s", strings.Join(ids, ", "))}
	case strings.HasPrefix(arg, signin.TokenPrefix):
		return some, usageError{message.Errorf("do not write a token itself into commands: give its id, or the name of the user"), list}
	}
	if meant := present.NearestUser(arg, r.names()); meant != "" {
		list = message.New("did you mean %s? %v", meant, list)
	}
	return some, usageError{message.Errorf("nobody called %s has a token, and no token has this id", present.QuoteName(arg)), list}
}

func (r revocationSet) names() (all []string) {
	for _, e := range r.tokens {
		all = append(all, e.Name)
	}
	for _, g := range r.grants {
		all = append(all, g.UserName)
	}
	return all
}
