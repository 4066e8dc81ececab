package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"vademecum/internal/app/web/oauth"
	"vademecum/internal/app/web/signin"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// tokenCommands names the subcommands of token, for error messages.
const tokenCommands = "list, new, revoke"

func (p *program) token() *cobra.Command {
	c := &cobra.Command{
		Use: "token COMMAND", Short: "create, list and revoke tokens for clients of serve --http, and programs allowed with --sign-in",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchSubcommand(c, args[0], tokenCommands)
			}
			return usageError{message.Errorf("give a command: %s", tokenCommands), "vademecum token new NAME --tokens FILE"}
		},
	}
	c.AddCommand(p.newToken(), p.listTokens(), p.revokeTokens())
	return c
}

// tokenFile is the value of the flag --tokens, the path of the token file.
type tokenFile string

func (f *tokenFile) addFlag(c *cobra.Command) {
	c.Flags().StringVar((*string)(f), "tokens", "", "`FILE` with a line for each token")
}

var errNoTokens = usageErrorf("--tokens is missing: the file with a line for each token")

// readEntries returns the entries in the token file, which must exist unless mayBeNew is set.
func (f tokenFile) readEntries(p *program, mayBeNew bool) ([]signin.TokenEntry, error) {
	if f == "" {
		return nil, errNoTokens
	}
	all, wrong, err := signin.ReadTokenEntries(string(f))
	switch {
	case errors.Is(err, fs.ErrNotExist) && mayBeNew:
		return nil, nil
	case isNotExist(err):
		return nil, noTokenFile(string(f))
	case err != nil:
		return nil, message.Errorf("these are not valid tokens: %v", err)
	}
	for _, w := range wrong {
		p.notes = append(p.notes, p.localise("a line of %s is not valid: %v", present.QuoteName(string(f)), w))
	}
	return all, nil
}

// noTokenFile returns the usage error for a token file that does not exist.
func noTokenFile(file string) error {
	return usageError{message.Errorf("no such file: %s", absolutePath(file)), commandLine("token new NAME --tokens", quoteArg(file))}
}

func (p *program) listTokens() *cobra.Command {
	var file tokenFile
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "list users with tokens, and the programs that they have allowed",
		Long: `list users with tokens, and the programs that they have allowed

An id is the beginning of the token's hash, and reveals nothing about the token.
Programs that people have allowed with serve --sign-in are listed after the tokens, or
alone if --tokens is not given.`,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("token list takes no argument, got %s", quoteArgs(args[:1]))
			}
			entries, grants, err := file.entriesAndGrants(p)
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(map[string]any{"tokens": tokensAsJSON(entries), "grants": grantsAsJSON(grants)})
			}
			switch {
			case file == "" && len(grants) == 0:
				fmt.Fprintln(&p.out, p.localise("no program has been allowed yet; with --tokens FILE the tokens are listed too"))
			case file != "":
				if err := p.printTokens(entries); err != nil {
					return err
				}
			}
			return p.printGrants(grants)
		},
	}
	file.addFlag(c)
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// entriesAndGrants returns the entries in the token file, if one is named, and the grants that the
// servers of this user of the machine have stored.
func (f tokenFile) entriesAndGrants(p *program) ([]signin.TokenEntry, []oauth.Grant, error) {
	grants, err := readGrants()
	if err != nil || f == "" {
		return nil, grants, err
	}
	entries, err := f.readEntries(p, false)
	return entries, grants, err
}

func (p *program) printTokens(entries []signin.TokenEntry) error {
	if len(entries) == 0 {
		fmt.Fprintln(&p.out, p.localise("no token: this file lets nobody in"))
		return nil
	}
	table := tabwriter.NewWriter(&p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, p.localise("ID\tNAME\tMADE\tSCOPES\tGROUPS"))
	for _, e := range entries {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", e.ID(), e.Name, cmp.Or(e.CreationDay(), "-"), strings.Join(e.Scopes, ","), cmp.Or(strings.Join(e.Groups, ","), "-"))
	}
	return table.Flush()
}

// listedToken is a token in the JSON output of token list.
type listedToken struct {
	ID     string   `json:"id"`
	Name   string   `json:"name"`
	Made   string   `json:"made,omitempty"`
	Scopes []string `json:"scopes"`
	Groups []string `json:"groups,omitempty"`
}

func tokensAsJSON(entries []signin.TokenEntry) []listedToken {
	all := []listedToken{}
	for _, e := range entries {
		all = append(all, listedToken{e.ID(), e.Name, e.CreationDay(), e.Scopes, e.Groups})
	}
	return all
}
