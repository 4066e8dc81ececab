package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"vademecum/index/notice"
	"vademecum/index/progress"
	"vademecum/index/store/postgres"
	"vademecum/index/store/postgres/db"
	"vademecum/index/store/postgres/schema"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

// storeCommand returns the command store, which is for administrators of the database.
func (p *program) storeCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "store COMMAND",
		Short: "create and maintain the tables of a shared database (--store)",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noSuchSubcommand(c, args[0], strings.Join(commandNames(c), ", "))
			}
			return nil
		},
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(p.migrate(), p.check(), p.stats(), p.vacuum(), p.remove())
	return c
}

// refuseLibraries returns a usage error if a command that concerns all libraries has arguments.
func (p *program) refuseLibraries(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usageErrorf("store %s takes no %s", c.Name(), quoteArgs(args[:1]))
	}
	if len(p.libraries) > 0 {
		return usageErrorf("store %s is about all libraries: leave --library out", c.Name())
	}
	return nil
}

func (p *program) migrate() *cobra.Command {
	var serving string
	c := &cobra.Command{
		Use:   "migrate",
		Short: "create the tables, or upgrade them to this version; what is in them stays",
		Long: `create the tables, or upgrade them to this version; what is in them stays

Run it as the role that will own the tables, and give the servers another role
that can only change rows.`,
		Example: `  vademecum store migrate --store postgres://owner@db.example.com/vademecum --grant vademecum_server`,
		Args:    p.refuseLibraries,
		RunE: func(c *cobra.Command, _ []string) error {
			at, err := p.requiredStore()
			if err != nil {
				return err
			}
			made, err := schema.Migrate(c.Context(), at, serving)
			if err != nil {
				return err
			}
			p.printRestored(made)
			if err := p.buildVectorIndexes(c.Context(), at); err != nil {
				return err
			}
			fmt.Fprint(&p.out, p.localise("The tables in %s match this version.\n", at))
			if serving != "" {
				fmt.Fprint(&p.out, p.localise("%s may serve from them.\n", serving))
			}
			return nil
		},
	}
	c.Flags().StringVar(&serving, "grant", "", "let the `ROLE` serve: read and write rows, but not change tables")
	return c
}

// printRestored prints which tables were missing and have been created again.
func (p *program) printRestored(made schema.RecreatedTables) {
	if len(made.Objects) > 0 {
		fmt.Fprint(&p.out, p.localise("Recreated what was missing: %s.\n", strings.Join(made.Objects, ", ")))
	}
	if made.EmptiedLibraries {
		fmt.Fprintln(&p.out, p.localise("The libraries are now empty except for their vectors: servers that see the folders, and vademecum index, fill them again."))
	}
}

func (p *program) check() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "check",
		Short: "read all of the libraries and compare each row with its checksum, and lists with passages",
		Args:  p.refuseLibraries,
		RunE: func(c *cobra.Command, _ []string) error {
			all, faults := []postgres.CheckResult{}, 0
			err := p.withStore(c.Context(), func(ctx context.Context, s *postgres.Store) error {
				return s.Check(ctx, func(one postgres.CheckResult) {
					if all = append(all, one); one.Fault != "" {
						faults++
					}
				})
			})
			if err != nil {
				return err
			}
			if asJSON {
				err = p.printJSON(map[string]any{"libraries": all})
			} else {
				p.printCheckResults(all)
			}
			if err == nil && faults > 0 {
				p.notes = append(p.notes, p.localise("a server that indexes the folder, or vademecum index FOLDER, reindexes what is damaged when it sees the files"))
				err = faultsFound(faults)
			}
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *program) printCheckResults(all []postgres.CheckResult) {
	for _, one := range all {
		fmt.Fprint(&p.out, p.localise("%s: %d documents, %d passages, %d vectors: %v\n", present.CleanLine(one.Library), one.Documents, one.Passages, one.Vectors, cmp.Or(one.Fault.MapForeignTexts(present.CleanLine), message.New("ok"))))
	}
}

func (p *program) stats() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats",
		Short: "count what is in the libraries, and show how large the tables are",
		Args:  p.refuseLibraries,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			var found postgres.Stats
			err = p.withStore(c.Context(), func(ctx context.Context, s *postgres.Store) (err error) {
				found, err = s.Stats(ctx)
				return err
			})
			if err != nil {
				return err
			}
			if asJSON {
				return p.printJSON(found)
			}
			p.printStats(found)
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

func (p *program) printStats(found postgres.Stats) {
	for _, l := range found.Libraries {
		old := message.Message("")
		if !l.IsCurrentFormat {
			old = message.New(" (in format %d, of another version)", l.Format)
		}
		fmt.Fprint(&p.out, p.localise("%s%v: %d documents, %d passages, %d vectors, %d files skipped\n", present.QuoteName(l.Name), old, l.Documents, l.Passages, l.Vectors, l.Skipped))
	}
	for _, m := range found.Models {
		index := message.New("index of %.1f MB", float64(m.IndexBytes)/1e6)
		switch {
		case m.IsIndexDue:
			index = message.New("no index yet; %s store vacuum creates it, and until then a question is compared with all of them", programName())
		case m.IndexBytes == 0:
			index = message.New("no index: a question is compared with all of them")
		}
		fmt.Fprint(&p.out, p.localise("%s by %s: %d vectors of %d dimensions, %v\n", present.CleanLine(m.Library), present.CleanLine(m.Model), m.Vectors, m.Dimensions, index))
	}
	var all int64
	for _, t := range found.Tables {
		all += t.Bytes
		fmt.Fprint(&p.out, p.localise("table %-16s %9.1f MB\n", t.Name, float64(t.Bytes)/1e6))
	}
	fmt.Fprint(&p.out, p.localise("all tables, version %d: %.1f MB\n", found.SchemaVersion, float64(all)/1e6))
}

