package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"vademecum/internal/web/signin"
)

func (p *program) token() *cobra.Command {
	c := &cobra.Command{
		Use: "token COMMAND", Short: "make tokens for clients of serve --http",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return mistake("the file of tokens has a line for each: who is taken out is let in no more", "unknown command token %s: there is new", quoted(args[:1]))
			}
			return mistake("vademecum token new NAME --tokens FILE", "give a command: new")
		},
	}
	c.AddCommand(p.newToken())
	return c
}

func (p *program) newToken() *cobra.Command {
	var file string
	var scopes, groups []string
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "make a token for a user, and keep its hash",
		Long: `make a token for a user, and keep its hash

The token is shown once. A line with its hash is added to the file; a server that
was started with it takes the token at once, and no longer when the line is gone.`,
		Example: `  vademecum token new alice --tokens tokens
  vademecum serve --http notes --tokens tokens`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return mistake("", "give the name of one user")
			}
			if file == "" {
				return mistake("", "--tokens is missing: the file that the hash is kept in")
			}
			token, entry, err := signin.NewEntry(args[0], scopes, groups)
			if err != nil {
				return mistake("", "%w", err)
			}
			if err := entry.Append(file); err != nil {
				return fmt.Errorf("keep the hash: %w", err)
			}
			fmt.Fprintln(&p.out, token)
			p.notes = append(p.notes, "the token is not kept anywhere; a client sends it as Authorization: Bearer TOKEN")
			return nil
		},
	}
	c.Flags().StringVar(&file, "tokens", "", "`FILE` with a line for each token; it is made if there is none")
	c.Flags().StringSliceVar(&scopes, "scope", signin.Scopes, "what the user may do, `SCOPES`: read, index (which has index_docs called), metrics (read /metrics and nothing else)")
	c.Flags().StringSliceVar(&groups, "group", nil, "`GROUPS` that the user is in")
	return c
}
