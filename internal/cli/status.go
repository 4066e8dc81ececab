package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index"
	"vademecum/index/catalog"
	"vademecum/index/say"
	"vademecum/internal/present"
)

func (p *program) status() *cobra.Command {
	var asJSON bool
	var missed string
	c := &cobra.Command{
		Use:   "status FOLDER...",
		Short: "tell what is in the index, without bringing it up to date",
		Example: `  vademecum status notes
  vademecum status notes --why report.pdf`,
		Args: p.folders("give the folder whose index is meant"),
		RunE: func(c *cobra.Command, folders []string) error {
			ix, _, err := p.openWith(embed.Named, folders)
			if err != nil {
				return err
			}
			status, err := ix.Status(c.Context())
			var files []index.File
			if err == nil && missed != "" {
				files, err = seek(c.Context(), ix, missed)
			}
			if err := errors.Join(err, ix.Close()); err != nil {
				return err
			}
			line, err := p.serveLine(c.Flags(), folders)
			if err != nil {
				return err
			}
			again := typeable(indexing(line))
			switch {
			case missed != "" && asJSON:
				return p.printJSON(append([]index.File{}, files...))
			case missed != "":
				p.printSought(status, files, missed, again)
			case asJSON:
				return p.printJSON(status)
			default:
				p.printStatus(status, again)
			}
			return nil
		},
	}
	c.Flags().StringVar(&missed, "why", "", "tell why a file is not found, by its name or path")
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// seek finds out what became of the files that somebody may mean. Where they are on other
// machines, only those tell what is left out.
func seek(ctx context.Context, ix *index.Index, name string) ([]index.File, error) {
	left, err := ix.LeftOut(ctx)
	if err != nil && !errors.Is(err, docs.ErrAway) {
		return nil, err
	}
	return ix.Seek(ctx, name, left)
}

// printSought names the command that indexes again.
func (p *program) printSought(s index.Status, files []index.File, name, again string) {
	damaged := false
	for _, f := range s.Folders {
		if f.Damage != "" {
			damaged = true
			fmt.Fprintf(&p.out, "%s: its index is damaged: %s; %s builds it again\n", present.Line(f.Folder), present.Line(f.Damage), again)
		}
	}
	for _, f := range files {
		fmt.Fprintln(&p.out, present.Line(f.String()))
	}
	if len(files) == 0 && !damaged {
		fmt.Fprintf(&p.out, "no file in the folders is called %s; what lies in a folder that is left out is found by its path from the top alone\n", present.Name(name))
	}
}

// indexing is the command that indexes what a server with these arguments has.
func indexing(serveLine []string) string { return "vademecum index " + shellLine(serveLine[1:]) }

// printStatus names the command that indexes again.
func (p *program) printStatus(s index.Status, again string) {
	for _, f := range s.Folders {
		fmt.Fprintf(&p.out, "folder:     %s\n", present.Line(f.Folder))
		if f.Bytes == 0 && f.Shared {
			fmt.Fprintf(&p.out, "index:      none yet; %s makes one\n", again)
			continue
		}
		if f.Bytes == 0 {
			fmt.Fprintf(&p.out, "index:      none on the disk; %s makes one (what a server that cannot save one keeps in memory is not seen here)\n", again)
			continue
		}
		if f.Damage != "" {
			fmt.Fprintf(&p.out, "index:      %s (%s)\ndamaged:    %s; %s builds it again\n", f.File, say.Size(f.Bytes), present.Line(f.Damage), again)
			continue
		}
		fmt.Fprintf(&p.out, "index:      %s (%s)\nmodel:      %s\nlast scan:  %s\n", f.File, say.Size(f.Bytes), f.Model, scanTime(f.Synced))
		if f.Host != "" {
			fmt.Fprintf(&p.out, "text is sent to: %s\n", f.Host)
		}
		if f.Fault != "" {
			fmt.Fprintf(&p.out, "model fails: %s\n", f.Fault)
		}
		if f.Failure != "" {
			fmt.Fprintf(&p.out, "last run failed: %s\n", f.Failure)
		}
		if f.Unlike != "" {
			fmt.Fprintf(&p.out, "not indexed: %s\n", present.Line(f.Unlike))
		}
		if f.Uncompared != "" {
			fmt.Fprintf(&p.out, "not compared: %s\n", present.Line(f.Uncompared))
		}
		if f.SnapshotFailure != "" {
			fmt.Fprintf(&p.out, "starts are slow, no snapshot could be saved: %s\n", f.SnapshotFailure)
		}
		if f.Unindexed {
			fmt.Fprintln(&p.out, typeable("questions are slow, the vectors have no index: vademecum store vacuum makes it"))
		}
		if f.Indexer != nil {
			fmt.Fprintf(&p.out, "indexer:    %s, since %s\n", present.Line(f.Indexer.String()), scanTime(f.Indexer.Since))
		}
	}
	p.printDatabase(s.Database)
	fmt.Fprintf(&p.out, "documents:  %d\npassages:   %d (%s)\n", s.Documents, s.Chunks, vectorsOf(s))
	for _, d := range s.Partial {
		fmt.Fprintf(&p.out, "partly read: %s: %s\n", present.Line(d.Path), present.Line(d.Reason))
	}
	if len(s.Skipped) > 0 {
		fmt.Fprintln(&p.out, say.Skipped(s.Skipped))
	}
	for _, r := range s.Refused {
		fmt.Fprintf(&p.out, "refused by the model: %s: %s\n", present.Line(r.Path), present.Line(r.Reason))
	}
	p.printGuessed(s.Guessed)
}

// fewGuessed is how many files of an encoding are named: a folder in one that is old has
// nothing else.
const fewGuessed = 3

// printGuessed tells which files are read in encodings that nothing in them names, a
// line for each encoding of many.
func (p *program) printGuessed(all []index.Guess) {
	byEncoding := make(map[string][]string)
	for _, g := range all {
		byEncoding[g.Encoding] = append(byEncoding[g.Encoding], present.Line(g.Path))
	}
	for _, encoding := range slices.Sorted(maps.Keys(byEncoding)) {
		paths := byEncoding[encoding]
		if len(paths) > fewGuessed {
			fmt.Fprintf(&p.out, "encoding guessed: %d files are read as %s, such as %s\n", len(paths), encoding, paths[0])
			continue
		}
		for _, path := range paths {
			fmt.Fprintf(&p.out, "encoding guessed: %s is read as %s\n", path, encoding)
		}
	}
}

// vectorsOf is in words how many passages have vectors.
func vectorsOf(s index.Status) string {
	saved := func(f index.FolderStatus) bool { return f.Model != "" && embed.IsStored(f.Model) }
	if !slices.ContainsFunc(s.Folders, saved) {
		return "vectors of the built-in embedding are not saved, but made when they are needed"
	}
	return fmt.Sprintf("%d with a vector", s.Chunks-s.Bare)
}

// printDatabase tells what is the matter with the database, and how its replica is.
func (p *program) printDatabase(d *catalog.Database) {
	if d == nil {
		return
	}
	if d.Refusal != "" {
		fmt.Fprintf(&p.out, "database:   takes no changes: %s: %s\n", d.Refusal, typeable(d.Remedy))
	}
	if d.Slow > 0 {
		fmt.Fprintf(&p.out, "database:   answers slowly: %d ms a statement, of which a question needs some ten\n", d.Slow)
	}
	if d.Replica != nil {
		fmt.Fprintf(&p.out, "replica:    %s: %s\n", d.Replica.Address, d.Replica)
	}
}

func scanTime(t time.Time) string {
	if t.IsZero() {
		return "never finished"
	}
	return t.Format("2006-01-02 15:04:05")
}