func (p *program) vacuum() *cobra.Command {
	return &cobra.Command{
		Use:   "vacuum",
		Short: "remove libraries in formats of older versions, and free their space",
		Long: `remove libraries in formats of older versions, and free their space

Run it as the role that owns the tables, when all servers are of this version:
older ones would index again what is removed. Libraries that no program of this
version has indexed yet are kept, and listed. Vectors are kept, and a missing index
is created; for a million vectors that takes many minutes, during which servers keep
running. It uses the memory that it needs, as far as the settings of the server
allow. To set another maintenance_work_mem:
--store 'postgres://owner@host/vademecum?options=-cmaintenance_work_mem%3D2GB'`,
		Args: p.refuseLibraries,
		RunE: func(c *cobra.Command, _ []string) error {
			at, err := p.requiredStore()
			if err != nil {
				return err
			}
			old, err := postgres.RemoveOldFormats(c.Context(), at)
			for _, l := range old {
				p.printOldLibrary(l)
			}
			if err != nil {
				return err
			}
			if err := p.buildVectorIndexes(c.Context(), at); err != nil {
				return err
			}
			fmt.Fprintln(&p.out, p.localise("The tables are vacuumed."))
			return nil
		},
	}
}

// printOldLibrary prints what was done to a library of an older storage format.
func (p *program) printOldLibrary(l postgres.OtherFormatLibrary) {
	what := message.New("%s in format %d, with %v (%s)", present.QuoteName(l.Library), l.Format, message.New("%d documents", int(l.Documents)), notice.FormatSize(l.Bytes))
	if l.KeptReason != "" {
		fmt.Fprint(&p.out, p.localise("Kept %v: %s.\n", what, l.KeptReason))
		return
	}
	fmt.Fprint(&p.out, p.localise("Removed %v.\n", what))
}

// buildVectorIndexes builds those vector indexes in the database that are due, and shows progress
// on stderr.
func (p *program) buildVectorIndexes(ctx context.Context, at db.Address) error {
	show, every := p.progressDisplay()
	defer p.stderr.clearLine()
	var shown time.Time
	err := postgres.IndexVectors(ctx, at, func(done, total int) {
		if time.Since(shown) >= every {
			show(indexingStage(done, total, p.language()))
			shown = time.Now()
		}
	})
	if errors.Is(err, postgres.ErrIndexingInProgress) {
		p.notes = append(p.notes, p.translate(message.FromError(err)))
		return nil
	}
	return err
}

func (p *program) remove() *cobra.Command {
	return &cobra.Command{
		Use:   "remove LIBRARY",
		Short: "remove a library: its texts, passages and vectors",
		Long: `remove a library: its texts, passages and vectors

A library that a server keeps up to date is not removed: end that server first.
Servers that only search it say that it was removed, until it is indexed again.
A removed library can be indexed again; with a paid model, that costs again.`,
		Example: `  vademecum store stats
  vademecum store remove /path/to/old/notes`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return usageError{message.Errorf("give the name of one library"), adviceOnLibraries()}
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			at, err := p.requiredStore()
			if err != nil {
				return err
			}
			done, err := postgres.RemoveLibrary(c.Context(), at, args[0])
			switch {
			case errors.Is(err, postgres.ErrLibraryNotFound):
				return usageError{err, adviceOnLibraries()}
			case errors.Is(err, postgres.ErrLibraryInUse):
				return message.Errorf("%v%v", err, p.indexerOf(c.Context(), args[0]))
			case err != nil:
				return err
			}
			fmt.Fprint(&p.out, p.localise("Removed %s, with %v.\n", present.QuoteName(args[0]), message.New("%d documents", int(done.Documents))))
			if done.HasOtherConnections {
				p.notes = append(p.notes, p.localise("servers are connected to the database: those that search this library say that it was removed, until it is indexed again"))
			}
			return nil
		},
	}
}

func adviceOnLibraries() message.Message {
	return message.New("vademecum store stats lists them")
}

// indexerOf returns a text that names the process that keeps a library up to date; "" if the
// process is not known.
func (p *program) indexerOf(ctx context.Context, library string) (who message.Message) {
	_ = p.withStore(ctx, func(ctx context.Context, s *postgres.Store) error { // if this fails, the message does not name the process
		c, err := s.OpenReadOnly(ctx, library)
		if err != nil || c == nil {
			return err
		}
		n, err := progress.IndexerReportOf(ctx, c)
		if err == nil && n.Indexer.PID != 0 {
			who = message.New(" (%v, since %v)", n.Indexer.Message(), scanTimeText(n.Indexer.Since))
		}
		return err
	})
	return who
}

// withStore opens the database, calls f with it, and closes it.
func (p *program) withStore(ctx context.Context, f func(context.Context, *postgres.Store) error) error {
	at, err := p.requiredStore()
	if err != nil {
		return err
	}
	s, err := postgres.Open(ctx, at, 0)
	if err != nil {
		return err
	}
	return errors.Join(f(ctx, s), s.Close())
}

// requiredStore returns the address of the database, or a usage error if none is given.
func (p *program) requiredStore() (db.Address, error) {
	address, err := p.storeAddress()
	if err != nil {
		return db.Address{}, err
	}
	if address == "" {
		return db.Address{}, usageError{message.Errorf("no database is named"), message.New("give --store postgres://USER@HOST/DATABASE or set %s", storeVariable)}
	}
	at, err := db.ParseAddress(address)
	if err != nil {
		return at, asUsageError(err)
	}
	return at, nil
}
