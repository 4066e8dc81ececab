package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"vademecum/index/catalog/postgres"
)

// storeCommand is what whoever runs the database does with it.
func (p *program) storeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "store COMMAND",
		Short: "make and look after the tables of a shared database (--store)",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchCommand(c, args)
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.migrate())
	return c
}

func (p *program) migrate() *cobra.Command {
	var serving string
	c := &cobra.Command{
		Use:   "migrate",
		Short: "make the tables, or bring them up to this version; what is in them stays",
		Long: `make the tables, or bring them up to this version; what is in them stays

Run it as the role that is to own the tables, and give the servers another one
that can change rows and nothing else.`,
		Example: `  vademecum store migrate --store postgres://owner@db.example.com/vademecum --grant vademecum_server`,
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			at, err := p.storeGiven()
			if err != nil {
				return err
			}
			if err := postgres.Migrate(c.Context(), at, serving); err != nil {
				return err
			}
			fmt.Fprintf(&p.out, "The tables in %s are those of this version.\n", at)
			if serving != "" {
				fmt.Fprintf(&p.out, "%s may serve from them.\n", serving)
			}
			return nil
		},
	}
	c.Flags().StringVar(&serving, "grant", "", "let the `ROLE` serve: read and write rows, and change no table")
	return c
}

// storeGiven is the address of the database, which the command is about.
func (p *program) storeGiven() (postgres.Address, error) {
	address, err := p.storeAddress()
	if err != nil {
		return postgres.Address{}, err
	}
	if address == "" {
		return postgres.Address{}, mistake("give --store postgres://USER@HOST/DATABASE or set "+storeVariable, "no database is named")
	}
	at, err := postgres.Parse(address)
	if err != nil {
		return at, mistake("", "%w", err)
	}
	return at, nil
}
