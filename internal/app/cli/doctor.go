package cli

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"vademecum/docs"
	"vademecum/embed"
	"vademecum/index/notice"
	"vademecum/internal/app/doctor"
	"vademecum/internal/app/hosts"
	"vademecum/internal/base/message"
	"vademecum/internal/base/present"
)

func (p *program) doctor() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "doctor [FOLDER...]",
		Short: "find out why a host gets no answers, and say what to do",
		Long: `find out why a host gets no answers, and say what to do

It checks the program, starts what the hosts on this machine would start, requests
the URLs that they would use, checks the folders, their indexes, the system's limit
on watches, disk space, memory and the model, and asks a server of its own as a
host would. It exits with 1 if something is wrong.`,
		Example: `  vademecum doctor notes`,
		RunE: func(c *cobra.Command, folders []string) error {
			found := []doctor.Finding{}
			faults := 0
			language := p.language()
			if asJSON { // JSON is for programs, and always in English
				language = message.English
			}
			typeable := func(m message.Message) message.Message {
				return message.Message(m.InLanguageEdited(language, p.typeableCommands))
			}
			tell := func(f doctor.Finding) {
				f.Description, f.Advice = typeable(f.Description), typeable(f.Advice)
				if f.Level == doctor.LevelFault {
					faults++
				}
				if found = append(found, f); !asJSON {
					fmt.Fprint(&p.out, p.findingLine(f))
				}
			}
			if err := p.examineFolders(c, folders, tell); err != nil {
				return err
			}
			if asJSON {
				if err := p.printJSON(map[string]any{"findings": found}); err != nil {
					return err
				}
			}
			if faults > 0 {
				return faultsFound(faults)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return c
}

// faultsFound returns the error of a command that has found n faults; nil for 0.
func faultsFound(n int) error {
	return message.Errorf("%v found", message.New("%d faults", n))
}

// findingLine returns a finding of doctor as a line of text.
func (p *program) findingLine(f doctor.Finding) string {
	line := func(level, about, says message.Message) string {
		return padRight(p.translate(level), 8) + " " + padRight(p.localise("%v:", about), 9) + " " + p.translate(says) + "\n"
	}
	text := line(f.Level.Message(), f.Area, f.Description)
	if f.Advice != "" {
		text += line("", message.New("to do"), f.Advice)
	}
	return text
}

// padRight appends spaces to a text up to a width in terminal columns.
func padRight(text string, columns int) string {
	return text + strings.Repeat(" ", max(0, columns-present.DisplayWidth(text)))
}

// examineFolders runs the checks of doctor on those folders that exist, and reports those that do
// not.
func (p *program) examineFolders(c *cobra.Command, folders []string, tell func(doctor.Finding)) error {
	path, err := programPath()
	if err := errors.Join(err, p.setTarget(folders)); err != nil {
		return err
	}
	s := doctor.Target{ProgramPath: path, Version: p.release, EntryName: "vademecum", ParseCommandLine: parseServerArgs}
	if m, err := hosts.ThisMachine(); err == nil { // without a home directory there are no configurations of hosts
		s.Machine = m
	}
	for _, dir := range folders {
		if err := checkFolders([]string{dir}); err != nil {
			tell(usageFinding(doctor.AreaFolder, err))
			continue
		}
		s.Folders = append(s.Folders, dir)
	}
	if len(s.Folders) < len(folders) { // advice is about folders that are there
		if err := p.setTarget(s.Folders); err != nil {
			return err
		}
	}
	_, unknown := embed.NewIdentityOnly(p.embedSpec)
	if len(s.Folders) == len(folders) && len(folders)+len(p.libraries) > 0 && unknown == nil {
		p.isForPeople = true
		ix, _, err := p.openIndexWith(embed.NewIdentityOnly, folders)
		switch {
		case errors.As(err, new(docs.FolderMissingError)): // the check of the folders reports a missing one
		case err != nil:
			tell(usageFinding(doctor.AreaIndex, err))
		default:
			defer func() { _ = ix.Close() }() // nothing was loaded
			s.Index, s.UsesDatabase = ix, ix.IsInDatabase()
		}
	}
	s.Recogniser, s.EmbedderSpec = p.newRecogniser(), p.embedSpec
	s.Embedder, s.SetupError = embed.New(p.embedSpec)
	if s.ServerArgs, err = p.serveArgs(c.Flags(), folders); err != nil {
		return err
	}
	doctor.Examine(c.Context(), s, tell)
	return c.Context().Err()
}

// parseServerArgs parses the arguments that an entry of a host passes to the program.
func parseServerArgs(args []string) doctor.CommandLine {
	p := new(program)
	root := p.rootCommand()
	c, rest, err := root.Find(args)
	if err != nil || c == root {
		return doctor.CommandLine{}
	}
	for c.Parent() != root {
		c = c.Parent()
	}
	l := doctor.CommandLine{Subcommand: c.Name()}
	if l.Subcommand != "serve" {
		return l
	}
	// a later version may have added flags
	c.FParseErrWhitelist = cobra.FParseErrWhitelist{UnknownFlags: true}
	_ = c.ParseFlags(rest) // the server itself reports invalid flags
	l.Folders, l.ServesHTTP, l.EmbedderSpec = c.Flags().Args(), c.Flags().Changed("http"), p.embedSpec
	return l
}

// usageFinding returns a mistake in the command line as a finding of doctor.
func usageFinding(about message.Message, err error) doctor.Finding {
	f := doctor.Finding{Level: doctor.LevelFault, Area: about, Description: notice.ErrorLine(err)}
	var wrong usageError
	if errors.As(err, &wrong) {
		f.Advice = wrong.hint
	}
	switch {
	case f.Advice != "":
	case errors.Is(err, errAbsent):
		f.Advice = message.New("create the folder, or give the one with your documents: its path from here, or its full path")
	default:
		f.Advice = message.New("vademecum doctor --help shows how to use it")
	}
	return f
}
