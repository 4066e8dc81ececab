package cli

import (
	"cmp"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"vademecum/internal/app/web/oauth"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// readGrants returns the grants that the servers of this user of the machine have stored.
func readGrants() ([]oauth.Grant, error) {
	file, err := grantsFile()
	if err != nil {
		return nil, nil // without a configuration directory no server has a grants file
	}
	grants, err := oauth.ListGrants(file)
	if err != nil {
		return nil, message.Errorf("list grants: %v", err)
	}
	return grants, nil
}

func (p *program) printGrants(grants []oauth.Grant) error {
	if len(grants) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(&p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, p.localise("ID\tLET IN BY\tPROGRAM\tAT\tSCOPES\tMADE\tUSED\tUNTIL"))
	for _, g := range grants {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", g.ID, cmp.Or(present.CleanLine(g.UserName), "-"), cmp.Or(present.CleanLine(g.ClientName), "-"), present.CleanLine(g.ClientHost), strings.Join(g.Scopes, ","),
			g.Created.Format(time.DateOnly), g.LastUsed.Format(time.DateOnly), g.EndTime(time.Now()).Format(time.DateOnly))
	}
	return table.Flush()
}

// listedGrant is a grant in the JSON output of token list.
type listedGrant struct {
	ID       string   `json:"id"`
	Name     string   `json:"name"`
	Program  string   `json:"program"`
	At       string   `json:"at"`
	Resource string   `json:"resource"`
	Scopes   []string `json:"scopes"`
	Made     string   `json:"made"`
	Used     string   `json:"used"`
	Until    string   `json:"until"`
}

func grantsAsJSON(grants []oauth.Grant) []listedGrant {
	all := []listedGrant{}
	for _, g := range grants {
		all = append(all, listedGrant{g.ID, g.UserName, g.ClientName, g.ClientHost, g.Resource, g.Scopes, g.Created.Format(time.DateOnly), g.LastUsed.Format(time.DateOnly), g.EndTime(time.Now()).Format(time.DateOnly)})
	}
	return all
}

// endGrants ends grants and prints them.
func (p *program) endGrants(grants []oauth.Grant) error {
	if len(grants) == 0 {
		return nil
	}
	file, err := grantsFile()
	if err != nil {
		return err
	}
	var ids []string
	for _, g := range grants {
		ids = append(ids, g.ID)
	}
	ended, err := oauth.EndGrants(file, slog.New(slog.DiscardHandler), ids)
	if err != nil {
		return message.Errorf("revoke grants: %v", err)
	}
	for _, g := range ended {
		fmt.Fprint(&p.out, p.localise("revoked %s: %s of %s\n", g.ID, cmp.Or(present.CleanLine(g.ClientName), present.CleanLine(g.ClientHost)), g.UserName))
	}
	return nil
}
