package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
)

func (p *program) newToken() *cobra.Command {
	var file tokenFile
	var scopes, groups []string
	var replace bool
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "create a token for a user, and save its hash",
		Long: `create a token for a user, and save its hash

The token is shown once. A line with its hash is added to the file, which is created
if necessary; a server that uses the file accepts the token at once.`,
		Example: `  vademecum token new alice --tokens tokens
  vademecum serve --http notes --tokens tokens`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageErrorf("give the name of one user")
			}
			before, err := file.readEntries(p, true)
			if err != nil {
				return err
			}
			before = slices.DeleteFunc(before, func(e signin.TokenEntry) bool { return e.Name != args[0] })
			if replace && len(before) > 0 && !c.Flags().Changed("scope") {
				scopes = before[len(before)-1].Scopes
			}
			if replace && len(before) > 0 && !c.Flags().Changed("group") {
				groups = before[len(before)-1].Groups
			}
			token, entry, err := signin.NewTokenEntry(args[0], scopes, groups)
			if err != nil {
				return usageError{error: err}
			}
			if err := entry.Append(string(file)); err != nil {
				return message.Errorf("keep the hash: %v", err)
			}
			fmt.Fprintln(&p.out, token)
			p.notes = append(p.notes, p.localise("the token is not stored anywhere; a client sends it as Authorization: Bearer TOKEN"))
			return p.handleOldTokens(string(file), before, replace)
		},
	}
	file.addFlag(c)
	c.Flags().StringSliceVar(&scopes, "scope", signin.DocumentScopes, "what the user may do, `SCOPES`: read, index (may call index_docs), metrics (read /metrics and nothing else)")
	c.Flags().StringSliceVar(&groups, "group", nil, "`GROUPS` that the user is in")
	c.Flags().BoolVar(&replace, "replace", false, "revoke the user's existing tokens; scopes and groups that are not given stay the same")
	return c
}

// handleOldTokens revokes the previous tokens of a user if replace is set, otherwise prints them.
func (p *program) handleOldTokens(file string, before []signin.TokenEntry, replace bool) error {
	if len(before) == 0 {
		return nil
	}
	if replace {
		if err := signin.RevokeTokens(file, before); err != nil {
			return message.Errorf("revoke the earlier tokens: %v", err)
		}
		p.notes = append(p.notes, p.localise("revoked: %v", describeTokens(before)))
		return nil
	}
	has, all := message.New("one already"), message.New("both are valid")
	if len(before) > 1 {
		has, all = message.New("%d already", len(before)), message.New("all are valid")
	}
	p.notes = append(p.notes, p.localise("%s has %v: %v; %v. To revoke the earlier ones: vademecum token revoke %s --tokens %s; --replace does this with the next one", before[0].Name, has, describeTokens(before), all, strings.Join(tokenIDs(before), " "), quoteArg(file)))
	return nil
}

func tokenIDs(entries []signin.TokenEntry) (ids []string) {
	for _, e := range entries {
		ids = append(ids, e.ID())
	}
	return ids
}

// describeTokens names tokens by their IDs and days of creation.
func describeTokens(entries []signin.TokenEntry) (all message.Message) {
	for _, e := range entries {
		one := message.Message(e.ID())
		if day := e.CreationDay(); day != "" {
			one = message.New("%v of %s", one, day)
		}
		if all == "" {
			all = one
		} else {
			all = message.New("%v, %v", all, one)
		}
	}
	return all
}
